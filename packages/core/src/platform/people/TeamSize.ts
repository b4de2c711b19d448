/** Implements the port of platform/billing: how many members an account has. Source: docs/reference/plans.md#counters. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PlanTeam } from "../billing/index.ts"
import { MemberStore } from "./MemberStore.ts"

export const layer = Layer.effect(
  PlanTeam,
  Effect.map(MemberStore, (store) => ({
    members: (tenantId) => Effect.map(store.ofAccount(tenantId), ({ length }) => (length === 0 ? null : length))
  }))
)
