/** Campaigns that send a template to many people, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { MessagingLimit, Quality } from "../../messaging/channels/index.ts"
import type { NativeSent } from "../../messaging/sending/index.ts"
import {
  type CampaignSettings,
  CampaignTrials,
  type ContactReason,
  type ContactsListed,
  type PauseReason,
  type retriableReasons,
  type SegmentAdded,
  type SendingHoldReason,
  shownLive,
  shownTemplateCampaign,
  TemplateCampaignStatus,
  TemplateCampaigns,
  type TemplateCampaignView,
  type TemplateContact,
  TemplateContactRecord,
  type TemplateContactStatus,
  TemplateContacts,
  type templateCampaignStatuses
} from "../../messaging/template-campaigns/index.ts"
import * as CampaignsApi from "../../messaging/template-campaigns/TemplateCampaignsApi.ts"
import {
  contactFilter,
  givenContact,
  givenSegment,
  standardRetry
} from "../../messaging/template-campaigns/TemplateCampaignsHttp.ts"
import { operator } from "../../platform/accounts/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { Instant, type Paged, Wire } from "../../platform/kernel/index.ts"
import type { ImportReport } from "../../platform/overview/index.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, ofAccount, type PageOptions, shownPage } from "../Facade.ts"
import * as Ids from "../HostIds.ts"
import { type FileGiven, fileGiven, type ImportOptions, importOptions, uploadOf } from "./ImportArguments.ts"

type RetriableReason = (typeof retriableReasons)[number]
type Status = (typeof templateCampaignStatuses)[number]

/** What fills one place of a template: a text for everybody, or a field of each contact. Source: docs/reference/template-campaigns.md#variables. */
export type TemplateParameterGiven =
  | { readonly value: string }
  | { readonly field: string; readonly fallback?: string | null }

/** Fields of a template campaign that a host may set. Source: docs/reference/template-campaigns.md#campaign. */
export interface TemplateCampaignChange {
  /** The name that people see. */
  readonly name?: string
  /** The template that is sent. It can be changed while the campaign is a draft. */
  readonly template?: { readonly name: string; readonly language: string }
  /** What fills the template, by the place, such as `body.1` or `header.media`. */
  readonly parameters?: Readonly<Record<string, TemplateParameterGiven>>
  /** A `Date`, milliseconds since 1970 UTC, or an ISO 8601 instant; null for no time. */
  readonly scheduledAt?: Date | number | string | null
  /** The IANA zone in which the hours and the days are read. */
  readonly timezone?: string
  /** The first local hour in which a message may go out, 0 to 23. */
  readonly quietHoursStart?: number
  /** The local hour from which on no further message may go out, 1 to 24; 24 is midnight. */
  readonly quietHoursEnd?: number
  /** Messages in one second, 1 to 1000; null for what the number has. */
  readonly maxPerSecond?: number | null
  /** Messages in one local day of the zone, 1 to 1,000,000; null for no limit. */
  readonly maxPerDay?: number | null
  /** Whether people who have not agreed to be messaged are skipped. */
  readonly requireOptIn?: boolean
  /** Whether people on the do-not-call list are skipped. */
  readonly respectDoNotCall?: boolean
  /** The rating of the number or the template at which the campaign pauses: `red`, `yellow` or `never`. */
  readonly pauseOnQuality?: CampaignSettings["pauseOnQuality"]
  /** The share of failures, in percent, above which the campaign pauses, 1 to 100; at 100 it never does. */
  readonly maxFailurePercent?: number
  /** Whether a message that the platform keeps from a customer for now is sent once more a day later. */
  readonly retryMarketingLimit?: boolean
  /** The hours within which a customer's message is a reply, 1 to 168. */
  readonly replyWindowHours?: number
}

/** Null stands for an absent field. Source: docs/reference/template-campaigns.md#campaign. */
export interface NewTemplateCampaign {
  /** The name that people see. */
  readonly name: string
  /** The platform's id of the connected number that sends the messages. It cannot be changed later. */
  readonly phoneNumberId: string
  /** The template that is sent. */
  readonly template: { readonly name: string; readonly language: string }
  /** What fills the template, by the place, such as `body.1` or `header.media`. Default: the contacts' own variables. */
  readonly parameters?: Readonly<Record<string, TemplateParameterGiven>> | null
  /** A `Date`, milliseconds since 1970 UTC, or an ISO 8601 instant. */
  readonly scheduledAt?: Date | number | string | null
  /** The IANA zone in which the hours and the days are read. Default `Asia/Kolkata`. */
  readonly timezone?: string | null
  /** The first local hour in which a message may go out, 0 to 23. Default 9. */
  readonly quietHoursStart?: number | null
  /** The local hour from which on no further message may go out, 1 to 24; 24 is midnight. Default 21. */
  readonly quietHoursEnd?: number | null
  /** Messages in one second, 1 to 1000. Default: what the number has. */
  readonly maxPerSecond?: number | null
  /** Messages in one local day of the zone, 1 to 1,000,000. Default: no limit. */
  readonly maxPerDay?: number | null
  /** Whether people who have not agreed to be messaged are skipped. Default true. */
  readonly requireOptIn?: boolean | null
  /** Whether people on the do-not-call list are skipped. Default true. */
  readonly respectDoNotCall?: boolean | null
  /** The rating of the number or the template at which the campaign pauses: `red`, `yellow` or `never`. Default `red`. */
  readonly pauseOnQuality?: CampaignSettings["pauseOnQuality"] | null
  /** The share of failures, in percent, above which the campaign pauses, 1 to 100; at 100 it never does. Default 30. */
  readonly maxFailurePercent?: number | null
  /** Whether a message that the platform keeps from a customer for now is sent once more a day later. Default false. */
  readonly retryMarketingLimit?: boolean | null
  /** The hours within which a customer's message is a reply, 1 to 168. Default 72. */
  readonly replyWindowHours?: number | null
}

/** A template campaign, as it is shown. Source: docs/reference/template-campaigns.md#campaign. */
export interface TemplateCampaignShown extends CampaignSettings {
  /** The id of the campaign. */
  readonly id: Ids.TemplateCampaignId
  /** The id of the account. */
  readonly tenantId: Ids.AccountId
  /** The name that people see. */
  readonly name: string
  /** The platform's id of the connected number that sends the messages. */
  readonly phoneNumberId: string
  /** The template that is sent. */
  readonly template: { readonly name: string; readonly language: string }
  /** The category of the template, in the platform's words; null until it is known. */
  readonly category: string | null
  /** The status of the template, in the platform's words; null until it is known. */
  readonly templateStatus: string | null
  /** The rating of the template, in the platform's words; null until it is known. */
  readonly templateQuality: string | null
  /** What fills the template, by the place. */
  readonly parameters: Readonly<
    Record<string, { readonly value: string } | { readonly field: string; readonly fallback?: string | null }>
  >
  /** `draft`, `scheduled`, `running`, `paused`, `completed` or `cancelled`. */
  readonly status: Status
  /** Why the service has paused the campaign; null where a person has, or nobody. */
  readonly pauseReason: PauseReason | null
  /** When a scheduled campaign starts by itself. */
  readonly scheduledAt: Instant.Instant | null
  /** Everybody on the list. */
  readonly totalContacts: number
  /** Contacts whose message the platform has accepted, and that have not failed since. */
  readonly sentContacts: number
  /** Contacts whose message was delivered. */
  readonly deliveredContacts: number
  /** Contacts who have read their message. */
  readonly readContacts: number
  /** Contacts whose message has failed. */
  readonly failedContacts: number
  /** Contacts to whom nothing was sent, for a reason that each of them has. */
  readonly skippedContacts: number
  /** Contacts who have replied. */
  readonly repliedContacts: number
  /** Messages that the platform has named a price for, by category. */
  readonly pricing: Readonly<Record<string, { readonly billable: number; readonly free: number }>>
  /** When it was first started; null before. */
  readonly startedAt: Instant.Instant | null
  /** When everybody on the list had an outcome; null before. */
  readonly completedAt: Instant.Instant | null
  /** When it was made. */
  readonly createdAt: Instant.Instant
  /** When it was last changed. */
  readonly updatedAt: Instant.Instant
}

/** Somebody to write to: by phone, or by the platform's id. Source: docs/reference/template-campaigns.md#contacts. */
export interface NewTemplateContact {
  /** An international number, however it is written. */
  readonly phone?: string | null
  /** Instead of it, or beside it: the platform's id of the person. */
  readonly userId?: string | null
  /** The name of the person. */
  readonly name?: string | null
  /** What fills the template for this person: at most 64 texts, by name. */
  readonly variables?: Readonly<Record<string, string>> | null
  /** Whether the person has agreed to be messaged. Default false. */
  readonly optedIn?: boolean | null
}

/** A person on the list of one campaign. Source: docs/reference/template-campaigns.md#contacts. */
export interface TemplateContactShown {
  /** The id of the contact. */
  readonly id: Ids.TemplateContactId
  /** As it was given; null where only the platform's id is known. */
  readonly phone: string | null
  /** The platform's id of the person; null where none is known. */
  readonly userId: string | null
  /** The name of the person; null where none is known. */
  readonly name: string | null
  /** What fills the template for this person, by name. */
  readonly variables: Readonly<Record<string, string>>
  /** Whether the person has agreed to be messaged. */
  readonly optedIn: boolean
  /** `queued`, `sending`, `sent`, `delivered`, `read`, `skipped`, `failed` or `unknown`. */
  readonly status: TemplateContactStatus
  /** Why the contact was skipped or has failed; null for all others. */
  readonly reason: ContactReason | null
  /** What went wrong last; null where nothing did. */
  readonly error: { readonly code: number | null; readonly message: string } | null
  /** Requests that the platform has answered and that count. */
  readonly attempts: number
  /** When it is tried again; null where no further attempt is due. */
  readonly nextAttemptAt: Instant.Instant | null
  /** Whether the platform holds the message back for now. */
  readonly held: boolean
  /** The message in its conversation; null before. */
  readonly messageId: Ids.MessageId | null
  /** The platform's id of the message; null before. */
  readonly msgid: string | null
  /** The conversation that the message is in; null before. */
  readonly conversationId: Ids.ConversationId | null
  /** When the platform accepted the message; null before. */
  readonly sentAt: Instant.Instant | null
  /** When the message was delivered; null before. */
  readonly deliveredAt: Instant.Instant | null
  /** When the message was read; null before. */
  readonly readAt: Instant.Instant | null
  /** When the message failed; null where it has not. */
  readonly failedAt: Instant.Instant | null
  /** When the person replied; null before. */
  readonly repliedAt: Instant.Instant | null
  /** The reply; null before. */
  readonly reply: {
    readonly messageId: Ids.MessageId
    readonly text: string | null
    readonly button: string | null
  } | null
  /** What the platform says of the message's price; null before. */
  readonly pricing: {
    readonly category: string | null
    readonly type: string | null
    readonly billable: boolean | null
  } | null
  /** When the contact was added. */
  readonly createdAt: Instant.Instant
}

/** Whom of the address book a list gets. Source: docs/reference/template-campaigns.md#contacts. */
export interface ContactSegment {
  /** Tags of contacts in the address book, 1 to 50. */
  readonly tags: ReadonlyArray<string>
  /** `any` where one of the tags is enough, `all` where all of them are needed. Default `any`. */
  readonly match?: "any" | "all" | null
  /** Nobody who has one of these tags. At most 50. */
  readonly excludeTags?: ReadonlyArray<string> | null
  /** True for people alone who have agreed to be messaged. Default false. */
  readonly optedIn?: boolean | null
  /** True to count without adding anybody. Default false. */
  readonly dryRun?: boolean | null
}

/** Which campaigns are listed, and which page of them. */
export interface TemplateCampaignsQuery extends PageOptions {
  /** Campaigns with this status alone. */
  readonly status?: Status
  /** Campaigns alone that send from this number, by the platform's id. */
  readonly phoneNumberId?: string
}

/** Which contacts are listed, and which page of them. */
export interface TemplateContactsQuery extends PageOptions {
  /** Contacts with this status alone. */
  readonly status?: TemplateContactStatus
  /** Contacts alone that were skipped or have failed for this reason. */
  readonly reason?: ContactReason
  /** Contacts alone who have replied, or who have not. */
  readonly replied?: boolean
  /** Contacts alone whose number ends in these digits. */
  readonly phone?: string
}

/** Whom a message is tried with: by phone, or by the platform's id. */
export interface TemplateTrial {
  /** An international number, however it is punctuated. */
  readonly to?: string | null
  /** Instead of it: the platform's id of the person. */
  readonly userId?: string | null
  /** What fills the template, by name. */
  readonly variables?: Readonly<Record<string, string>> | null
}

/** What is known of the number of a campaign. */
export interface TemplateCampaignNumber {
  /** The rating of the number; null where none is known. */
  readonly qualityRating: Quality | null
  /** How many people the number may write to outside of open reply windows; null where it is not known. */
  readonly messagingLimit: MessagingLimit | null
  /** People who count towards the limit now. */
  readonly used24h: number
}

/** What a campaign is doing at this moment. Source: docs/reference/template-campaigns.md#live. */
export interface TemplateCampaignLive {
  /** The id of the campaign. */
  readonly campaignId: Ids.TemplateCampaignId
  /** The status of the campaign. */
  readonly status: Status
  /** Why the service has paused it; null where it has not. */
  readonly pauseReason: PauseReason | null
  /** How many contacts have which status. */
  readonly byStatus: Readonly<Record<TemplateContactStatus, number>>
  /** Messages in a second, over the last ten seconds. */
  readonly messagesPerSecond: number
  /** When the last message goes out, at this rate; null where that cannot be said. */
  readonly eta: Instant.Instant | null
  /** Why contacts were skipped or have failed, the most frequent first, at most 20. */
  readonly failures: ReadonlyArray<{
    readonly reason: ContactReason
    readonly code: number | null
    readonly count: number
  }>
  /** What is known of the template, in the platform's words. */
  readonly template: {
    readonly status: string | null
    readonly quality: string | null
    readonly category: string | null
  }
  /** What is known of the number. */
  readonly number: TemplateCampaignNumber
  /** Why no message goes out now, and until when; null while one can. */
  readonly waitingFor: { readonly reason: SendingHoldReason; readonly until: Instant.Instant | null } | null
}

/** What a campaign would do if it started at once. Source: docs/reference/template-campaigns.md#dry-run. */
export interface TemplateCampaignDryRun {
  /** Everybody on the list. */
  readonly contacts: number
  /** Contacts to whom a message would be sent. */
  readonly sendable: number
  /** Contacts who would be skipped, by the reason. */
  readonly skipped: Readonly<Partial<Record<ContactReason, number>>>
  /** What would refuse the start. */
  readonly errors: ReadonlyArray<{ readonly code: string; readonly message: string }>
  /** What does not refuse the start, and is worth a look. */
  readonly warnings: ReadonlyArray<{ readonly code: string; readonly message: string }>
  /** The first five messages, as they would be sent. */
  readonly samples: ReadonlyArray<{
    readonly contactId: Ids.TemplateContactId
    readonly to: string
    readonly template: { readonly [name: string]: unknown }
    readonly text: string
  }>
  /** What is known of the template, in the platform's words. */
  readonly template: {
    readonly name: string
    readonly language: string
    readonly category: string | null
    readonly status: string | null
    readonly quality: string | null
  }
  /** What is known of the number. */
  readonly number: TemplateCampaignNumber
  /** What the messages are likely to cost, by the operator's rates; `cost` is null where no rate is for some of them. */
  readonly estimate: {
    readonly category: string | null
    readonly messages: number
    readonly free: number
    readonly currency: string
    readonly cost: string | null
    readonly byPrefix: ReadonlyArray<{
      readonly prefix: string
      readonly messages: number
      readonly rate: string
      readonly cost: string
    }>
  }
  /** How long the messages take at the rate of the campaign, hours and limits left out. */
  readonly durationSeconds: number
}

/** Source: docs/reference/template-campaigns.md. */
export interface TemplateCampaignsFacade {
  /** Makes a draft, which writes to nobody. The platform is not asked. */
  readonly create: (
    accountId: string,
    fields: NewTemplateCampaign,
    options?: CallOptions
  ) => Promise<TemplateCampaignShown>
  /** One campaign. Rejects with `template_campaign_not_found` (404) where the account has no such campaign. */
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<TemplateCampaignShown>
  /** Newest first. */
  readonly list: (accountId: string, query?: TemplateCampaignsQuery) => Promise<Paged<TemplateCampaignShown>>
  /** Changes the fields that are there and leaves the others; a running campaign follows from the next message on. */
  readonly change: (
    accountId: string,
    id: string,
    fields: TemplateCampaignChange,
    options?: CallOptions
  ) => Promise<TemplateCampaignShown>
  /** Deletes a campaign that is not running, and its contact list; its messages stay in their conversations. */
  readonly remove: (accountId: string, id: string, options?: CallOptions) => Promise<void>
  /** Starts, schedules, pauses or cancels a campaign by giving it a status. Rejects with `start_refused` (409) where it could not send. */
  readonly move: (
    accountId: string,
    id: string,
    status: Status,
    options?: CallOptions
  ) => Promise<TemplateCampaignShown>
  /** Adds up to 1000 people, each once. */
  readonly addContacts: (
    accountId: string,
    id: string,
    contacts: ReadonlyArray<NewTemplateContact>,
    options?: CallOptions
  ) => Promise<ContactsListed>
  /** Adds the people of the address book who have the tags now, each once. */
  readonly addSegment: (
    accountId: string,
    id: string,
    segment: ContactSegment,
    options?: CallOptions
  ) => Promise<SegmentAdded>
  /**
   * Imports a CSV file into the address book and onto the campaign, all of it or nothing; a dry run unless `dryRun` is false. A column
   * `variables.<key>` is a variable of the contact. Source: docs/reference/template-campaigns.md#contacts.
   */
  readonly importCsv: (accountId: string, id: string, file: FileGiven, options?: ImportOptions) => Promise<ImportReport>
  /** In the order in which they were added. */
  readonly listContacts: (
    accountId: string,
    id: string,
    query?: TemplateContactsQuery
  ) => Promise<Paged<TemplateContactShown>>
  /** Removes a contact that is queued. Rejects with `template_contact_started` (409) for any other. */
  readonly removeContact: (accountId: string, id: string, contactId: string, options?: CallOptions) => Promise<void>
  /** Has contacts that have failed for one of these reasons written to again, and answers how many; `platform` where none is given. */
  readonly retry: (
    accountId: string,
    id: string,
    order?: { readonly reasons?: ReadonlyArray<RetriableReason> | null },
    options?: CallOptions
  ) => Promise<number>
  /** What a start at once would do. Sends nothing and changes nothing. */
  readonly dryRun: (accountId: string, id: string, options?: CallOptions) => Promise<TemplateCampaignDryRun>
  /** Sends one message with the campaign's template and parameters. It is on no list and in no count. */
  readonly test: (accountId: string, id: string, trial: TemplateTrial, options?: CallOptions) => Promise<NativeSent>
  /** What a campaign is doing at this moment, and if nothing, why. */
  readonly live: (accountId: string, id: string, options?: CallOptions) => Promise<TemplateCampaignLive>
}

const { accountId, argument, callOptions, listOptions, options, record, records } = Arguments

const newCampaign = Arguments.given<NewTemplateCampaign>()(
  Schema.Struct({ ...CampaignsApi.newCampaignFields, scheduledAt: Fields.optional(Instant.Given) })
)

const campaignChange = Arguments.given<TemplateCampaignChange>()(
  Schema.Struct({ ...CampaignsApi.campaignChangeFields, scheduledAt: Fields.optional(Instant.Given) })
)

const orUserId = "Field required, or a userId instead"

const newContact = Schema.Struct(CampaignsApi.newContactFields).check(
  Schema.makeFilter(({ phone, userId }) => (phone ?? userId ?? null) !== null || { path: ["phone"], issue: orUserId })
)
const newContacts = Schema.Array(newContact).check(Schema.isMaxLength(CampaignsApi.maxNewContacts))

const trial = Schema.Struct(CampaignsApi.trialFields).check(
  Schema.makeFilter(({ to, userId }) => (to ?? userId ?? null) !== null || { path: ["to"], issue: orUserId })
)

const retryOrder = Schema.Struct({ reasons: Fields.optional(CampaignsApi.RetryReasons) })

const listed = listOptions(
  Schema.Struct({ ...Wire.fromWire(CampaignsApi.templateCampaignsQuery), ...Arguments.signal }),
  CampaignsApi.templateCampaignPages
)

const listedContacts = listOptions(
  Schema.Struct({ ...CampaignsApi.templateContactsQuery, ...Arguments.signal }),
  CampaignsApi.templateContactPages
)

const id = argument("id", Ids.schema<"TemplateCampaign">())

const shown: (view: TemplateCampaignView) => TemplateCampaignShown = shownTemplateCampaign
const shownContact: (contact: TemplateContact) => TemplateContactShown = TemplateContactRecord.shown

export const templateCampaignsFacade = (method: Method): TemplateCampaignsFacade => ({
  create: method([accountId, record("fields", newCampaign), callOptions], (tenantId, fields) =>
    ofAccount(
      tenantId,
      Effect.map(
        TemplateCampaigns.use((c) => c.create(tenantId, Fields.withoutNulls(fields))),
        shown
      )
    )
  ),
  get: method([accountId, id, callOptions], (tenantId, id) =>
    Effect.map(
      TemplateCampaigns.use((c) => c.get(tenantId, id)),
      shown
    )
  ),
  list: method([accountId, listed], (tenantId, { limit, offset, phoneNumberId, status }) =>
    Effect.map(
      TemplateCampaigns.use((c) =>
        c.list(tenantId, { status: status ?? null, phoneNumberId: phoneNumberId ?? null }, { limit, offset })
      ),
      shownPage(shown)
    )
  ),
  change: method([accountId, id, record("fields", campaignChange), callOptions], (tenantId, id, fields) =>
    Effect.map(
      TemplateCampaigns.use((c) => c.change(tenantId, id, fields)),
      shown
    )
  ),
  remove: method([accountId, id, callOptions], (tenantId, id) => TemplateCampaigns.use((c) => c.remove(tenantId, id))),
  move: method([accountId, id, argument("status", TemplateCampaignStatus), callOptions], (tenantId, id, to) =>
    Effect.map(
      TemplateCampaigns.use((c) => c.move(tenantId, id, to, operator)),
      shown
    )
  ),
  addContacts: method([accountId, id, records("contacts", newContacts), callOptions], (tenantId, id, contacts) =>
    TemplateContacts.use((c) => c.add(tenantId, id, contacts.map(givenContact)))
  ),
  addSegment: method(
    [accountId, id, record("segment", Schema.Struct(CampaignsApi.segmentFields)), callOptions],
    (tenantId, id, given) => {
      const { dryRun, ...segment } = givenSegment(given)
      return TemplateContacts.use((c) => c.addSegment(tenantId, id, segment, dryRun))
    }
  ),
  importCsv: method([accountId, id, fileGiven, importOptions], (tenantId, id, file, options) =>
    TemplateContacts.use((c) => c.importCsv(tenantId, id, uploadOf(file, options)))
  ),
  listContacts: method([accountId, id, listedContacts], (tenantId, id, { limit, offset, ...asked }) =>
    Effect.map(
      TemplateContacts.use((c) => c.list(tenantId, id, contactFilter(asked), { limit, offset })),
      shownPage(shownContact)
    )
  ),
  removeContact: method(
    [accountId, id, argument("contactId", Ids.schema<"TemplateContact">()), callOptions],
    (tenantId, id, contactId) => TemplateContacts.use((c) => c.remove(tenantId, id, contactId))
  ),
  retry: method([accountId, id, options(retryOrder, "order"), callOptions], (tenantId, id, { reasons }) =>
    TemplateCampaigns.use((c) => c.retry(tenantId, id, reasons ?? standardRetry, operator))
  ),
  dryRun: method([accountId, id, callOptions], (tenantId, id) => CampaignTrials.use((t) => t.dryRun(tenantId, id))),
  test: method([accountId, id, record("trial", trial), callOptions], (tenantId, id, { to, userId, variables }) =>
    CampaignTrials.use((t) =>
      t.test(tenantId, id, { phone: to ?? null, userId: userId ?? null, variables: variables ?? {} })
    )
  ),
  live: method([accountId, id, callOptions], (tenantId, id) =>
    Effect.map(
      TemplateCampaigns.use((c) => c.live(tenantId, id)),
      shownLive
    )
  )
})
