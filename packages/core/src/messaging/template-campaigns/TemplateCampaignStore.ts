/** Ports: template campaigns, their contacts, and what numbers have sent. Source: docs/reference/template-campaigns.md. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant, Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type { ConnectedNumber } from "../channels/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { ContactChange } from "./ContactChange.ts"
import type { ContactReason } from "./SendResult.ts"
import type { TemplateCampaign, TemplateCampaignStatus } from "./TemplateCampaign.ts"
import type { TemplateContact, TemplateContactStatus } from "./TemplateContact.ts"

/** Which campaigns of an account are listed. Null asks for nothing. */
export interface TemplateCampaignFilter {
  readonly status: TemplateCampaignStatus | null
  readonly phoneNumberId: string | null
}

export const everyTemplateCampaign: TemplateCampaignFilter = { status: null, phoneNumberId: null }

/** A campaign that the sender must look at. */
export type DueTemplateCampaign = Pick<TemplateCampaign, "id" | "tenantId" | "phoneId">

/** Lock ("template-sender", phoneId), then ("template-campaign", id), before a campaign is looked for and saved. */
export class TemplateCampaignStore extends Context.Service<
  TemplateCampaignStore,
  {
    readonly add: (campaign: TemplateCampaign) => Effect.Effect<void, StorageError, Tx>
    /** Writes back a campaign that was read under its lock. */
    readonly save: (campaign: TemplateCampaign) => Effect.Effect<void, StorageError, Tx>
    readonly find: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId
    ) => Effect.Effect<TemplateCampaign | null, StorageError, Read>
    /** For the service's own work: a request of a caller names its account, and uses `find`. */
    readonly findInAnyAccount: (
      id: Ids.TemplateCampaignId
    ) => Effect.Effect<TemplateCampaign | null, StorageError, Read>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: TemplateCampaignFilter,
      page: Page
    ) => Effect.Effect<ReadonlyArray<TemplateCampaign>, StorageError, Read>
    readonly count: (
      tenantId: Ids.AccountId,
      filter: TemplateCampaignFilter
    ) => Effect.Effect<number, StorageError, Read>
    /** Removes a campaign with its contacts and their changes: at once or, where there are many, soon; nothing can see them any more. */
    readonly remove: (tenantId: Ids.AccountId, id: Ids.TemplateCampaignId) => Effect.Effect<boolean, StorageError, Tx>
    /** Removes up to `limit` contacts, and as many changes, of campaigns that are gone; returns how many rows it has removed. */
    readonly sweep: (limit: number) => Effect.Effect<number, StorageError, Tx>
    /** Campaigns whose turn it is at `at`, soonest first. Its cost depends on what is due, not on what exists. */
    readonly due: (
      at: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DueTemplateCampaign>, StorageError, Read>
    /** When the next campaign is due; null for none. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** Campaigns of an account that send this template of a number and have a status among these, in the order of their ids. */
    readonly using: (
      phoneId: Ids.PhoneId,
      template: { readonly name: string; readonly language: string | null },
      statuses: ReadonlyArray<TemplateCampaignStatus>
    ) => Effect.Effect<ReadonlyArray<DueTemplateCampaign>, StorageError, Read>
    /** Campaigns of all accounts that are running, in the order of their ids, behind `after`. */
    readonly running: (
      after: Ids.TemplateCampaignId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<TemplateCampaign>, StorageError, Read>
  }
>()("@trunkline/core/messaging/template-campaigns/TemplateCampaignStore") {}

/** Changes of contacts that are to be counted. */
export class ContactChangeStore extends Context.Service<
  ContactChangeStore,
  {
    readonly add: (change: ContactChange) => Effect.Effect<void, StorageError, Tx>
    /** All changes of these campaigns that are to be counted, oldest first. */
    readonly ofCampaigns: (
      ids: ReadonlyArray<Ids.TemplateCampaignId>
    ) => Effect.Effect<ReadonlyArray<ContactChange>, StorageError, Read>
    /**
     * Campaigns that have changes to be counted, at most `limit`, with when the first change was written: those too that are gone, whose
     * changes have only to be taken, and not those of accounts that move.
     */
    readonly waiting: (
      limit: number
    ) => Effect.Effect<
      ReadonlyArray<{ readonly campaignId: Ids.TemplateCampaignId; readonly at: Instant.Instant }>,
      StorageError,
      Read
    >
    /** Takes up to `limit` changes of a campaign that are to be counted, oldest first: they are gone. */
    readonly take: (
      id: Ids.TemplateCampaignId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ContactChange>, StorageError, Tx>
  }
>()("@trunkline/core/messaging/template-campaigns/ContactChangeStore") {}

/** Which contacts of a campaign are listed. Null asks for nothing. */
export interface TemplateContactFilter {
  readonly status: TemplateContactStatus | null
  readonly reason: ContactReason | null
  readonly replied: boolean | null
  /** Keys of `PhoneNumber.seekRange` or longer. */
  readonly phone: { readonly from: string; readonly to: string } | null
}

export const everyTemplateContact: TemplateContactFilter = { status: null, reason: null, replied: null, phone: null }

/** How many contacts have failed or were skipped for one reason. */
export interface FailureCount {
  readonly reason: ContactReason
  readonly code: number | null
  readonly count: number
}

export class TemplateContactStore extends Context.Service<
  TemplateContactStore,
  {
    readonly add: (contacts: ReadonlyArray<TemplateContact>) => Effect.Effect<void, StorageError, Tx>
    /**
     * Writes a contact whose status was `from` when it was read: false, and nothing written, where it is another one by now. Whatever
     * changes a contact asks in this way, so that two that do it at once never lose the other's change; a reply and a price that were
     * written stay.
     */
    readonly save: (contact: TemplateContact, from: TemplateContactStatus) => Effect.Effect<boolean, StorageError, Tx>
    /**
     * Notes that the requests of contacts that are `sending` may begin, and when they are settled; returns those for which this call is
     * the one that may begin it: not those that have begun already, or wait again.
     */
    readonly begin: (
      ids: ReadonlyArray<Ids.TemplateContactId>,
      settleBy: Instant.Instant
    ) => Effect.Effect<ReadonlyArray<Ids.TemplateContactId>, StorageError, Tx>
    /** Has a contact wait again that is `sending` and has not begun: false, and nothing written, where it has, or is something else. */
    readonly requeue: (contact: Pick<TemplateContact, "id" | "tenantId">) => Effect.Effect<boolean, StorageError, Tx>
    /** By id alone, for what a message says. */
    readonly byId: (id: Ids.TemplateContactId) => Effect.Effect<TemplateContact | null, StorageError, Read>
    /** Queued contacts that may be written to: retries that are due first, soonest first, then those that never were tried, in the order of the list. */
    readonly due: (
      campaignId: Ids.TemplateCampaignId,
      at: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<TemplateContact>, StorageError, Read>
    /** The earliest next attempt of a queued contact; null where none waits for one. */
    readonly nextRetryAt: (
      campaignId: Ids.TemplateCampaignId
    ) => Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** Contacts of all campaigns that should have been settled by `at`, and were not; the first ones first. */
    readonly overdue: (
      at: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<TemplateContact>, StorageError, Read>
    /** When the first contact is overdue; null for none. */
    readonly nextOverdue: Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** The last outcomes of a campaign since an instant, newest first, `limit` at most: whether each is a failure that counts. */
    readonly lastOutcomes: (
      campaignId: Ids.TemplateCampaignId,
      since: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Pick<TemplateContact, "status" | "reason">>, StorageError, Read>
    /** Messages of a campaign that were accepted since an instant, those apart of which something else was known before. */
    readonly sentSince: (
      campaignId: Ids.TemplateCampaignId,
      since: Instant.Instant
    ) => Effect.Effect<number, StorageError, Read>
    /** The contact that the newest outbound message of a campaign to this customer went to; null where there is none, or none any more. */
    readonly lastWrittenTo: (customerId: Ids.CustomerId) => Effect.Effect<TemplateContact | null, StorageError, Read>
  }
>()("@trunkline/core/messaging/template-campaigns/TemplateContactStore") {}

/** The list of a campaign as people read it, and put people on it. */
export class TemplateListStore extends Context.Service<
  TemplateListStore,
  {
    readonly find: (
      campaignId: Ids.TemplateCampaignId,
      id: Ids.TemplateContactId
    ) => Effect.Effect<TemplateContact | null, StorageError, Read>
    /** Contacts of a campaign that are on it with one of these numbers or ids; `samePerson` sorts out the rest. */
    readonly near: (
      campaignId: Ids.TemplateCampaignId,
      range: { readonly from: string; readonly to: string }
    ) => Effect.Effect<ReadonlyArray<Pick<TemplateContact, "id" | "matchKey">>, StorageError, Read>
    readonly isUserOn: (
      campaignId: Ids.TemplateCampaignId,
      userId: string
    ) => Effect.Effect<boolean, StorageError, Read>
    /** Has failed contacts with one of these reasons wait again, as if nobody had written to them; returns how many. */
    readonly retry: (
      campaign: { readonly tenantId: Ids.AccountId; readonly campaignId: Ids.TemplateCampaignId },
      reasons: ReadonlyArray<ContactReason>
    ) => Effect.Effect<number, StorageError, Tx>
    /** In the order in which they were added. */
    readonly list: (
      campaignId: Ids.TemplateCampaignId,
      filter: TemplateContactFilter,
      page: Page
    ) => Effect.Effect<ReadonlyArray<TemplateContact>, StorageError, Read>
    readonly count: (
      campaignId: Ids.TemplateCampaignId,
      filter: TemplateContactFilter
    ) => Effect.Effect<number, StorageError, Read>
    /** The first of those behind a place in the list. There are more unless none is returned. */
    readonly after: (
      campaignId: Ids.TemplateCampaignId,
      filter: TemplateContactFilter,
      seq: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<TemplateContact>, StorageError, Read>
    /** Removes a contact alone: its campaign has the counts. */
    readonly remove: (
      contact: Pick<TemplateContact, "id" | "tenantId" | "campaignId">
    ) => Effect.Effect<void, StorageError, Tx>
    /** Why contacts were skipped or have failed, the most frequent first, 20 at most. */
    readonly failures: (
      campaignId: Ids.TemplateCampaignId
    ) => Effect.Effect<ReadonlyArray<FailureCount>, StorageError, Read>
  }
>()("@trunkline/core/messaging/template-campaigns/TemplateListStore") {}

/** How fast a number sends, over all of its campaigns and all processes. */
export interface SenderPace {
  readonly phoneId: Ids.PhoneId
  readonly tenantId: Ids.AccountId
  /** The first instant, in microseconds, at which a further message may go. */
  readonly nextSlot: number
  /** Nothing goes out before then, because the network has said so; null where it has not. */
  readonly heldUntil: Instant.Instant | null
  /** How often in a row the network has slowed the number down. */
  readonly throttles: number
  /** When the rate was last halved; it grows back from then on. Null where it is whole. */
  readonly slowedAt: Instant.Instant | null
  /** The rate at that instant, in percent. */
  readonly slowedTo: number
  /** The contacts whose messages have failed in a row for a reason that is the network's own; fewer than make the number wait. */
  readonly troubled: ReadonlyArray<Ids.TemplateContactId>
}

/** Whom a business account has written to outside of an open reply window. */
export interface TemplateRecipient {
  readonly tenantId: Ids.AccountId
  readonly channel: string
  readonly businessAccountId: string
  /** The match key of the phone, or the network's id of the person. */
  readonly person: string
  /** When they were last written to. */
  readonly at: Instant.Instant
}

/** Lock ("template-sender", phoneId) before the pace of a number is looked for and saved. */
export class SenderPaceStore extends Context.Service<
  SenderPaceStore,
  {
    readonly find: (phoneId: Ids.PhoneId) => Effect.Effect<SenderPace | null, StorageError, Read>
    /** Adds it, or writes it anew. */
    readonly save: (pace: SenderPace) => Effect.Effect<void, StorageError, Tx>
    /** Counts people as written to; those who were counted before are counted from this instant on. */
    readonly countRecipients: (recipients: ReadonlyArray<TemplateRecipient>) => Effect.Effect<void, StorageError, Tx>
    /** Different people that a business account has written to since an instant, over all accounts; `max` at most. */
    readonly recipientsSince: (
      business: Pick<ConnectedNumber, "channel" | "businessAccountId">,
      since: Instant.Instant,
      max: number
    ) => Effect.Effect<number, StorageError, Read>
    /** When the person was last written to who will be the first to leave the count; null where nobody is counted. */
    readonly oldestRecipient: (
      business: Pick<ConnectedNumber, "channel" | "businessAccountId">,
      since: Instant.Instant
    ) => Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** Which of these people are counted since an instant. */
    readonly countedAmong: (
      business: Pick<ConnectedNumber, "channel" | "businessAccountId">,
      people: ReadonlyArray<string>,
      since: Instant.Instant
    ) => Effect.Effect<ReadonlyArray<string>, StorageError, Read>
    /** Removes up to `limit` people who were last written to before an instant; returns how many. */
    readonly sweepRecipients: (before: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/messaging/template-campaigns/SenderPaceStore") {}
