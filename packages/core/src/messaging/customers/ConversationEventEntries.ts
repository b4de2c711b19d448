/** What happens in conversations, as receivers of events see it. Pure. */
import * as Schema from "effect/Schema"
import { EventFields } from "../../platform/events/index.ts"
import { event } from "../../platform/room/index.ts"
import { OrderBody } from "../messages/CustomerOrder.ts"
import { JsonObject } from "../messages/JsonObject.ts"
import { MessageRole } from "../messages/Message.ts"
import { ReportedStatus } from "../messages/StatusOrder.ts"

const { count, means, payload, uuid, text, orNull, exampleId } = EventFields

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

const ofCampaign = {
  campaign_id: means(
    orNull(uuid),
    "The template campaign that the message is of, or that the customer's message answers; null where it is of none"
  ),
  contact_id: means(orNull(uuid), "The contact of that campaign; null where it is of none")
}

const messageFields = {
  id: messageId,
  conversation_id: means(uuid, "The conversation that the message belongs to"),
  role: means(MessageRole, "Who wrote it: the customer, the agent's model, or a person or program of the account"),
  msgid: means(text, "The message, by the upstream platform's id"),
  phone_number_id: platformNumber,
  user_id: customerId,
  type: means(text, "The kind of message, such as `text`, `image` or `template`"),
  text: means(orNull(text), "What it says, where it has words"),
  ...ofCampaign
}

const MessageData = payload("MessageEventData", messageFields)

const ReceivedData = payload("MessageReceivedEventData", {
  ...messageFields,
  button: means(
    orNull(text),
    "What stands behind the button that the customer has tapped, or its title; null where none was tapped"
  ),
  flow: means(
    orNull(
      Schema.Struct({
        token: means(orNull(text), "What the flow was sent with"),
        flow_id: means(orNull(text), "The flow, by the upstream platform's id, where its token was made here"),
        values: means(orNull(JsonObject), "What the customer has filled in; null where that cannot be read")
      })
    ),
    "The flow that the customer has completed; null where none was"
  ),
  order: means(
    orNull(OrderBody),
    "What the customer has ordered, with decimals as texts; null where the message is no order"
  )
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
  ),
  ...ofCampaign,
  code: means(orNull(count), "The platform's code, where the message has failed and the platform named one"),
  pricing: means(
    orNull(
      Schema.Struct({
        category: means(Schema.NullOr(Schema.String), "The category that the platform charges for"),
        type: means(Schema.NullOr(Schema.String), "The kind of price"),
        billable: means(Schema.NullOr(Schema.Boolean), "Whether the platform charges for the message")
      })
    ),
    "What the message costs, in the platform's words, where the report says so"
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
  text: "When do you open tomorrow?",
  campaign_id: null,
  contact_id: null
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
  data: ReceivedData,
  example: { ...message, button: null, flow: null, order: null }
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
    biz_opaque_callback_data: "order 1009",
    campaign_id: null,
    contact_id: null,
    code: null,
    pricing: { category: "utility", type: "regular", billable: true }
  }
})

export const conversationEvents = [
  conversationStarted,
  conversationEnded,
  messageReceived,
  messageSent,
  messageStatus
] as const
