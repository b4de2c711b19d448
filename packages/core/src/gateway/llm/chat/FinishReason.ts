/** Why a model of the chat API has stopped, in the words of its many servers. Pure. Source: docs/reference/language-models.md#ends. */
import { isObject } from "../../../platform/kernel/index.ts"
import { listOf } from "../JsonFields.ts"
import type { Json } from "../translate/Translation.ts"

export type Finish = "stop" | "length" | "tool_calls" | "content_filter"

const words: ReadonlyMap<string, Finish> = new Map([
  ["stop", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_calls", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["function_call", "tool_calls"],
  ["content_filter", "content_filter"],
  ["refusal", "content_filter"],
  ["safety", "content_filter"],
  ["sensitive", "content_filter"]
])

/** Null for the words of a failure, and for those that nobody knows: they are no success. */
export const finishOf = (word: string): Finish | null => words.get(word.toLowerCase()) ?? null

/** Words of servers that have failed while they answered. */
const failures: ReadonlySet<unknown> = new Set(["error", "network_error", "insufficient_system_resource", "abort"])

const noFields: Json = {}

/**
 * The fault of the choices of an answer or of a chunk; null where there is none. `readsWords`: the reader of the answer knows
 * every word, even one that we do not.
 */
export const choiceFault = ({ choices }: Json, readsWords: boolean): string | null => {
  for (const choice of listOf(choices) ?? []) {
    const { error, finish_reason: word } = isObject(choice) ? choice : noFields
    if (isObject(error) || (typeof error === "string" && error !== "")) return "a choice has an error"
    if (typeof word !== "string" || word === "" || finishOf(word) !== null) continue
    if (failures.has(word.toLowerCase())) return `a choice ended with ${word.toLowerCase()}`
    if (!readsWords) return "a choice ended with an unknown finish_reason"
  }
  return null
}
