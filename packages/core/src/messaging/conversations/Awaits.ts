/**
 * Whose answer a conversation waits for, what of it is unread, and whether a person has to look at it. Pure.
 * Source: docs/reference/messaging.md#inbox.
 */
import * as Schema from "effect/Schema"
import type * as Ids from "../MessagingIds.ts"

/**
 * `nobody`: its newest message is no customer's, or it has ended. Otherwise it is the customer's, and an agent answers it as far as its message goes
 * (`agent`), or no agent will, whatever is switched on later (`person`).
 */
export const Awaits = Schema.Literals(["nobody", "agent", "person"])
export type Awaits = typeof Awaits.Type

/** What of a conversation changes with every message. */
export interface Activity {
  readonly awaits: Awaits
  /** Messages of the customer after the last read mark and the last message to the customer, whichever is later. */
  readonly unreadCount: number
  /** Null where it has no message. */
  readonly lastMessageId: Ids.MessageId | null
}

interface AddedMessage {
  readonly id: Ids.MessageId
}

/** A conversation once a message of the customer's was added. */
export const afterInbound = <C extends Activity>(
  conversation: C,
  { id }: AddedMessage,
  awaits: Exclude<Awaits, "nobody">
): C => ({ ...conversation, awaits, unreadCount: conversation.unreadCount + 1, lastMessageId: id })

/** A conversation once a message to the customer was added, by whomever: what came before it counts as read. */
export const afterOutbound = <C extends Activity>(conversation: C, { id }: AddedMessage): C => ({
  ...conversation,
  awaits: "nobody",
  unreadCount: 0,
  lastMessageId: id
})

/** What of two conversations of one customer is that of the one that has the messages of both, as these now stand. */
export const joinedActivity = (
  one: Activity,
  other: Activity,
  { lastMessageId, unanswered }: { readonly lastMessageId: Ids.MessageId | null; readonly unanswered: number }
): Activity => ({
  awaits: (lastMessageId !== null && lastMessageId === other.lastMessageId ? other : one).awaits,
  unreadCount: Math.min(one.unreadCount + other.unreadCount, unanswered),
  lastMessageId
})

/** What decides whether a number's agent answers. */
interface AnsweringNumber {
  readonly aiAutoreplyEnabled: boolean
}

interface AnsweringAgent {
  readonly isActive: boolean
  readonly systemPrompt: string | null
}

/** Whether a number has an agent that answers; `agent` is the linked one, and null where there is none. */
export const answers = ({ aiAutoreplyEnabled }: AnsweringNumber, agent: AnsweringAgent | null): boolean =>
  aiAutoreplyEnabled && agent?.isActive === true && (agent.systemPrompt ?? "").trim() !== ""

/** What decides whether a conversation needs a person. */
export interface Neediness {
  readonly awaits: Awaits
  readonly aiAutoreplyEnabled: boolean
  /** What `answers` says of its number. */
  readonly numberAnswers: boolean
}

/** True of an open conversation whose newest message is the customer's, where no agent is going to answer it. */
export const needsPerson = ({ aiAutoreplyEnabled, awaits, numberAnswers }: Neediness): boolean =>
  awaits === "person" || (awaits === "agent" && !(aiAutoreplyEnabled && numberAnswers))
