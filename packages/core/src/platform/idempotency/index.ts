/**
 * Decides whether a request under an Idempotency-Key runs, or is answered as it was before.
 *
 * Promises  IDEM-1 of any number of requests under one key, in whatever processes, one runs at a time.
 *           IDEM-2 the answer of the first success is replayed for a day, and belongs to its request alone.
 *           IDEM-3 a run that stalled past its lease and lost its claim commits nothing.
 *           IDEM-4 a request that has done something itself is never run again under its key, whatever became of it.
 * Needs     IdempotencyStore; KeyClaims, where the ledger decides.     Emits  nothing.
 * Not here  the claims of requests that are paid for (billing/LedgerRuns), how a refusal is answered (gateway/run, platform/http), what makes two requests the same (their routes).
 * Read      IdempotentRequest.ts, then Idempotency.ts, then ActingRun.ts. Source: docs/reference/gateway.md#idempotency,
 *           docs/reference/http-conventions.md#idempotency.
 */
export { leavesNothing, notingStorage } from "./ActingRun.ts"
export { fingerprintOf, smallFingerprintOf } from "./Fingerprint.ts"
export { type Begun, Idempotency, keptAnswerOf, type RunRequest, type StoreResponse } from "./Idempotency.ts"
export { IdempotencyStore } from "./IdempotencyStore.ts"
export {
  type AskedRun,
  begunRun,
  type ClaimDecided,
  type ClaimedRun,
  ClaimLost,
  type Executed,
  IdempotencyRefused,
  type IdempotentRequest,
  isUsableKey,
  type KeptAnswer,
  type KeyedRun,
  mayReplace,
  type Replayed,
  replayedUntil,
  requestFingerprint,
  type StandingRun,
  type StoredResponse,
  standingRefusal,
  storable,
  storedBody,
  storedBytes,
  storedJson,
  storedText,
  type WrittenResponse,
  writtenJson
} from "./IdempotentRequest.ts"
export { KeyClaims } from "./KeyClaims.ts"
