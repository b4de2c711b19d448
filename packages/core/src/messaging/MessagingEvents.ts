/** What the channel tells others. Pure. Source: docs/messaging.md#events. */
import type { NewEvent } from "../events/index.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import type { Customer } from "./ConversationStore.ts"
import type { Message } from "./Message.ts"

type Of = Pick<ConnectedNumber, "tenantId" | "botId" | "phoneNumberId">

/** The customer as receivers know it: the platform's own id, or the phone's digits where it has none. */
export const userIdOf = ({ phone, userRef }: Pick<Customer, "phone" | "userRef">): string | null => userRef ?? phone

export const conversationEvent = (
  which: "started" | "ended",
  number: Of,
  customer: Pick<Customer, "phone" | "userRef">,
  conversationId: string
): NewEvent => ({
  event: `conversation.${which}`,
  tenantId: number.tenantId,
  botId: number.botId,
  data: {
    conversation_id: conversationId,
    phone_number_id: number.phoneNumberId,
    user_id: userIdOf(customer),
    bot_id: number.botId
  }
})

/** `message.received` of an inbound message, `message.sent` of one that the platform has taken. */
export const messageEvent = (
  message: Message,
  number: Of,
  customer: Pick<Customer, "phone" | "userRef">
): NewEvent => ({
  event: message.direction === "inbound" ? "message.received" : "message.sent",
  tenantId: number.tenantId,
  botId: number.botId,
  data: {
    conversation_id: message.conversationId,
    msgid: message.msgid,
    phone_number_id: number.phoneNumberId,
    user_id: userIdOf(customer),
    role: message.role,
    type: message.type,
    text: message.text
  }
})

const told = new Set<Message["status"]>(["sent", "delivered", "read", "failed"])

/** `message.status` where a message has come to a status that others hear of; nothing otherwise. */
export const statusEvents = (
  { conversationId, fault, msgid, status }: Pick<Message, "conversationId" | "msgid" | "status" | "fault">,
  number: Pick<Of, "tenantId" | "botId">
): ReadonlyArray<NewEvent> =>
  told.has(status)
    ? [
        {
          event: "message.status",
          tenantId: number.tenantId,
          botId: number.botId,
          data: { conversation_id: conversationId, msgid, status, error: fault?.message ?? null }
        }
      ]
    : []
