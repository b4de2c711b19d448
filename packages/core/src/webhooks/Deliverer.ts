/**
 * The delivery worker. The log is the queue: rows are claimed, attempted outside any transaction, and their ends written
 * together. What is claimed and not ended is due again when its claim runs out, whoever held it.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Random from "effect/Random"
import { Ids, Instant, Recent } from "../kernel/index.ts"
import { lock, Storage, type StorageError } from "../storage/index.ts"
import { afterAttempt, attemptsOf, lost, type Outcome } from "./Delivery.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { type Busy, choose, isRisky, roomOf } from "./Lanes.ts"
import { Sender } from "./Sender.ts"
import { WebhookSettings } from "./WebhookSettings.ts"
import { type ClaimedDelivery, type DeliveryEnd, WebhookStore } from "./WebhookStore.ts"

/** Beyond the deadline of an attempt: what writing its end may take before the row is somebody else's. */
const writingMs = 20 * Instant.second

/** A claim that is older than this is not acted upon: what is left of it may not last until the attempt's end is written. */
const freshMs = writingMs / 2

/** Ends that are written in one transaction. */
const writtenTogether = 64

/** Between two tries to write ends that could not be written. */
const writeAgainMs = Instant.second

/** Candidates that are looked at for each free place: most lanes give one only. */
const looksPerPlace = 4

/** Endpoints of which it is remembered how the last attempt went. */
const mostRemembered = 10_000

type EndedStatus = Exclude<DeliveryEnd["status"], "pending">

interface Ended {
  readonly row: ClaimedDelivery
  readonly end: DeliveryEnd
}

/** A success of an endpoint that failed, and every failure. */
const tellsOfHealth = ({ end, row }: Ended): boolean =>
  end.status === "failed" || (end.status === "delivered" && row.failingSince !== null)

export class Deliverer extends Context.Service<
  Deliverer,
  {
    /** Begins as many due attempts as there are places for; tells how many. */
    readonly tick: Effect.Effect<number, StorageError>
    /** When something is due that there is room for, or null. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
    /** Writes ends as they come, until it is interrupted. */
    readonly writing: Effect.Effect<never>
    /** Waits until every attempt that has begun is ended and written. */
    readonly idle: Effect.Effect<void>
    /** Deliveries that this process holds: attempts under way, and ends that are not written yet. */
    readonly held: () => number
    /** Of these, attempts under way. */
    readonly attempting: () => number
    /** Deliveries that this process has ended, by how. */
    readonly ended: () => Readonly<Record<EndedStatus, number>>
    /** Gives up the attempts that still run: they count, and are tried again after their wait. */
    readonly giveUp: Effect.Effect<void>
    /** Removes a part of the logs of subscriptions that are gone; tells how many rows. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/webhooks/Deliverer") {
  static readonly layer = Layer.effect(
    Deliverer,
    Effect.gen(function* () {
      const { limits, timeoutMs } = yield* WebhookSettings
      const sender = yield* Sender
      const storage = yield* Storage
      const store = yield* WebhookStore
      const { wake } = yield* DeliverySignal
      const running = yield* FiberSet.make()
      const ends = yield* Queue.unbounded<Ended>()

      const held = new Map<Ids.DeliveryId, ClaimedDelivery>()
      const lanes = new Map<Ids.WebhookId, number>()
      const trusted = new Recent<Ids.WebhookId, true>(mostRemembered)
      const doubtful = new Recent<Ids.WebhookId, true>(mostRemembered)
      const waiters = new Set<Deferred.Deferred<void>>()
      let underWay = 0
      const counts = { delivered: 0, failed: 0, blocked: 0 }
      const risky = new Set<Ids.DeliveryId>()
      /** True while the last look may have left due rows behind. */
      let isHungry = false

      const busy: Busy = {
        get places() {
          return underWay
        },
        get risky() {
          return risky.size
        },
        of: (webhookId) => lanes.get(webhookId) ?? 0,
        isTrusted: (webhookId) => trusted.has(webhookId),
        isDoubtful: (webhookId) => doubtful.has(webhookId),
        holds: (id) => held.has(id)
      }

      const full = () => [...lanes.keys()].filter((webhookId) => roomOf(limits, busy, webhookId) === 0)

      const begin = (row: ClaimedDelivery) => {
        held.set(row.id, row)
        lanes.set(row.webhookId, (lanes.get(row.webhookId) ?? 0) + 1)
        underWay += 1
        if (isRisky({ attempts: row.attempts - 1, webhookId: row.webhookId }, busy)) risky.add(row.id)
      }

      const remember = ({ webhookId }: ClaimedDelivery, { _tag }: Outcome) => {
        const [now, before] = _tag === "Failed" ? [doubtful, trusted] : [trusted, doubtful]
        before.delete(webhookId)
        now.set(webhookId, true)
      }

      /** The place is free as soon as the attempt is over; the row stays held until its end is written. */
      const leave = (row: ClaimedDelivery) => {
        const others = (lanes.get(row.webhookId) ?? 1) - 1
        if (others === 0) lanes.delete(row.webhookId)
        else lanes.set(row.webhookId, others)
        underWay -= 1
        risky.delete(row.id)
      }

      const endOf = (row: ClaimedDelivery, claim: string, outcome: Outcome, at: Instant.Instant, chance: number) => {
        const { attempts: attempt, retrySchedule: schedule, surface } = row
        return { ...afterAttempt({ attempt, schedule, surface }, outcome, at, chance), id: row.id, claim }
      }

      /** A defect or a stop must not leave the row without an end: it would be tried again as if nothing had been sent. */
      const outcomeOf = (row: ClaimedDelivery, exit: Exit.Exit<Outcome>): Effect.Effect<Outcome> => {
        if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
        return Cause.hasInterruptsOnly(exit.cause)
          ? Effect.succeed({ _tag: "Failed", error: "The server was stopped before an answer came." })
          : Effect.as(Effect.logError("a delivery failed", row.id, exit.cause), {
              _tag: "Failed",
              error: "The attempt failed inside the service."
            })
      }

      const attempt = (row: ClaimedDelivery, claim: string) =>
        Effect.uninterruptibleMask(
          Effect.fnUntraced(function* (restore) {
            const outcome = yield* outcomeOf(row, yield* Effect.exit(restore(sender.send(row))))
            leave(row)
            remember(row, outcome)
            const end = endOf(row, claim, outcome, yield* Instant.now, yield* Random.next)
            yield* Queue.offer(ends, { row, end })
            if (isHungry && limits.places - underWay >= limits.places / 4) yield* wake
          })
        )

      const tick = Effect.gen(function* () {
        const free = limits.places - underWay
        isHungry = true
        if (free === 0) return 0
        const at = yield* Instant.now
        const limit = free * looksPerPlace
        const until = Instant.plus(at, timeoutMs + writingMs)
        const claim = yield* Ids.fresh()
        const { claimed, found } = yield* storage.transact(
          Effect.gen(function* () {
            const candidates = yield* store.due({
              at,
              perLane: limits.perEndpoint,
              limit,
              full: full(),
              doubtful: doubtful.keys()
            })
            const chosen = choose(candidates, limits, busy)
            const ids = chosen.map(({ id }) => id)
            return {
              found: candidates.length,
              claimed: ids.length === 0 ? [] : yield* store.claim({ ids, claim, at, until })
            }
          })
        )
        isHungry = found > 0 || full().length > 0
        // After a stall the rows are another process's, or about to be: they are due again when the claim ends.
        if ((yield* Instant.now) > Instant.plus(at, freshMs)) return 0
        for (const row of claimed) {
          begin(row)
          // A claim that ran out on the last attempt: whoever made it did not live to tell.
          if (row.attempts > attemptsOf(row.surface, row.retrySchedule)) {
            const made = row.attempts - 1
            leave(row)
            yield* Queue.offer(ends, {
              row,
              end: {
                ...lost(made),
                id: row.id,
                claim,
                attempts: made,
                statusCode: null,
                lastAttemptAt: at,
                deliveredAt: null
              }
            })
          } else yield* FiberSet.run(running, attempt(row, claim), { startImmediately: true })
        }
        return claimed.length
      })

      /** Keeps account of endpoints that fail for days, with as few writes as possible: only when that changes. */
      const noteHealth = Effect.fnUntraced(function* ({ end, row }: Ended) {
        const { failingSince, pauseAfterDays, webhookId } = row
        if (end.status === "delivered") {
          yield* lock("webhook", webhookId)
          yield* store.note(webhookId, { was: failingSince, failingSince: null, pauses: false })
          return
        }
        const at = end.lastAttemptAt ?? (yield* Instant.now)
        const tooLong =
          pauseAfterDays !== null && failingSince !== null && at - failingSince >= pauseAfterDays * Instant.day
        if (failingSince !== null && !tooLong) return
        yield* lock("webhook", webhookId)
        yield* store.note(webhookId, { was: failingSince, failingSince: failingSince ?? at, pauses: tooLong })
      })

      const write = Effect.fnUntraced(function* (batch: ReadonlyArray<Ended>) {
        const written = yield* storage.transact(
          Effect.gen(function* () {
            const written = yield* store.end(batch.map(({ end }) => end))
            const telling = batch.filter((ended) => written.has(ended.row.id) && tellsOfHealth(ended))
            // In one order for all processes: each takes the subscription's lock.
            const ordered = telling.toSorted((a, b) => (a.row.webhookId < b.row.webhookId ? -1 : 1))
            yield* Effect.forEach(ordered, noteHealth, { discard: true })
            return written
          })
        )
        for (const { end, row } of batch) if (end.status !== "pending" && written.has(row.id)) counts[end.status] += 1
      })

      /** Until it is written: what was sent must not be sent again because of us. */
      const writeAll = (batch: ReadonlyArray<Ended>): Effect.Effect<void> =>
        Effect.catchCause(write(batch), (cause) =>
          Cause.hasInterrupts(cause)
            ? Effect.interrupt
            : Effect.logError("the ends of deliveries cannot be written yet", cause).pipe(
                Effect.andThen(Effect.sleep(writeAgainMs)),
                Effect.andThen(Effect.suspend(() => writeAll(batch)))
              )
        )

      const writeNext = Effect.gen(function* () {
        const batch = yield* Queue.takeBetween(ends, 1, writtenTogether)
        yield* writeAll(batch)
        for (const { row } of batch) held.delete(row.id)
        if (held.size > 0) return
        for (const waiter of waiters) Deferred.doneUnsafe(waiter, Exit.void)
        waiters.clear()
      })

      const idle = Effect.suspend(() => {
        if (held.size === 0) return Effect.void
        const waiter = Deferred.makeUnsafe<void>()
        waiters.add(waiter)
        return Deferred.await(waiter)
      })

      return Deliverer.of({
        tick,
        nextDue: Effect.suspend(() => storage.read(store.nextDue(full()))),
        writing: Effect.forever(writeNext),
        idle,
        held: () => held.size,
        attempting: () => underWay,
        ended: () => ({ ...counts }),
        giveUp: FiberSet.clear(running),
        sweep: storage.transact(store.sweep(1000))
      })
    })
  )
}
