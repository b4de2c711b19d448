/** How works of the language models' APIs are sent: headers and bodies. Pure. */
import type { GenerateWork, Json, LlmApi } from "@trunkline/core/provider"

/** A work without the receiver of its events. */
export type SentWork = Omit<GenerateWork, "onEvents">

/** All of them. */
export const llmApis = ["chat_completions", "responses", "messages"] as const satisfies ReadonlyArray<LlmApi>

/** Below the base URL of a server that has its routes side by side. */
export const pathOf = ({ api, task }: SentWork): string => {
  if (task === "count") return api === "responses" ? "/responses/input_tokens" : "/messages/count_tokens"
  return { chat_completions: "/chat/completions", responses: "/responses", messages: "/messages" }[api]
}

/** The version where the caller names none: the one that every client library has sent since. */
const messagesVersion = "2023-06-01"

/** Headers of the messages API; the others have none. */
export const apiHeaders = ({ api, headers }: SentWork): Readonly<Record<string, string>> => {
  if (api !== "messages") return {}
  const beta = headers["anthropic-beta"]
  return {
    "anthropic-version": headers["anthropic-version"] ?? messagesVersion,
    ...(beta === undefined ? {} : { "anthropic-beta": beta })
  }
}

/** Some servers refuse `stream_options`: for those a chat goes out without. */
export const bodyOf =
  (streamUsage: boolean) =>
  ({ api, body }: SentWork): Json => {
    if (streamUsage || api !== "chat_completions") return body
    const { stream_options: _, ...others } = body
    return others
  }
