/** Looks for calls that a fail-over of the database has lost, before the carrier is asked for another. Source: docs/reference/telephony.md#fail-over. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import { LostCommits, Storage, type StorageError } from "../../platform/storage/index.ts"
import type { Call } from "./Call.ts"
import { type CallReport, Carrier, CarrierSilent } from "./Carrier.ts"
import { answerTo, refOf } from "./CarrierAnswers.ts"
import { recordOwners } from "./RecordOwners.ts"

/** What the carrier knows of a call that it has not been asked for, as far as the database can tell. */
type LostCall =
  /** Nothing: it can be asked. */
  | { readonly _tag: "None" }
  /** It has been asked, and this is the call. */
  | { readonly _tag: "Found"; readonly report: CallReport }
  /** It may have been asked; later look-ups show it. */
  | { readonly _tag: "Unsure" }
  /** It may have been asked, and nothing will show it. */
  | { readonly _tag: "Unknown" }

/** `free` are the carrier's records that no call has; a rival is another call that one of them may belong to. Pure. */
export const lostCallOf = (free: ReadonlyArray<CallReport>, hasRival: boolean): LostCall => {
  const [report, ...others] = free
  if (report === undefined) return { _tag: "None" }
  if (hasRival) return { _tag: "Unsure" }
  return others.length > 0 ? { _tag: "Unknown" } : { _tag: "Found", report }
}

/** Look-ups of this process. They cost nothing unless there has been a fail-over. */
export const lostCalls = Effect.gen(function* () {
  const { findAll } = yield* Carrier
  const lostCommits = yield* LostCommits
  const ownersOf = yield* recordOwners
  const storage = yield* Storage

  return Effect.fnUntraced(function* (call: Call): Effect.fn.Return<LostCall, StorageError> {
    const window = yield* lostCommits
    if (window === null || window.until <= (yield* Instant.now)) return { _tag: "None" }
    if (findAll === undefined) return { _tag: "Unknown" }
    const found = yield* answerTo(call, findAll({ ...refOf(call), askedAt: window.since }))
    if (found instanceof CarrierSilent) return { _tag: "Unsure" }
    const { free, hasRival } = yield* storage.read(ownersOf(call, found))
    return lostCallOf(free, hasRival)
  })
})
