/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { change, nothing, storeTopics } from "../platform/changes/index.ts"
import { room, type SetupStep, setupState } from "../platform/room/index.ts"
import type { Read, StorageError } from "../platform/storage/index.ts"
import { botErrors } from "./bots/BotErrors.ts"
import { BotSecretStore } from "./bots/BotSecretStore.ts"
import { BotSecrets } from "./bots/BotSecrets.ts"
import { BotStore } from "./bots/BotStore.ts"
import { Bots } from "./bots/Bots.ts"
import { botsGroup } from "./bots/BotsApi.ts"
import * as BotsHttp from "./bots/BotsHttp.ts"
import { Knowledge } from "./bots/Knowledge.ts"
import { KnowledgeStore } from "./bots/KnowledgeStore.ts"

const changes = [
  storeTopics(BotStore, {
    add: ({ tenantId }) => change(tenantId, "agents"),
    lock: nothing,
    // Whether a conversation needs a person depends on its agent.
    save: ({ tenantId }) => change(tenantId, "agents", "conversations"),
    remove: (tenantId) => change(tenantId, "agents")
  }),
  // Secrets are shown masked, and change with the agent's settings.
  storeTopics(BotSecretStore, { put: nothing, remove: nothing, replace: nothing }),
  storeTopics(KnowledgeStore, {
    add: ({ tenantId }) => change(tenantId, "agents"),
    save: ({ tenantId }) => change(tenantId, "agents"),
    remove: ({ tenantId }) => change(tenantId, "agents"),
    // Its agent is removed with it.
    removeAll: nothing
  })
]

const setup = Effect.map(BotStore, ({ list }) => [
  {
    id: "agent",
    look: (tenantId) =>
      Effect.map(list(tenantId, { limit: 500, offset: 0 }), (bots) =>
        setupState(
          bots.some(({ isActive, systemPrompt }) => isActive && systemPrompt !== null && systemPrompt.trim() !== "")
        )
      )
  } satisfies SetupStep<StorageError, Read>
])

export const Room = room({
  name: "agents",
  stores: [BotStore, BotSecretStore, KnowledgeStore],
  changes,
  parts: Layer.provideMerge(Bots.layer, BotSecrets.layer),
  layer: Knowledge.layer,
  api: () => [botsGroup],
  handlers: BotsHttp.layer,
  setup,
  errors: botErrors,
  reencrypt: Effect.map(BotSecrets, ({ reencrypt }) => [reencrypt])
})
