/** Settings of batches. Source: docs/reference/configuration.md#limits. */
import * as Context from "effect/Context"
import { Instant } from "../../platform/kernel/index.ts"

export interface BatchSettings {
  /** Requests of one batch at most. */
  readonly maxRequests: number
  /** Lines of an account that run at a time, over all its batches and all processes. */
  readonly concurrency: number
  /** After its creation a batch expires. */
  readonly windowSeconds: number
}

export const BatchSettings = Context.Reference<BatchSettings>("@trunkline/core/gateway/batches/BatchSettings", {
  defaultValue: () => ({ maxRequests: 50_000, concurrency: 4, windowSeconds: Instant.day / Instant.second })
})
