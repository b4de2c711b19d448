/** Ends calls to numbers that have just been listed: what suppression needs of telephony. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Instant } from "../../platform/kernel/index.ts"
import type { PhoneNumber } from "../../platform/numbers/index.ts"
import { lock, type Read, type StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { SuppressedCalls } from "../suppression/Suppression.ts"
import { stop } from "./Call.ts"
import { CallStore } from "./CallStore.ts"
import { CallTransitions } from "./CallTransitions.ts"

export const layer = Layer.effect(
  SuppressedCalls,
  Effect.gen(function* () {
    const calls = yield* CallStore
    const { attend } = yield* CallTransitions

    const mark = Effect.fnUntraced(function* (
      tenantId: Ids.AccountId,
      isCovered: (key: PhoneNumber.MatchKey) => Effect.Effect<boolean, StorageError, Read>,
      at: Instant.Instant
    ) {
      const unanswered = yield* calls.unansweredOf(tenantId)
      const covered = yield* Effect.filter(unanswered, ({ toKey }) => isCovered(toKey))
      for (const { id } of covered) {
        yield* lock("call", id)
        const call = yield* calls.findInAnyAccount(id)
        // Answered while we waited for its lock: such a call is left alone.
        if (call !== null && call.answeredAt === null) yield* calls.save(stop(call, "do_not_call", at))
      }
      return covered.map(({ id }) => id)
    })

    return SuppressedCalls.of({ mark, cancel: attend })
  })
)
