/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { UsageLogStore } from "../billing/index.ts"
import { after, change, nothing, storeTopics } from "../changes/index.ts"
import { Instant } from "../kernel/index.ts"
import { room, type SetupStep, setupState, type Worker } from "../room/index.ts"
import type { Read, StorageError } from "../storage/index.ts"
import { accessErrors } from "./AccessErrors.ts"
import { AccessSettings } from "./AccessSettings.ts"
import { AccessStore } from "./AccessStore.ts"
import { Accounts } from "./Accounts.ts"
import { AuditStore } from "./AuditStore.ts"
import { Authentication } from "./Authentication.ts"
import { keyEvents } from "./KeyEventEntries.ts"
import { makeKeyExpiry } from "./KeyExpiry.ts"
import * as PlanRoom from "./PlanRoom.ts"

const workers = Effect.gen(function* () {
  const expiry = yield* makeKeyExpiry
  // A key's expiry is published within a minute.
  return [{ name: "expiry of API keys", everyMs: 15 * Instant.second, tick: expiry.tick }] satisfies ReadonlyArray<
    Worker<StorageError>
  >
})

const changes = [
  storeTopics(AccessStore, {
    addAccount: ({ id }) => change(id, "account"),
    saveAccount: ({ id }) => change(id, "account"),
    addKey: ({ tenantId }) => change(tenantId, "keys"),
    claimExpired: after((keys) => keys.map(({ tenantId }) => change(tenantId, "keys"))),
    revokeKey: ({ tenantId }) => change(tenantId, "keys")
  }),
  storeTopics(AuditStore, { add: nothing })
]

const setup = Effect.map(UsageLogStore, ({ hasOfKeys }) => [
  {
    id: "key",
    look: (tenantId) => Effect.map(hasOfKeys(tenantId), setupState)
  } satisfies SetupStep<StorageError, Read>
])

export const Room = room({
  name: "platform/accounts",
  stores: [AccessStore, AuditStore],
  changes,
  parts: Layer.unwrap(
    Effect.map(AccessSettings, (settings) =>
      Layer.mergeAll(Accounts.layer(settings.keyPrefix), Authentication.layer(settings), PlanRoom.layer)
    )
  ),
  setup,
  workers,
  events: keyEvents,
  errors: accessErrors
})
