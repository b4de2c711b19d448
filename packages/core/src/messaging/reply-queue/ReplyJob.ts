/** The reply job of one customer: which messages wait for a reply, when, and which worker has claimed it. Pure. Source: docs/reference/messaging.md#reply-queue. */
import { Instant } from "../../platform/kernel/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { Message } from "../messages/Message.ts"

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
  /** When a person last wrote to the customer in the number's own app: what the customer wrote before that is answered. */
  readonly answeredAt: Instant.Instant | null
  /** How often the turn in progress has failed. */
  readonly failures: number
}

/** A job without its claim. */
export type ReplyJobState = Omit<ReplyJob, "claim" | "claimedUntil">

/** The job of a customer who has written, or has been written to in the number's own app, for the first time. */
export const newReplyJob = (customerId: Ids.CustomerId): ReplyJob => ({
  customerId,
  dueAt: null,
  claim: null,
  claimedUntil: null,
  handledUpTo: null,
  waitingSince: null,
  answeredAt: null,
  failures: 0
})

/** Networks tell times in seconds. */
const secondOf = (at: Instant.Instant): number => Math.floor(at / Instant.second)

const writtenIn = ({ createdAt, writtenAt }: Pick<Message, "createdAt" | "writtenAt">): number =>
  secondOf(writtenAt ?? createdAt)

/**
 * True of a message that may get a reply, as far as it comes after the last handled one: it was not deleted, and no person has answered
 * since it was written. Deliveries come in any order.
 */
export const isWaiting = (
  message: Pick<Message, "createdAt" | "deletedAt" | "isHandled" | "writtenAt">,
  { answeredAt }: Pick<ReplyJob, "answeredAt">
): boolean =>
  !message.isHandled &&
  message.deletedAt === null &&
  (answeredAt === null || writtenIn(message) >= secondOf(answeredAt))

/**
 * The job once a person has written to the customer in the number's own app: of `waiting`, the messages after the last handled one,
 * those are answered that were written until then. Of the same second are those that came before.
 */
export const jobAfterPerson = (job: ReplyJob, waiting: ReadonlyArray<Message>, at: Instant.Instant): ReplyJob => {
  const isLeft = (message: Message) => isWaiting(message, job) && writtenIn(message) > secondOf(at)
  const left = waiting.findIndex(isLeft)
  const last = (left === -1 ? waiting : waiting.slice(0, left)).at(-1)
  return {
    ...job,
    handledUpTo: last?.id ?? job.handledUpTo,
    waitingSince: waiting[left]?.createdAt ?? null,
    answeredAt: latest(job.answeredAt, at)
  }
}

export const isClaimed = (job: ReplyJob | null, at: Instant.Instant): boolean =>
  job !== null && job.claimedUntil !== null && job.claimedUntil > at

/** Two customers are one person: one job remains, for the messages that wait in either. What has not failed before has all of its runs. */
export const mergeReplyJobs = (into: ReplyJob, from: ReplyJob, handledUpTo: Ids.MessageId | null): ReplyJob => ({
  ...into,
  dueAt: earliest(into.dueAt, from.dueAt),
  waitingSince: earliest(into.waitingSince, from.waitingSince),
  answeredAt: latest(into.answeredAt, from.answeredAt),
  failures: Math.min(into.failures, from.failures),
  handledUpTo
})

const latest = (a: Instant.Instant | null, b: Instant.Instant | null): Instant.Instant | null =>
  a === null || b === null ? (a ?? b) : Instant.later(a, b)

const earliest = (a: Instant.Instant | null, b: Instant.Instant | null): Instant.Instant | null =>
  a === null || b === null ? (a ?? b) : Instant.earlier(a, b)
