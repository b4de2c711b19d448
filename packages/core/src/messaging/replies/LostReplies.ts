/** Replies that a fail-over of the database has lost are not given twice. Source: docs/reference/messaging.md#fail-over. */
import * as Effect from "effect/Effect"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { LostCommits, type LostWindow, lock } from "../../platform/storage/index.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { Customers } from "../customers/Customers.ts"
import type { InboundStatus } from "../messages/InboundBatch.ts"
import type { Message } from "../messages/Message.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import type { ReplyJob } from "../reply-queue/ReplyJob.ts"
import { ReplyQueueStore } from "../reply-queue/ReplyQueueStore.ts"

/** Reports of a message that was sent come within this time, those that met the outage as well. */
const reportsMs = 30 * Instant.second

/** Milliseconds that a reply waits, because it may have been given before the fail-over. Pure. */
export const waitForReports = (
  pending: ReadonlyArray<Pick<Message, "createdAt">>,
  lost: LostWindow | null,
  at: Instant.Instant
): number =>
  lost !== null && at < lost.until && pending.some(({ createdAt }) => createdAt <= lost.at)
    ? Math.max(0, lost.at + reportsMs - at)
    : 0

/** The job once what waited in the fail-over is answered; `waiting` are the messages after the last handled one. Pure. */
export const answeredUntil = (
  job: ReplyJob,
  waiting: ReadonlyArray<Pick<Message, "id" | "createdAt">>,
  until: Instant.Instant
): ReplyJob => {
  const rest = waiting.findIndex(({ createdAt }) => createdAt > until)
  const answered = rest === -1 ? waiting : waiting.slice(0, rest)
  return {
    ...job,
    handledUpTo: answered.at(-1)?.id ?? job.handledUpTo,
    waitingSince: rest === -1 ? null : waiting[rest]!.createdAt
  }
}

/** Waiting messages of a customer that one report answers. */
const maxWaiting = 1000

/** A report that names a message of ours which the database does not have: it was sent, and lost. Nobody answers again. */
export const lostReplies = Effect.gen(function* () {
  const customers = yield* Customers
  const lostCommits = yield* LostCommits
  const messages = yield* MessageStore
  const queue = yield* ReplyQueueStore

  return Effect.fnUntraced(function* (number: ConnectedNumber, { recipient, recipientRef, ref }: InboundStatus) {
    const lost = yield* lostCommits
    if (lost === null || lost.until <= (yield* Instant.now) || ref === null || !Ids.isUuid(ref)) return
    if ((yield* messages.byId(Ids.as<"Message">(ref))) !== null) return
    const customer = yield* customers.find(number, { phone: recipient, userRef: recipientRef })
    if (customer === null) return
    yield* lock("customer", customer.id)
    const job = yield* queue.find(customer.id)
    if (job === null) return
    const waiting = yield* messages.inboundAfter(customer.id, job.handledUpTo, maxWaiting)
    yield* queue.save(answeredUntil(job, waiting, lost.at))
    yield* Effect.logWarning(
      `an answer to customer ${customer.id} was sent and is lost: nothing else answers those messages`
    )
  })
})
