/** What the reply worker does next with a job, a generated reply, a part and a failure. Pure. Source: docs/reference/messaging.md#replies. */
import type { AgentFailed } from "../../agents/replying/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type { Message } from "../messages/Message.ts"
import { isWaiting, type ReplyJob } from "../reply-queue/ReplyJob.ts"
import { type Debounce, groupDueAt, runBackoff } from "../reply-queue/ReplySchedule.ts"
import { isAnswerable } from "./NoReplyReason.ts"
import type { ReplyContext } from "./ReplyContext.ts"

type JobStep = "fail-parts" | "send-parts" | "skip" | "wait" | "generate"

/**
 * The first step for a claimed job: open parts go out before the next reply is generated. `wait`: a message has come since the job
 * was claimed, so that its group is not complete.
 */
export const nextStep = (given: {
  /** Null where the number is disconnected. */
  readonly context: Pick<ReplyContext, "pending" | "skipReason"> | null
  readonly hasOpenParts: boolean
  readonly debounce: Debounce
  readonly at: Instant.Instant
}): JobStep => {
  const { at, context, debounce, hasOpenParts } = given
  if (context === null) return "fail-parts"
  if (hasOpenParts) return "send-parts"
  const [first] = context.pending
  if (first === undefined || context.skipReason !== null) return "skip"
  const lastMessageAt = context.pending.at(-1)!.createdAt
  return at < groupDueAt({ waitingSince: first.createdAt, lastMessageAt }, debounce) ? "wait" : "generate"
}

/** Where a job stands once some of its messages are handled. */
export interface Progress {
  /** None of the handled messages waits any more: another process has handled them. */
  readonly isSuperseded: boolean
  /** Messages that are not handled come before one that is: two customers turned out to be one person. */
  readonly isInterleaved: boolean
  /** Some of the handled messages say something else now, or wait no more. */
  readonly isChanged: boolean
  /** What still waits, of the messages that were read. */
  readonly remaining: ReadonlyArray<Message>
  /** The last message up to which nothing waits; null where that is none of those that were read. */
  readonly handledUpTo: Message["id"] | null
}

/** `present`: the customer's messages after the last handled one, in their order, as they are now. */
export const progressOf = (
  present: ReadonlyArray<Message>,
  handled: ReadonlyArray<Message>,
  job: Pick<ReplyJob, "answeredAt">
): Progress => {
  const waiting = new Map(present.filter((message) => isWaiting(message, job)).map((message) => [message.id, message]))
  const ids = new Set(handled.map(({ id }) => id))
  const last = present.findLastIndex(({ id }) => ids.has(id) && waiting.has(id))
  const remaining = [...waiting.values()].filter(({ id }) => !ids.has(id))
  const first = remaining[0] === undefined ? present.length : present.indexOf(remaining[0])
  return {
    isSuperseded: last === -1,
    isInterleaved: first < last,
    isChanged: handled.some((message) => !isAsRead(message, waiting.get(message.id))),
    remaining,
    handledUpTo: present[first - 1]?.id ?? null
  }
}

/** Edits of one second have one time. */
const isAsRead = (read: Message, now: Message | undefined): boolean =>
  now !== undefined && now.editedAt === read.editedAt && now.text === read.text

export type ReplyStep = "supersede" | "discard" | "regroup" | "commit"

/**
 * The decision about a generated reply. `supersede`: a human operator has replied, or a later message ended the group. `discard`:
 * the agent may not reply any more, or another agent may. `regroup`: the reply does not know all messages that wait, and the
 * first of them can wait longer, or it knows what was deleted, edited or answered since. `now`: the context as it is when the reply is committed; null for a disconnected number.
 */
export const planReply = (given: {
  readonly progress: Progress
  readonly generatedFor: Pick<ReplyContext, "number">
  readonly now: Pick<ReplyContext, "number" | "seesImages" | "skipReason"> | null
  readonly waitingSince: Instant.Instant | null
  readonly maxWaitMs: number
  readonly at: Instant.Instant
}): ReplyStep => {
  const { at, generatedFor, maxWaitMs, now, progress, waitingSince } = given
  if (progress.isSuperseded) return "supersede"
  if (now === null || now.skipReason !== null || now.number.botId !== generatedFor.number.botId) return "discard"
  const canWait = at < Instant.plus(waitingSince ?? at, maxWaitMs)
  const isGrowing = progress.remaining.some((message) => isAnswerable(message, now))
  return progress.isInterleaved || progress.isChanged || (canWait && isGrowing) ? "regroup" : "commit"
}

type PartStep = "done" | "mark-unknown" | "send"

/**
 * The decision about an open part. `isOurs`: this worker has marked it `sending` and has not sent it. A part that another worker
 * left as `sending` may have arrived.
 */
export const planPart = (part: Pick<Message, "status"> | null, { isOurs }: { readonly isOurs: boolean }): PartStep => {
  if (part?.status === "queued") return "send"
  if (part?.status !== "sending") return "done"
  return isOurs ? "send" : "mark-unknown"
}

/** Whatever a model's server asks for, the customer is gone after this time. */
const maxRetryAfterMs = Instant.minute

/** Milliseconds until an agent that has failed `failures` times in a row runs again; null when the group gets no reply. */
export const planRetry = (
  failed: Pick<AgentFailed, "isRetryable" | "retryAfterSeconds"> | null,
  failures: number
): number | null => {
  const backoff = failed?.isRetryable === false ? null : runBackoff(failures)
  const asked = Math.min((failed?.retryAfterSeconds ?? 0) * Instant.second, maxRetryAfterMs)
  return backoff === null ? null : Math.max(backoff, asked)
}
