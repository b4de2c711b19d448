/** Implements billing's port: the room that an account's plan has left for what is stored. Source: docs/reference/plans.md#storage. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PlanStorage, Plans, StoredBytes } from "../billing/index.ts"
import { Instant } from "../kernel/index.ts"
import { checkRoom } from "../storage/index.ts"
import { AccessStore } from "./AccessStore.ts"

export const layer = Layer.effect(
  PlanStorage,
  Effect.gen(function* () {
    const { used } = yield* StoredBytes
    const accounts = yield* AccessStore
    return PlanStorage.of({
      checkRoom: Effect.fnUntraced(function* (tenantId, adding) {
        const account = yield* accounts.findAccount(tenantId)
        const max = account === null ? null : Plans.plans[account.plan].storageBytes
        if (max === null) return
        yield* checkRoom("storageBytes", max, { present: yield* used(tenantId, yield* Instant.now), adding })
      })
    })
  })
)
