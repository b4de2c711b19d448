/** What an account has used of its plan in the present calendar month. Source: docs/reference/plans.md#counters. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant, tracedFn } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { type Read, Storage, type StorageError } from "../storage/index.ts"
import * as Month from "./Month.ts"
import { type Plan, plans } from "./Plans.ts"
import { type QuotaPeriod, QuotaStore } from "./QuotaStore.ts"
import { StoredBytes } from "./StoredBytes.ts"

export interface PlanCounter {
  /** What runs is included. Null where nothing counts it. */
  readonly used: number | null
  /** Null for unlimited. */
  readonly limit: number | null
}

export interface PlanCounters {
  readonly plan: Plan
  /** The calendar month, in UTC; `to` is the beginning of the next one. */
  readonly period: { readonly from: Instant.Instant; readonly to: Instant.Instant }
  readonly counters: {
    readonly llmCalls: PlanCounter
    readonly sttCalls: PlanCounter
    readonly ttsCalls: PlanCounter
    readonly images: PlanCounter
    readonly conversations: PlanCounter
    /** The present count, which has no month. */
    readonly storageBytes: PlanCounter
    readonly teamMembers: PlanCounter
  }
}

/** Port: the people of an account. The room of people implements it. */
export const PlanTeam = Context.Reference<{
  /** The members of an account that has any; null where its people are the host's. */
  readonly members: (tenantId: Ids.AccountId) => Effect.Effect<number | null, StorageError, Read>
}>("@trunkline/core/platform/billing/PlanTeam", { defaultValue: () => ({ members: () => Effect.succeed(null) }) })

export class PlanUsage extends Context.Service<
  PlanUsage,
  {
    readonly read: (tenantId: Ids.AccountId, plan: Plan) => Effect.Effect<PlanCounters, StorageError>
  }
>()("@trunkline/core/platform/billing/PlanUsage") {
  static readonly layer = Layer.effect(
    PlanUsage,
    Effect.gen(function* () {
      const quotas = yield* QuotaStore
      const storage = yield* Storage
      const storedBytes = yield* StoredBytes
      const team = yield* PlanTeam

      const read = tracedFn("PlanUsage.read")(function* (tenantId: Ids.AccountId, plan: Plan) {
        const at = yield* Instant.now
        const month = Month.of(at)
        const { callsPerMonth, conversationsPerMonth, storageBytes, teamMembers } = plans[plan]
        const counter = (service: QuotaPeriod["service"], limit: number | null) =>
          Effect.map(quotas.counts({ tenantId, service, month }), ({ pending, used }) => ({
            used: used + pending,
            limit
          }))
        const counters = {
          llmCalls: yield* counter("llm", callsPerMonth.llm),
          sttCalls: yield* counter("stt", callsPerMonth.stt),
          ttsCalls: yield* counter("tts", callsPerMonth.tts),
          images: yield* counter("image", callsPerMonth.image),
          conversations: yield* counter("conversation", conversationsPerMonth),
          storageBytes: { used: yield* storedBytes.used(tenantId, at), limit: storageBytes },
          teamMembers: { used: yield* team.members(tenantId), limit: teamMembers }
        }
        return { plan, period: { from: Month.startOf(month), to: Month.nextStart(at) }, counters }
      }, storage.read)

      return PlanUsage.of({ read })
    })
  )
}
