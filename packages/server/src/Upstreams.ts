/** Who runs models, as the file says: settings become plugs, and what a kind cannot work with is told with its path. */
import { deepgram } from "@trunkline/providers/deepgram"
import { embedded, InvalidEmbeddedOptions } from "@trunkline/providers/embedded"
import { InvalidUpstreamOptions, openai, type UpstreamPlug } from "@trunkline/providers/openai"
import { sarvam } from "@trunkline/providers/sarvam"
import * as Redacted from "effect/Redacted"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"
import { write } from "./Log.ts"

type Upstreams = NonNullable<Sections["models"]["upstreams"]>
export type UpstreamSection = Upstreams[string]

const fileNames: Readonly<Record<string, string>> = {
  baseUrl: "base_url",
  apiKey: "api_key",
  timeoutMs: "timeout_ms",
  serves: "serves"
}

/** The engine on this machine. */
export const embeddedPlug = (timeoutMs?: number): UpstreamPlug =>
  embedded({
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    log: (line) => write({ level: "info", message: line, at: new Date() })
  })

/** Throws `InvalidUpstreamOptions` or `InvalidEmbeddedOptions` for settings that cannot work. */
export const plugOf = ({ api_key, base_url, kind, serves, timeout_ms }: UpstreamSection): UpstreamPlug => {
  if (kind === "embedded") return embeddedPlug(timeout_ms)
  const options = {
    ...(base_url === undefined ? {} : { baseUrl: base_url }),
    ...(api_key === undefined ? {} : { apiKey: Redacted.value(api_key) }),
    ...(timeout_ms === undefined ? {} : { timeoutMs: timeout_ms }),
    ...(serves === undefined ? {} : { serves })
  }
  // What is missing is one of the faults that the kind itself tells.
  const complete = options as typeof options & { readonly apiKey: string; readonly baseUrl: string }
  return kind === "openai" ? openai(complete) : kind === "sarvam" ? sarvam(complete) : deepgram(complete)
}

/** True where no upstream for speech is configured: then the engine on this machine answers, if it may. */
export const isEmbeddedAlone = ({ embedded_fallback, upstreams }: Sections["models"]): boolean =>
  embedded_fallback !== false &&
  Object.values(upstreams ?? {}).every(
    ({ kind, serves }) => kind !== "embedded" && serves !== undefined && !serves.includes("stt")
  )

/** The engine on this machine is asked for speech, and for nothing that is somewhere else. */
const embeddedFaults = (name: string, { api_key, base_url, serves }: UpstreamSection): ReadonlyArray<Fault> => {
  const fault = (key: string, message: string): Fault => ({ path: `models.upstreams.${name}.${key}`, message })
  const elsewhere = 'belongs to an upstream that is somewhere else, and the kind "embedded" is not: remove it'
  return [
    ...(api_key === undefined ? [] : [fault("api_key", elsewhere)]),
    ...(base_url === undefined ? [] : [fault("base_url", elsewhere)]),
    ...(serves === undefined || serves.every((service) => service === "stt")
      ? []
      : [fault("serves", 'must be ["stt"] for the kind "embedded", or left out')])
  ]
}

/** What a kind finds wrong, each with the field that it is about. */
const problemsOf = (section: UpstreamSection): ReadonlyArray<string> => {
  try {
    plugOf(section)
    return []
  } catch (error) {
    if (error instanceof InvalidUpstreamOptions || error instanceof InvalidEmbeddedOptions) return error.problems
    throw error
  }
}

/** Everything that the kinds find wrong with what the file says of them. */
export const upstreamFaults = (upstreams: Upstreams): ReadonlyArray<Fault> =>
  Object.entries(upstreams).flatMap(([name, section]) => [
    ...(section.kind === "embedded" ? embeddedFaults(name, section) : []),
    ...problemsOf(section).map((problem) => {
      const [, field = "", what = problem] = /^(\w+): (.*)$/s.exec(problem) ?? []
      return {
        path: `models.upstreams.${name}.${fileNames[field] ?? field}`,
        message: what.replace(/^expected/i, "must be")
      }
    })
  ])
