/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../kernel/index.ts"
import { room, type Worker } from "../room/index.ts"
import type { StorageError } from "../storage/index.ts"
import { Bonuses } from "./Bonuses.ts"
import { ConversationQuota } from "./ConversationQuota.ts"
import { Credits } from "./Credits.ts"
import { KeyLimits } from "./KeyLimits.ts"
import { Metering } from "./Metering.ts"
import { PlanUsage } from "./PlanUsage.ts"
import { Spending } from "./Spending.ts"
import { UsageLog } from "./UsageLog.ts"

const workers = Effect.gen(function* () {
  const bonuses = yield* Bonuses
  const limits = yield* KeyLimits
  const metering = yield* Metering
  return [
    {
      name: "expiry of reservations",
      everyMs: 10 * Instant.second,
      tick: Effect.andThen(metering.sweep, limits.sweep)
    },
    // A new month's bonus is booked within a minute of its beginning.
    { name: "monthly bonuses", everyMs: 15 * Instant.second, tick: bonuses.tick }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

export const Room = room({
  name: "platform/billing",
  parts: Layer.provideMerge(
    Layer.mergeAll(
      Bonuses.layer,
      ConversationQuota.layer,
      Metering.layer,
      KeyLimits.layer,
      PlanUsage.layer,
      Spending.layer,
      UsageLog.layer
    ),
    Credits.layer
  ),
  workers,
  events: ["credits.low", "budget.alert", "budget.exceeded"]
})
