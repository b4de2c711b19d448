/** What the channel's network asks about a flow, and what an answer of the account's endpoint means. Pure. Source: docs/reference/flows.md#data. */
import { exactForeignJson, isObject } from "../../platform/kernel/index.ts"
import type { JsonObject } from "../messages/JsonObject.ts"
import { tokenEnded } from "./FlowErrors.ts"

/**
 * - `Ping` the network looks whether anybody is there
 * - `Notice` the network reports what went wrong with an answer
 * - `Question` a customer has opened the flow, or gone on in it
 */
export type FlowExchange =
  | { readonly _tag: "Ping" }
  | { readonly _tag: "Notice" }
  | { readonly _tag: "Question"; readonly question: FlowQuestionFields }

/** A question, in the network's words. */
export interface FlowQuestionFields {
  readonly flowToken: string | null
  readonly version: unknown
  readonly action: unknown
  readonly screen: unknown
  readonly data: unknown
}

export const exchangeOf = ({ action, data, flow_token, screen, version }: JsonObject): FlowExchange => {
  if (action === "ping") return { _tag: "Ping" }
  if (isObject(data) && data.error !== undefined && data.error !== null) return { _tag: "Notice" }
  const flowToken = typeof flow_token === "string" ? flow_token : null
  return {
    _tag: "Question",
    question: {
      flowToken,
      version: version ?? null,
      action: action ?? null,
      screen: screen ?? null,
      data: data ?? null
    }
  }
}

/** What this installation answers by itself. */
export const ownAnswers = {
  Ping: { data: { status: "active" } },
  Notice: { data: { acknowledged: true } }
} as const satisfies Record<string, JsonObject>

/** Bytes of an answer. */
export const maxAnswerBytes = 256 * 1024

/** What is passed on to the network; a sentence for the log, without anything of the answer, where nothing can be. */
export const passedAnswer = (
  status: number,
  body: Uint8Array
): { readonly status: number; readonly answer: JsonObject } | string => {
  if (status !== 200 && status !== tokenEnded) return `it answered ${status}`
  if (body.length > maxAnswerBytes) return `it answered with more than ${maxAnswerBytes} bytes`
  const answer = exactForeignJson(body)
  if (!isObject(answer)) return `it answered ${status} with something that is no JSON object`
  if (status === tokenEnded && typeof answer.error_msg !== "string") return `it answered ${status} without an error_msg`
  return { status, answer }
}
