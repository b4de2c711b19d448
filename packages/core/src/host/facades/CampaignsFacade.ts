/** Campaigns, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CampaignsApi from "../../calling/campaigns/CampaignsApi.ts"
import {
  type Campaign,
  CampaignContactRecord,
  CampaignContacts,
  CampaignRecord,
  CampaignStatus,
  Campaigns,
  type ContactsAdded,
  type ContactView,
  type DialingSettingShapes,
  everyCampaign,
  everyContact,
  type LiveRecord,
  LiveView
} from "../../calling/campaigns/index.ts"
import { Imports } from "../../calling/contacts/index.ts"
import { operator } from "../../platform/accounts/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { Ids, Instant, type Paged, Wire } from "../../platform/kernel/index.ts"
import type { ImportReport } from "../../platform/overview/index.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, ofAccount, type PageOptions, shownPage } from "../Facade.ts"
import { type FileGiven, fileGiven, type ImportOptions, importOptions, uploadOf } from "./ImportArguments.ts"

/** What a campaign has beside its settings. */
interface CampaignParts {
  /** The agent that speaks on the calls; null for none. */
  readonly botId?: string | null
  /** The caller number, by its id; null for the account's first number. */
  readonly fromNumberId?: string | null
  /** The message that an answering machine is left; null to hang up on machines. */
  readonly voicemailTemplateId?: string | null
  /** A `Date`, milliseconds since 1970 UTC, or an ISO 8601 instant. */
  readonly scheduledAt?: Date | number | string | null
}

/** Fields of a campaign that a host may set. Source: docs/reference/campaigns.md#campaign. */
export interface CampaignChange extends CampaignParts, DialingSettingShapes {
  /** The name that people see. */
  readonly name?: string
}

/** Null stands for an absent field. Source: docs/reference/campaigns.md#campaign. */
export interface NewCampaign extends CampaignParts, DialingSettingShapes<null> {
  /** The name that people see. */
  readonly name: string
}

/** Source: docs/reference/campaigns.md#contacts. */
export interface NewContact {
  /** The number to call, however it is written. A number that cannot be dialed is counted in `skippedInvalid`. */
  readonly phone: string
  /** The name of the person, which the agent knows. */
  readonly name?: string | null
}

const newCampaign = Arguments.given<NewCampaign>()(
  Schema.Struct({ ...Wire.fromWire(CampaignsApi.NewCampaign.fields), scheduledAt: Fields.optional(Instant.Given) })
)

const campaignChange = Arguments.given<CampaignChange>()(
  Schema.Struct({ ...Wire.fromWire(CampaignsApi.CampaignChange.fields), scheduledAt: Fields.optional(Instant.Given) })
)

const newContacts = CampaignsApi.NewContacts.fields.contacts

/** A person on the list of one campaign. Source: docs/reference/campaigns.md#contacts. */
export type ContactRecord = Pick<
  ContactView,
  | "id"
  | "phone"
  | "name"
  | "status"
  | "attempts"
  | "nextAttemptAt"
  | "lastError"
  | "callId"
  | "approvedBy"
  | "approvedAt"
  | "outcome"
  | "heldBy"
  | "heldUntil"
  | "createdAt"
>

export interface CampaignsFacade {
  /** Makes a draft. Source: docs/reference/campaigns.md#campaign. */
  readonly create: (accountId: string, fields: NewCampaign, options?: CallOptions) => Promise<Campaign>
  /** One campaign. Throws `campaign_not_found` where the account has no such campaign. */
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<Campaign>
  /** Newest first. */
  readonly list: (accountId: string, options?: PageOptions) => Promise<Paged<Campaign>>
  /** Changes the fields that are there and leaves the others; a running campaign follows at once. */
  readonly change: (accountId: string, id: string, fields: CampaignChange, options?: CallOptions) => Promise<Campaign>
  /** Starts, pauses, resumes or ends a campaign by giving it a status. Throws `move_refused` for a change that its status does not allow. Source: docs/reference/campaigns.md#states. */
  readonly move: (accountId: string, id: string, status: Campaign["status"], options?: CallOptions) => Promise<Campaign>
  /** Deletes a campaign and its contact list; calls that are under way go on. */
  readonly remove: (accountId: string, id: string, options?: CallOptions) => Promise<void>
  /** Adds up to 1000 people. Source: docs/reference/campaigns.md#contacts. */
  readonly addContacts: (
    accountId: string,
    id: string,
    contacts: ReadonlyArray<NewContact>,
    options?: CallOptions
  ) => Promise<ContactsAdded>
  /** In the order in which they were added. */
  readonly listContacts: (accountId: string, id: string, options?: PageOptions) => Promise<Paged<ContactRecord>>
  /** Imports a CSV file, all of it or nothing; a dry run unless `dryRun` is false. Source: docs/reference/contacts.md#import. */
  readonly importCsv: (accountId: string, id: string, file: FileGiven, options?: ImportOptions) => Promise<ImportReport>
  /** Approves one contact of a campaign in the preview mode, which calls it while it runs. Throws `not_waiting` where it waits for nothing. */
  readonly approve: (accountId: string, id: string, contactId: string, options?: CallOptions) => Promise<ContactRecord>
  /** What a campaign is doing at this moment, and if nothing, why. */
  readonly live: (accountId: string, id: string, options?: CallOptions) => Promise<LiveRecord>
}

const shown: (campaign: Campaign) => Campaign = CampaignRecord.shown

const shownContact = (contact: ContactView): ContactRecord => ({
  ...CampaignContactRecord.shown(contact),
  outcome: contact.outcome,
  heldBy: contact.heldBy,
  heldUntil: contact.heldUntil
})

const { argument, campaignAccountId: accountId, callOptions, paged, record, records } = Arguments
const id = argument("id", Ids.schema<"Campaign">())

export const campaignsFacade = (method: Method): CampaignsFacade => ({
  create: method([accountId, record("fields", newCampaign), callOptions], (tenantId, fields) =>
    ofAccount(
      tenantId,
      Effect.map(
        Campaigns.use((c) => c.create(tenantId, Fields.withoutNulls(fields))),
        shown
      )
    )
  ),
  get: method([accountId, id, callOptions], (tenantId, id) =>
    Effect.map(
      Campaigns.use((c) => c.get(tenantId, id)),
      shown
    )
  ),
  list: method([accountId, paged(CampaignsApi.campaignPages)], (tenantId, page) =>
    Effect.map(
      Campaigns.use((c) => c.list(tenantId, everyCampaign, page)),
      shownPage(shown)
    )
  ),
  change: method([accountId, id, record("fields", campaignChange), callOptions], (tenantId, id, fields) =>
    Effect.map(
      Campaigns.use((c) => c.change(tenantId, id, fields)),
      shown
    )
  ),
  move: method([accountId, id, argument("status", CampaignStatus), callOptions], (tenantId, id, to) =>
    Effect.map(
      Campaigns.use((c) => c.move(tenantId, id, to, operator)),
      shown
    )
  ),
  remove: method([accountId, id, callOptions], (tenantId, id) =>
    Campaigns.use((c) => c.remove(tenantId, id, operator))
  ),
  addContacts: method([accountId, id, records("contacts", newContacts), callOptions], (tenantId, id, contacts) =>
    CampaignContacts.use((c) =>
      c.add(
        tenantId,
        id,
        contacts.map(({ name = null, phone }) => ({ phone, name }))
      )
    )
  ),
  listContacts: method([accountId, id, paged(CampaignsApi.contactPages)], (tenantId, id, page) =>
    Effect.map(
      CampaignContacts.use((c) => c.list(tenantId, id, everyContact, page)),
      shownPage(shownContact)
    )
  ),
  importCsv: method([accountId, id, fileGiven, importOptions], (tenantId, id, file, options) =>
    Imports.use((imports) => imports.importCsv(tenantId, id, { ...uploadOf(file, options), actor: operator }))
  ),
  approve: method(
    [accountId, id, argument("contactId", Ids.schema<"CampaignContact">()), callOptions],
    (tenantId, id, contactId) =>
      Effect.map(
        CampaignContacts.use((c) => c.approve(tenantId, id, contactId, operator)),
        shownContact
      )
  ),
  live: method([accountId, id, callOptions], (tenantId, id) => LiveView.use((l) => l.of(tenantId, id)))
})
