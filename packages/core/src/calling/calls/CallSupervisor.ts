/** Supervises open calls: ends those that have to end, pays for the next minute, and asks where no callback comes. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { Instant } from "../../platform/kernel/index.ts"
import { LostCommits, Storage, type StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { type Call, isEnded, stop } from "./Call.ts"
import { callLookUps } from "./CallLookUps.ts"
import { CallMedia } from "./CallMedia.ts"
import { callMinutes } from "./CallMinutes.ts"
import { CallStore } from "./CallStore.ts"
import { CallSupervisionStore } from "./CallSupervisionStore.ts"
import { CallTransitions } from "./CallTransitions.ts"
import { endRequests } from "./EndRequests.ts"
import { nextAction } from "./SupervisionRules.ts"
import { voicemailMessages } from "./VoicemailMessages.ts"

/** Calls that one tick claims at most. */
const batchSize = 200

/** A tick that dies loses its claims after this time. */
const leaseMs = 15 * Instant.second

export class CallSupervisor extends Context.Service<
  CallSupervisor,
  {
    /** One pass over the calls that are due; succeeds with their number. */
    readonly tick: Effect.Effect<number, StorageError>
    /** When the next call is due, or null. */
    readonly nextCheck: Effect.Effect<Instant.Instant | null, StorageError>
    /** Supervises one call now, whether or not it is due. */
    readonly attend: (id: Ids.CallId) => Effect.Effect<void>
    /** After a restart: every open call is looked up rather than trusted. */
    readonly recover: Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/calling/calls/CallSupervisor") {
  static readonly layer = Layer.effect(
    CallSupervisor,
    Effect.gen(function* () {
      const calls = yield* CallStore
      const lostCommits = yield* LostCommits
      const storage = yield* Storage
      const supervision = yield* CallSupervisionStore
      const { attention } = yield* CallTransitions
      const leaveMessage = yield* voicemailMessages
      const perform = yield* actions

      const attend = (id: Ids.CallId) =>
        logFailure(
          id,
          Effect.gen(function* () {
            const call = yield* storage.read(calls.findInAnyAccount(id))
            if (call === null || isEnded(call)) return
            if (call.stopReason === null && call.messageAt !== null) return yield* leaveMessage(call)
            return yield* perform(call)
          })
        )

      const recover = Effect.flatMap(Instant.now, (at) => storage.transact(supervision.markForReconciliation(at)))

      // A start looks up all calls.
      let recoveredFrom = yield* lostCommits
      /** What was reported shortly before a fail-over of the database may be lost with it. */
      const recoverOnce = Effect.gen(function* () {
        const lost = yield* lostCommits
        if (lost === null || lost.since === recoveredFrom?.since) return
        yield* recover
        recoveredFrom = lost
      })

      const tick = Effect.gen(function* () {
        yield* recoverOnce
        const at = yield* Instant.now
        const due = yield* storage.transact(
          supervision.claimDue({ at, until: Instant.plus(at, leaseMs), limit: batchSize })
        )
        yield* Effect.forEach(due, (call) => logFailure(call.id, perform(call)), { concurrency: 32, discard: true })
        return due.length
      })

      yield* Effect.forkScoped(
        Effect.forever(Effect.flatMap(Queue.take(attention), (id) => Effect.forkChild(attend(id))))
      )

      return CallSupervisor.of({
        tick,
        nextCheck: storage.read(supervision.nextCheck),
        attend,
        recover
      })
    })
  )
}

/** Performs what a call needs most urgently. */
const actions = Effect.gen(function* () {
  const end = yield* endRequests
  const extend = yield* callMinutes
  const { isBeingPlaced, lookUp } = yield* callLookUps
  const media = yield* CallMedia
  const transitions = yield* CallTransitions

  /** Only stores the reason: the call is attended to after the commit. */
  const closeWindow = (call: Call) =>
    transitions.apply(call.id, (present, at) =>
      Effect.succeed(
        isEnded(present) || present.answeredAt !== null ? null : { call: stop(present, "window_closed", at) }
      )
    )

  /** The agent records the session that never began. The call is to end, whether or not there is an agent. */
  const giveUp = Effect.fnUntraced(function* ({ id }: Call) {
    yield* media.unconnected(id)
    yield* transitions.apply(id, (present, at) =>
      Effect.succeed(nextAction(present, at)._tag === "NoMedia" ? { call: stop(present, "hangup_local", at) } : null)
    )
    yield* transitions.attend([id])
  })

  /** Stores when the call is due next. */
  const reschedule = (call: Call) =>
    transitions.apply(call.id, (present) => Effect.succeed(isEnded(present) ? null : { call: present }))

  return Effect.fnUntraced(function* (call: Call) {
    if (isBeingPlaced(call)) return
    const at = yield* Instant.now
    switch (nextAction(call, at)._tag) {
      case "End":
        return yield* end(call)
      case "CloseWindow":
        return void (yield* closeWindow(call))
      case "NoMedia":
        return yield* giveUp(call)
      case "Extend":
        return void (yield* extend(call))
      case "LookUp":
        return yield* lookUp(call)
      case "Nothing":
        return void (yield* reschedule(call))
    }
  })
})

const logFailure = (id: Ids.CallId, work: Effect.Effect<void, StorageError>) =>
  Effect.catchCause(work, (cause) => Effect.logError("supervising a call", id, cause))
