/**
 * The reply worker: claims due jobs, and for each sends open parts, or generates a reply, commits it and sends its parts. What
 * it does stands in rows first, so that another worker can continue from there. Source: docs/reference/messaging.md#replies.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AgentFailed } from "../../agents/replying/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { LostCommits, Storage, type StorageError } from "../../platform/storage/index.ts"
import { CustomerStore } from "../customers/CustomerStore.ts"
import { MessagingSettings } from "../MessagingSettings.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import type { ReplyJob } from "../reply-queue/ReplyJob.ts"
import { ReplyQueueSignal } from "../reply-queue/ReplyQueueSignal.ts"
import { runBackoff } from "../reply-queue/ReplySchedule.ts"
import { Outgoing } from "../sending/Outgoing.ts"
import { waitForReports } from "./LostReplies.ts"
import { type ClaimedJob, type ReplyContext, replyContexts } from "./ReplyContext.ts"
import { makeReplyGenerator } from "./ReplyGenerator.ts"
import { nextStep, planRetry } from "./ReplyPlan.ts"
import { logNoReply } from "./ReplyPolicy.ts"
import { makeReplyQueue, type ReplyClaim } from "./ReplyQueue.ts"
import { makeReplySender } from "./ReplySender.ts"
import { makeReplyWriter } from "./ReplyWriter.ts"

/** Jobs claimed in one transaction at most: each begins with milliseconds in which nothing else in the process runs. */
const claimBatch = 4

/** Until a job is retried for which the storage failed. */
const storageRetryMs = 5 * Instant.second

/** A message that is being sent has this time to be recorded; after it the next process finds it unknown. */
const cancelGraceMs = Instant.second

export class ReplyWorker extends Context.Service<
  ReplyWorker,
  {
    /** Begins as many due jobs as there is concurrency for; returns how many. */
    readonly tick: Effect.Effect<number, StorageError>
    /** When the next job is due, or a claim runs out; null while there is no concurrency left for it. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
    /** Waits until no job is in progress. */
    readonly idle: Effect.Effect<void>
    /** How many jobs are in progress in this process. */
    readonly running: () => number
    /** Cancels runs of models that still go on: their jobs are free at once. Waits a second for messages that are being sent. */
    readonly cancel: Effect.Effect<void>
  }
>()("@trunkline/core/messaging/replies/ReplyWorker") {
  static readonly layer = Layer.effect(
    ReplyWorker,
    Effect.gen(function* () {
      const customers = yield* CustomerStore
      const generator = yield* makeReplyGenerator
      const loadContext = yield* replyContexts
      const messages = yield* MessageStore
      const lostCommits = yield* LostCommits
      const outgoing = yield* Outgoing
      const queue = yield* makeReplyQueue
      const sender = yield* makeReplySender
      const { reply: settings } = yield* MessagingSettings
      const storage = yield* Storage
      const writer = yield* makeReplyWriter
      const { share, wake } = yield* ReplyQueueSignal
      const fibers = yield* FiberSet.make()
      let running = 0

      const load = Effect.fnUntraced(function* (job: ReplyJob) {
        const customer = yield* customers.byId(job.customerId)
        // Merged into another customer, after the claim had run out.
        if (customer === null) return null
        const hasOpenParts = (yield* messages.openParts(customer.id)).length > 0
        const context = yield* loadContext({ customer, job }, null)
        return { context, step: nextStep({ context, hasOpenParts, debounce: settings, at: yield* Instant.now }) }
      })

      /** Releases the job, with the group handled and without a reply. */
      const skipClaimed = Effect.fnUntraced(function* (
        claimed: ClaimedJob,
        { number, pending, skipReason }: ReplyContext
      ) {
        yield* logNoReply(number, skipReason)
        yield* queue.releaseUnanswered(yield* queue.advance(claimed, pending), pending, skipReason)
      })

      const skip = (claim: ReplyClaim, context: ReplyContext) =>
        queue.withClaim(claim, (claimed) => skipClaimed(claimed, context))

      /** Releases the job until its group is complete: without what was deleted, or answered by a person, since it came. */
      const waitOn = (claimed: ClaimedJob) =>
        Effect.flatMap(queue.advance(claimed, []), ({ advanced }) => queue.release(advanced))

      /** A run that failed is retried a few times, where that may help; then the group gets no reply. */
      const runFailed = Effect.fnUntraced(function* (
        context: ReplyContext,
        { claim }: Claimed,
        cause: Cause.Cause<AgentFailed | StorageError>
      ) {
        const failed = Option.getOrNull(Cause.findErrorOption(cause))
        if (failed?._tag === "StorageError") return yield* failed
        const detail = failed?.detail ?? Cause.pretty(cause)
        yield* Effect.logWarning(`the agent of number ${context.number.id} has no answer: ${detail}`)
        yield* queue.withClaim(claim, (claimed) => {
          // A message that has come since the run began has set the failures back.
          const failures = claimed.job.failures + 1
          const waitMs = planRetry(failed, failures)
          return waitMs === null ? skipClaimed(claimed, context) : queue.backOff(claimed, { failures, waitMs })
        })
      })

      const reply = Effect.fnUntraced(function* (context: ReplyContext, claimed: Claimed) {
        const { claim } = claimed
        const { number } = context
        const from = yield* outgoing.senderOf(number)
        const run = yield* Effect.exit(generator.generate(context, from, claim))
        if (run._tag === "Failure") return yield* runFailed(context, claimed, run.cause)
        if (run.value === null) return yield* skip(claim, context)
        if (yield* writer.commit(context, run.value, claim)) yield* sender.sendParts(from, claim, 0)
      })

      const handle = Effect.fnUntraced(function* (claimed: Claimed) {
        const { claim, job } = claimed
        const loaded = yield* storage.read(load(job))
        if (loaded === null) return
        const { context, step } = loaded
        if (context === null || step === "fail-parts") return yield* sender.failParts(claim)
        if (step === "skip") return yield* skip(claim, context)
        if (step === "wait") return yield* queue.withClaim(claim, waitOn)
        if (step === "generate") {
          const waitMs = waitForReports(context.pending, yield* lostCommits, yield* Instant.now)
          if (waitMs > 0) return yield* queue.retryAfter(claim, ({ failures }) => ({ failures, waitMs }))
          return yield* reply(context, claimed)
        }
        yield* sender.sendParts(yield* outgoing.senderOf(context.number), claim, job.failures)
      })

      /** The storage is unavailable for a moment, or there is a fault that only the operator can repair. */
      const failed = ({ claim }: Claimed, cause: Cause.Cause<StorageError>) => {
        const isDefect = Cause.hasDies(cause)
        const retried = queue.retryAfter(claim, ({ failures }) =>
          isDefect
            ? { failures: failures + 1, waitMs: runBackoff(failures + 1) ?? Instant.minute }
            : { failures, waitMs: storageRetryMs }
        )
        return Effect.andThen(Effect.logError("a reply failed", claim.customerId, cause), Effect.ignore(retried))
      }

      /** At every end the job is free again, at the latest when its claim runs out. */
      const work = (claimed: Claimed) =>
        handle(claimed).pipe(
          Effect.catchCause((cause) => failed(claimed, cause)),
          Effect.onInterrupt(() => Effect.ignore(queue.withClaim(claimed.claim, queue.release))),
          Effect.ensuring(
            Effect.suspend(() => {
              running -= 1
              return wake
            })
          )
        )

      const tick = Effect.gen(function* () {
        const free = settings.concurrency - running
        if (free <= 0) {
          yield* share
          return 0
        }
        const jobs = yield* queue.claimDue(Math.min(free, claimBatch))
        for (const job of jobs) {
          running += 1
          yield* FiberSet.run(fibers, work({ job, claim: { customerId: job.customerId, claim: job.claim! } }))
        }
        return jobs.length
      })

      return ReplyWorker.of({
        tick,
        nextDue: Effect.suspend(() => (running < settings.concurrency ? queue.nextDue : Effect.succeed(null))),
        idle: Effect.gen(function* () {
          while (running > 0) yield* FiberSet.awaitEmpty(fibers)
        }),
        running: () => running,
        cancel: Effect.asVoid(Effect.timeoutOption(FiberSet.clear(fibers), cancelGraceMs))
      })
    })
  )
}

/** A job as it was claimed, and the claim. */
interface Claimed {
  readonly job: ReplyJob
  readonly claim: ReplyClaim
}
