/** When a carrier accepts its next call, as processes agree on it whose clocks differ. Source: docs/telephony.md#clocks. */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../storage/index.ts"
import type { StartSlot, StartSlotStore } from "./StartSlotStore.ts"

/** Clocks may differ by this much without a correction of slots. */
const toleranceMs = Instant.second

/**
 * A slot by the clock that says `at`: the same wait from now on where a process stored it whose clock is ahead. Others would
 * wait for that clock's time. A correction is to be stored: a wait that begins anew at each look never ends.
 */
export const corrected = (slot: StartSlot, at: Instant.Instant): StartSlot => {
  const { nextStartAt, storedAt } = slot
  if (storedAt === null || storedAt <= at + toleranceMs) return slot
  return { nextStartAt: Instant.plus(nextStartAt, at - storedAt), storedAt: at }
}

/** The earliest instant, from `at` on, at which the carrier may be asked. */
export const earliestStart = (slot: StartSlot | null, at: Instant.Instant): Instant.Instant =>
  slot === null ? at : Instant.later(at, corrected(slot, at).nextStartAt)

/** Reads `earliestStart` of a carrier, and stores a slot that had to be corrected, under the carrier's lock. */
export const claimStart = Effect.fnUntraced(function* (
  slots: StartSlotStore["Service"],
  carrier: string,
  at: Instant.Instant
): Effect.fn.Return<Instant.Instant, StorageError, Tx | Read> {
  const seen = yield* slots.find(carrier)
  if (seen === null || corrected(seen, at) === seen) return earliestStart(seen, at)
  yield* lock("carrier", carrier)
  const slot = corrected((yield* slots.find(carrier)) ?? seen, at)
  yield* slots.save(carrier, slot)
  return earliestStart(slot, at)
})
