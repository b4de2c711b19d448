/** Moves one call under its lock: its row, what it costs, what its owner makes of it and its events, in one transaction. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { Accounts } from "../../platform/accounts/index.ts"
import { Credits, Money } from "../../platform/billing/index.ts"
import { type NewEvent, Outbox } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { AgentPlaces } from "./AgentPlaces.ts"
import { type Call, closeUnknown, isEnded, stop } from "./Call.ts"
import { coveredForGood, needsCredit } from "./CallCredit.ts"
import * as CallEvents from "./CallEvents.ts"
import { CallMedia } from "./CallMedia.ts"
import { CallStore } from "./CallStore.ts"
import { CallSupervisionStore } from "./CallSupervisionStore.ts"
import { CallWatcher, type Moved, type Unplaced } from "./CallWatcher.ts"
import { Carrier } from "./Carrier.ts"
import { StartSlots } from "./StartSlots.ts"
import { nextAction, nextCheck, nextLookUp, uncounted } from "./SupervisionRules.ts"
import { TelephonySettings } from "./TelephonySettings.ts"

/** A change that was decided for a locked call. */
export interface Step {
  readonly call: Call
  /** The carrier has reported it. */
  readonly reported?: boolean
  /** The carrier has just been found to know it. */
  readonly placed?: boolean
  readonly answered?: boolean
  readonly detected?: boolean
  readonly ended?: boolean
  readonly unplaced?: { readonly why: Unplaced; readonly retryAt: Instant.Instant }
  readonly outOfCredit?: boolean
}

export class CallTransitions extends Context.Service<
  CallTransitions,
  {
    /**
     * Reads the call under its lock, lets `decide` choose the change (null: none) and commits it with everything that follows.
     * Answers with the call as it is then; null when there is no such call.
     */
    readonly apply: <E = never>(
      id: Ids.CallId,
      decide: (call: Call, at: Instant.Instant) => Effect.Effect<Step | null, E | StorageError, Tx | Read>
    ) => Effect.Effect<Call | null, E | StorageError>
    /** Calls that must be supervised now. */
    readonly attention: Queue.Dequeue<Ids.CallId>
    readonly attend: (ids: ReadonlyArray<Ids.CallId>) => Effect.Effect<void>
  }
>()("@trunkline/core/calling/calls/CallTransitions") {
  static readonly layer = Layer.effect(
    CallTransitions,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const calls = yield* CallStore
      const credits = yield* Credits
      const media = yield* CallMedia
      const outbox = yield* Outbox
      const places = yield* AgentPlaces
      const records = yield* CallSupervisionStore
      const slots = yield* StartSlots
      const storage = yield* Storage
      const watcher = yield* CallWatcher
      const { traits } = yield* Carrier
      const { creditsPerMinute } = yield* TelephonySettings
      const attention = yield* Queue.unbounded<Ids.CallId>()

      const locked = Effect.fnUntraced(function* (id: Ids.CallId) {
        const seen = yield* calls.findInAnyAccount(id)
        if (seen === null) return null
        yield* watcher.before(seen)
        yield* lock("call", id)
        return yield* calls.findInAnyAccount(id)
      })

      /**
       * An ended call is paid for by the minutes that were started; everything else held for it is free again. Where nothing
       * is deducted it shows its price all the same, and settles no more than it had reserved on another plan.
       */
      const charge = Effect.fnUntraced(function* (call: Call, at: Instant.Instant) {
        const due = call.answeredAt === null ? 0n : Money.callPrice(creditsPerMinute, call.durationSeconds ?? 0)
        const deducts = due === 0n || needsCredit(yield* accounts.find(call.tenantId))
        const owes = deducts && call.paidUntil !== coveredForGood
        const settling = owes ? credits.settle : credits.settleReserved
        const { charged, events } = yield* settling({ id: call.id, tenantId: call.tenantId, due, kind: "call", at })
        if (owes && charged < due) yield* Effect.logWarning("a call cost more than its account had", call.id)
        return { call: { ...call, credits: owes ? charged : due }, events: deducts ? events : [] }
      })

      /** An ended call awaits no agent. After what locks the account, as in an admission. */
      const withoutPlace = (call: Call) =>
        call.awaitsAgent ? Effect.as(places.release(call), { ...call, awaitsAgent: false }) : Effect.succeed(call)

      /** No process asks a carrier that throttles until a given instant: the pause is stored like a start slot. */
      const pauseCarrier = Effect.fnUntraced(function* (until: Instant.Instant, at: Instant.Instant) {
        yield* lock("carrier", traits.name)
        yield* slots.save(Instant.later(until, yield* slots.next(at)), at)
      })

      /**
       * A carrier's record is one call's alone. A carrier that names another call's says nothing that can be believed of
       * this one, which may be open under an unknown id.
       */
      const ownRecord = Effect.fnUntraced(function* (before: Call, step: Step, at: Instant.Instant) {
        const { providerCallId } = step.call
        if (providerCallId === null || before.providerCallId === providerCallId) return step
        yield* lock("call-record", `${before.provider}:${providerCallId}`)
        const owner = yield* records.ownerOf({ provider: before.provider, providerCallId })
        if (owner === null) return step
        yield* Effect.logError(`the carrier's record ${providerCallId} of this call is that of ${owner}`, before.id)
        return isEnded(before) ? null : { call: closeUnknown(before, at), ended: true }
      })

      const follow = Effect.fnUntraced(function* (step: Step, at: Instant.Instant) {
        let call = onMachine(step, at)
        if (step.answered === true && call.answeredAt !== null) {
          call = { ...call, paidUntil: call.paidUntil ?? Instant.plus(call.answeredAt, Instant.minute) }
        }
        if (step.reported === true) {
          // A report does not delay a request that is due: the carrier is asked again at its instant.
          const lookUpAt = call.endRequests > 0 ? call.lookUpAt : nextLookUp(call, traits, at)
          call = { ...call, ...uncounted, lookUpAt }
        }
        const closed = step.ended === true || step.unplaced !== undefined
        if (step.unplaced?.why === "throttled") yield* pauseCarrier(step.unplaced.retryAt, at)
        const paid = closed ? yield* charge(call, at) : { call, events: [] }
        call = closed ? yield* withoutPlace(paid.call) : call

        const events: Array<NewEvent> = step.placed === true ? [CallEvents.started(call)] : []
        const attend: Array<Ids.CallId> = []
        for (const moved of movesOf(step)) {
          const followed = yield* watcher.moved({ ...moved, call } as Moved, at)
          call = followed.call
          events.push(...followed.events)
          attend.push(...followed.attend)
        }
        events.push(
          ...CallEvents.eventsOf({
            call,
            detected: step.detected === true,
            ended: closed && step.unplaced === undefined
          })
        )
        events.push(...paid.events)
        call = { ...call, checkAt: nextCheck(call, at) }
        yield* calls.save(call)
        if (nextAction(call, at)._tag === "End" || (!isEnded(call) && call.messageAt === at)) attend.push(call.id)
        return { call, attend, events: yield* outbox.append(events), news: newsOf(step, call) }
      })

      const apply = Effect.fnUntraced(function* <E>(
        id: Ids.CallId,
        decide: (call: Call, at: Instant.Instant) => Effect.Effect<Step | null, E | StorageError, Tx | Read>
      ) {
        const outcome = yield* storage.transact(
          Effect.gen(function* () {
            const call = yield* locked(id)
            if (call === null) return null
            const at = yield* Instant.now
            const decided = yield* decide(call, at)
            const step = decided === null ? null : yield* ownRecord(call, decided, at)
            return step === null ? { call, attend: [], events: [], news: null } : yield* follow(step, at)
          })
        )
        if (outcome === null) return null
        yield* outbox.publish(outcome.events)
        yield* Queue.offerAll(attention, outcome.attend)
        if (outcome.news !== null) yield* media.moved(outcome.call, outcome.news)
        if (outcome.events.length > 0 || outcome.attend.length > 0) yield* watcher.wake
        return outcome.call
      })

      return CallTransitions.of({ apply, attention, attend: (ids) => Effect.asVoid(Queue.offerAll(attention, ids)) })
    })
  )
}

/** A machine hears the campaign's message, or nothing more. Source: docs/reference/telephony.md#voicemail. */
const onMachine = ({ call, detected }: Step, at: Instant.Instant): Call => {
  if (detected !== true || !call.detectMachine || call.answeredBy !== "machine" || call.stopReason !== null) return call
  return call.voicemailTemplateId === null ? stop(call, "hangup_local", at) : { ...call, messageAt: at }
}

/** What the agent of a call is to know of it. */
const newsOf = ({ detected, ended, unplaced }: Step, { answeredBy }: Call): "machine" | "ended" | null => {
  if (ended === true || unplaced !== undefined) return "ended"
  return detected === true && answeredBy === "machine" ? "machine" : null
}

/** With detection on, an answer counts as reached once it is known who answered, or when the call has ended before. */
const reached = ({ answered, call, detected, ended }: Step): boolean =>
  call.detectMachine
    ? detected === true
      ? call.answeredBy !== "machine"
      : ended === true && call.status === "completed" && call.answeredBy === null
    : answered === true

const movesOf = (step: Step): ReadonlyArray<DistributiveOmit<Moved, "call">> => [
  ...(step.placed === true ? [{ _tag: "Placed" as const }] : []),
  ...(reached(step) ? [{ _tag: "Reached" as const }] : []),
  ...(step.outOfCredit === true ? [{ _tag: "OutOfCredit" as const }] : []),
  ...(step.unplaced === undefined ? [] : [{ _tag: "Unplaced" as const, ...step.unplaced }]),
  ...(step.ended === true ? [{ _tag: "Ended" as const }] : [])
]

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
