/** When a reply job is due: once its message group is complete, and again after a failure. Pure. Source: docs/reference/messaging.md#reply-queue. */
import { Instant } from "../../platform/kernel/index.ts"
import type { Message } from "../messages/Message.ts"
import type { ReplyJob } from "./ReplyJob.ts"

/** Both are instants at which messages reached us, not those at which the customer wrote. */
export interface Waiting {
  /** When the first message came that is not handled yet. */
  readonly waitingSince: Instant.Instant
  readonly lastMessageAt: Instant.Instant
}

export interface Debounce {
  /** A message group is complete when nothing has followed for this time; 0 replies at once. */
  readonly quietMs: number
  /** A message group waits no longer than this, however steadily it grows. */
  readonly maxWaitMs: number
}

/** When a message group is due. Source: docs/reference/messaging.md#reply-queue. */
export const groupDueAt = (
  { lastMessageAt, waitingSince }: Waiting,
  { maxWaitMs, quietMs }: Debounce
): Instant.Instant => Instant.earlier(Instant.plus(lastMessageAt, quietMs), Instant.plus(waitingSince, maxWaitMs))

/**
 * A job once an inbound message has come. `isPart`: the message belongs to the group that waits for a reply. Otherwise the group
 * ends here, and what waits in it gets no reply later either. A job that is due stays due: parts of an earlier reply may be open.
 * `failsToSend`: parts are open, so that its failures are those of sending. The model's are counted anew for each message.
 */
export const jobAfterMessage = (
  job: ReplyJob,
  { createdAt, id }: Pick<Message, "createdAt" | "id">,
  { debounce, failsToSend, isPart }: JoiningMessage
): ReplyJob => {
  if (!isPart) return { ...job, handledUpTo: id, waitingSince: null }
  const waitingSince = job.waitingSince ?? createdAt
  const dueAt = groupDueAt({ waitingSince, lastMessageAt: createdAt }, debounce)
  return {
    ...job,
    waitingSince,
    // Another message does not shorten a backoff that the model or the platform has asked for.
    dueAt: job.dueAt === null ? dueAt : Instant.later(job.dueAt, dueAt),
    failures: failsToSend ? job.failures : 0
  }
}

interface JoiningMessage {
  readonly isPart: boolean
  readonly failsToSend: boolean
  readonly debounce: Debounce
}

const runBackoffs: ReadonlyArray<number> = [2, 8, 30].map((seconds) => seconds * Instant.second)

/**
 * Milliseconds to wait after an agent's run has failed for the `failures`-th time, counted from 1; null when there is no
 * further attempt. Source: docs/reference/messaging.md#reply-queue.
 */
export const runBackoff = (failures: number): number | null => runBackoffs[failures - 1] ?? null

const minThrottleMs = 4 * Instant.second
const maxThrottleMs = 60 * Instant.second

/** The platform may ask for more: a customer who waits for longer has gone. */
const maxRetryAfterMs = 10 * Instant.minute

/** With the platform asking for nothing else, the last attempt is eight minutes after the first. */
const maxThrottled = 12

/**
 * Milliseconds to wait after sending was throttled for the `times`-th time, counted from 1; null when there is no further
 * attempt. What the platform asks for counts, between a second and ten minutes. Source: docs/reference/messaging.md#reply-queue.
 */
export const throttleBackoff = (times: number, retryAfterSeconds: number | null): number | null => {
  if (times >= maxThrottled) return null
  if (retryAfterSeconds === null) return Math.min(minThrottleMs * 2 ** (times - 1), maxThrottleMs)
  return Math.min(Math.max(retryAfterSeconds * Instant.second, Instant.second), maxRetryAfterMs)
}

/** The platform shows for 25 seconds that a reply is being written, or until the reply is there. */
export const typingIntervalMs = 20 * Instant.second

const maxPauseMs = Instant.second / 4

/**
 * Milliseconds that the reply worker pauses after a tick, when the process's event loop was `lagMs` late. A reply is waited for
 * for seconds, a delivery's acknowledgement for milliseconds: replies get about a fifth of an overloaded process.
 * Source: docs/reference/messaging.md#reply-queue.
 */
export const pauseAfter = (lagMs: number): number => Math.min(Math.max(0, lagMs) * 4, maxPauseMs)
