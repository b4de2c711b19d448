/** What the reply model remembers of a random day. */
import type { Instant } from "@trunkline/core/effect"
import type { MessageStatus } from "@trunkline/core/testing"
import type { AcceptedMessage } from "./FakeChatPlatform.ts"
import type { Delivered } from "./InboundBodies.ts"
import type { Mood } from "./ReplyDay.ts"
import type { ReplyWorld } from "./ReplyWorld.ts"

/** A text that a customer wrote. */
export interface Written {
  readonly who: number
  /** Its first text. Those of its edits begin with it and a dot. */
  readonly text: string
  readonly msgid: string
  /** How often it was edited, whether it was deleted, and in which second that was: of one second nobody knows the order. */
  edits: number
  isDeleted: boolean
  changedIn: string | null
  /** What a reply must know of it that is committed from now on: which edit, and whether it is gone. */
  known: { readonly edit: number; readonly isDeleted: boolean }
  /** The same from the next step on: it is surely stored. */
  stored: { readonly edit: number; readonly isDeleted: boolean }
  /** Surely stored. */
  isStored: boolean
  /** An answer may come of it alone: it did not come while something was off. */
  isLive: boolean
  /** A person has written to the customer since: it needs to be in no reply, and comes to none where it is delivered later. */
  mayBeAnswered: boolean
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
  /** By their first texts. */
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
  edited: number
  deleted: number
  formsJoined: number
  leftToPeople: number
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

/** The message that a text is of, in whichever of its edits. */
export const writtenAs = ({ written }: Pick<Memory, "written">, text: string | null): Written | undefined =>
  written.get((text ?? "").split(".")[0]!)

/** Which edit of its message a text is. */
export const editOf = (text: string): number => Number(text.split(".")[1] ?? 0)

/** True where a run has read a message, in whichever of its edits. */
export const hasRead = ({ knows }: Pick<Run, "knows">, text: string | null): boolean =>
  knows.some((one) => one.split(".")[0] === (text ?? "").split(".")[0])

/** What a person has written so far may stay without an answer. */
export const allowNoReply = ({ written }: Memory, who: number): void => {
  for (const one of written.values()) if (one.who === who) one.mayHaveNoReply = true
}
