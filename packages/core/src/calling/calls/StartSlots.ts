/** When the carrier accepts its next call, as processes agree on it whose clocks differ. Source: docs/reference/telephony.md#clocks. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import { Carrier } from "./Carrier.ts"
import { type StartSlot, StartSlotStore } from "./StartSlotStore.ts"

/** Clocks may differ by this much without a correction of slots. */
const toleranceMs = Instant.second

/** Reads slots by the clock of one process. Others would wait for the time of a clock that is ahead. */
export class SlotClock {
  /** The last slot that came from a clock ahead of this one, and its start by this one. */
  #corrected: { readonly slot: StartSlot; readonly startsAt: Instant.Instant } | null = null

  /** The earliest instant, from `at` on. A slot from a clock that is ahead is as far from its first reading as from its own now. */
  earliest(slot: StartSlot, at: Instant.Instant): Instant.Instant {
    const { nextStartAt, storedAt } = slot
    const known = this.#corrected
    if (known !== null && known.slot.storedAt === storedAt && known.slot.nextStartAt === nextStartAt) {
      return Instant.later(at, known.startsAt)
    }
    if (storedAt === null || storedAt <= at + toleranceMs) return Instant.later(at, nextStartAt)
    const startsAt = Instant.plus(at, nextStartAt - storedAt)
    this.#corrected = { slot, startsAt }
    return Instant.later(at, startsAt)
  }
}

export class StartSlots extends Context.Service<
  StartSlots,
  {
    /** The earliest instant, from `at` on, at which the carrier may be asked. */
    readonly next: (at: Instant.Instant) => Effect.Effect<Instant.Instant, StorageError, Read>
    /** Stores at `at` when the carrier may be asked next, under its lock. */
    readonly save: (nextStartAt: Instant.Instant, at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/calling/calls/StartSlots") {
  static readonly layer = Layer.effect(
    StartSlots,
    Effect.gen(function* () {
      const { name } = (yield* Carrier).traits
      const store = yield* StartSlotStore
      const clock = new SlotClock()
      return StartSlots.of({
        next: (at) => Effect.map(store.find(name), (slot) => (slot === null ? at : clock.earliest(slot, at))),
        save: (nextStartAt, storedAt) => store.save(name, { nextStartAt, storedAt })
      })
    })
  )
}
