/** What happens in conversations, as receivers of events see it. Pure. */
import { EventFields } from "../../platform/events/index.ts"
import { event } from "../../platform/room/index.ts"
import { MessageRole } from "../messages/Message.ts"
import { ReportedStatus } from "../messages/StatusOrder.ts"

const { means, payload, uuid, text, orNull, exampleId } = EventFields

const customerId = means(
  orNull(text),
  "The customer: the upstream platform's id of the person, else the digits of the phone"
)

const platformNumber = means(text, "The number, by the upstream platform's id")

const ConversationData = payload("ConversationEventData", {
  conversation_id: means(uuid, "The conversation: one customer on one number"),
  phone_number_id: platformNumber,
  user_id: customerId,
  bot_id: means(orNull(uuid), "The agent that is linked to the number")
})

const messageId = means(uuid, "The message, by our own id, as lists of messages show it")

const MessageData = payload("MessageEventData", {
  id: messageId,
  conversation_id: means(uuid, "The conversation that the message belongs to"),
  role: means(MessageRole, "Who wrote it: the customer, the agent's model, or a person or program of the account"),
  msgid: means(text, "The message, by the upstream platform's id"),
  phone_number_id: platformNumber,
  user_id: customerId,
  type: means(text, "The kind of message, such as `text`, `image` or `template`"),
  text: means(orNull(text), "What it says, where it has words")
})

const MessageStatusData = payload("MessageStatusEventData", {
  id: messageId,
  conversation_id: means(uuid, "The conversation that the message belongs to"),
  status: means(ReportedStatus, "What the message has reached"),
  msgid: means(
    orNull(text),
    "The message, by the upstream platform's id; null for a message that the platform never accepted"
  ),
  error: means(
    orNull(text),
    "Why it failed, as a sentence that ends with the platform's code where it named one; null unless it failed"
  ),
  biz_opaque_callback_data: means(
    orNull(text),
    "What the compatible send of this message carried under this name; null where it carried nothing"
  )
})

const conversation = {
  conversation_id: exampleId("c041"),
  phone_number_id: "106540352242922",
  user_id: "14155550123",
  bot_id: exampleId("b0a1")
} as const

const message = {
  id: exampleId("3e55"),
  conversation_id: conversation.conversation_id,
  role: "user",
  msgid: "mid.HBgLMTQxNTU1NTAxMjM",
  phone_number_id: conversation.phone_number_id,
  user_id: conversation.user_id,
  type: "text",
  text: "When do you open tomorrow?"
} as const

export const conversationStarted = event({
  name: "conversation.started",
  surface: "platform",
  place: 10,
  category: "Conversations and messages",
  fires: "when a customer writes for the first time, or again after a conversation has ended",
  source: "product",
  data: ConversationData,
  example: conversation
})

export const conversationEnded = event({
  name: "conversation.ended",
  surface: "platform",
  place: 10,
  category: "Conversations and messages",
  fires: "when a conversation has been silent for 24 hours and the next message begins another one",
  source: "product",
  data: ConversationData,
  example: conversation
})

export const messageReceived = event({
  name: "message.received",
  surface: "platform",
  place: 10,
  category: "Conversations and messages",
  fires: "when a customer's message has been stored",
  source: "product",
  data: MessageData,
  example: message
})

export const messageSent = event({
  name: "message.sent",
  surface: "platform",
  place: 10,
  category: "Conversations and messages",
  fires: "when the upstream platform has accepted a message to a customer",
  source: "product",
  data: MessageData,
  example: { ...message, id: exampleId("3e56"), role: "assistant", msgid: "mid.HBgLMTQxNTU1NTAxMjQ", text: "At nine." }
})

export const messageStatus = event({
  name: "message.status",
  surface: "platform",
  place: 10,
  category: "Conversations and messages",
  fires: "when a message to a customer was sent, delivered or read, or has failed",
  source: "product",
  data: MessageStatusData,
  example: {
    id: exampleId("3e56"),
    conversation_id: conversation.conversation_id,
    status: "delivered",
    msgid: "mid.HBgLMTQxNTU1NTAxMjQ",
    error: null,
    biz_opaque_callback_data: "order 1009"
  }
})

export const conversationEvents = [
  conversationStarted,
  conversationEnded,
  messageReceived,
  messageSent,
  messageStatus
] as const
