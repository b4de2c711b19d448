/** Callers speak the messages API, the upstream speaks the chat API. Source: docs/reference/language-models.md#translations. */

import type { Translation } from "../Translation.ts"
import { messagesFromChatAnswer } from "./MessagesFromChatAnswer.ts"
import { messagesFromChatEvents } from "./MessagesFromChatEvents.ts"
import { messagesToChatRequest } from "./MessagesToChatRequest.ts"

export const messagesToChat: Translation = {
  request: messagesToChatRequest,
  answer: messagesFromChatAnswer,
  events: messagesFromChatEvents
}
