/** Port: sign-ins that have failed, of all processes. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"

export class SignInFailureStore extends Context.Service<
  SignInFailureStore,
  {
    /** Counts a failure under each of these keys. */
    readonly add: (keys: ReadonlyArray<string>, at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
    /** The newest failures of a key after `since`, at most `limit`, newest first. */
    readonly recent: (
      key: string,
      since: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Instant.Instant>, StorageError, Read>
    readonly forget: (key: string) => Effect.Effect<void, StorageError, Tx>
    /** Removes failures until `at`. */
    readonly sweep: (at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/people/SignInFailureStore") {}
