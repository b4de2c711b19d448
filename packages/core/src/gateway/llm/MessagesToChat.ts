/** Callers speak the messages API, the upstream speaks the chat API. Source: docs/reference/language-models.md#translations. */
import { chatToMessagesAnswer } from "./ChatToMessagesAnswer.ts"
import { chatToMessagesEvents } from "./ChatToMessagesEvents.ts"
import { messagesToChatRequest } from "./MessagesToChatRequest.ts"
import type { Translation } from "./Translation.ts"

export const messagesToChat: Translation = {
  request: messagesToChatRequest,
  answer: chatToMessagesAnswer,
  events: chatToMessagesEvents
}
