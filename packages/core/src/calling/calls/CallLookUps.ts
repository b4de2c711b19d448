/** Asks the carrier about one call, and applies what its answer, or its silence, says of the call. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import { type Call, closeUnknown, closeUnplaced, isEnded } from "./Call.ts"
import { CallPlacer } from "./CallPlacer.ts"
import { afterReport } from "./CallReports.ts"
import { CallTransitions, type Step } from "./CallTransitions.ts"
import { type CallReport, Carrier, type CarrierSilent, type Found } from "./Carrier.ts"
import { answerTo, refOf } from "./CarrierAnswers.ts"
import { recordOwners } from "./RecordOwners.ts"
import { counted, evaluate, type NoRecord, recognize } from "./SupervisionRules.ts"

/** Look-ups of this process. */
export const callLookUps = Effect.gen(function* () {
  const carrier = yield* Carrier
  const placer = yield* CallPlacer
  const ownersOf = yield* recordOwners
  const transitions = yield* CallTransitions

  /** This process is asking for it right now: whether the carrier has it is about to be known. */
  const isBeingPlaced = (call: Call): boolean => call.providerCallId === null && placer.isUnderWay(call.id)

  /** Compares records that agree with a call in numbers and time alone with all other calls that they may belong to. */
  const recognized = (call: Call, reports: ReadonlyArray<CallReport>) =>
    Effect.map(ownersOf(call, reports), ({ free, hasRival }) => recognize(free, hasRival))

  const withoutRecord = (present: Call, found: NoRecord, askedAt: Instant.Instant, at: Instant.Instant): Step => {
    const call = counted(present, found, askedAt, at)
    const finding = evaluate(call, found, carrier.traits, askedAt)
    switch (finding._tag) {
      case "Retry":
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

  /** Applies the answer to a request about a call, which was made at `askedAt`. */
  const apply = (call: Call, answer: Found | CarrierSilent, askedAt: Instant.Instant) =>
    transitions.apply(call.id, (present, at) =>
      Effect.gen(function* () {
        if (answer._tag === "Record") return afterReport(present, answer.report)
        // Another process has asked in the time that this took: this one may have stood still.
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

  const lookUp = Effect.fnUntraced(function* (call: Call) {
    const askedAt = yield* Instant.now
    yield* apply(call, yield* answerTo(call, carrier.find(refOf(call))), askedAt)
  })

  return { isBeingPlaced, apply, lookUp }
})
