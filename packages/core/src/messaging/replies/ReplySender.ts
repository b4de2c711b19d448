/** Sends the open parts of replies, one after the other, each of them at most once. Source: docs/reference/messaging.md#replies. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Outbox } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import { type ChannelFailed, isRetryable } from "../channels/ChannelFailed.ts"
import type { Customer } from "../customers/Customer.ts"
import type { Message } from "../messages/Message.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import { throttleBackoff } from "../reply-queue/ReplySchedule.ts"
import { Outgoing, type Sender } from "../sending/Outgoing.ts"
import { SendOutcomes } from "../sending/SendOutcomes.ts"
import { maxPending } from "./ReplyContext.ts"
import { planPart } from "./ReplyPlan.ts"
import { makeReplyQueue, maxSendDelayMs, type ReplyClaim } from "./ReplyQueue.ts"

/** A part that is marked `sending`, and until when this worker may send it. */
interface PartToSend {
  readonly part: Message
  readonly to: Customer
  readonly until: Instant.Instant
}

export interface ReplySender {
  /** Sends all open parts in their order and releases the job, or releases it to be retried. `failures`: of the job so far. */
  readonly sendParts: (sender: Sender, claim: ReplyClaim, failures: number) => Effect.Effect<void, StorageError>
  /** Of a number that is disconnected nothing goes out: fails the open parts and releases the job. */
  readonly failParts: (claim: ReplyClaim) => Effect.Effect<void, StorageError>
}

export const makeReplySender = Effect.gen(function* () {
  const messages = yield* MessageStore
  const outbox = yield* Outbox
  const outcomes = yield* SendOutcomes
  const outgoing = yield* Outgoing
  const queue = yield* makeReplyQueue
  const storage = yield* Storage

  /** Marks a part as `sending`; "done" where it is not to be sent, null where another worker has the job. */
  const prepare = (claim: ReplyClaim, { id }: Message, { isOurs }: { readonly isOurs: boolean }) =>
    queue.withClaim(claim, ({ customer }, at) =>
      Effect.gen(function* () {
        const stored = yield* messages.byId(id)
        const step = planPart(stored, { isOurs })
        if (stored === null || step === "done") return "done" as const
        if (step === "mark-unknown") {
          yield* outcomes.markUnknown(stored)
          return "done" as const
        }
        const part: Message = { ...stored, status: "sending" }
        yield* messages.save(stored, part)
        return { part, to: customer, until: Instant.plus(at, maxSendDelayMs) } satisfies PartToSend
      })
    )

  /** After a stall the job may be another worker's, which then has sent what comes behind this part: it is asked again. */
  const prepareInTime = Effect.fnUntraced(function* (claim: ReplyClaim, part: Message) {
    let step = yield* prepare(claim, part, { isOurs: false })
    while (step !== null && step !== "done" && (yield* Instant.now) > step.until) {
      step = yield* prepare(claim, part, { isOurs: true })
    }
    return step
  })

  /** Milliseconds until the part may be retried; null where it is sent or has failed permanently. */
  const send = Effect.fnUntraced(function* (sender: Sender, { part, to }: PartToSend, failures: number) {
    const backoffOf = (failed: ChannelFailed): number | null =>
      isRetryable(failed) ? throttleBackoff(failures + 1, retryAfterOf(failed)) : null
    const exit = yield* outgoing.post(sender, to, part, { requeues: (one) => backoffOf(one) !== null })
    const failed = Exit.isFailure(exit) ? Cause.findErrorOption(exit.cause) : null
    return failed?._tag === "Some" ? backoffOf(failed.value) : null
  })

  const sendParts = Effect.fnUntraced(function* (sender: Sender, claim: ReplyClaim, failuresBefore: number) {
    let failures = failuresBefore
    for (const open of yield* storage.read(messages.openParts(claim.customerId))) {
      const step = yield* prepareInTime(claim, open)
      if (step === null) return
      if (step === "done") continue
      const waitMs = yield* send(sender, step, failures)
      if (waitMs !== null) return yield* queue.retryAfter(claim, () => ({ failures: failures + 1, waitMs }))
      failures = 0
    }
    yield* queue.withClaim(claim, queue.release)
  })

  const failParts = Effect.fnUntraced(function* (claim: ReplyClaim) {
    const events = yield* queue.withClaim(claim, (claimed) =>
      Effect.gen(function* () {
        const { customer, job } = claimed
        const open = yield* messages.openParts(customer.id)
        for (const part of open) if (part.status === "sending") yield* outcomes.markUnknown(part)
        const queued = open.filter(({ status }) => status === "queued")
        const failed = yield* outcomes.failQueued({ tenantId: customer.tenantId, botId: null }, queued, disconnected)
        const appended = yield* outbox.append(failed)
        const waiting = yield* messages.inboundAfter(customer.id, job.handledUpTo, maxPending)
        yield* queue.release((yield* queue.advance(claimed, waiting)).advanced)
        return appended
      })
    )
    yield* outbox.publish(events ?? [])
  })

  return { failParts, sendParts } satisfies ReplySender
})

const disconnected = "Not sent, since its number was disconnected."

const retryAfterOf = (failed: ChannelFailed): number | null =>
  failed._tag === "ChannelRefused" ? failed.retryAfterSeconds : null
