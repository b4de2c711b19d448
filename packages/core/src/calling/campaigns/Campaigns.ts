/** Campaigns as the API knows them: making, changing, moving and removing one. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { type BotNotFound, Bots } from "../../agents/bots/index.ts"
import { Accounts, type Actor } from "../../platform/accounts/index.ts"
import { Outbox } from "../../platform/events/index.ts"
import { Entity, Instant, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import {
  type LimitReached,
  lock,
  type Read,
  roomFor,
  Storage,
  type StorageError,
  type Tx
} from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"
import {
  type NumberNotFound,
  Numbers,
  TelephonyConfigured,
  TelephonyMissing,
  type TemplateNotFound
} from "../calls/index.ts"
import {
  type Campaign,
  type CampaignFields,
  type CampaignState,
  type CampaignStatus,
  type MoveRefused,
  move,
  newCampaign
} from "./Campaign.ts"
import { CampaignNotFound, InvalidDialingSettings } from "./CampaignErrors.ts"
import { campaignEvent } from "./CampaignEvents.ts"
import { type CampaignFilter, CampaignStore, everyCampaign } from "./CampaignStore.ts"
import { DialerSignal } from "./DialerSignal.ts"
import { type DialingSettings, defaults, mergeSettings, pickSettings, settingNames } from "./DialingSettings.ts"

type ReferenceNotFound = BotNotFound | NumberNotFound | TemplateNotFound

export class Campaigns extends Context.Service<
  Campaigns,
  {
    /** Makes a draft. Source: docs/reference/campaigns.md#campaign. */
    readonly create: (
      tenantId: Ids.AccountId,
      fields: CampaignFields & Pick<Campaign, "name">
    ) => Effect.Effect<Campaign, InvalidDialingSettings | LimitReached | ReferenceNotFound | StorageError>
    readonly get: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId
    ) => Effect.Effect<Campaign, CampaignNotFound | StorageError>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: CampaignFilter,
      page: Page
    ) => Effect.Effect<Paged<Campaign>, StorageError>
    /** Changes fields, judged on the merged record. DialingSettings of a running campaign hold from its next call. */
    readonly change: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId,
      fields: CampaignFields
    ) => Effect.Effect<Campaign, CampaignNotFound | InvalidDialingSettings | ReferenceNotFound | StorageError>
    /** Moves a campaign to a status, if the table allows a caller to. Source: docs/reference/campaigns.md#states. */
    readonly move: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId,
      to: CampaignStatus,
      actor: Actor
    ) => Effect.Effect<Campaign, CampaignNotFound | MoveRefused | TelephonyMissing | StorageError>
    /** Removes a campaign and its list. Calls that were placed stay, and go on. */
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId,
      actor: Actor
    ) => Effect.Effect<void, CampaignNotFound | StorageError>
    /** The account's own campaign, under its lock, in the caller's transaction. */
    readonly locked: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId
    ) => Effect.Effect<CampaignState, CampaignNotFound | StorageError, Tx | Read>
  }
>()("@trunkline/core/calling/campaigns/Campaigns") {
  static readonly layer = Layer.effect(
    Campaigns,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const bots = yield* Bots
      const isConfigured = yield* TelephonyConfigured
      const numbers = yield* Numbers
      const outbox = yield* Outbox
      const storage = yield* Storage
      const store = yield* CampaignStore
      const { wake } = yield* DialerSignal
      const roomForOne = yield* roomFor("campaigns")

      const owned = (tenantId: Ids.AccountId, id: Ids.CampaignId) =>
        Effect.flatMap(store.find(tenantId, id), (found) =>
          found === null ? Effect.fail(new CampaignNotFound({ id })) : Effect.succeed(found)
        )

      const locked = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.CampaignId) {
        yield* lock("campaign", id)
        return yield* owned(tenantId, id)
      })

      /** The lock keeps a number or template from being removed between this look and the commit. */
      const checkReferences = Effect.fnUntraced(function* (tenantId: Ids.AccountId, fields: CampaignFields) {
        const { botId, fromNumberId, voicemailTemplateId } = fields
        if (botId != null) yield* bots.owned(tenantId, botId)
        if (fromNumberId != null) yield* numbers.ownedNumber(tenantId, fromNumberId)
        if (voicemailTemplateId != null) yield* numbers.ownedTemplate(tenantId, voicemailTemplateId)
      })

      const create = tracedFn("Campaigns.create")(function* (
        tenantId: Ids.AccountId,
        fields: CampaignFields & Pick<Campaign, "name">
      ) {
        const settings = yield* settingsOf(defaults, fields)
        yield* lock("numbers", tenantId)
        yield* checkReferences(tenantId, fields)
        yield* roomForOne(tenantId, store.count(tenantId, everyCampaign))
        const at = yield* Instant.now
        const campaign = newCampaign({ ...fields, ...settings }, { id: yield* Ids.fresh<"Campaign">(), tenantId, at })
        yield* store.add(campaign)
        return campaign
      }, storage.transact)

      const change = tracedFn("Campaigns.change")(
        function* (tenantId: Ids.AccountId, id: Ids.CampaignId, fields: CampaignFields) {
          yield* lock("numbers", tenantId)
          const present = yield* locked(tenantId, id)
          const settings = yield* settingsOf(present, fields)
          yield* checkReferences(tenantId, fields)
          const at = yield* Instant.now
          const merged = { ...present, ...fields, ...settings, updatedAt: at }
          const campaign = { ...merged, nextDialAt: dialAfter(merged, at) }
          yield* store.save(campaign)
          return campaign
        },
        storage.transact,
        Effect.tap(wake)
      )

      const moveTo = tracedFn("Campaigns.move")(function* (
        tenantId: Ids.AccountId,
        id: Ids.CampaignId,
        to: CampaignStatus,
        actor: Actor
      ) {
        const present = yield* locked(tenantId, id)
        const decision = yield* Effect.fromResult(move(present.status, to))
        if (decision._tag === "Stay") return { campaign: present, events: [] }
        if (decision.to === "running" && !isConfigured) return yield* new TelephonyMissing()
        const at = yield* Instant.now
        const moved: CampaignState = { ...present, status: decision.to, updatedAt: at, refusals: 0 }
        const campaign = { ...moved, nextDialAt: dialAfter(moved, at) }
        yield* store.save(campaign)
        yield* accounts.record(tenantId, actor, "campaign.status", id, campaign.name)
        const events = yield* outbox.append(
          decision.announce === null ? [] : [campaignEvent(decision.announce, campaign)]
        )
        return { campaign, events }
      }, storage.transact)

      const remove = tracedFn("Campaigns.remove")(function* (
        tenantId: Ids.AccountId,
        id: Ids.CampaignId,
        actor: Actor
      ) {
        const { name } = yield* locked(tenantId, id)
        yield* store.remove(tenantId, id)
        yield* accounts.record(tenantId, actor, "campaign.delete", id, name)
      }, storage.transact)

      return Campaigns.of({
        create,
        change,
        remove,
        locked,
        get: (tenantId, id) => storage.read(owned(tenantId, id)),
        list: (tenantId, filter, page) =>
          storage.read(Effect.all({ items: store.list(tenantId, filter, page), total: store.count(tenantId, filter) })),
        move: Effect.fnUntraced(function* (tenantId, id, to, actor) {
          const { campaign, events } = yield* moveTo(tenantId, id, to, actor)
          yield* outbox.publish(events)
          yield* wake
          return campaign
        })
      })
    })
  )
}

const settingsOf = (
  present: DialingSettings,
  fields: CampaignFields
): Effect.Effect<DialingSettings, InvalidDialingSettings> => {
  const patch: Partial<DialingSettings> = Entity.pick(
    fields,
    settingNames.filter((name) => name in fields)
  )
  const merged = mergeSettings(pickSettings(present), patch)
  return Result.isSuccess(merged)
    ? Effect.succeed(merged.success)
    : Effect.fail(new InvalidDialingSettings({ faults: [...merged.failure] }))
}

/** When the dialer decides a campaign next after a person has changed it. */
const dialAfter = ({ scheduledAt, status }: CampaignState, at: Instant.Instant): Instant.Instant | null => {
  if (status === "running") return at
  return status === "scheduled" ? scheduledAt : null
}
