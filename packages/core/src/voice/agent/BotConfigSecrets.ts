/** Checks a bot's configuration, and separates the headers of its functions from it. Source: docs/reference/voice-agent.md#secrets. */
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { BotConfigRules, type StoredConfig } from "../../agents/bots/index.ts"
import { isObject } from "../../platform/kernel/index.ts"
import type { JsonObject } from "./AgentSettings.ts"
import { type FunctionHeaders, readBotVoiceConfig } from "./BotVoiceConfig.ts"
import type { FieldFault } from "./GivenFields.ts"

/** Stands for a header that is stored. */
export const mask = "***"

/** The headers of functions, as they are stored beside a configuration. */
export const headersOf = (secrets: string | null): FunctionHeaders =>
  secrets === null ? {} : (JSON.parse(secrets) as FunctionHeaders) // `separated` wrote it

interface Separated {
  readonly config: JsonObject
  readonly headers: FunctionHeaders
  readonly faults: ReadonlyArray<FieldFault>
}

interface GivenFunction {
  readonly name: string
  readonly endpoint?: { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
}

/** The functions of a configuration without faults. */
const functionsOf = (config: JsonObject): ReadonlyArray<GivenFunction> =>
  Array.isArray(config.functions) ? (config.functions as ReadonlyArray<GivenFunction>) : []

/** Replaces each header by a mask; a mask that comes back is the header that is stored for the same place. */
const separated = (config: JsonObject, before: StoredConfig | null): Separated => {
  const stored = headersOf(before?.secrets ?? null)
  const former = functionsOf(before?.config ?? {})
  const faults: Array<FieldFault> = []
  const headers: Record<string, Readonly<Record<string, string>>> = {}
  const functions = functionsOf(config).map((one, nth) => {
    const given = one.endpoint?.headers
    if (!isObject(given) || Object.keys(given).length === 0) return one
    const known = isSameHost(one, former) ? (stored[one.name] ?? {}) : {}
    const values = Object.entries(given).map(([name, value]) => [name, value === mask ? known[name] : value] as const)
    for (const [name] of values.filter(([, value]) => value === undefined)) {
      faults.push({
        field: `config.functions.${nth}.endpoint.headers.${name}`,
        message: "is not stored for this function and host: send its value"
      })
    }
    headers[one.name] = Object.fromEntries(values) as Readonly<Record<string, string>> // a missing value is a fault
    const masked = Object.fromEntries(Object.keys(given).map((name) => [name, mask]))
    return { ...one, endpoint: { ...one.endpoint, headers: masked } }
  })
  return { config: functions.length === 0 ? config : { ...config, functions }, headers, faults }
}

/** Who may write the configuration need not know the header: it must not be sent to where they like. */
const isSameHost = ({ endpoint, name }: GivenFunction, former: ReadonlyArray<GivenFunction>): boolean => {
  const before = former.find((one) => one.name === name)?.endpoint
  return before !== undefined && endpoint !== undefined && originOf(before.url) === originOf(endpoint.url)
}

const originOf = (url: string): string | undefined => URL.parse(url)?.origin

/** The rules of bots' configurations. */
export const acceptConfig: BotConfigRules["accept"] = (given, before) => {
  const { faults } = readBotVoiceConfig(given)
  if (faults.length > 0) return Result.fail(faults)
  const { config, faults: missing, headers } = separated(given, before)
  if (missing.length > 0) return Result.fail(missing)
  return Result.succeed({ config, secrets: Object.keys(headers).length === 0 ? null : JSON.stringify(headers) })
}

export const layer = Layer.succeed(BotConfigRules, { accept: acceptConfig })
