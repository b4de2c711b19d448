/** Applies what carriers report of calls, and keeps those that the storage refuses until it is back. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { advance, type Call, isEnded } from "./Call.ts"
import { CallSupervisionStore } from "./CallSupervisionStore.ts"
import { CallTransitions, type Step } from "./CallTransitions.ts"
import { type CallReport, Carrier } from "./Carrier.ts"

/** Refused reports that are kept at most. What older ones said is found by looking up their calls. */
const maxRefused = 10_000

export class CallReports extends Context.Service<
  CallReports,
  {
    /**
     * Applies a report, which may be late, repeated or about an unknown call: those change nothing. Where the
     * storage fails it is applied again, once the storage is back: carriers do not repeat what was refused.
     */
    readonly apply: (report: CallReport) => Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/calling/calls/CallReports") {
  static readonly layer = Layer.effect(
    CallReports,
    Effect.gen(function* () {
      const records = yield* CallSupervisionStore
      const storage = yield* Storage
      const { traits } = yield* Carrier
      const transitions = yield* CallTransitions
      const refused = yield* Queue.sliding<CallReport>(maxRefused)

      const applyOnce = tracedFn("CallReports.apply")(function* (report: CallReport) {
        const apply = (id: Ids.CallId) =>
          transitions.apply(id, (call) => Effect.succeed(afterReport(call, { ...report, callId: id })))
        if ((yield* apply(report.callId)) !== null) return
        // A fail-over may have lost the call, and another may have got its record.
        const { providerCallId } = report
        const owner = yield* storage.read(records.ownerOf({ provider: traits.name, providerCallId }))
        if (owner !== null) yield* apply(owner)
        else yield* Effect.logDebug("a carrier reported a call that is not known here", report.callId)
      })

      const applyAgain = (report: CallReport) =>
        applyOnce(report).pipe(
          Effect.retry({ schedule: Schedule.spaced(Instant.second), while: canPass }),
          Effect.catchCause((cause) => Effect.logError("a report could not be applied", report.callId, cause))
        )

      yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(refused), applyAgain)))

      return CallReports.of({
        apply: (report) =>
          Effect.tapError(applyOnce(report), (error) => (canPass(error) ? Queue.offer(refused, report) : Effect.void))
      })
    })
  )
}

/** True of a failure that may pass. */
const canPass = (error: StorageError): boolean => error.isRetryable || error.reason === "full"

/** What a report makes of a call; null where it changes nothing. Pure. */
export const afterReport = (call: Call, { at, news, providerCallId }: CallReport): Step | null => {
  if (call.providerCallId !== null && call.providerCallId !== providerCallId) return null
  const placed = call.providerCallId === null
  // Its outcome stays. The owner of the record is stored all the same: no other call may get it.
  if (isEnded(call)) return placed ? { call: { ...call, providerCallId } } : null
  // The report may be faster than the answer to the request that placed the call.
  const { answered, call: advanced, detected, ended } = advance({ ...call, providerCallId }, news, at)
  return { call: advanced, placed, answered, detected, ended, reported: true }
}
