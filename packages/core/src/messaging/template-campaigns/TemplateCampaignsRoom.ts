/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Brand } from "../../platform/brand/index.ts"
import { nothing, storeTopics } from "../../platform/changes/index.ts"
import { campaignEvents } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { type ReadMetrics, type RoomMetrics, room, sample, type Worker } from "../../platform/room/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { NumberFactsStore, TemplateRecipients, TemplateUses } from "../channels/index.ts"
import { CampaignSignal } from "./CampaignSignal.ts"
import { CampaignTrials } from "./CampaignTrials.ts"
import * as FollowedMessages from "./FollowedMessages.ts"
import { countedAs } from "./RecipientFacts.ts"
import { templateCampaignErrors } from "./TemplateCampaignErrors.ts"
import {
  ContactChangeStore,
  SenderPaceStore,
  TemplateCampaignStore,
  TemplateContactStore,
  TemplateListStore
} from "./TemplateCampaignStore.ts"
import { TemplateCampaigns } from "./TemplateCampaigns.ts"
import { templateCampaignsGroup } from "./TemplateCampaignsApi.ts"
import * as TemplateCampaignsHttp from "./TemplateCampaignsHttp.ts"
import { TemplateContacts } from "./TemplateContacts.ts"
import { TemplateSender } from "./TemplateSender.ts"

/** How soon what was reported of messages is counted, and what must pause a campaign is seen. */
const lookMs = 500

const workers = Effect.gen(function* () {
  const sender = yield* TemplateSender
  return [
    {
      name: "template campaigns",
      switch: "templateCampaigns",
      signal: yield* CampaignSignal,
      nextDue: sender.nextDue,
      onlyWhenDue: true,
      showsPasses: true,
      tick: Effect.map(sender.tick, (hasMore) => (hasMore ? "more" : "idle")),
      // What is under way is about to be answered: it is never sent again.
      drain: { stage: "first", idle: sender.idle, timeoutMs: 5 * Instant.second }
    },
    {
      name: "counting of template messages",
      switch: "templateCampaigns",
      nextDue: sender.nextCount,
      onlyWhenDue: true,
      pollMs: lookMs,
      tick: Effect.map(sender.count, (hasMore) => (hasMore ? "more" : "idle"))
    },
    { name: "watch over template campaigns", switch: "templateCampaigns", everyMs: lookMs, tick: sender.watch },
    { name: "template campaigns' sweep", switch: "templateCampaigns", everyMs: 5 * Instant.second, tick: sender.sweep }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

const metrics = {
  declared: {
    trunkline_template_campaigns_running: {
      type: "gauge",
      labels: [],
      of: "installation",
      help: "Template campaigns that are running, 100000 at most"
    },
    trunkline_template_messages_total: {
      type: "counter",
      labels: ["outcome"],
      of: "process",
      help: "Requests to send a message of a campaign: accepted, refused, or unknown where nobody knows whether it was taken"
    },
    trunkline_template_send_seconds: {
      type: "histogram",
      labels: [],
      of: "process",
      help: "Time from a request to send a message of a campaign to its answer"
    }
  },
  reader: Effect.map(
    TemplateSender,
    ({ durations, outcomes }): ReadMetrics =>
      ({ underWay }) => ({
        ...(underWay === null ? {} : { trunkline_template_campaigns_running: [sample(underWay.templateCampaigns)] }),
        trunkline_template_messages_total: outcomes(),
        trunkline_template_send_seconds: durations()
      })
  )
} satisfies RoomMetrics

/** No page shows template campaigns yet. */
const changes = [
  storeTopics(TemplateCampaignStore, {
    add: nothing,
    save: nothing,
    remove: nothing,
    sweep: nothing
  }),
  storeTopics(ContactChangeStore, { add: nothing, take: nothing }),
  storeTopics(TemplateContactStore, { add: nothing, save: nothing, begin: nothing, requeue: nothing }),
  storeTopics(TemplateListStore, { retry: nothing, remove: nothing }),
  storeTopics(SenderPaceStore, { save: nothing, countRecipients: nothing, sweepRecipients: nothing })
]

/** Statuses of campaigns that still send their template. */
const using = ["scheduled", "running", "paused"] as const

const uses = Layer.effect(
  TemplateUses,
  Effect.gen(function* () {
    const facts = yield* NumberFactsStore
    const store = yield* TemplateCampaignStore
    return {
      isUsed: Effect.fnUntraced(function* ({ businessAccountId, channel, tenantId }, template) {
        const numbers = yield* facts.ofBusinessAccount(channel, businessAccountId)
        for (const number of numbers.filter((one) => one.tenantId === tenantId)) {
          if ((yield* store.using(number.id, template, using)).length > 0) return true
        }
        return false
      })
    }
  })
)

const recipients = Layer.effect(
  TemplateRecipients,
  Effect.map(SenderPaceStore, (paces) => ({
    count: ({ businessAccountId, channel, tenantId }, given, at) => {
      const person = countedAs(given)
      return person === null
        ? Effect.void
        : paces.countRecipients([{ tenantId, channel, businessAccountId, person, at }])
    }
  }))
)

export const Room = room({
  name: "messaging/template-campaigns",
  stores: [TemplateCampaignStore, TemplateContactStore, TemplateListStore, ContactChangeStore, SenderPaceStore],
  changes,
  ports: Layer.mergeAll(FollowedMessages.layer, recipients, uses, CampaignSignal.layer),
  layer: Layer.provideMerge(
    Layer.mergeAll(CampaignTrials.layer, TemplateContacts.layer, TemplateSender.layer),
    TemplateCampaigns.layer
  ),
  api: (brand: Brand) => [templateCampaignsGroup(brand)] as const,
  handlers: (brand: Brand) => TemplateCampaignsHttp.layer(brand),
  workers,
  events: campaignEvents,
  errors: templateCampaignErrors,
  metrics
})
