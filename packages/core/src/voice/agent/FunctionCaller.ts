/** Calls the endpoints of functions: public addresses alone, within ten seconds, and nothing of a failure in detail. Source: docs/reference/voice-agent.md#functions. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { toolFault } from "../../agents/replying/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { checkedTargets, Outbound, OutboundSettings } from "../../platform/outbound/index.ts"
import type * as Ids from "../VoiceIds.ts"
import type { AgentFunction, FunctionEndpoint, JsonObject } from "./AgentSettings.ts"

/** One call of a function with an endpoint. */
export interface FunctionCall {
  readonly sessionId: Ids.VoiceSessionId
  /** Of the call, as the model wrote it. */
  readonly callId: string
  readonly endpoint: FunctionEndpoint
  /** As they were read. */
  readonly arguments: JsonObject
}

/** What the model is answered. */
export interface FunctionResult {
  readonly content: string
  readonly isFailure: boolean
}

/** Resolving, connecting, and the whole answer. */
const timeoutMs = 10 * Instant.second
/** Bytes of an answer; the rest is cut. */
export const maxResultBytes = 64 * 1024
/** From here on a status is no success. Redirects are not followed. */
const firstFailure = 300

const failed = (sentence: string): FunctionResult => ({ content: toolFault(sentence), isFailure: true })

/** Answers to calls that are not made, and to those that have come to nothing. */
export const functionFaults = {
  badArguments: failed("The arguments must be a JSON object. Nothing was done."),
  unknown: (names: ReadonlyArray<string>) => failed(`There is no tool of this name. Use one of: ${names.join(", ")}.`),
  failure: failed("The function failed. Nothing more is known."),
  timeout: failed("The function did not answer in time. Whether it has done anything is not known."),
  tooMany: (max: number) => failed(`At most ${max} calls at a time: this one was not made.`)
} as const

/** The function of a name; null for none. */
export const functionNamed = (functions: ReadonlyArray<AgentFunction>, name: string): AgentFunction | null =>
  functions.find((one) => one.name === name) ?? null

/** A result that did not come from an endpoint, cut as those are. */
export const cutResult = (text: string): string => textOf(new TextEncoder().encode(text))

/** Bytes as text, cut at their maximum between two characters. */
const textOf = (bytes: Uint8Array): string => {
  const text = new TextDecoder().decode(bytes.subarray(0, maxResultBytes))
  if (bytes.length < maxResultBytes) return text
  let end = text.length
  while (text[end - 1] === "\uFFFD") end -= 1
  return text.slice(0, end)
}

const withQuery = (url: string, query: JsonObject): string => {
  const target = URL.parse(url)
  for (const [name, value] of Object.entries(query)) {
    target?.searchParams.append(name, typeof value === "string" ? value : JSON.stringify(value))
  }
  return target?.href ?? url
}

export class FunctionCaller extends Context.Service<
  FunctionCaller,
  {
    /** Calls an endpoint. Never fails: what went wrong is a sentence for the model. Interrupting it closes the connection. */
    readonly call: (call: FunctionCall) => Effect.Effect<FunctionResult>
  }
>()("@trunkline/core/voice/agent/FunctionCaller") {
  static readonly layer = Layer.effect(
    FunctionCaller,
    Effect.gen(function* () {
      const outbound = yield* Outbound
      const { exempt, headerPrefix } = yield* OutboundSettings
      const targets = checkedTargets(outbound, exempt)

      /** Ours win over those that are given, whatever their case. */
      const headersOf = ({ callId, endpoint, sessionId }: FunctionCall, hasBody: boolean) => {
        const own = { [`${headerPrefix}Session`]: sessionId, [`${headerPrefix}Function-Call`]: headerSafe(callId) }
        const taken = new Set(Object.keys(own).map((name) => name.toLowerCase()))
        const given = Object.entries(endpoint.headers).filter(([name]) => !taken.has(name.toLowerCase()))
        const names = new Set(given.map(([name]) => name.toLowerCase()))
        const standard = { "User-Agent": "functions/1", ...(hasBody ? { "Content-Type": "application/json" } : {}) }
        const missing = Object.entries(standard).filter(([name]) => !names.has(name.toLowerCase()))
        return { ...Object.fromEntries([...missing, ...given]), ...own }
      }

      const request = Effect.fnUntraced(function* (call: FunctionCall) {
        const { arguments: given, endpoint } = call
        const isQuery = endpoint.method === "GET"
        const target = yield* targets.checked("https", isQuery ? withQuery(endpoint.url, given) : endpoint.url)
        const { body, status } = yield* outbound.request({
          ...target,
          method: endpoint.method,
          headers: headersOf(call, !isQuery),
          body: new TextEncoder().encode(isQuery ? "" : JSON.stringify(given)),
          remainingMs: timeoutMs
        })
        return status >= firstFailure ? functionFaults.failure : { content: textOf(body), isFailure: false }
      })

      const call = (asked: FunctionCall) =>
        request(asked).pipe(
          // Neither the endpoint's owner nor the model reads the log: what went wrong stays here.
          Effect.catch((failure) => {
            const why = failure._tag === "OutboundFailed" ? failure.detail : failure.message
            return Effect.as(
              Effect.logWarning(`a function of the voice session ${asked.sessionId} failed: ${why}`),
              functionFaults.failure
            )
          }),
          Effect.catchDefect(() =>
            Effect.as(
              Effect.logError(`a function of the voice session ${asked.sessionId} could not be called`),
              functionFaults.failure
            )
          ),
          Effect.timeoutOption(timeoutMs),
          Effect.map((result) => (result._tag === "Some" ? result.value : functionFaults.timeout))
        )

      return FunctionCaller.of({ call })
    })
  )
}

/** A model wrote it. */
const headerSafe = (id: string): string => id.replace(/[^\x21-\x7e]/g, "").slice(0, 200)
