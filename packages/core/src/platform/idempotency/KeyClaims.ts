/**
 * Who decides the claims of requests that are paid for: the ledger, in one transaction with what else they ask for. Null where
 * nobody does: then each claim has a transaction of its own. Source: docs/reference/metering.md#flush.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "../storage/index.ts"
import type { AskedRun, ClaimDecided } from "./IdempotentRequest.ts"

export interface KeyClaims {
  /** Exact over all processes. What it has claimed is committed when it succeeds; a power cut may undo it. */
  readonly claim: (run: AskedRun) => Effect.Effect<ClaimDecided, StorageError>
}

export const KeyClaims = Context.Reference<KeyClaims | null>("@trunkline/core/platform/idempotency/KeyClaims", {
  defaultValue: () => null
})
