/** Callers speak the chat API, the upstream speaks the messages API. Source: docs/reference/language-models.md#translations. */

import type { Translation } from "../Translation.ts"
import { chatFromMessagesAnswer } from "./ChatFromMessagesAnswer.ts"
import { chatFromMessagesEvents } from "./ChatFromMessagesEvents.ts"
import { chatToMessagesRequest } from "./ChatToMessagesRequest.ts"

export const chatToMessages: Translation = {
  request: chatToMessagesRequest,
  answer: chatFromMessagesAnswer,
  events: chatFromMessagesEvents
}
