/** The contract of conversations and their messages, in the words of a brand. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { ConversationRecord } from "../conversations/Conversation.ts"
import { MessageRecord } from "../messages/Message.ts"
import { conversationsQuery, messagesQuery, Subject } from "./MessagingApi.ts"

const conversationBody = ({ userIdField }: Brand) =>
  ConversationRecord.schema.pipe(Schema.encodeKeys({ user_id: userIdField })).annotate({ identifier: "Conversation" })

const messageBody = ({ messageIdField }: Brand) =>
  MessageRecord.schema.pipe(Schema.encodeKeys({ msgid: messageIdField })).annotate({ identifier: "Message" })

const one = { conversation_id: Ids.schema<"Conversation">() }

const ConversationChange = Schema.Struct({
  ai_autoreply_enabled: Schema.optionalKey(Schema.Boolean),
  assigned_to: Schema.optionalKey(Schema.NullOr(Subject)),
  force: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ConversationChange" })

type ConversationBody = ReturnType<typeof conversationBody>

const listConversations = (body: ConversationBody) =>
  HttpApiEndpoint.get("list", "/", {
    query: conversationsQuery,
    success: Schema.Array(body)
  })
    .annotate(NeedsScope, "channel:read")
    .annotateMerge(
      OpenApi.annotations({
        summary: "List conversations",
        description: "Returns conversations, the one with the latest message first, of which every filter holds."
      })
    )

const getConversation = (body: ConversationBody) =>
  HttpApiEndpoint.get("get", "/:conversation_id", { params: one, success: body, error: NotFound })
    .annotate(NeedsScope, "channel:read")
    .annotateMerge(OpenApi.annotations({ summary: "Get a conversation", description: "Returns one conversation." }))

const listMessages = (brand: Brand) =>
  HttpApiEndpoint.get("listMessages", "/:conversation_id/messages", {
    params: one,
    query: messagesQuery,
    success: Schema.Array(messageBody(brand)),
    error: NotFound
  })
    .annotate(NeedsScope, "channel:read")
    .annotateMerge(
      OpenApi.annotations({
        summary: "List the messages of a conversation",
        description: "Returns the messages of a conversation, newest first, or those before one of them."
      })
    )

const changeConversation = (body: ConversationBody) =>
  HttpApiEndpoint.patch("change", "/:conversation_id", {
    params: one,
    payload: ConversationChange,
    success: body,
    error: [NotFound, Conflict, Unprocessable]
  })
    .annotate(NeedsScope, "channel:write")
    .annotateMerge(
      OpenApi.annotations({
        summary: "Take over or assign a conversation",
        description:
          "Switches the agent's answers in one conversation off, so that a person answers, or on again, and assigns it to somebody: both or neither."
      })
    )

const readConversation = HttpApiEndpoint.post("read", "/:conversation_id/read", {
  params: one,
  success: HttpApiSchema.NoContent,
  error: NotFound
})
  .annotate(NeedsScope, "channel:write")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Mark a conversation read",
      description: "Counts all messages of the customer that have come as read, for everybody of the account."
    })
  )

const textsOf = (brand: Brand) => ({
  "query.phone_id": "Returns only items of this connected number",
  "query.status": "Returns only items with this status",
  "query.unread": "Returns only items with unread messages; with `false` those without",
  "query.needs_person": "Returns only items that need a person; with `false` the others",
  "query.assigned_to": "Returns only items that are assigned to this id, to the caller (`me`) or to nobody (`none`)",
  "query.phone": "Returns only items with the customer whose number ends with these digits",
  "query.q": "Returns only items whose customer has this part in the name, the digits of the phone, or the id",
  "query.before": "Returns only messages before the one with this id",
  phone_id: "Id of the connected number",
  phone_number_id: "The chat platform's id of the number",
  [brand.userIdField]: "The chat platform's id of the customer",
  phone: "Phone number of the customer",
  name: "Name of the customer",
  bot_id: "Agent that answers",
  ai_autoreply_enabled: "Whether the agent answers",
  unread_count: "Number of the customer's messages after the last read mark and the last message to the customer",
  needs_person: "True where the newest message is the customer's and no agent is going to answer it",
  assigned_to: "Who it is assigned to; null for nobody",
  "ConversationChange.assigned_to":
    "Who it is assigned to: an id, `me` or null. Where people sign in here, the id is a member's",
  force: "True to take the conversation from somebody else",
  last_message: "The newest message; null where there is none",
  "LastMessage.text": "The first 200 characters of the text; null where it has none",
  "LastMessage.status": "How far the message has come",
  flow: "The flow that the customer has completed; null where the message completes none",
  token: "What the flow was sent with",
  flow_id: "The chat platform's id of the flow, where its token was made here",
  values: "What the customer has filled in; null where that cannot be read",
  sent_by: "The person who has sent it; null where a customer, an agent or a program has",
  subject: "Id of the person, as `GET /api/v1/me` has it, or of the key",
  "Person.name": "Name at the time; null where none is known",
  status: "`open` or `ended`",
  "Message.status": "How far the message has come",
  window_expires_at: "Time until which free-form messages may be sent; null when the customer has not written",
  last_message_at: "Time of the latest message",
  [brand.messageIdField]: "The chat platform's id of the message",
  conversation_id: "Id of the conversation",
  direction: "`inbound` from the customer, `outbound` to the customer",
  role: "Who wrote it: the customer (`user`), the AI agent (`assistant`) or a person (`agent`)",
  type: "Type of the message",
  text: "Text of the message; null where it has none",
  content: "The message in the chat platform's form",
  context: "Message that this one answers; null where there is none",
  message_id: "The chat platform's id of that message",
  order: "What the customer has ordered; null where the message is no order",
  edited_at: "Time at which its writer last edited it; null where it is as it was sent",
  original: "What it said before its first edit; null where it was never edited",
  deleted_at: "Time at which its writer deleted it; null where they have not",
  error: "Why it could not be sent; null when it could",
  code: "The chat platform's code",
  message: "What is wrong, in a sentence"
})

export const conversationsGroup = (brand: Brand) => {
  const body = conversationBody(brand)
  return HttpApiGroup.make("conversations")
    .add(
      listConversations(body),
      getConversation(body),
      listMessages(brand),
      changeConversation(body),
      readConversation
    )
    .prefix(`/api/v1/${brand.channel}/conversations`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Conversations with customers, and who answers in them")
    .annotate(BodyExamples, { change: { ai_autoreply_enabled: false, assigned_to: "me" } })
    .annotate(FieldTexts, textsOf(brand))
}
