/** What a minute of a telephone call costs, for those who show it; null where nothing places calls. */
import * as Context from "effect/Context"
import type { Nano } from "./Money.ts"

export const CallPrice = Context.Reference<Nano | null>("@trunkline/core/platform/billing/CallPrice", {
  defaultValue: () => null
})
