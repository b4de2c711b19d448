/** The upstreams that the file configures, and what they find wrong with it, by path. */

import type { TypedUpstreamProvider } from "@trunkline/core/provider"
import { snakeName } from "@trunkline/core/storage"
import { anthropic } from "@trunkline/providers/anthropic"
import { deepgram } from "@trunkline/providers/deepgram"
import {
  type EmbeddedOptions,
  embedded,
  InvalidEmbeddedOptions,
  type SileroProvider,
  silero,
  sileroFault
} from "@trunkline/providers/embedded"
import { InvalidProviderOptions, openai } from "@trunkline/providers/openai"
import { sarvam } from "@trunkline/providers/sarvam"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"
import { defined } from "./Defined.ts"
import { write } from "./Log.ts"

type Upstreams = NonNullable<Sections["models"]["upstreams"]>
export type UpstreamSection = Upstreams[string]
export type EngineSection = NonNullable<Sections["models"]["embedded"]>

const log = (line: string) => write({ level: "info", message: line, at: new Date() })

/** The engine on this machine. Throws `InvalidEmbeddedOptions` for settings that cannot work. */
export const embeddedProvider = (
  section: EngineSection = {},
  serves?: UpstreamSection["serves"]
): TypedUpstreamProvider =>
  // The engine itself reports services that it does not have.
  embedded({ ...section, serves: serves as EmbeddedOptions["serves"], log })

/** What finds speech on lines, with the weights of the engine; undefined where it is not installed. */
export const detectorProvider = (
  { install, modelsFolder, npm }: EngineSection = {},
  fault = sileroFault
): SileroProvider | undefined => (fault() === null ? silero({ ...{ modelsFolder, install, npm }, log }) : undefined)

/** The line of a start about what finds speech on lines. */
export const detectorNotice = (fault = sileroFault): string => {
  const missing = fault()
  return missing === null
    ? "speech on lines is detected by Silero"
    : `speech on lines is detected by the energy of sound: ${missing}`
}

/** Throws `InvalidProviderOptions` or `InvalidEmbeddedOptions` for settings that cannot work. */
export const providerOf = (section: UpstreamSection): TypedUpstreamProvider => {
  const { apiKey, apis, baseUrl, kind, serves, streamUsage, timeoutMs, ...engine } = section
  if (kind === "embedded") return embeddedProvider({ ...engine, ...defined({ timeoutMs }) }, serves)
  const options = defined({ baseUrl, apiKey: apiKey?.text, timeoutMs, serves })
  // The kind itself reports what is missing.
  const complete = options as typeof options & { readonly apiKey: string; readonly baseUrl: string }
  switch (kind) {
    case "openai":
      return openai({ ...complete, apis, streamUsage })
    case "anthropic":
      return anthropic(complete)
    case "sarvam":
      return sarvam(complete)
    case "deepgram":
      return deepgram(complete)
  }
}

/** The embedded engines that the configuration may use: upstreams of the kind, and the one that stands in. */
export const enginesOf = ({
  embedded: engine = {},
  embeddedFallback,
  upstreams = {}
}: Sections["models"]): ReadonlyArray<EngineSection> => [
  ...Object.values(upstreams).filter(({ kind }) => kind === "embedded"),
  ...(embeddedFallback === false ? [] : [engine])
]

/** The engine is on this machine, and has no address. */
const embeddedFaults = (name: string, { apiKey, baseUrl }: UpstreamSection): ReadonlyArray<Fault> => {
  const fault = (key: string, message: string): Fault => ({ path: `models.upstreams.${name}.${key}`, message })
  const elsewhere = 'belongs to an upstream that is somewhere else, and the kind "embedded" is not: remove it'
  return [
    ...(apiKey === undefined ? [] : [fault("api_key", elsewhere)]),
    ...(baseUrl === undefined ? [] : [fault("base_url", elsewhere)])
  ]
}

const engineKeys = ["model", "modelsFolder", "install", "npm", "threads", "queue", "longestSeconds", "idleMs"] as const

/** Settings of the engine for an upstream that has none. */
const engineOnly = (name: string, section: UpstreamSection): ReadonlyArray<Fault> =>
  engineKeys
    .filter((key) => section[key] !== undefined)
    .map((key) => ({
      path: `models.upstreams.${name}.${snakeName(key)}`,
      message: 'belongs to the kind "embedded": remove it'
    }))

/** Settings of the APIs that a server of the kind `openai` has, for an upstream of another kind. */
const openAiOnly = (name: string, section: UpstreamSection): ReadonlyArray<Fault> =>
  (["apis", "streamUsage"] as const)
    .filter((key) => section[key] !== undefined)
    .map((key) => ({
      path: `models.upstreams.${name}.${snakeName(key)}`,
      message: 'belongs to the kind "openai": remove it'
    }))

/** What a kind finds wrong, each with the field that it is about. */
const problemsOf = (make: () => unknown): ReadonlyArray<string> => {
  try {
    make()
    return []
  } catch (error) {
    if (error instanceof InvalidProviderOptions || error instanceof InvalidEmbeddedOptions) return error.problems
    throw error
  }
}

/** The kinds report faults by option; here they have the path of the file's key. */
export const problemFaults = (path: string, make: () => unknown): ReadonlyArray<Fault> =>
  problemsOf(make).map((problem) => {
    const [, field = "", what = problem] = /^(\w+): (.*)$/s.exec(problem) ?? []
    return { path: `${path}.${snakeName(field)}`, message: what.replace(/^expected/i, "must be") }
  })

/** Everything that the kinds find wrong with their settings. */
export const upstreamFaults = ({ embedded: engine, upstreams }: Sections["models"]): ReadonlyArray<Fault> => [
  ...Object.entries(upstreams ?? {}).flatMap(([name, section]) => [
    ...(section.kind === "embedded" ? embeddedFaults(name, section) : engineOnly(name, section)),
    ...(section.kind === "openai" ? [] : openAiOnly(name, section)),
    ...problemFaults(`models.upstreams.${name}`, () => providerOf(section))
  ]),
  ...problemFaults("models.embedded", () => embeddedProvider(engine))
]
