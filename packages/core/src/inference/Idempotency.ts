/** One Idempotency-Key, one run: the first answer is kept for a day and given again. Source: docs/gateway.md#idempotency. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids } from "../kernel/index.ts"
import type { StorageError } from "../storage/index.ts"
import type { InferenceRefused } from "./InferenceErrors.ts"

/** An answer that is kept: always a success. */
export interface KeptAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
  /** Headers that belong to the answer itself, such as who served it. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Once {
  readonly tenantId: Ids.AccountId
  readonly key: string
  /** Of route, fields and the file's digest: another request under the same key has another one. */
  readonly fingerprint: string
  /** Longer than the request may take: after it, a run that was never ended may be begun again. */
  readonly leaseMs: number
}

export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Begins a run, or answers what the first one answered. Fails with `idempotency_key_reused` for another request and
     * with `idempotency_in_progress` while the first one runs. `claim` proves the run to `finish`.
     */
    readonly begin: (
      once: Once
    ) => Effect.Effect<
      { readonly _tag: "Begun"; readonly claim: string } | { readonly _tag: "Kept"; readonly answer: KeptAnswer },
      InferenceRefused | StorageError
    >
    /** Ends a run: keeps its answer, or with null forgets it, so that the key may carry any request again. */
    readonly finish: (once: Once, claim: string, answer: KeptAnswer | null) => Effect.Effect<void, StorageError>
    /** Removes what was kept long enough; tells how many. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/inference/Idempotency") {}
