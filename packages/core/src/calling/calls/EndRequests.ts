/** Asks the carrier to end a call: one process at a time, and again until it has ended. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import { type Call, isAnswered, isEnded, rang } from "./Call.ts"
import { callLookUps } from "./CallLookUps.ts"
import { CallTransitions } from "./CallTransitions.ts"
import { Carrier, type Found } from "./Carrier.ts"
import { answerTo, namedRef, refOf } from "./CarrierAnswers.ts"
import { endRequested } from "./SupervisionRules.ts"

/** Ends a call that has a reason to stop. */
export const endRequests = Effect.gen(function* () {
  const carrier = yield* Carrier
  const lookUps = yield* callLookUps
  const transitions = yield* CallTransitions

  /** Stores that this process asks now, so that no other does; null where another already has. */
  const claim = Effect.fnUntraced(function* (call: Call, askedAt: Instant.Instant) {
    let isClaimed = false
    const claimed = yield* transitions.apply(call.id, (present) =>
      Effect.sync(() => {
        isClaimed = !isEnded(present) && present.endRequests === call.endRequests
        return isClaimed ? { call: endRequested(present, askedAt) } : null
      })
    )
    return isClaimed ? claimed : null
  })

  return Effect.fnUntraced(function* (call: Call) {
    const askedAt = yield* Instant.now
    let present = yield* claim(call, askedAt)
    // Once it is cancelled its record may not say whether it rang, which is what counts: it is read before.
    if (present !== null && !rang(present)) {
      const found = yield* answerTo(present, carrier.find(refOf(present)))
      if (found._tag === "Record") present = yield* lookUps.apply(present, found, askedAt)
    }
    const ref = present === null || isEnded(present) ? null : namedRef(present)
    if (present === null || ref === null) return
    const ended = Effect.map(
      carrier.end(ref, { isAnswered: isAnswered(present) }),
      (report): Found => (report === null ? { _tag: "Nothing" } : { _tag: "Record", report })
    )
    yield* lookUps.apply(present, yield* answerTo(present, ended), askedAt)
  })
})
