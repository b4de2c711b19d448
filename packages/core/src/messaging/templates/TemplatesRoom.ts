/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Brand } from "../../platform/brand/index.ts"
import { nothing, storeTopics } from "../../platform/changes/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { TemplateCategories } from "../channels/index.ts"
import { KnownTemplateStore } from "./KnownTemplate.ts"
import { KnownTemplates } from "./KnownTemplates.ts"
import { templateStatus } from "./TemplateEventEntries.ts"
import { Templates } from "./Templates.ts"
import { templatesGroup } from "./TemplatesApi.ts"
import * as TemplatesHttp from "./TemplatesHttp.ts"

const pollMs = 5000

const workers = Effect.map(
  Templates,
  ({ nextRead, readDue }) =>
    [
      {
        name: "reading what is known of templates",
        switch: "replies",
        nextDue: nextRead,
        onlyWhenDue: true,
        pollMs,
        tick: Effect.as(readDue, "more" as const)
      }
    ] satisfies ReadonlyArray<Worker<StorageError>>
)

/** No page shows what is known of templates: they are read from the network. */
const changes = [storeTopics(KnownTemplateStore, { save: nothing, remove: nothing, claimReads: nothing })]

const categories = Layer.effect(
  TemplateCategories,
  Effect.map(KnownTemplateStore, ({ named }) => ({
    of: ({ businessAccountId, channel, tenantId }, { language, name }) =>
      Effect.map(
        named({ businessAccountId, channel, tenantId }, name, language),
        (template) => template?.category ?? null
      )
  }))
)

export const Room = room({
  name: "messaging/templates",
  stores: [KnownTemplateStore],
  changes,
  ports: Layer.merge(KnownTemplates.layer, categories),
  layer: Templates.layer,
  api: (brand: Brand) => [templatesGroup(brand)] as const,
  handlers: (brand: Brand) => TemplatesHttp.layer(brand),
  workers,
  events: [templateStatus]
})
