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
import { KeyUseStore } from "./KeyUseStore.ts"
import { KeyUses } from "./KeyUses.ts"
import * as PlanRoom from "./PlanRoom.ts"

const workers = Effect.gen(function* () {
  const expiry = yield* makeKeyExpiry
  const uses = yield* KeyUses
  return [
    // A key's expiry is published within a minute.
    { name: "expiry of API keys", everyMs: 15 * Instant.second, tick: expiry.tick },
    { name: "last uses of API keys", everyMs: 5 * Instant.second, tick: uses.write }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

const changes = [
  storeTopics(AccessStore, {
    addAccount: ({ id }) => change(id, "account"),
    saveAccount: ({ id }) => change(id, "account"),
    addKey: ({ tenantId }) => change(tenantId, "keys"),
    claimExpired: after((keys) => keys.map(({ tenantId }) => change(tenantId, "keys"))),
    revokeKey: after((isRevoked, { tenantId }) => (isRevoked ? change(tenantId, "keys") : null)),
    saveKey: after((isSaved, { tenantId }) => (isSaved ? change(tenantId, "keys") : null))
  }),
  storeTopics(KeyUseStore, { note: (uses) => uses.map(({ tenantId }) => change(tenantId, "keys")) }),
  storeTopics(AuditStore, { add: nothing })
]

const setup = Effect.gen(function* () {
  const { hasOfKeys } = yield* UsageLogStore
  const uses = yield* KeyUses
  return [
    {
      id: "key",
      // Keys that were used in an earlier release stand in the usage log alone.
      look: (tenantId) =>
        Effect.map(
          Effect.flatMap(uses.hasAny(tenantId), (isUsed) => (isUsed ? Effect.succeed(true) : hasOfKeys(tenantId))),
          setupState
        )
    } satisfies SetupStep<StorageError, Read>
  ]
})

export const Room = room({
  name: "platform/accounts",
  stores: [AccessStore, AuditStore, KeyUseStore],
  changes,
  parts: Layer.unwrap(
    Effect.map(AccessSettings, (settings) =>
      Layer.mergeAll(Accounts.layer, Layer.provideMerge(Authentication.layer(settings), KeyUses.layer), PlanRoom.layer)
    )
  ),
  setup,
  workers,
  events: keyEvents,
  errors: accessErrors
})
