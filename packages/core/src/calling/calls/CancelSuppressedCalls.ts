/** Ends calls to numbers that have just been listed: what suppression needs of telephony. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Instant } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import { lock } from "../../platform/storage/index.ts"
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

    const mark = Effect.fnUntraced(function* (tenantId: Ids.AccountId, key: PhoneNumber.MatchKey, at: Instant.Instant) {
      const matching = (yield* calls.unansweredOf(tenantId)).filter(({ toKey }) => PhoneNumber.samePerson(toKey, key))
      for (const { id } of matching) {
        yield* lock("call", id)
        const call = yield* calls.findInAnyAccount(id)
        // Answered while we waited for its lock: such a call is left alone.
        if (call !== null && call.answeredAt === null) yield* calls.save(stop(call, "do_not_call", at))
      }
      return matching.map(({ id }) => id)
    })

    return SuppressedCalls.of({ mark, cancel: attend })
  })
)
