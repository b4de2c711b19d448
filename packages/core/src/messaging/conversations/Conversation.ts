/** A conversation between a customer and a connected number. Pure. Source: docs/reference/messaging.md#conversations. */
import * as Schema from "effect/Schema"
import { Entity, Instant } from "../../platform/kernel/index.ts"
import * as Ids from "../MessagingIds.ts"

export const ConversationStatus = Schema.Literals(["open", "ended"])

export interface Conversation {
  readonly id: Ids.ConversationId
  readonly tenantId: Ids.AccountId
  readonly phoneId: Ids.PhoneId
  readonly customerId: Ids.CustomerId
  readonly aiAutoreplyEnabled: boolean
  readonly status: "open" | "ended"
  /** Whether it counts for the plan: since an agent first replied in it. Source: docs/reference/plans.md#conversations. */
  readonly isCounted: boolean
  readonly lastMessageAt: Instant.Instant
  readonly createdAt: Instant.Instant
}

/** After this time without a message the next one starts another conversation. */
export const conversationTimeoutMs = Instant.day

/**
 * The open conversations of two customers who are one, as they are from then on. The one with the latest message goes on, taken over
 * where either was; `isJoined`: it has the messages of the other one too, because that was not over.
 */
export const joinConversations = (one: Conversation, other: Conversation, at: Instant.Instant) => {
  const [goesOn, ends] = one.lastMessageAt >= other.lastMessageAt ? [one, other] : [other, one]
  const isJoined = at - ends.lastMessageAt < conversationTimeoutMs
  const aiAutoreplyEnabled = one.aiAutoreplyEnabled && other.aiAutoreplyEnabled
  // The plan has counted either, or both: one or two are marked afterwards.
  const [isCounted, areBothCounted] = [one.isCounted || other.isCounted, one.isCounted && other.isCounted]
  return {
    open: { ...goesOn, aiAutoreplyEnabled, isCounted: isJoined ? isCounted : goesOn.isCounted },
    ended: { ...ends, status: "ended" as const, isCounted: isJoined ? areBothCounted : ends.isCounted },
    isJoined
  }
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
