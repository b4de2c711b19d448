/** The background work of one process: loops of ticks that start when the host says so and stop without losing anything. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { KeyExpiry } from "../access/index.ts"
import { Bonuses, KeyLimits, Metering } from "../billing/index.ts"
import { Dialer, DialerSignal } from "../campaigns/index.ts"
import { Idempotency } from "../idempotency/index.ts"
import { Instant } from "../kernel/index.ts"
import { Inbound, pauseAfter, ReplyQueueSignal, ReplyWorker } from "../messaging/index.ts"
import type { StorageError } from "../storage/index.ts"
import { CallPlacer, CallReports, CallSupervisor, Carrier } from "../telephony/index.ts"
import { VoiceSessions } from "../voice/index.ts"
import { Deliverer, DeliverySignal } from "../webhooks/index.ts"
import { isOutageCause } from "./Outage.ts"

/** What another process has committed is seen after so long at the latest. */
const pollMs = Instant.second

/** Loops that find work at every tick still let others breathe. */
const breathMs = 5

/** How long a stop waits for orders that are on their way to the carrier, and for deliveries on theirs. */
const drainMs = 10 * Instant.second

/** How long it waits before that for answers of models. */
const replyDrainMs = 2 * Instant.second

/** How long it then waits until the ends of those that it gave up are written. */
const giveUpMs = 2 * Instant.second

/** A key's expiry is told within a minute. */
const expiryEveryMs = 15 * Instant.second

const sweepEveryMs = 10 * Instant.second

/** A new month's bonus is booked within a minute of its beginning. */
const bonusEveryMs = 15 * Instant.second

/** Answers are kept for a day: a minute more is nothing. */
const forgetEveryMs = Instant.minute

/** Milliseconds until the next row is due, but never more than another process's news may take. */
const waitFor = (due: Instant.Instant | null, at: Instant.Instant): number =>
  due === null ? pollMs : Math.min(pollMs, Math.max(breathMs, due - at))

export interface WorkerState {
  readonly running: boolean
  /** When the dialer last finished a pass, in milliseconds of UTC. */
  readonly lastPassAt: number | null
}

/** Which loops a process runs. */
interface Work {
  readonly deliveries: boolean
  readonly dialer: boolean
  readonly replies: boolean
}

export class Workers extends Context.Service<
  Workers,
  {
    /** Starts the loops; a second call changes nothing. */
    readonly start: Effect.Effect<void, StorageError>
    /** No new work; what is under way finishes or is left in a row that says so. */
    readonly stop: Effect.Effect<void>
    readonly state: () => WorkerState
  }
>()("@trunkline/core/host/Workers") {
  static readonly layer = ({ deliveries, dialer: dials, replies: answers }: Work) =>
    Layer.effect(
      Workers,
      Effect.gen(function* () {
        const bonuses = yield* Bonuses
        const supervisor = yield* CallSupervisor
        const deliverer = yield* Deliverer
        const expiry = yield* KeyExpiry
        const idempotency = yield* Idempotency
        const inbound = yield* Inbound
        const replyQueue = yield* ReplyQueueSignal
        const replies = yield* ReplyWorker
        const deliverySignal = yield* DeliverySignal
        const carrier = yield* Carrier
        const dialer = yield* Dialer
        const limits = yield* KeyLimits
        const metering = yield* Metering
        const placer = yield* CallPlacer
        const voice = yield* VoiceSessions
        const reports = yield* CallReports
        const { wait } = yield* DialerSignal
        const home = yield* Effect.scope
        let fibers: ReadonlyArray<Fiber.Fiber<unknown, unknown>> | undefined
        /** Writes ends of deliveries for longer than any of the loops begins new ones. */
        let writer: Fiber.Fiber<unknown, unknown> | undefined
        let listening: Scope.Closeable | undefined
        let lastPassAt: number | null = null

        /** One failed pass must not end the work: it is logged, and the next one comes. An outage has lines of its own. */
        const guarded = <A>(name: string, pass: Effect.Effect<A, StorageError>) =>
          Effect.catchCause(pass, (cause) =>
            Effect.andThen(
              isOutageCause(cause) ? Effect.void : Effect.logError(`${name} failed`, cause),
              Effect.sleep(pollMs)
            )
          )

        const untilDue = (next: Effect.Effect<Instant.Instant | null, StorageError>) =>
          Effect.flatMap(next, (due) => Effect.map(Instant.now, (at) => waitFor(due, at)))

        const dialing = Effect.forever(
          guarded(
            "the dialer",
            Effect.gen(function* () {
              const { failed } = yield* dialer.tick
              lastPassAt = yield* Instant.now
              // A campaign that failed may still be due: it is not tried again at once.
              yield* failed > 0 ? Effect.sleep(pollMs) : wait(yield* untilDue(dialer.nextDue))
            })
          )
        )

        const caring = Effect.forever(
          guarded(
            "looking after calls",
            Effect.gen(function* () {
              yield* supervisor.tick
              yield* Effect.sleep(yield* untilDue(supervisor.nextCheck))
            })
          )
        )

        const sweeping = Effect.forever(guarded("sweeping", Effect.andThen(dialer.sweep, Effect.sleep(sweepEveryMs))))

        const delivering = Effect.forever(
          guarded(
            "delivering",
            Effect.gen(function* () {
              const begun = yield* deliverer.tick
              // What was found at once may not be all; what was not is told by a wake, a place or the clock.
              yield* deliverySignal.wait(begun > 0 ? breathMs : yield* untilDue(deliverer.nextDue))
            })
          )
        )

        /** So long a sleep was longer than it was to be: for as long the process was busy with other things. */
        const lateness = Effect.gen(function* () {
          const from = yield* Instant.now
          yield* Effect.sleep(breathMs)
          return (yield* Instant.now) - from - breathMs
        })

        const replying = Effect.forever(
          guarded(
            "answering",
            Effect.gen(function* () {
              const due = yield* replies.nextDue
              const at = yield* Instant.now
              if (due === null || due > at) return yield* replyQueue.wait(waitFor(due, at))
              yield* replies.tick
              yield* Effect.sleep(pauseAfter(yield* lateness))
            })
          )
        )

        const forgettingReports = Effect.forever(
          guarded("forgetting old reports", Effect.andThen(inbound.sweep, Effect.sleep(forgetEveryMs)))
        )

        const clearing = Effect.forever(
          guarded("clearing logs", Effect.andThen(deliverer.sweep, Effect.sleep(sweepEveryMs)))
        )

        const expiring = Effect.forever(
          guarded("telling of expired keys", Effect.andThen(expiry.tick, Effect.sleep(expiryEveryMs)))
        )

        const forgetting = Effect.forever(
          guarded("forgetting old answers", Effect.andThen(idempotency.sweep, Effect.sleep(forgetEveryMs)))
        )

        const endingSessions = Effect.forever(
          guarded(
            "ending voice sessions",
            Effect.gen(function* () {
              const due = yield* voice.nextDue
              const at = yield* Instant.now
              if (due !== null && due <= at) yield* voice.tick
              yield* Effect.sleep(pollMs)
            })
          )
        )

        const givingBack = Effect.forever(
          guarded(
            "giving back what expired requests held",
            Effect.andThen(Effect.andThen(metering.sweep, limits.sweep), Effect.sleep(sweepEveryMs))
          )
        )

        const booking = Effect.forever(
          guarded("booking bonuses", Effect.andThen(bonuses.tick, Effect.sleep(bonusEveryMs)))
        )

        const take = (report: Parameters<typeof reports.take>[0]) =>
          Effect.catchCause(reports.take(report), (cause) =>
            Effect.logError("taking in a report", report.callId, cause)
          )

        const start = Effect.suspend(() => (fibers === undefined ? starting : Effect.void))

        const starting = Effect.gen(function* () {
          fibers = []
          if (deliveries) writer = yield* Effect.forkIn(deliverer.writing, home)
          const loops = [
            expiring,
            givingBack,
            booking,
            forgetting,
            endingSessions,
            ...(deliveries ? [delivering, clearing] : []),
            ...(answers ? [replying, forgettingReports] : []),
            ...(dials ? yield* dialingLoops : [])
          ]
          fibers = yield* Effect.forEach(loops, (loop) => Effect.forkIn(loop, home))
        }).pipe(Effect.onError(() => stop))

        const dialingLoops = Effect.gen(function* () {
          listening = yield* Scope.fork(home)
          yield* Effect.provideService(carrier.listen(take), Scope.Scope, listening)
          // After listening: a carrier that lives here tells what happened meanwhile before it answers a look-up.
          yield* supervisor.recover
          return [dialing, caring, sweeping]
        })

        const stop = Effect.gen(function* () {
          const running = fibers ?? []
          fibers = undefined
          yield* Fiber.interruptAll(running)
          // A model may take long: its run is given up, and the message is answered after the restart.
          yield* Effect.timeoutOption(replies.idle, replyDrainMs)
          yield* replies.cancel
          const drained = Effect.all([placer.idle, deliverer.idle], { concurrency: "unbounded", discard: true })
          yield* Effect.timeoutOption(drained, drainMs)
          yield* deliverer.giveUp
          yield* Effect.timeoutOption(deliverer.idle, giveUpMs)
          if (writer !== undefined) yield* Fiber.interrupt(writer)
          writer = undefined
          if (listening !== undefined) yield* Scope.close(listening, Exit.void)
          listening = undefined
        })

        yield* Effect.addFinalizer(() => stop)
        return Workers.of({ start, stop, state: () => ({ running: fibers !== undefined, lastPassAt }) })
      })
    )
}
