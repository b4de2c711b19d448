/** Asks the carrier for calls that were admitted: each at most once, whatever happens. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { Bots } from "../../agents/bots/index.ts"
import { Accounts } from "../../platform/accounts/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { Suppression } from "../suppression/Suppression.ts"
import { AgentPlaces } from "./AgentPlaces.ts"
import { type Call, closeUnknown, closeUnplaced, isEnded } from "./Call.ts"
import { CallMedia } from "./CallMedia.ts"
import { CallReports } from "./CallReports.ts"
import { CallStore } from "./CallStore.ts"
import { CallTransitions, type Step } from "./CallTransitions.ts"
import { type Answer, type CallRefused, Carrier, type Permit, permitFor } from "./Carrier.ts"
import { ExpectedAnswers } from "./ExpectedAnswers.ts"
import { lostCalls } from "./LostCalls.ts"
import { answerFor, spoken, TelephonySettings } from "./TelephonySettings.ts"

/** Requests to the carrier that run at the same time. */
const maxConcurrentRequests = 64

/** When a carrier that is throttling does not say when to come back. */
const throttledMs = 5 * Instant.second

/** How long the last read of a call's row is valid. */
const freshMs = 5 * Instant.second

/** How long after its start in the row a call may be placed: the pace of a campaign counts from that start. */
const onTimeMs = 500

/** How often a late start is written down before the call is placed all the same: a storage may be slower than that. */
const maxRestarts = 3

/** How long a campaign waits after an order was refused because of our configuration. */
const misconfiguredMs = 10 * Instant.second

export class CallPlacer extends Context.Service<
  CallPlacer,
  {
    /** Starts to place a call that was admitted and committed; returns without waiting for it. */
    readonly start: (call: Call) => Effect.Effect<void>
    /** True while this process is asking for the call: its outcome is on its way. */
    readonly isUnderWay: (id: Ids.CallId) => boolean
    /** Returns when nothing is under way any more. */
    readonly idle: Effect.Effect<void>
  }
>()("@trunkline/core/calling/calls/CallPlacer") {
  static readonly layer = Layer.effect(
    CallPlacer,
    Effect.gen(function* () {
      const { meansOf } = yield* ExpectedAnswers
      const lostCall = yield* lostCalls
      const settlePlace = yield* placeSettling
      const bots = yield* Bots
      const calls = yield* CallStore
      const carrier = yield* Carrier
      const transitions = yield* CallTransitions
      const reports = yield* CallReports
      const storage = yield* Storage
      const suppression = yield* Suppression
      const media = yield* CallMedia
      const { answer } = yield* TelephonySettings
      const fibers = yield* FiberSet.make<void, never>()
      const slots = yield* Semaphore.make(maxConcurrentRequests)
      const underWay = new Set<Ids.CallId>()

      /**
       * A last look before the carrier is asked: a call that was suppressed or stopped since the commit is not placed, and neither
       * is one whose calling window ended while it waited for its start.
       */
      const stillWanted = (call: Call) =>
        storage.read(
          Effect.gen(function* () {
            const present = yield* calls.findInAnyAccount(call.id)
            if (present === null || isEnded(present) || present.stopReason !== null) return null
            if (windowIsOver(present, yield* Instant.now)) return null
            if (yield* suppression.listed(call.tenantId, call.toKey)) return null
            return { present, bot: call.botId === null ? null : yield* bots.find(call.tenantId, call.botId) }
          })
        )

      /** Gives a call that is still open a start of now. */
      const restarted = (call: Call) =>
        transitions.apply(call.id, (present, at) =>
          Effect.succeed(isEnded(present) ? null : { call: { ...present, startedAt: at } })
        )

      const permitOf = Effect.fnUntraced(function* (
        call: Call,
        restarts = 0
      ): Effect.fn.Return<Permit | null, StorageError> {
        const lookedAt = yield* Instant.now
        if (lookedAt - call.startedAt > onTimeMs && restarts < maxRestarts) {
          const late = yield* restarted(call)
          return late === null ? null : yield* permitOf(late, restarts + 1)
        }
        const wanted = yield* stillWanted(call)
        if (wanted === null) return null
        const { bot, present } = wanted
        const chosen = answerFor(answer, present, bot, yield* meansOf(bot))
        const hasPlace = yield* settlePlace(present, chosen)
        const mediaToken = hasPlace ? yield* media.newToken(present.id) : null
        const now = yield* Instant.now
        // The process stood still meanwhile: another may have closed the call and placed the next one.
        if (now - lookedAt > freshMs || (now - present.startedAt > onTimeMs && restarts < maxRestarts))
          return yield* permitOf(present, restarts)
        return permitFor({
          callId: present.id,
          tenantId: present.tenantId,
          botId: present.botId,
          to: present.to,
          from: present.from,
          answer: chosen._tag === "Agent" && mediaToken === null ? spoken(bot) : chosen,
          mediaToken,
          detectMachine: present.detectMachine
        })
      })

      /** True where the carrier has the call, or may have it, from before a fail-over of the database. */
      const isLost = Effect.fnUntraced(function* (call: Call) {
        const lost = yield* lostCall(call)
        if (lost._tag === "Found") yield* reports.apply({ ...lost.report, callId: call.id })
        if (lost._tag === "Unknown") yield* transitions.apply(call.id, (now, at) => Effect.succeed(neverKnown(now, at)))
        return lost._tag !== "None"
      })

      const ask = Effect.fnUntraced(
        function* (call: Call) {
          if (yield* isLost(call)) return
          const permit = yield* permitOf(call)
          if (permit === null)
            return void (yield* transitions.apply(call.id, (now, at) => Effect.succeed(neverAsked(now, at))))
          const answered = yield* Effect.result(carrier.place(permit))
          if (answered._tag === "Success") {
            const { providerCallId } = answered.success
            const at = yield* Instant.now
            // As a report: should the storage fail now, the carrier's id of the call is kept until it can be written.
            return yield* reports.apply({ callId: call.id, providerCallId, at, news: { _tag: "Queued" } })
          }
          const error = answered.failure
          yield* Effect.logWarning(error.message, call.id)
          // Silence changes nothing in the row, which says that the carrier may have been asked: supervision finds the outcome.
          if (error._tag === "CallRefused")
            yield* transitions.apply(call.id, (now, at) => Effect.succeed(refused(now, error, at)))
        },
        (asking, call) => Effect.catchCause(asking, (cause) => Effect.logError("placing a call", call.id, cause))
      )

      const place = (call: Call) =>
        Effect.gen(function* () {
          const wait = call.startedAt - (yield* Instant.now)
          if (wait > 0) yield* Effect.sleep(wait)
          // Once begun it is not interrupted: an answer of the carrier that is lost costs a look-up.
          yield* Effect.uninterruptible(ask(call))
        }).pipe(Semaphore.withPermits(slots, 1), Effect.ensuring(Effect.sync(() => underWay.delete(call.id))))

      return CallPlacer.of({
        start: (call) =>
          Effect.suspend(() => {
            underWay.add(call.id)
            return Effect.asVoid(FiberSet.run(fibers, place(call)))
          }),
        isUnderWay: (id) => underWay.has(id),
        idle: FiberSet.awaitEmpty(fibers)
      })
    })
  )
}

/**
 * What a call is answered with is decided as it is placed: one that needs no place for an agent after all releases it, and one that
 * was admitted without one takes it. True where the agent may answer.
 */
const placeSettling = Effect.gen(function* () {
  const accounts = yield* Accounts
  const places = yield* AgentPlaces
  const transitions = yield* CallTransitions

  const withPlace = Effect.fnUntraced(function* (call: Call) {
    const account = yield* accounts.find(call.tenantId)
    // In the month of the call, which is that in which it would be released.
    if (account === null || (yield* places.claim(account, call.createdAt)) !== null) return null
    return { call: { ...call, awaitsAgent: true } } satisfies Step
  })

  return Effect.fnUntraced(function* ({ awaitsAgent, id }: Call, { _tag }: Answer) {
    if (awaitsAgent === (_tag === "Agent")) return awaitsAgent
    const settled = yield* transitions.apply(id, (present) => {
      if (isEnded(present) || present.awaitsAgent !== awaitsAgent) return Effect.succeed(null)
      if (!awaitsAgent) return withPlace(present)
      return Effect.as(places.release(present), { call: { ...present, awaitsAgent: false } })
    })
    return _tag === "Agent" && settled?.awaitsAgent === true
  })
})

const windowIsOver = ({ windowClosesAt }: Call, at: Instant.Instant): boolean =>
  windowClosesAt !== null && windowClosesAt <= at

/** Stopped, too late or suppressed between the commit and the request: no carrier was asked for it. */
const neverAsked = (call: Call, at: Instant.Instant): Step | null => {
  if (isEnded(call)) return null
  const reason = call.stopReason ?? (windowIsOver(call, at) ? "window_closed" : "do_not_call")
  return {
    call: closeUnplaced({ ...call, stopReason: reason }, reason, at),
    unplaced: { why: "stopped", retryAt: at }
  }
}

/** A call of which nobody can find out whether the carrier was asked for it. */
const neverKnown = (call: Call, at: Instant.Instant): Step | null =>
  isEnded(call) ? null : { call: closeUnknown(call, at), ended: true }

const refused = (call: Call, { reason, retryAfterMs }: CallRefused, at: Instant.Instant): Step | null => {
  if (isEnded(call)) return null
  switch (reason) {
    case "throttled":
      return {
        call: closeUnplaced(call, "failed", at),
        unplaced: { why: "throttled", retryAt: Instant.plus(at, retryAfterMs ?? throttledMs) }
      }
    case "configuration":
      return {
        call: closeUnplaced(call, "failed", at),
        unplaced: { why: "configuration", retryAt: Instant.plus(at, misconfiguredMs) }
      }
    default:
      return {
        call: {
          ...closeUnplaced(call, "failed", at),
          status: "failed",
          failure: reason === "rejected" ? "provider_error" : reason
        },
        ended: true
      }
  }
}
