/** What starts a template campaign: its template as the network has it now, and everything that must hold. Source: docs/reference/template-campaigns.md#start. */
import * as Effect from "effect/Effect"
import { Outbox } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { lock, Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import {
  ChatChannels,
  type ConnectedNumber,
  ConnectedNumberStore,
  NumberFactsStore,
  type TemplateFacts,
  type TemplateShape
} from "../channels/index.ts"
import { Templates } from "../templates/index.ts"
import { CampaignSignal } from "./CampaignSignal.ts"
import { type StartFault, startFaults } from "./StartCheck.ts"
import { type Mover, mayMove, type TemplateCampaign, totalOf } from "./TemplateCampaign.ts"
import { StartRefused, TemplateCampaignNotFound, TemplateMoveRefused } from "./TemplateCampaignErrors.ts"
import { templateCampaignEvent } from "./TemplateCampaignEvents.ts"
import { TemplateCampaignStore } from "./TemplateCampaignStore.ts"

/** What a campaign is about to send, as its network says. */
export interface StartLook {
  /** Null where it is not connected to the account any more. */
  readonly number: ConnectedNumber | null
  /** Null where the network has no such template. */
  readonly template: (TemplateFacts & { readonly shape: TemplateShape }) | null
  readonly faults: ReadonlyArray<StartFault>
}

/** Makes what looks at a campaign before it starts, and what starts it. */
export const campaignStarts = Effect.gen(function* () {
  const channels = yield* ChatChannels
  const facts = yield* NumberFactsStore
  const numbers = yield* ConnectedNumberStore
  const outbox = yield* Outbox
  const storage = yield* Storage
  const store = yield* TemplateCampaignStore
  const templates = yield* Templates
  const { wake } = yield* CampaignSignal

  const connected = Effect.fnUntraced(function* ({ phoneNumberId, tenantId }: TemplateCampaign) {
    const number = yield* numbers.connected(phoneNumberId)
    return number?.tenantId === tenantId ? number : null
  })

  /** Reads the template from the network, and says what would refuse the start. */
  const look = Effect.fnUntraced(function* (campaign: TemplateCampaign) {
    const number = yield* storage.read(connected(campaign))
    const read =
      number === null
        ? null
        : yield* templates.named(campaign.tenantId, campaign.phoneNumberId, {
            name: campaign.templateName,
            language: campaign.templateLanguage
          })
    const shapes = number === null ? null : channels.of(number).network.templates
    const template = read === null || shapes === null ? null : { ...read, shape: shapes.shapeOf(read.components ?? []) }
    const faults = startFaults({
      contacts: totalOf(campaign.counts),
      template,
      requireOptIn: campaign.requireOptIn,
      isNumberConnected: number !== null
    })
    return { number, template, faults } satisfies StartLook
  })

  /** Has the network asked about a number: what it says counts from then on, and a failure changes nothing. */
  const readNumber = Effect.fnUntraced(function* ({ phoneNumberId }: ConnectedNumber) {
    yield* lock("numbers", phoneNumberId)
    const number = yield* numbers.connected(phoneNumberId)
    if (number !== null) yield* facts.save({ ...number, factsDueAt: yield* Instant.now })
  }, storage.transact)

  /** Starts or schedules a campaign. `record` notes who has done it, in the transaction. */
  const begin = Effect.fnUntraced(function* (
    campaign: TemplateCampaign,
    { by, to }: { readonly to: "running" | "scheduled"; readonly by: Mover },
    record: (campaign: TemplateCampaign) => Effect.Effect<void, StorageError, Tx>
  ) {
    const { faults, number, template } = yield* look(campaign)
    if (faults.length > 0) return yield* new StartRefused({ reasons: faults })
    const { events, started } = yield* storage.transact(
      Effect.gen(function* () {
        yield* lock("template-sender", campaign.phoneId)
        yield* lock("template-campaign", campaign.id)
        const present = yield* store.find(campaign.tenantId, campaign.id)
        if (present === null) return yield* new TemplateCampaignNotFound({ id: campaign.id })
        if (present.status === to) return { started: present, events: [] }
        if (!mayMove(by, present.status, to)) return yield* new TemplateMoveRefused({ from: present.status, to })
        const at = yield* Instant.now
        const moved: TemplateCampaign = { ...present, status: to, pauseReason: null, updatedAt: at }
        const started: TemplateCampaign =
          to === "running"
            ? {
                ...moved,
                startedAt: present.startedAt ?? at,
                completedAt: null,
                categoryAtStart: template?.category ?? null,
                failuresSince: at,
                invalidInRow: 0,
                nextTurnAt: at
              }
            : { ...moved, nextTurnAt: present.scheduledAt }
        yield* store.save(started)
        yield* record(started)
        return {
          started,
          events: yield* outbox.append(
            to === "running" ? [templateCampaignEvent("campaign.started", started, number)] : []
          )
        }
      })
    )
    yield* outbox.publish(events)
    if (number !== null) yield* readNumber(number)
    yield* wake
    return started
  })

  return { begin, look }
})
