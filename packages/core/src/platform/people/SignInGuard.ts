/** Counts sign-ins that fail, in all processes together, and refuses more than the limit. Source: docs/reference/sign-in.md#limit. */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import { TooManyFailures } from "./PeopleErrors.ts"
import { SignInFailureStore } from "./SignInFailureStore.ts"
import { countedSince, type FailureCount, waitSeconds } from "./SignInLimit.ts"

export interface SignInGuard {
  /** Fails while one of these has failed too often. In a transaction that has locked them the answer is exact. */
  readonly check: (counts: ReadonlyArray<FailureCount>) => Effect.Effect<void, TooManyFailures | StorageError, Read>
  /** Counts a failure. */
  readonly note: (counts: ReadonlyArray<FailureCount>) => Effect.Effect<void, StorageError, Tx>
  readonly forget: (count: FailureCount) => Effect.Effect<void, StorageError, Tx>
}

/** The lock of what is counted together. */
export const lockKeyOf = ({ key }: FailureCount): string => `failures:${key}`

export const makeSignInGuard: Effect.Effect<SignInGuard, never, SignInFailureStore> = Effect.map(
  SignInFailureStore,
  (store) => ({
    check: Effect.fnUntraced(function* (counts) {
      const at = yield* Instant.now
      for (const { key, most } of counts) {
        const wait = waitSeconds(yield* store.recent(key, countedSince(at), most), most, at)
        if (wait !== null) return yield* new TooManyFailures({ retryAfterSeconds: wait })
      }
    }),
    note: (counts) =>
      Effect.flatMap(Instant.now, (at) =>
        store.add(
          counts.map(({ key }) => key),
          at
        )
      ),
    forget: ({ key }) => store.forget(key)
  })
)
