/** Callers speak the chat API, the upstream speaks the messages API. Source: docs/reference/language-models.md#translations. */

import type { Translation } from "../Translation.ts"
import { chatToMessagesRequest } from "./ChatToMessagesRequest.ts"
import { messagesToChatAnswer } from "./MessagesToChatAnswer.ts"
import { messagesToChatEvents } from "./MessagesToChatEvents.ts"

export const chatToMessages: Translation = {
  request: chatToMessagesRequest,
  answer: messagesToChatAnswer,
  events: messagesToChatEvents
}
