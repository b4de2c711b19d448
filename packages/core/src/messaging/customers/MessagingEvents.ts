/** Events of the channel. Pure. Source: docs/reference/messaging.md#events. */
import type { EventOf } from "../../platform/events/index.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { withCode } from "../channels/MessagingErrors.ts"
import type { Message, MessageStatus } from "../messages/Message.ts"
import type {
  conversationEnded,
  conversationStarted,
  messageReceived,
  messageSent,
  messageStatus
} from "./ConversationEventEntries.ts"
import type { Customer } from "./Customer.ts"

type Of = Pick<ConnectedNumber, "tenantId" | "botId" | "phoneNumberId">

/** The customer as receivers know it: the platform's own id, or the phone's digits where it has none. */
export const userIdOf = ({ phone, userRef }: Pick<Customer, "phone" | "userRef">): string | null => userRef ?? phone

export const conversationEvent = (
  event: "conversation.started" | "conversation.ended",
  number: Of,
  customer: Pick<Customer, "phone" | "userRef">,
  conversationId: string
): EventOf<typeof conversationStarted | typeof conversationEnded> => ({
  event,
  tenantId: number.tenantId,
  botId: number.botId,
  data: {
    conversation_id: conversationId,
    phone_number_id: number.phoneNumberId,
    user_id: userIdOf(customer),
    bot_id: number.botId
  }
})

/** `message.received` of an inbound message, `message.sent` of one that the platform has accepted under `msgid`. */
export const messageEvent = (
  message: Message,
  msgid: string,
  number: Of,
  customer: Pick<Customer, "phone" | "userRef">
): EventOf<typeof messageReceived | typeof messageSent> => ({
  event: message.direction === "inbound" ? "message.received" : "message.sent",
  tenantId: number.tenantId,
  botId: number.botId,
  data: {
    id: message.id,
    conversation_id: message.conversationId,
    msgid,
    phone_number_id: number.phoneNumberId,
    user_id: userIdOf(customer),
    role: message.role,
    type: message.type,
    text: message.deletedAt === null ? message.text : null
  }
})

/** Statuses that are events. */
const reported: ReadonlyArray<string> = ["sent", "delivered", "read", "failed"]

const isReported = (status: MessageStatus): status is EventOf<typeof messageStatus>["data"]["status"] =>
  reported.includes(status)

/** `message.status` where a message has reached a status that others hear of; nothing otherwise. */
export const statusEvents = (
  message: Pick<Message, "id" | "callbackData" | "conversationId" | "fault" | "msgid" | "status">,
  number: Pick<Of, "tenantId" | "botId">
): ReadonlyArray<EventOf<typeof messageStatus>> => {
  const { callbackData, conversationId, fault, id, msgid, status } = message
  if (!isReported(status)) return []
  return [
    {
      event: "message.status",
      tenantId: number.tenantId,
      botId: number.botId,
      data: {
        id,
        conversation_id: conversationId,
        msgid,
        status,
        error: fault === null ? null : withCode(fault.message, fault.code),
        biz_opaque_callback_data: callbackData
      }
    }
  ]
}
