/** The reply queue of one process: jobs are claimed, changed under their claim, and released or retried. Source: docs/reference/messaging.md#reply-queue. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import { ChatChannels } from "../channels/ChatChannels.ts"
import { ConversationStore } from "../conversations/ConversationStore.ts"
import { CustomerStore } from "../customers/CustomerStore.ts"
import * as Ids from "../MessagingIds.ts"
import { MessagingSettings } from "../MessagingSettings.ts"
import type { Message } from "../messages/Message.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import type { ReplyJob } from "../reply-queue/ReplyJob.ts"
import { ReplyQueueStore } from "../reply-queue/ReplyQueueStore.ts"
import { groupDueAt } from "../reply-queue/ReplySchedule.ts"
import { leavesWaiting } from "./NoReplyReason.ts"
import { type ClaimedJob, maxPending } from "./ReplyContext.ts"
import { type Progress, progressOf } from "./ReplyPlan.ts"
import type { Verdict } from "./ReplyPolicy.ts"

/**
 * The lease of a claim, which is renewed while a model runs: another process continues after a dead one within a minute of its
 * start, whatever else it has to do first.
 */
const leaseMs = 50 * Instant.second

/** The outcome of a request is tried to be recorded for this time. */
const recordingMs = 8 * Instant.second

/** A part is sent within this time after its claim was renewed, so that the claim lasts until the outcome is recorded. */
export const maxSendDelayMs = 2 * Instant.second

/** The right of one worker to handle the job of one customer. */
export interface ReplyClaim {
  readonly customerId: Ids.CustomerId
  readonly claim: string
}

/** What a job is like after some messages were handled. */
interface Advanced extends Progress {
  readonly advanced: ClaimedJob
}

/** How often a job has failed, and how long it waits then. */
interface Backoff {
  readonly failures: number
  readonly waitMs: number
}

export interface ReplyQueue {
  /** Claims up to `limit` due jobs, oldest first, under one claim. */
  readonly claimDue: (limit: number) => Effect.Effect<ReadonlyArray<ReplyJob>, StorageError>
  /** When the next job is due, or a claim runs out. */
  readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
  /** Renews a claim; false where another worker has the job. */
  readonly renew: (claim: ReplyClaim) => Effect.Effect<boolean, StorageError>
  /**
   * Runs a transaction on a job that the claim still has, and renews the claim for longer than a request takes. Null, and
   * nothing run, where another worker has the job.
   */
  readonly withClaim: <A, E>(
    claim: ReplyClaim,
    change: (claimed: ClaimedJob, at: Instant.Instant) => Effect.Effect<A, E, Tx | Read>
  ) => Effect.Effect<A | null, E | StorageError>
  /** Advances the job past messages that were handled, as a part of a transaction. Others go on waiting, earlier ones too. */
  readonly advance: (
    claimed: ClaimedJob,
    handled: ReadonlyArray<Message>
  ) => Effect.Effect<Advanced, StorageError, Read>
  /**
   * Ends the work on messages that get no reply, as a part of a transaction: a person has to answer them, unless more wait, which the
   * agent answers. `reason`: null where the agent's run failed.
   */
  readonly releaseUnanswered: (
    advanced: Advanced,
    handled: ReadonlyArray<Message>,
    reason: Verdict["skipReason"]
  ) => Effect.Effect<void, StorageError, Tx | Read>
  /** Ends the work on a job, as a part of a transaction: it is due again for open parts and for what waits. */
  readonly release: (claimed: ClaimedJob) => Effect.Effect<void, StorageError, Tx | Read>
  /** Ends the work on a job that has failed, as a part of a transaction: it is due again after the wait. */
  readonly backOff: (claimed: ClaimedJob, backoff: Backoff) => Effect.Effect<void, StorageError, Tx>
  /** The same in a transaction of its own. */
  readonly retryAfter: (claim: ReplyClaim, backoffOf: (job: ReplyJob) => Backoff) => Effect.Effect<void, StorageError>
}

export const makeReplyQueue = Effect.gen(function* () {
  const conversations = yield* ConversationStore
  const customers = yield* CustomerStore
  const messages = yield* MessageStore
  const channels = yield* ChatChannels
  const { reply } = yield* MessagingSettings
  const storage = yield* Storage
  const store = yield* ReplyQueueStore

  const claimDue = Effect.fnUntraced(function* (limit: number) {
    const at = yield* Instant.now
    const claim = yield* Ids.fresh()
    return yield* storage.transact(store.claimDue({ at, until: Instant.plus(at, leaseMs), claim, limit }))
  })

  const renew = Effect.fnUntraced(function* ({ claim, customerId }: ReplyClaim) {
    const until = Instant.plus(yield* Instant.now, leaseMs)
    return yield* storage.transact(store.renew(customerId, claim, until))
  })

  const withClaim = <A, E>(
    { claim, customerId }: ReplyClaim,
    change: (claimed: ClaimedJob, at: Instant.Instant) => Effect.Effect<A, E, Tx | Read>
  ) =>
    storage.transact(
      Effect.gen(function* () {
        yield* lock("customer", customerId)
        const at = yield* Instant.now
        const requestMs = maxSendDelayMs + channels.maxRequestMs() + recordingMs
        const until = Instant.plus(at, Math.max(leaseMs, requestMs))
        if (!(yield* store.renew(customerId, claim, until))) return null
        const customer = (yield* customers.byId(customerId))!
        return yield* change({ customer, job: (yield* store.find(customerId))! }, at)
      })
    )

  const advance = Effect.fnUntraced(function* ({ customer, job }: ClaimedJob, handled: ReadonlyArray<Message>) {
    const present = yield* messages.inboundAfter(customer.id, job.handledUpTo, maxPending)
    const progress = progressOf(present, handled, job)
    const handledUpTo = progress.handledUpTo ?? job.handledUpTo
    // More may wait than was read.
    const next = progress.remaining[0] ?? (yield* messages.inboundAfter(customer.id, handledUpTo, 1))[0]
    return {
      ...progress,
      advanced: { customer, job: { ...job, handledUpTo, waitingSince: next?.createdAt ?? null } }
    }
  })

  const release = Effect.fnUntraced(function* ({ customer, job }: ClaimedJob) {
    const { lastMessageAt } = customer
    const { waitingSince } = job
    const hasOpenParts = (yield* messages.openParts(customer.id)).length > 0
    const groupDue = waitingSince === null ? null : groupDueAt({ waitingSince, lastMessageAt }, reply)
    yield* store.save({ ...job, failures: 0, dueAt: hasOpenParts ? yield* Instant.now : groupDue })
    yield* store.release(customer.id, job.claim!)
  })

  const releaseUnanswered: ReplyQueue["releaseUnanswered"] = Effect.fnUntraced(function* (
    { advanced, isSuperseded },
    handled,
    reason
  ) {
    const { customer, job } = advanced
    if (!isSuperseded && job.waitingSince === null && leavesWaiting(reason, handled)) {
      const conversation = (yield* conversations.byId(customer.conversationId))!
      if (conversation.awaits === "agent") yield* conversations.save({ ...conversation, awaits: "person" })
    }
    yield* release(advanced)
  })

  const backOff = Effect.fnUntraced(function* ({ customer, job }: ClaimedJob, { failures, waitMs }: Backoff) {
    yield* store.save({ ...job, failures, dueAt: Instant.plus(yield* Instant.now, waitMs) })
    yield* store.release(customer.id, job.claim!)
  })

  const retryAfter: ReplyQueue["retryAfter"] = (claim, backoffOf) =>
    Effect.asVoid(withClaim(claim, (claimed) => backOff(claimed, backoffOf(claimed.job))))

  return {
    advance,
    backOff,
    claimDue,
    nextDue: storage.read(store.nextDue()),
    release,
    releaseUnanswered,
    renew,
    retryAfter,
    withClaim
  } satisfies ReplyQueue
})
