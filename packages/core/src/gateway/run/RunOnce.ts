/** Work that runs once under its Idempotency-Key. Source: docs/reference/gateway.md#idempotency. */
import * as Effect from "effect/Effect"
import {
  ClaimLost,
  type Idempotency,
  IdempotencyRefused,
  type RunRequest,
  type StoredResponse,
  type StoreResponse,
  type WrittenResponse
} from "../../platform/idempotency/index.ts"
import { leaseMs } from "../../platform/kernel/index.ts"
import { LimitReached, type StorageError } from "../../platform/storage/index.ts"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import { idempotencyRefusal, limitRefusal } from "./InferenceRefusals.ts"

export interface RouteResult<Response extends WrittenResponse = StoredResponse> {
  readonly response: Response
  /** True when the response is that of an earlier request, and nothing was run or billed. */
  readonly isReplayed: boolean
}

/**
 * The response of the work, or that of the first request under the key. The work stores its response by what it is given; a request
 * without a key stores none.
 */
export const runOnce = <E, Response extends WrittenResponse>(
  idempotency: Idempotency["Service"],
  keyed: Omit<RunRequest, "leaseMs"> | null,
  work: (store: StoreResponse) => Effect.Effect<Response, E | ClaimLost | StorageError>
): Effect.Effect<RouteResult<Response | StoredResponse>, Exclude<E, ClaimLost> | InferenceRefused | StorageError> => {
  if (keyed === null) {
    // Without a key there is no claim to lose.
    const ran = Effect.catchIf(work(storesNothing), isClaimLost, Effect.die)
    return Effect.map(ran, (response) => ({ response, isReplayed: false }))
  }
  return idempotency.run({ ...keyed, leaseMs }, work).pipe(
    Effect.map((ran) =>
      ran._tag === "Replayed"
        ? { response: ran.response, isReplayed: true }
        : { response: ran.result, isReplayed: false }
    ),
    Effect.mapError((error) => keyRefusal(error))
  )
}

const keyRefusal = <E>(error: E | IdempotencyRefused | LimitReached) =>
  error instanceof IdempotencyRefused
    ? idempotencyRefusal(error)
    : error instanceof LimitReached
      ? limitRefusal(error)
      : error

/** A request without an Idempotency-Key stores nothing. */
export const storesNothing: StoreResponse = () => Effect.void

const isClaimLost = (error: unknown): error is ClaimLost => error instanceof ClaimLost
