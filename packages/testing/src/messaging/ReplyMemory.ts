/** What the reply model remembers of a random day. */
import type { Instant, MessageStatus } from "@trunkline/core/effect"
import type { AcceptedMessage } from "./FakeChatPlatform.ts"
import type { Delivered } from "./InboundBodies.ts"
import type { Mood } from "./ReplyDay.ts"
import type { ReplyWorld } from "./ReplyWorld.ts"

/** A text that a customer wrote. */
export interface Written {
  readonly who: number
  readonly text: string
  readonly msgid: string
  /** Surely stored. */
  isStored: boolean
  /** An answer may come of it alone: it did not come while something was off. */
  isLive: boolean
  /** It may stay without an answer: something was off meanwhile, a person answered, or the model gave up. */
  mayHaveNoReply: boolean
  /** Known to a turn that was committed. */
  isAnswered: boolean
}

/** A run of the model's. */
export interface Run {
  readonly who: number
  readonly at: Instant.Instant
  readonly knows: ReadonlyArray<string>
}

export interface Delivery {
  readonly body: Delivered
  readonly written: ReadonlyArray<Written>
  isStored: boolean
  isTried: boolean
}

export interface Memory {
  readonly world: ReplyWorld
  readonly written: Map<string, Written>
  readonly deliveries: Array<Delivery>
  /** By the mark that their answers carry. */
  readonly runs: Map<string, Run>
  readonly turns: Set<string>
  readonly statuses: Map<string, MessageStatus>
  /** The statuses that the platform reported of a message, with the furthest that a process surely received. */
  readonly reported: Map<string, { readonly message: AcceptedMessage; received: number }>
  /** Ids of ours that the platform has refused for good. */
  readonly refused: Set<string>
  /** Parts that were accepted although a part in front of them was not at its end, or was known to be refused. */
  readonly followers: Array<string>
  /** The failed runs that no later answer of their conversation has followed. */
  failedRuns: ReadonlyArray<Run>
  readonly takenOver: Set<number>
  isOn: boolean
  mood: Mood
  seen: Seen
}

export interface Seen {
  turns: number
  answered: number
  unanswered: number
  discarded: number
  inParts: number
  backedOff: number
  unknown: number
  brokenOff: number
  early: number
  merged: number
  again: number
  lost: number
  overtaken: number
  deaths: number
  stalls: number
  lostCommits: number
}

/** How far behind a message's life lies; a refusal for want of room takes one step back. */
export const ranks: Readonly<Record<MessageStatus, number>> = {
  received: 0,
  queued: 0,
  sending: 1,
  unknown: 2,
  sent: 3,
  failed: 4,
  delivered: 5,
  read: 6
}

export const referenceOf = ({ body }: AcceptedMessage): string => String(body.biz_opaque_callback_data)

/** What a person has written so far may stay without an answer. */
export const allowNoReply = ({ written }: Memory, who: number): void => {
  for (const one of written.values()) if (one.who === who) one.mayHaveNoReply = true
}
