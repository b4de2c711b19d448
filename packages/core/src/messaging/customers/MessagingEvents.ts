/** Events of the channel. Pure. Source: docs/reference/messaging.md#events. */
import type { EventOf } from "../../platform/events/index.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { withCode } from "../channels/MessagingErrors.ts"
import { completedFlow, completedFlowRecord } from "../messages/CompletedFlow.ts"
import { orderBody, orderOf } from "../messages/CustomerOrder.ts"
import type { MessagePricing } from "../messages/InboundBatch.ts"
import type { Message, MessageStatus } from "../messages/Message.ts"
import { tappedButton } from "../messages/TappedButton.ts"
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

/** A conversation that campaigns have made begins when its customer writes. */
export const conversationBegun = (number: Of, customer: Pick<Customer, "phone" | "userRef">, id: string) =>
  conversationEvent("conversation.started", number, customer, id)

/** `message.received` of an inbound message, `message.sent` of one that the platform has accepted under `msgid`. */
export const messageEvent = (
  message: Message,
  msgid: string,
  number: Of,
  customer: Pick<Customer, "phone" | "userRef">
): EventOf<typeof messageReceived> | EventOf<typeof messageSent> => {
  const of = { tenantId: number.tenantId, botId: number.botId }
  const data = {
    id: message.id,
    conversation_id: message.conversationId,
    msgid,
    phone_number_id: number.phoneNumberId,
    user_id: userIdOf(customer),
    role: message.role,
    type: message.type,
    text: message.deletedAt === null ? message.text : null,
    campaign_id: message.campaignId,
    contact_id: message.contactId
  }
  return message.direction === "inbound"
    ? {
        event: "message.received",
        ...of,
        data: {
          ...data,
          button: tappedButton(message),
          flow: completedFlowRecord(completedFlow(message)),
          order: orderBody(orderOf(message))
        }
      }
    : { event: "message.sent", ...of, data }
}

/** Statuses that are events. */
const reported: ReadonlyArray<string> = ["sent", "delivered", "read", "failed"]

const isReported = (status: MessageStatus): status is EventOf<typeof messageStatus>["data"]["status"] =>
  reported.includes(status)

/** `message.status` where a message has reached a status that others hear of; nothing otherwise. */
export const statusEvents = (
  message: Pick<
    Message,
    "id" | "callbackData" | "campaignId" | "contactId" | "conversationId" | "fault" | "msgid" | "status"
  >,
  number: Pick<Of, "tenantId" | "botId">,
  pricing: MessagePricing | null = null
): ReadonlyArray<EventOf<typeof messageStatus>> => {
  const { callbackData, campaignId, contactId, conversationId, fault, id, msgid, status } = message
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
        biz_opaque_callback_data: callbackData,
        campaign_id: campaignId,
        contact_id: contactId,
        code: fault?.code ?? null,
        pricing
      }
    }
  ]
}
