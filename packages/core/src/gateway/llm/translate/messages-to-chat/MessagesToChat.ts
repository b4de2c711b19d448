/** Callers speak the messages API, the upstream speaks the chat API. Source: docs/reference/language-models.md#translations. */

import type { Translation } from "../Translation.ts"
import { chatToMessagesAnswer } from "./ChatToMessagesAnswer.ts"
import { chatToMessagesEvents } from "./ChatToMessagesEvents.ts"
import { messagesToChatRequest } from "./MessagesToChatRequest.ts"

export const messagesToChat: Translation = {
  request: messagesToChatRequest,
  answer: chatToMessagesAnswer,
  events: chatToMessagesEvents
}
