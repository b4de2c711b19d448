/** Files and folders that the configuration names: relative paths begin at the folder of its own file. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { TrunklineOptions } from "@trunkline/core"
import { isObject, type SettingFault, type Settings } from "@trunkline/core/provider"
import type { Fault } from "./ConfigFaults.ts"
import * as JsonText from "./JsonText.ts"

type JwtOptions = NonNullable<NonNullable<TrunklineOptions["auth"]>["jwt"]>

/** Public keys that sign tokens, or the address that has them. */
export type KeySet = Pick<JwtOptions, "jwks" | "jwksUrl">

/** Where a value stands, where relative paths begin, and the faults of paths of files. */
interface Place {
  readonly folder: string
  readonly path: ReadonlyArray<string>
  readonly faults: Array<SettingFault>
}

/** What a file holds, or undefined where it cannot be used. */
const contentOf = (file: string, { faultOf }: Settings.Form, { faults, path }: Place): Uint8Array | undefined => {
  const refuse = (message: string): undefined => void faults.push({ path, message })
  try {
    const content = new Uint8Array(readFileSync(file))
    const fault = faultOf(content as never)
    return fault === null ? content : refuse(`${fault}, which ${file} is not`)
  } catch (error) {
    return refuse(`is a file that cannot be read: ${(error as Error).message}`)
  }
}

const placedValue = ({ form }: Settings.Setting<unknown>, given: unknown, place: Place): unknown => {
  const { each, fields, path } = form
  if (path !== undefined && typeof given === "string") {
    const named = resolve(place.folder, given)
    return path === "folder" ? named : contentOf(named, form, place)
  }
  if (!isObject(given) || (fields ?? each) === undefined) return given
  const within = Object.entries(given).map(([name, one]) => {
    const inner = fields?.[name] ?? each
    return [name, inner === undefined ? one : placedValue(inner, one, { ...place, path: [...place.path, name] })]
  })
  return Object.fromEntries(within)
}

/** Values with whole folders and with what their files hold in the place of their paths, and the faults of these. */
export const placedPaths = <A>(setting: Settings.Setting<unknown>, given: A, folder: string) => {
  const faults: Array<SettingFault> = []
  const placed = placedValue(setting, given, { folder, path: [], faults }) as A
  return { placed, faults }
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
