/** What an account has used of its plan, for a host that uses promises. */
import * as Effect from "effect/Effect"
import { Accounts } from "../../platform/accounts/index.ts"
import { type PlanCounters, PlanUsage } from "../../platform/billing/index.ts"
import * as Arguments from "../Arguments.ts"
import type { CallOptions, Method } from "../Facade.ts"

export interface UsageFacade {
  /** What was used of the plan in this calendar month, with what runs, and the plan's limits. Source: docs/reference/plans.md#counters. */
  readonly plan: (accountId: string, options?: CallOptions) => Promise<PlanCounters>
}

const { accountId, callOptions } = Arguments

export const usageFacade = (method: Method): UsageFacade => ({
  plan: method([accountId, callOptions], (tenantId) =>
    Effect.gen(function* () {
      const { plan } = yield* Accounts.use((accounts) => accounts.get(tenantId))
      return yield* PlanUsage.use((usage) => usage.read(tenantId, plan))
    })
  )
})
