/** The reply job of one customer: which messages wait for a reply, when, and which worker has claimed it. Pure. Source: docs/messaging.md#reply-queue. */
import { type Ids, Instant } from "../kernel/index.ts"

export interface ReplyJob {
  readonly customerId: Ids.CustomerId
  /** When a worker handles the job; null while there is nothing to do. */
  readonly dueAt: Instant.Instant | null
  /** The claim of a worker, and its end; null without a claim. Only claims change these two. */
  readonly claim: string | null
  readonly claimedUntil: Instant.Instant | null
  /** The last inbound message that was handled: it was answered, or there was nothing to answer. */
  readonly handledUpTo: Ids.MessageId | null
  /** When the first message came that is not handled yet. */
  readonly waitingSince: Instant.Instant | null
  /** How often the turn in progress has failed. */
  readonly failures: number
}

/** What is written of a job besides its claim. */
export type ReplyJobState = Omit<ReplyJob, "claim" | "claimedUntil">

/** The job of a customer who has written for the first time. */
export const newReplyJob = (customerId: Ids.CustomerId): ReplyJob => ({
  customerId,
  dueAt: null,
  claim: null,
  claimedUntil: null,
  handledUpTo: null,
  waitingSince: null,
  failures: 0
})

export const isClaimed = (job: ReplyJob | null, at: Instant.Instant): boolean =>
  job !== null && job.claimedUntil !== null && job.claimedUntil > at

/** Two customers are one person: one job remains, for whatever waits in either. What has not failed before has all of its runs. */
export const mergeReplyJobs = (into: ReplyJob, from: ReplyJob, handledUpTo: Ids.MessageId | null): ReplyJob => ({
  ...into,
  dueAt: earliest(into.dueAt, from.dueAt),
  waitingSince: earliest(into.waitingSince, from.waitingSince),
  failures: Math.min(into.failures, from.failures),
  handledUpTo
})

const earliest = (a: Instant.Instant | null, b: Instant.Instant | null): Instant.Instant | null =>
  a === null || b === null ? (a ?? b) : Instant.earlier(a, b)
