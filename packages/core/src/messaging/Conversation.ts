/** A conversation between a customer and a connected number. Pure. Source: docs/messaging.md#conversations. */
import * as Schema from "effect/Schema"
import { Entity, Ids, Instant } from "../kernel/index.ts"

export const ConversationStatus = Schema.Literals(["open", "ended"])

export interface Conversation {
  readonly id: Ids.ConversationId
  readonly tenantId: Ids.AccountId
  readonly phoneId: Ids.PhoneId
  readonly customerId: Ids.CustomerId
  readonly aiAutoreplyEnabled: boolean
  readonly status: "open" | "ended"
  /** Whether it counts for the plan: since an agent first replied in it. Source: docs/plans.md#conversations. */
  readonly isCounted: boolean
  readonly lastMessageAt: Instant.Instant
  readonly createdAt: Instant.Instant
}

/** A conversation with the fields of its customer and its number that are shown. */
export interface ConversationView extends Conversation {
  readonly phoneNumberId: string
  readonly botId: Ids.BotId | null
  readonly phone: string | null
  readonly userRef: string | null
  readonly name: string | null
  readonly windowExpiresAt: Instant.Instant | null
}

/** Its row. */
export const conversationEntity = Schema.Struct({
  id: Ids.schema<"Conversation">(),
  tenantId: Ids.schema<"Account">(),
  phoneId: Ids.schema<"Phone">(),
  customerId: Ids.schema<"Customer">(),
  aiAutoreplyEnabled: Schema.Boolean,
  status: ConversationStatus,
  isCounted: Schema.Boolean,
  lastMessageAt: Instant.Iso,
  createdAt: Instant.Iso
})

const shown = Schema.Struct({
  ...conversationEntity.fields,
  phoneNumberId: Schema.String,
  userId: Schema.NullOr(Schema.String),
  botId: Schema.NullOr(Ids.schema<"Bot">()),
  phone: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  windowExpiresAt: Schema.NullOr(Instant.Iso)
})

/** How a conversation is shown; `userId` is the channel's id of the customer, or the phone. */
export const ConversationRecord = Entity.recordOf(shown, [
  "id",
  "phoneId",
  "phoneNumberId",
  "userId",
  "phone",
  "name",
  "botId",
  "aiAutoreplyEnabled",
  "status",
  "windowExpiresAt",
  "lastMessageAt",
  "createdAt"
])
