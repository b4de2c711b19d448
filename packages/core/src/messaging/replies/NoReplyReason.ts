/** When an agent replies. Pure. Source: docs/reference/messaging.md#replies. */
import type { SpendingRefusal } from "../../platform/accounts/index.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import type { Conversation } from "../conversations/Conversation.ts"
import { isOpen } from "../conversations/ReplyWindow.ts"
import type { Message } from "../messages/Message.ts"
import { isOptOut } from "../opt-outs/OptOutWords.ts"

/** Replies of an agent to one customer in an hour: two agents that answer each other stop there. */
export const maxTurnsPerHour = 60

/** The agent, as far as it decides. */
interface ReplyingBot {
  readonly systemPrompt: string | null
  readonly isActive: boolean
  /** True where its model takes images. */
  readonly seesImages: boolean
}

/** What decides, before the model runs and again when its reply is committed. */
export interface ReplySituation {
  readonly number: Pick<ConnectedNumber, "botId" | "aiAutoreplyEnabled" | "disconnectedAt">
  /** The linked agent; null where none is linked, and where it is removed. */
  readonly bot: ReplyingBot | null
  readonly conversation: Pick<Conversation, "aiAutoreplyEnabled">
  /** The customer's messages that are not handled yet. */
  readonly messageGroup: ReadonlyArray<Pick<Message, "type" | "text">>
  /** True where the customer is the number itself: what it sends comes back. */
  readonly isOwnNumber: boolean
  /** True where the channel accepts free text only for some time after the customer's last message. */
  readonly hasWindow: boolean
  readonly windowExpiresAt: Instant.Instant | null
  readonly turnsLastHour: number
  /** True where the conversation counts for the plan already, or the plan has room for it. */
  readonly isWithinPlan: boolean
  readonly at: Instant.Instant
}

/** Why an agent does not reply. */
export type NoReplyReason =
  | "number_disconnected"
  | "own_number"
  | "number_unlinked"
  | "bot_gone"
  | "bot_inactive"
  | "bot_without_prompt"
  | "number_switched_off"
  | "conversation_switched_off"
  | "opted_out"
  | "nothing_to_answer"
  | "window_closed"
  | "too_many_turns"
  | "quota_exceeded"

/** True of text that is not blank, and of an image where the model sees it. Source: docs/reference/messaging.md#replies. */
export const isAnswerable = (
  { text, type }: Pick<Message, "type" | "text">,
  { seesImages }: Pick<ReplyingBot, "seesImages">
): boolean => (type === "text" ? text !== null && text.trim() !== "" : type === "image" && seesImages)

/** Messages by which nobody asks for anything. */
const idleTypes: ReadonlySet<string> = new Set(["reaction", "sticker", "edit", "revoke", "system"])

const asks = ({ text, type }: Pick<Message, "type" | "text">): boolean =>
  type === "text" ? text !== null && text.trim() !== "" : !idleTypes.has(type)

/**
 * True where a message group that gets no reply leaves its customer waiting, so that a person has to answer: whatever has kept the agent
 * from it, be it that its run failed (null), unless nobody waits for an answer. Source: docs/reference/messaging.md#inbox.
 */
export const leavesWaiting = (
  reason: NoReplyReason | SpendingRefusal | null,
  messageGroup: ReadonlyArray<Pick<Message, "type" | "text">>
): boolean => reason !== "opted_out" && reason !== "own_number" && messageGroup.some(asks)

/**
 * Null when the agent may reply, else the first condition that fails. A message group gets a reply when any of it can be
 * answered; the rest is in the history. Source: docs/reference/messaging.md#replies.
 */
export const skipReason = (situation: ReplySituation): NoReplyReason | null => {
  const { at, bot, conversation, hasWindow, isOwnNumber, isWithinPlan, messageGroup, number } = situation
  if (number.disconnectedAt !== null) return "number_disconnected"
  if (isOwnNumber) return "own_number"
  if (number.botId === null) return "number_unlinked"
  if (bot === null) return "bot_gone"
  if (!bot.isActive) return "bot_inactive"
  if ((bot.systemPrompt ?? "").trim() === "") return "bot_without_prompt"
  if (!number.aiAutoreplyEnabled) return "number_switched_off"
  if (!conversation.aiAutoreplyEnabled) return "conversation_switched_off"
  const answerable = messageGroup.filter((message) => isAnswerable(message, bot))
  if (answerable.length === 0) return "nothing_to_answer"
  if (isOptOut(answerable.at(-1)!)) return "opted_out"
  if (hasWindow && !isOpen(situation.windowExpiresAt, at)) return "window_closed"
  if (situation.turnsLastHour >= maxTurnsPerHour) return "too_many_turns"
  return isWithinPlan ? null : "quota_exceeded"
}
