/** Template campaigns as the API knows them: making, changing, moving and removing one. Source: docs/reference/template-campaigns.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, type Actor, operator } from "../../platform/accounts/index.ts"
import { Outbox } from "../../platform/events/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import {
  type LimitReached,
  lock,
  type Read,
  roomFor,
  Storage,
  type StorageError,
  type Tx
} from "../../platform/storage/index.ts"
import {
  ChatChannels,
  type ConnectedNumber,
  type ConnectedNumberNotFound,
  ConnectedNumberStore,
  ConnectedNumbers,
  channelLacks,
  type PlatformMissing,
  type PlatformRefusal,
  type PlatformTrouble
} from "../channels/index.ts"
import * as Ids from "../MessagingIds.ts"
import { KnownTemplateStore } from "../templates/index.ts"
import { begunAnew } from "./CampaignCounting.ts"
import { type CampaignSettings, checkCampaign } from "./CampaignSettings.ts"
import { CampaignSignal } from "./CampaignSignal.ts"
import { campaignStarts } from "./CampaignStart.ts"
import { type ContactChange, withChanges } from "./ContactChange.ts"
import { type LiveCampaign, liveCampaigns } from "./LiveCampaign.ts"
import type { ContactReason } from "./SendResult.ts"
import {
  hasEnded,
  mayMove,
  newTemplateCampaign,
  pickCampaignSettings,
  type TemplateCampaign,
  type TemplateCampaignStatus,
  type TemplateName
} from "./TemplateCampaign.ts"
import {
  CampaignRunning,
  InvalidTemplateCampaign,
  ScheduleMissing,
  type StartRefused,
  TemplateCampaignEnded,
  TemplateCampaignNotFound,
  TemplateFixed,
  TemplateMoveRefused
} from "./TemplateCampaignErrors.ts"
import { templateCampaignEvent } from "./TemplateCampaignEvents.ts"
import {
  ContactChangeStore,
  everyTemplateCampaign,
  type TemplateCampaignFilter,
  TemplateCampaignStore,
  TemplateListStore
} from "./TemplateCampaignStore.ts"
import { parameterFaults } from "./TemplateFill.ts"

/** A campaign, with what is known of its template; null where nothing is. */
export interface TemplateCampaignView extends TemplateCampaign {
  readonly category: string | null
  readonly templateStatus: string | null
  readonly templateQuality: string | null
}

/** What a caller may set. */
export type TemplateCampaignFields = Partial<
  Pick<TemplateCampaign, "name" | "parameters" | "scheduledAt" | keyof CampaignSettings> & {
    readonly template: TemplateName
  }
>

export type NewTemplateCampaignFields = TemplateCampaignFields & {
  readonly name: string
  readonly phoneNumberId: string
  readonly template: TemplateName
}

type Moved =
  | ConnectedNumberNotFound
  | PlatformMissing
  | PlatformTrouble
  | ScheduleMissing
  | StartRefused
  | StorageError
  | TemplateCampaignNotFound
  | TemplateMoveRefused

export class TemplateCampaigns extends Context.Service<
  TemplateCampaigns,
  {
    /** Makes a draft. It asks the platform nothing. */
    readonly create: (
      tenantId: Ids.AccountId,
      fields: NewTemplateCampaignFields
    ) => Effect.Effect<
      TemplateCampaignView,
      ConnectedNumberNotFound | InvalidTemplateCampaign | LimitReached | PlatformRefusal | StorageError
    >
    readonly get: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId
    ) => Effect.Effect<TemplateCampaignView, StorageError | TemplateCampaignNotFound>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: TemplateCampaignFilter,
      page: Page
    ) => Effect.Effect<Paged<TemplateCampaignView>, StorageError>
    /** Changes fields, judged on the merged record. What a running campaign sends next is sent by them. */
    readonly change: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId,
      fields: TemplateCampaignFields
    ) => Effect.Effect<
      TemplateCampaignView,
      InvalidTemplateCampaign | StorageError | TemplateCampaignEnded | TemplateCampaignNotFound | TemplateFixed
    >
    /** Removes a campaign and its list. Its messages stay in their conversations. */
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId,
      actor?: Actor
    ) => Effect.Effect<void, CampaignRunning | StorageError | TemplateCampaignNotFound>
    /** Moves a campaign to a status, if the table allows a caller to. A start reads the template from the platform and is refused where it could not send. */
    readonly move: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId,
      to: TemplateCampaignStatus,
      actor?: Actor
    ) => Effect.Effect<TemplateCampaignView, Moved>
    /** Has failed contacts with one of these reasons written to again; a completed campaign runs again for them. Returns how many. */
    readonly retry: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId,
      reasons: ReadonlyArray<ContactReason>,
      actor?: Actor
    ) => Effect.Effect<number, Moved>
    /** What it is doing now, and what it waits for. */
    readonly live: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId
    ) => Effect.Effect<LiveCampaign, StorageError | TemplateCampaignNotFound>
    /** The account's own campaign, under its locks, in the caller's transaction. */
    readonly locked: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId
    ) => Effect.Effect<TemplateCampaign, StorageError | TemplateCampaignNotFound, Tx | Read>
  }
>()("@trunkline/core/messaging/template-campaigns/TemplateCampaigns") {
  static readonly layer = Layer.effect(
    TemplateCampaigns,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const changes = yield* ContactChangeStore
      const channels = yield* ChatChannels
      const contacts = yield* TemplateListStore
      const known = yield* KnownTemplateStore
      const numbers = yield* ConnectedNumbers
      const numberStore = yield* ConnectedNumberStore
      const outbox = yield* Outbox
      const live = yield* liveCampaigns
      const starts = yield* campaignStarts
      const storage = yield* Storage
      const store = yield* TemplateCampaignStore
      const { wake } = yield* CampaignSignal
      const roomForOne = yield* roomFor("campaigns")

      const owned = (tenantId: Ids.AccountId, id: Ids.TemplateCampaignId) =>
        Effect.flatMap(store.find(tenantId, id), (found) =>
          found === null ? Effect.fail(new TemplateCampaignNotFound({ id })) : Effect.succeed(found)
        )

      const locked = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.TemplateCampaignId) {
        // A campaign keeps its number for good.
        const { phoneId } = yield* owned(tenantId, id)
        yield* lock("template-sender", phoneId)
        yield* lock("template-campaign", id)
        return yield* owned(tenantId, id)
      })

      const templateOf = Effect.fnUntraced(function* (
        number: Pick<ConnectedNumber, "tenantId" | "channel" | "businessAccountId"> | null,
        { templateLanguage, templateName }: Pick<TemplateCampaign, "templateLanguage" | "templateName">
      ) {
        if (number === null) return null
        const { businessAccountId, channel, tenantId } = number
        return yield* known.named({ tenantId, channel, businessAccountId }, templateName, templateLanguage)
      })

      const viewOf = Effect.fnUntraced(function* (campaign: TemplateCampaign, waiting: ReadonlyArray<ContactChange>) {
        const template = yield* templateOf(yield* numberStore.byId(campaign.phoneId), campaign)
        const own = waiting.filter(({ campaignId }) => campaignId === campaign.id)
        return {
          ...withChanges(campaign, own),
          category: template?.category ?? null,
          templateStatus: template?.status ?? null,
          templateQuality: template?.quality ?? null
        } satisfies TemplateCampaignView
      })

      const shown = Effect.fnUntraced(function* (campaign: TemplateCampaign) {
        return yield* viewOf(campaign, yield* changes.ofCampaigns([campaign.id]))
      })

      const checked = Effect.fnUntraced(function* (
        campaign: Pick<TemplateCampaign, "parameters" | "templateLanguage" | "templateName" | keyof CampaignSettings>,
        number: ConnectedNumber | null
      ) {
        const template = yield* templateOf(number, campaign)
        const faults = [
          ...checkCampaign(pickCampaignSettings(campaign), template?.category ?? null),
          ...parameterFaults(campaign.parameters)
        ]
        if (faults.length > 0) return yield* new InvalidTemplateCampaign({ faults })
      })

      const create = tracedFn("TemplateCampaigns.create")(function* (
        tenantId: Ids.AccountId,
        { phoneNumberId, template, ...fields }: NewTemplateCampaignFields
      ) {
        const number = yield* numbers.owned(tenantId, phoneNumberId)
        if (channels.of(number).network.templates === null) return yield* channelLacks("templates")
        const id = yield* Ids.fresh<"TemplateCampaign">()
        const campaign = newTemplateCampaign(
          { ...fields, id, tenantId, ...namesOf(number, template) },
          yield* Instant.now
        )
        yield* checked(campaign, number)
        yield* roomForOne(tenantId, store.count(tenantId, everyTemplateCampaign))
        yield* store.add(campaign)
        return yield* viewOf(campaign, [])
      }, storage.transact)

      const change = tracedFn("TemplateCampaigns.change")(
        function* (
          tenantId: Ids.AccountId,
          id: Ids.TemplateCampaignId,
          { template, ...fields }: TemplateCampaignFields
        ) {
          const present = yield* locked(tenantId, id)
          if (hasEnded(present.status)) return yield* new TemplateCampaignEnded({ status: present.status })
          const isOther =
            template !== undefined &&
            (template.name !== present.templateName || template.language !== present.templateLanguage)
          if (isOther && present.status !== "draft") return yield* new TemplateFixed({ status: present.status })
          const at = yield* Instant.now
          const merged: TemplateCampaign = {
            ...present,
            ...fields,
            ...(template === undefined ? {} : { templateName: template.name, templateLanguage: template.language }),
            updatedAt: at
          }
          yield* checked(merged, yield* numberStore.byId(present.phoneId))
          const campaign = { ...merged, nextTurnAt: turnAfter(merged, at) }
          yield* store.save(campaign)
          return yield* shown(campaign)
        },
        storage.transact,
        Effect.tap(wake)
      )

      const remove = tracedFn("TemplateCampaigns.remove")(function* (
        tenantId: Ids.AccountId,
        id: Ids.TemplateCampaignId,
        actor: Actor = operator
      ) {
        const { name, status } = yield* locked(tenantId, id)
        if (status === "running") return yield* new CampaignRunning()
        yield* store.remove(tenantId, id)
        yield* accounts.record(tenantId, actor, "template_campaign.delete", id, name)
      }, storage.transact)

      /** A move that asks the platform nothing. */
      const moved = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        id: Ids.TemplateCampaignId,
        to: TemplateCampaignStatus,
        actor: Actor
      ) {
        const present = yield* locked(tenantId, id)
        if (present.status === to) return yield* shown(present)
        if (!mayMove("caller", present.status, to)) return yield* new TemplateMoveRefused({ from: present.status, to })
        const at = yield* Instant.now
        const campaign: TemplateCampaign = {
          ...present,
          status: to,
          pauseReason: null,
          nextTurnAt: null,
          updatedAt: at
        }
        yield* store.save(campaign)
        if (to !== "draft") {
          const action = to === "paused" ? "template_campaign.pause" : "template_campaign.cancel"
          yield* accounts.record(tenantId, actor, action, id, campaign.name)
        }
        return yield* shown(campaign)
      }, storage.transact)

      const move = tracedFn("TemplateCampaigns.move")(function* (
        tenantId: Ids.AccountId,
        id: Ids.TemplateCampaignId,
        to: TemplateCampaignStatus,
        actor: Actor = operator
      ) {
        if (to !== "scheduled" && to !== "running") return yield* moved(tenantId, id, to, actor)
        const present = yield* storage.read(owned(tenantId, id))
        if (present.status === to) return yield* storage.read(shown(present))
        if (!mayMove("caller", present.status, to)) return yield* new TemplateMoveRefused({ from: present.status, to })
        if (to === "scheduled" && !isLater(present.scheduledAt, yield* Instant.now)) return yield* new ScheduleMissing()
        const started = yield* starts.begin(present, { to, by: "caller" }, (campaign) =>
          accounts.record(tenantId, actor, "template_campaign.start", id, campaign.name)
        )
        return yield* storage.read(shown(started))
      })

      const retry = tracedFn("TemplateCampaigns.retry")(function* (
        tenantId: Ids.AccountId,
        id: Ids.TemplateCampaignId,
        reasons: ReadonlyArray<ContactReason>,
        actor: Actor = operator
      ) {
        const { events, queued } = yield* storage.transact(
          Effect.gen(function* () {
            const present = yield* locked(tenantId, id)
            const { status } = present
            if (status !== "paused" && status !== "completed") {
              return yield* new TemplateMoveRefused({ from: status, to: "running" })
            }
            const queued = yield* contacts.retry({ tenantId, campaignId: id }, reasons)
            const at = yield* Instant.now
            const counts = {
              ...present.counts,
              failed: present.counts.failed - queued,
              queued: present.counts.queued + queued
            }
            const isBegun = status === "completed" && queued > 0
            const campaign: TemplateCampaign = isBegun
              ? { ...begunAnew(present, at), counts }
              : { ...present, counts, updatedAt: at }
            yield* store.save(campaign)
            yield* accounts.record(tenantId, actor, "template_campaign.retry", id, campaign.name)
            const number = yield* numberStore.byId(campaign.phoneId)
            return {
              queued,
              events: yield* outbox.append(isBegun ? [templateCampaignEvent("campaign.started", campaign, number)] : [])
            }
          })
        )
        yield* outbox.publish(events)
        yield* wake
        return queued
      })

      return TemplateCampaigns.of({
        live,
        create,
        change,
        remove,
        move,
        retry,
        locked,
        get: (tenantId, id) => storage.read(Effect.flatMap(owned(tenantId, id), shown)),
        list: (tenantId, filter, page) =>
          storage.read(
            Effect.gen(function* () {
              const found = yield* store.list(tenantId, filter, page)
              const waiting = yield* changes.ofCampaigns(found.map(({ id }) => id))
              const items = yield* Effect.forEach(found, (campaign) => viewOf(campaign, waiting))
              return { items, total: yield* store.count(tenantId, filter) }
            })
          )
      })
    })
  )
}

const isLater = (at: Instant.Instant | null, now: Instant.Instant): boolean => at !== null && at > now

const namesOf = ({ id, phoneNumberId }: ConnectedNumber, { language, name }: TemplateName) => ({
  phoneId: id,
  phoneNumberId,
  templateName: name,
  templateLanguage: language
})

/** When the sender decides a campaign next after a person has changed it. */
const turnAfter = ({ scheduledAt, status }: TemplateCampaign, at: Instant.Instant): Instant.Instant | null => {
  if (status === "running") return at
  return status === "scheduled" ? scheduledAt : null
}
