/**
 * When keys were used last, to a minute. A request only leaves a mark in memory: what it says is written beside it, for all keys
 * together, and of each key at most once a minute by a process. Source: docs/reference/access.md#last-use.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { type Read, Storage, type StorageError } from "../storage/index.ts"
import type { ApiKey } from "./ApiKey.ts"
import { type KeyUse, KeyUseStore } from "./KeyUseStore.ts"

/** How long a use is not written again. */
const quietMs = Instant.minute

/** Keys whose latest use is known, some 100 bytes each. */
const maxKnown = 10_000

export class KeyUses extends Context.Service<
  KeyUses,
  {
    /** A key has identified a request. Writes nothing by itself. */
    readonly note: (key: Pick<ApiKey, "id" | "tenantId">, at: Instant.Instant) => void
    /** Writes what has been noted since; returns of how many keys. Where nothing was noted it asks for nothing. */
    readonly write: Effect.Effect<number, StorageError>
    /** Whether a key of the account has been used. */
    readonly hasAny: (tenantId: Ids.AccountId) => Effect.Effect<boolean, StorageError, Read>
  }
>()("@trunkline/core/platform/accounts/KeyUses") {
  static readonly layer = Layer.effect(
    KeyUses,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* KeyUseStore
      const written = new Map<string, Instant.Instant>()
      let pending = new Map<string, KeyUse>()

      const note: KeyUses["Service"]["note"] = ({ id, tenantId }, at) => {
        const last = written.get(id)
        // A clock that was set back must not silence a key.
        if (last !== undefined && Math.abs(at - last) < quietMs) return
        if (written.size >= maxKnown) written.clear()
        written.set(id, at)
        pending.set(id, { keyId: id, tenantId, usedAt: at })
      }

      const write = Effect.suspend(() => {
        if (pending.size === 0) return Effect.succeed(0)
        const uses = [...pending.values()]
        pending = new Map()
        return storage
          .transactWith({ durability: "relaxed" })(store.note(uses))
          .pipe(
            Effect.as(uses.length),
            // The next requests note them again.
            Effect.tapError(() =>
              Effect.sync(() => {
                for (const { keyId } of uses) written.delete(keyId)
              })
            )
          )
      })

      const hasAny: KeyUses["Service"]["hasAny"] = (tenantId) =>
        Effect.suspend(() =>
          [...pending.values()].some((use) => use.tenantId === tenantId) ? Effect.succeed(true) : store.hasAny(tenantId)
        )

      // A key that was used right before a stop was used all the same.
      yield* Effect.addFinalizer(() =>
        Effect.catchCause(write, (cause) => Effect.logWarning("the last uses of keys could not be written", cause))
      )

      return KeyUses.of({ note, write, hasAny })
    })
  )
}
