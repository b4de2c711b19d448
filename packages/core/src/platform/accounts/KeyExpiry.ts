/** Publishes an event once for every key that has expired. */
import * as Effect from "effect/Effect"
import { type EventOf, Outbox } from "../events/index.ts"
import { Instant } from "../kernel/index.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { AccessStore } from "./AccessStore.ts"
import type { ApiKey } from "./ApiKey.ts"
import type { apiKeyExpired } from "./KeyEventEntries.ts"

/** Keys of one transaction. */
const batchSize = 100

const expired = ({ expiresAt, id, name, prefix, tenantId }: ApiKey): EventOf<typeof apiKeyExpired> => ({
  event: "api_key.expired",
  tenantId,
  botId: null,
  data: { key_id: id, name, prefix, expires_at: Instant.toIso(expiresAt!) }
})

export interface KeyExpiry {
  /** Publishes `api_key.expired` for keys that have expired; returns their number. A revoked key expires without an event. Source: docs/reference/access.md#expiry. */
  readonly tick: Effect.Effect<number, StorageError>
}

export const makeKeyExpiry = Effect.gen(function* () {
  const outbox = yield* Outbox
  const storage = yield* Storage
  const store = yield* AccessStore

  const expire = Effect.gen(function* () {
    const keys = yield* store.claimExpired(yield* Instant.now, batchSize)
    return yield* outbox.append(keys.filter(({ revokedAt }) => revokedAt === null).map(expired))
  })

  return {
    tick: Effect.map(Effect.tap(storage.transact(expire), outbox.publish), ({ length }) => length)
  } satisfies KeyExpiry
})
