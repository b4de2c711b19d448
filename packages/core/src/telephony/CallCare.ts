/** Looks after open calls: ends those that have to end, pays for the next minute, and asks where nothing is heard. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { Accounts, spenderOf, spendingRefusal } from "../access/index.ts"
import { Credits } from "../billing/index.ts"
import { type Ids, Instant } from "../kernel/index.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { type Call, closeUnknown, closeUnplaced, isEnded, stop } from "./Call.ts"
import { coveredForGood, isHeld } from "./CallCredit.ts"
import { CallMoves, type Step } from "./CallMoves.ts"
import { CallReports } from "./CallReports.ts"
import { CallStore } from "./CallStore.ts"
import { careOf, judge } from "./CareRules.ts"
import { type CallRef, Carrier, type VoicemailMessage } from "./Carrier.ts"
import { NumberStore } from "./NumberStore.ts"
import { Placing } from "./Placing.ts"
import { TelephonySettings } from "./TelephonySettings.ts"

/** Calls that one pass takes at most. */
const passSize = 200

/** A pass that dies gives its calls up after so long. */
const leaseMs = 15 * Instant.second

export class CallCare extends Context.Service<
  CallCare,
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
>()("@trunkline/core/telephony/CallCare") {
  static readonly layer = Layer.effect(
    CallCare,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const calls = yield* CallStore
      const carrier = yield* Carrier
      const credits = yield* Credits
      const moves = yield* CallMoves
      const numbers = yield* NumberStore
      const placing = yield* Placing
      const reports = yield* CallReports
      const storage = yield* Storage
      const { creditsPerMinute } = yield* TelephonySettings
      const { traits } = carrier

      const end = (call: Call) =>
        Effect.catch(carrier.end(refOf(call), call.answeredAt !== null), (error) =>
          Effect.logWarning(error.message, call.id)
        )

      /** Only marks it: whatever is marked to be ended is attended to after the commit. */
      const closeWindow = (call: Call) =>
        moves.move(call.id, (present, at) =>
          Effect.succeed(
            isEnded(present) || present.answeredAt !== null ? null : { call: stop(present, "window_closed", at) }
          )
        )

      /** The next minute is reserved before the present one ends, or the call is hung up. */
      const extend = (call: Call) =>
        moves.move(call.id, (present, at) =>
          Effect.gen(function* () {
            if (isEnded(present) || present.paidUntil === null || careOf(present, at)._tag !== "Extend") return null
            const account = yield* accounts.find(present.tenantId)
            const refusal = account === null ? "account_inactive" : spendingRefusal(account, at)
            if (account === null || refusal !== null) {
              return { call: stop(present, "credits", at), outOfCredit: refusal === "payment_method_required" }
            }
            // Its plan has changed since it began.
            if (!isHeld(account)) return { call: { ...present, paidUntil: coveredForGood } }
            const { createdAt, id, paidUntil } = present
            if ((yield* credits.reserve(id, spenderOf(account), creditsPerMinute, createdAt)) === null) {
              return { call: { ...present, paidUntil: Instant.plus(paidUntil, Instant.minute) } }
            }
            return { call: stop(present, "credits", at), outOfCredit: true }
          })
        )

      const lookUp = Effect.fnUntraced(function* (call: Call) {
        const found = yield* Effect.result(carrier.find(refOf(call)))
        if (found._tag === "Success" && found.success !== null) {
          yield* reports.take(found.success)
          return
        }
        const nothing = found._tag === "Success"
        yield* moves.move(call.id, (present, at) =>
          Effect.succeed(placing.isUnderWay(present.id) || isEnded(present) ? null : afterNothing(present, nothing, at))
        )
      })

      const afterNothing = (present: Call, nothing: boolean, at: Instant.Instant): Step => {
        const counted: Call = {
          ...present,
          lookUps: present.lookUps + (nothing ? 1 : 0),
          firstLookUpAt: present.firstLookUpAt ?? at
        }
        const finding = judge(counted, nothing ? "nothing" : "silence", traits, at)
        switch (finding._tag) {
          case "Again":
            return { call: { ...counted, lookUpAt: finding.at } }
          case "NoCall":
            return {
              call: closeUnplaced(counted, counted.stopReason ?? "canceled", at),
              unplaced: { why: "unknown_to_carrier", retryAt: at }
            }
          case "Unknown":
            return { call: closeUnknown(counted, at), ended: true }
        }
      }

      const leaveMessage = Effect.fnUntraced(function* (call: Call) {
        const template = yield* storage.read(numbers.findTemplate(call.tenantId, call.voicemailTemplateId!))
        const message: VoicemailMessage | null =
          template === null
            ? null
            : template.text === null
              ? { _tag: "Audio", url: template.audioUrl! }
              : { _tag: "Text", text: template.text }
        if (message === null) return yield* giveUpMessage(call)
        yield* Effect.catch(carrier.leaveMessage(refOf(call), message), (error) =>
          Effect.andThen(Effect.logWarning(error.message, call.id), giveUpMessage(call))
        )
      })

      /** A machine that hears nothing, or nobody knows what, is hung up on: its contact is tried again. */
      const giveUpMessage = (call: Call) =>
        Effect.asVoid(
          moves.move(call.id, (present, at) =>
            Effect.succeed(
              isEnded(present) ? null : { call: { ...stop(present, "hangup_local", at), messageAt: null } }
            )
          )
        )

      const care = Effect.fnUntraced(function* (call: Call) {
        if (placing.isUnderWay(call.id)) return
        const at = yield* Instant.now
        switch (careOf(call, at)._tag) {
          case "End":
            return yield* end(call)
          case "CloseWindow":
            return void (yield* closeWindow(call))
          case "Extend":
            return void (yield* extend(call))
          case "LookUp":
            return yield* lookUp(call)
          case "Nothing":
            return void (yield* moves.move(call.id, (present) =>
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
        const due = yield* storage.transact(calls.claimDue(at, Instant.plus(at, leaseMs), passSize))
        yield* Effect.forEach(due, (call) => safely(call.id, care(call)), { concurrency: 32, discard: true })
        return due.length
      })

      yield* Effect.forkScoped(
        Effect.forever(Effect.flatMap(Queue.take(moves.attention), (id) => Effect.forkChild(attend(id))))
      )

      return CallCare.of({
        tick,
        nextCheck: storage.read(calls.nextCheck),
        attend,
        recover: Effect.flatMap(Instant.now, (at) => storage.transact(calls.distrust(at)))
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
