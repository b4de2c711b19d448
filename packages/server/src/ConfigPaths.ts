/** Files and folders that the configuration names: relative paths begin at the folder of its own file. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { TrunklineOptions } from "@trunkline/core"
import { InvalidSimulatorOptions, simulator } from "@trunkline/providers/simulator"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"
import * as JsonText from "./JsonText.ts"

type JwtOptions = NonNullable<NonNullable<TrunklineOptions["auth"]>["jwt"]>

/** Public keys that sign tokens, or the address that has them. */
export type KeySet = Pick<JwtOptions, "jwks" | "jwksUrl">

/** What callees of the simulator say, as the file that is named has it. */
export const calleeAudioOf = (named: unknown, folder: string): { readonly audio: Uint8Array | null } | Fault => {
  const path = "telephony.simulator.callee_audio"
  if (typeof named !== "string") return { audio: null }
  const file = resolve(folder, named)
  try {
    const audio = new Uint8Array(readFileSync(file))
    simulator({ calleeAudio: audio })
    return { audio }
  } catch (error) {
    return error instanceof InvalidSimulatorOptions
      ? { path, message: `must be a WAV file, which ${file} is not` }
      : { path, message: `is a file that cannot be read: ${(error as Error).message}` }
  }
}

/** Where public keys come from: an address is requested when a token comes, a file is read now. */
export const keySetOf = (named: unknown, folder: string): KeySet | Fault => {
  const path = "auth.jwt.jwks_url"
  if (typeof named !== "string") return {}
  if (/^https?:\/\//i.test(named)) {
    return URL.canParse(named) ? { jwksUrl: named } : { path, message: "must be a URL or the path of a file" }
  }
  try {
    const file = named.startsWith("file:") ? fileURLToPath(named) : resolve(folder, named)
    const keys = JSON.parse(readFileSync(file, "utf8"))
    return Array.isArray(keys?.keys)
      ? { jwks: keys }
      : { path, message: `the file ${file} holds no key set: {"keys": […]}` }
  } catch (error) {
    return { path, message: `is a file that cannot be read: ${(error as Error).message}` }
  }
}

/** Relative folders of weights begin at the configuration file, as every path in it does. */
export const withFolders = (models: Sections["models"], folder: string): Sections["models"] => {
  const placed = <A extends { readonly modelsFolder?: string }>(section: A): A =>
    section.modelsFolder === undefined ? section : { ...section, modelsFolder: resolve(folder, section.modelsFolder) }
  const { embedded: engine, upstreams } = models
  return {
    ...models,
    ...(engine === undefined ? {} : { embedded: placed(engine) }),
    ...(upstreams === undefined
      ? {}
      : { upstreams: Object.fromEntries(Object.entries(upstreams).map(([name, one]) => [name, placed(one)])) })
  }
}

/** A relative folder of recordings begins at the configuration file as well. */
export const withRecordings = (voice: Sections["voice"], folder: string): Sections["voice"] =>
  voice.recordingsFolder === undefined ? voice : { ...voice, recordingsFolder: resolve(folder, voice.recordingsFolder) }

/** The file of models, parsed. The product checks what stands in it. */
export const catalogueOf = (named: unknown, folder: string): { readonly content: unknown } | Fault => {
  const path = "models.catalogue"
  if (typeof named !== "string") return { content: null }
  const file = resolve(folder, named)
  try {
    const read = JsonText.read(readFileSync(file, "utf8"))
    return read._tag === "Value"
      ? { content: read.value }
      : { path, message: `is a file that is not valid JSON: ${file}: ${read.faults.join("; ")}` }
  } catch (error) {
    return { path, message: `is a file that cannot be read: ${(error as Error).message}` }
  }
}
