/** The Responses API for an upstream that has the chat API. Pure. */

import type { AnswerContext, Translation } from "../Translation.ts"
import { responsesFromChatAnswer } from "./ResponsesFromChatAnswer.ts"
import { type ResponsesTranslator, responsesFromChatEvents } from "./ResponsesFromChatEvents.ts"
import { responsesToChatRequest } from "./ResponsesToChatRequest.ts"

interface ResponsesTranslation extends Translation {
  readonly events: (context: AnswerContext) => ResponsesTranslator
}

export const responsesToChat: ResponsesTranslation = {
  request: responsesToChatRequest,
  answer: responsesFromChatAnswer,
  events: responsesFromChatEvents
}

/** Fields of the chat API that have another name in the Responses API. */
const names: ReadonlyMap<string, string> = new Map([
  ["messages", "input"],
  ["max_tokens", "max_output_tokens"],
  ["max_completion_tokens", "max_output_tokens"],
  ["response_format", "text.format"],
  ["verbosity", "text.verbosity"],
  ["reasoning_effort", "reasoning.effort"],
  ["logprobs", "include"],
  ["top_logprobs", "top_logprobs"]
])

/** A refused field of the chat API as the caller of the Responses API wrote it, for a request that is translated twice. */
export const responsesParam = (chatParam: string): string => {
  const [, name = "", rest = ""] = /^([^.[]*)(.*)$/s.exec(chatParam) ?? []
  const own = names.get(name)
  // A place within another name would lead nowhere: both APIs divide these fields in other ways.
  return own === undefined ? `${name}${rest}` : own
}
