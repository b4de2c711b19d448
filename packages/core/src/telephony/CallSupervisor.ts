/** Looks after open calls: ends those that have to end, pays for the next minute, and asks where nothing is heard. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { Accounts, spenderOf, spendingRefusal } from "../access/index.ts"
import { Credits } from "../billing/index.ts"
import { type Ids, Instant } from "../kernel/index.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { type Call, closeUnknown, closeUnplaced, isAnswered, isEnded, rang, stop } from "./Call.ts"
import { coveredForGood, isHeld } from "./CallCredit.ts"
import { CallPlacer } from "./CallPlacer.ts"
import { afterReport } from "./CallReports.ts"
import { CallStore } from "./CallStore.ts"
import { CallSupervisionStore } from "./CallSupervisionStore.ts"
import { CallTransitions, type Step } from "./CallTransitions.ts"
import {
  type CallRef,
  type CallReport,
  Carrier,
  CarrierSilent,
  type Found,
  type NamedCall,
  type VoicemailMessage
} from "./Carrier.ts"
import { NumberStore } from "./NumberStore.ts"
import { counted, endRequested, judge, type NoRecord, needsMinute, nextAction, recognize } from "./SupervisionRules.ts"
import { TelephonySettings } from "./TelephonySettings.ts"

/** Calls that one pass takes at most. */
const passSize = 200

/** A pass that dies gives its calls up after so long. */
const leaseMs = 15 * Instant.second

/** A carrier that has not answered by then is silent, whatever its provider makes of it. */
const requestMs = 30 * Instant.second

/**
 * Calls that started this close to each other may be meant by the same record: a record that is found by its number lies
 * within five minutes of its call.
 */
const rivalMs = 10 * Instant.minute

export class CallSupervisor extends Context.Service<
  CallSupervisor,
  {
    /** One pass over the calls that are due; tells how many there were. */
    readonly tick: Effect.Effect<number, StorageError>
    /** When the next call must be looked after, or null. */
    readonly nextCheck: Effect.Effect<Instant.Instant | null, StorageError>
    /** Looks after one call now, whether or not it is due. */
    readonly attend: (id: Ids.CallId) => Effect.Effect<void>
    /** After a restart: every open call is looked up rather than trusted. */
    readonly recover: Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/telephony/CallSupervisor") {
  static readonly layer = Layer.effect(
    CallSupervisor,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const calls = yield* CallStore
      const carrier = yield* Carrier
      const credits = yield* Credits
      const transitions = yield* CallTransitions
      const numbers = yield* NumberStore
      const placer = yield* CallPlacer
      const storage = yield* Storage
      const supervision = yield* CallSupervisionStore
      const { creditsPerMinute } = yield* TelephonySettings
      const { traits } = carrier

      /** This process is asking for it right now: whether the carrier has it is about to be known. */
      const isBeingPlaced = (call: Call): boolean => call.providerCallId === null && placer.isUnderWay(call.id)

      /** Judges records that agree with a call in numbers and time alone, beside all other calls that they may belong to. */
      const recognized = Effect.fnUntraced(function* (call: Call, reports: ReadonlyArray<CallReport>) {
        const [since, until] = [Instant.plus(call.startedAt, -rivalMs), Instant.plus(call.startedAt, rivalMs)]
        // In this order: a call that gets its id meanwhile is among the owners.
        const unnamed = yield* supervision.unnamed({ provider: call.provider, key: call.toKey, since, until })
        const free: Array<CallReport> = []
        for (const report of reports) {
          if ((yield* supervision.ownerOf({ provider: call.provider, providerCallId: report.providerCallId })) === null)
            free.push(report)
        }
        return recognize(
          free,
          unnamed.some((id) => id !== call.id)
        )
      })

      /** Makes what follows of the answer to a request about a call, which was made at `askedAt`. */
      const settle = (call: Call, answer: Found | CarrierSilent, askedAt: Instant.Instant) =>
        transitions.apply(call.id, (present, at) =>
          Effect.gen(function* () {
            if (answer._tag === "Record") return afterReport(present, answer.report)
            // Somebody else has asked in the time that this took: a process may have stood still.
            const isStale = present.lookUpAt !== call.lookUpAt || present.providerCallId !== call.providerCallId
            if (isEnded(present) || isStale || isBeingPlaced(present)) return null
            if (answer._tag !== "Candidates") {
              return withoutRecord(present, answer._tag === "Nothing" ? "nothing" : "silence", askedAt, at)
            }
            const match = yield* recognized(present, answer.reports)
            return match._tag === "Match"
              ? afterReport(present, match.report)
              : withoutRecord(present, match.found, askedAt, at)
          })
        )

      const withoutRecord = (present: Call, found: NoRecord, askedAt: Instant.Instant, at: Instant.Instant): Step => {
        const call = counted(present, found, askedAt, at)
        const finding = judge(call, found, traits, askedAt)
        switch (finding._tag) {
          case "Again":
            return { call: { ...call, lookUpAt: finding.at } }
          case "NoCall":
            return {
              call: closeUnplaced(call, call.stopReason ?? "canceled", at),
              unplaced: { why: "unknown_to_carrier", retryAt: at }
            }
          case "Unknown":
            return { call: closeUnknown(call, at), ended: true }
        }
      }

      /** The carrier's answer, or its silence. */
      const answerTo = (
        call: Call,
        request: Effect.Effect<Found, CarrierSilent>
      ): Effect.Effect<Found | CarrierSilent> =>
        request.pipe(
          Effect.timeoutOrElse({
            duration: requestMs,
            orElse: () => Effect.fail(new CarrierSilent({ detail: `no answer within ${requestMs} ms` }))
          }),
          Effect.catch((silence) => Effect.as(Effect.logWarning(silence.message, call.id), silence))
        )

      const lookUp = Effect.fnUntraced(function* (call: Call) {
        const askedAt = yield* Instant.now
        yield* settle(call, yield* answerTo(call, carrier.find(refOf(call))), askedAt)
      })

      /** Books a request to end a call, so that nobody else makes it now; null where somebody else has. */
      const bookEnd = Effect.fnUntraced(function* (call: Call, askedAt: Instant.Instant) {
        let isBooked = false
        const booked = yield* transitions.apply(call.id, (present) =>
          Effect.sync(() => {
            isBooked = !isEnded(present) && present.endRequests === call.endRequests
            return isBooked ? { call: endRequested(present, askedAt) } : null
          })
        )
        return isBooked ? booked : null
      })

      const end = Effect.fnUntraced(function* (call: Call) {
        const askedAt = yield* Instant.now
        let present = yield* bookEnd(call, askedAt)
        // Once it is cancelled its record may not say whether it rang, which is what counts: it is read before.
        if (present !== null && !rang(present)) {
          const found = yield* answerTo(present, carrier.find(refOf(present)))
          if (found._tag === "Record") present = yield* settle(present, found, askedAt)
        }
        const ref = present === null || isEnded(present) ? null : namedRef(present)
        if (present === null || ref === null) return
        const ended = Effect.map(
          carrier.end(ref, { isAnswered: isAnswered(present) }),
          (report): Found => (report === null ? { _tag: "Nothing" } : { _tag: "Record", report })
        )
        yield* settle(present, yield* answerTo(present, ended), askedAt)
      })

      /** Only marks it: whatever is marked to be ended is attended to after the commit. */
      const closeWindow = (call: Call) =>
        transitions.apply(call.id, (present, at) =>
          Effect.succeed(
            isEnded(present) || present.answeredAt !== null ? null : { call: stop(present, "window_closed", at) }
          )
        )

      /** The next minute is reserved before the present one ends, or the call is hung up. */
      const extend = (call: Call) =>
        transitions.apply(call.id, (present, at) =>
          Effect.gen(function* () {
            if (isEnded(present) || present.paidUntil === null || !needsMinute(present, at)) return null
            const account = yield* accounts.find(present.tenantId)
            const refusal = account === null ? "account_inactive" : spendingRefusal(account, at)
            if (account === null || refusal !== null) {
              return { call: stop(present, "credits", at), outOfCredit: refusal === "payment_method_required" }
            }
            // Its plan has changed since it began.
            if (!isHeld(account)) return { call: { ...present, paidUntil: coveredForGood } }
            const { createdAt, id, paidUntil } = present
            if (
              (yield* credits.reserve(spenderOf(account), { id, amount: creditsPerMinute, since: createdAt })) === null
            ) {
              return { call: { ...present, paidUntil: Instant.plus(paidUntil, Instant.minute) } }
            }
            return { call: stop(present, "credits", at), outOfCredit: true }
          })
        )

      const leaveMessage = Effect.fnUntraced(function* (call: Call) {
        const template = yield* storage.read(numbers.findTemplate(call.tenantId, call.voicemailTemplateId!))
        const message: VoicemailMessage | null =
          template === null
            ? null
            : template.text === null
              ? { _tag: "Audio", url: template.audioUrl! }
              : { _tag: "Text", text: template.text }
        const ref = namedRef(call)
        if (message === null || ref === null) return yield* giveUpMessage(call)
        yield* Effect.catch(carrier.leaveMessage(ref, message), (error) =>
          Effect.andThen(Effect.logWarning(error.message, call.id), giveUpMessage(call))
        )
      })

      /** A machine that hears nothing, or nobody knows what, is hung up on: its contact is tried again. */
      const giveUpMessage = (call: Call) =>
        Effect.asVoid(
          transitions.apply(call.id, (present, at) =>
            Effect.succeed(
              isEnded(present) ? null : { call: { ...stop(present, "hangup_local", at), messageAt: null } }
            )
          )
        )

      const care = Effect.fnUntraced(function* (call: Call) {
        if (isBeingPlaced(call)) return
        const at = yield* Instant.now
        switch (nextAction(call, at)._tag) {
          case "End":
            return yield* end(call)
          case "CloseWindow":
            return void (yield* closeWindow(call))
          case "Extend":
            return void (yield* extend(call))
          case "LookUp":
            return yield* lookUp(call)
          case "Nothing":
            return void (yield* transitions.apply(call.id, (present) =>
              Effect.succeed(isEnded(present) ? null : { call: present })
            ))
        }
      })

      const safely = (id: Ids.CallId, work: Effect.Effect<void, StorageError>) =>
        Effect.catchCause(work, (cause) => Effect.logError("looking after a call", id, cause))

      const attend = (id: Ids.CallId) =>
        safely(
          id,
          Effect.gen(function* () {
            const call = yield* storage.read(calls.find(id))
            if (call === null || isEnded(call)) return
            if (call.stopReason === null && call.messageAt !== null) return yield* leaveMessage(call)
            return yield* care(call)
          })
        )

      const tick = Effect.gen(function* () {
        const at = yield* Instant.now
        const due = yield* storage.transact(
          supervision.claimDue({ at, until: Instant.plus(at, leaseMs), limit: passSize })
        )
        yield* Effect.forEach(due, (call) => safely(call.id, care(call)), { concurrency: 32, discard: true })
        return due.length
      })

      yield* Effect.forkScoped(
        Effect.forever(Effect.flatMap(Queue.take(transitions.attention), (id) => Effect.forkChild(attend(id))))
      )

      return CallSupervisor.of({
        tick,
        nextCheck: storage.read(supervision.nextCheck),
        attend,
        recover: Effect.flatMap(Instant.now, (at) => storage.transact(supervision.markForReconciliation(at)))
      })
    })
  )
}

const refOf = (call: Call): CallRef => ({
  callId: call.id,
  providerCallId: call.providerCallId,
  to: call.to,
  from: call.from,
  askedAt: call.startedAt
})

const namedRef = (call: Call): NamedCall | null =>
  call.providerCallId === null ? null : { ...refOf(call), providerCallId: call.providerCallId }
