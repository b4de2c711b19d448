/** The area calling: made from the contract by ClientFiles.test.ts. */
import type { List } from "../List.ts"
import { type ClientArea, clientArea } from "../Operation.ts"
import type { FileResponse, FormFile, KeyedRequestOptions, RequestOptions } from "../Request.ts"
import type {
  Call,
  CallDetails,
  Campaign,
  CampaignChange,
  CampaignContact,
  CampaignCounts,
  CampaignDuplicate,
  CampaignLive,
  Contact,
  ContactChange,
  DoNotCallEntry,
  DoNotCallImportReport,
  ImportReport,
  NewCall,
  NewCallOutcome,
  NewCampaign,
  NewContacts,
  NewCrmContact,
  NewDoNotCallEntries,
  NewPhoneNumber,
  NewVoicemailTemplate,
  PhoneNumber,
  PhoneNumberChange,
  PreviewContact,
  PreviewSkip,
  RetryOrder,
  TranscriptEntry,
  VoicemailTemplate,
  VoicemailTemplateChange
} from "./Records.ts"

export interface PreviewMethods {
  /**
   * Take the next contact.
   *
   * Holds the next contact that waits for an approval, so that nobody else is shown it, and returns it; the same one until it is done with. An API key needs the scope `campaigns:write`.
   */
  next(campaignId: string, options?: KeyedRequestOptions): Promise<PreviewContact | undefined>
  /**
   * Take a contact.
   *
   * Holds this contact in place of the one that you hold, and returns it. An API key needs the scope `campaigns:write`.
   */
  hold(campaignId: string, contactId: string, options?: KeyedRequestOptions): Promise<PreviewContact>
  /**
   * Release a contact.
   *
   * Ends your hold on this contact, where you have one. An API key needs the scope `campaigns:write`.
   */
  release(campaignId: string, contactId: string, options?: RequestOptions): Promise<void>
  /**
   * Skip a contact.
   *
   * Ends the hold and puts this contact behind all others, or its number on the do-not-call list. An API key needs the scope `campaigns:write`.
   */
  skip(
    campaignId: string,
    contactId: string,
    body?: PreviewSkip | null,
    options?: KeyedRequestOptions
  ): Promise<CampaignContact>
}

export interface ContactsMethods {
  /**
   * List contacts.
   *
   * Returns the account's contacts, newest first. An API key needs the scope `contacts:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only items whose number ends with these digits. */
      readonly phone?: string | undefined
      /** Returns only contacts with this text in a name, the email address or the company, in any case. */
      readonly q?: string | undefined
      /** Returns only contacts with this tag. */
      readonly tag?: string | undefined
    },
    options?: RequestOptions
  ): List<Contact>
  /**
   * Create a contact.
   *
   * Creates one contact; its number must not be that of another. An API key needs the scope `contacts:write`.
   */
  create(body: NewCrmContact, options?: KeyedRequestOptions): Promise<Contact>
  /**
   * Get a contact.
   *
   * Returns one contact with its custom fields. An API key needs the scope `contacts:read`.
   */
  get(contactId: string, options?: RequestOptions): Promise<Contact>
  /**
   * Change a contact.
   *
   * Changes the fields that you send and keeps the others; null clears a field. An API key needs the scope `contacts:write`.
   */
  change(contactId: string, body: ContactChange, options?: RequestOptions): Promise<Contact>
  /**
   * Delete a contact.
   *
   * Deletes one contact from the address book; campaigns keep it on their lists. An API key needs the scope `contacts:write`.
   */
  remove(contactId: string, options?: RequestOptions): Promise<void>
}

export interface CampaignsMethods {
  /**
   * Import contacts from a CSV file.
   *
   * Adds the rows of a CSV file, all of them or none, and reports every rejected row; a dry run, the default, changes nothing. An API key needs the scope `campaigns:write`.
   */
  importContacts(
    campaignId: string,
    body: {
      /** CSV file in UTF-8 with a header row; at most 25 MiB. */
      readonly file: FormFile
      /** JSON object from headers to fields; default: headers that name fields. */
      readonly column_map?: string | undefined
      /** True to report without a change; default true. */
      readonly dry_run?: boolean | undefined
      /** True when everybody on the list has agreed to be messaged; default false. */
      readonly opted_in?: boolean | undefined
    },
    options?: KeyedRequestOptions
  ): Promise<ImportReport>
  /**
   * Create a campaign.
   *
   * Creates a campaign in the status `draft`, which calls nobody. An API key needs the scope `campaigns:write`.
   */
  create(body: NewCampaign, options?: KeyedRequestOptions): Promise<Campaign>
  /**
   * List campaigns.
   *
   * Returns the account's campaigns, newest first: all of them, or those that the filters leave. An API key needs the scope `campaigns:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 100. Default 50. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 100000. */
      readonly offset?: number | undefined
      /** Returns only items with this status; of campaigns also several, with commas between them. */
      readonly status?: string | undefined
      /** Returns only items whose name has this text as a part, in small or capital letters; three digits or more are also looked for in the phone number. */
      readonly q?: string | undefined
    },
    options?: RequestOptions
  ): List<Campaign>
  /**
   * Get a campaign.
   *
   * Returns one campaign with its settings and totals. An API key needs the scope `campaigns:read`.
   */
  get(campaignId: string, options?: RequestOptions): Promise<Campaign>
  /**
   * Change a campaign.
   *
   * Changes the fields that you send and keeps the others; new settings apply from the next call on. An API key needs the scope `campaigns:write`.
   */
  change(campaignId: string, body: CampaignChange, options?: RequestOptions): Promise<Campaign>
  /**
   * Delete a campaign.
   *
   * Deletes a campaign and its contact list; calls that are under way go on. An API key needs the scope `campaigns:write`.
   */
  remove(campaignId: string, options?: RequestOptions): Promise<void>
  /**
   * Change the status of a campaign.
   *
   * Moves a campaign to another status; a campaign that is `running` places real calls and spends credits. An API key needs the scope `campaigns:write`.
   */
  move(
    campaignId: string,
    body: {
      /** Status of the campaign. */
      readonly status: "draft" | "scheduled" | "running" | "paused" | "insufficient_balance" | "completed" | "cancelled"
    },
    options?: KeyedRequestOptions
  ): Promise<Campaign>
  /**
   * Add contacts to a campaign.
   *
   * Adds people to the end of the contact list and counts the numbers that cannot be dialed. An API key needs the scope `campaigns:write`.
   */
  addContacts(
    campaignId: string,
    body: NewContacts,
    options?: KeyedRequestOptions
  ): Promise<{
    /** Number of contacts that were added. */
    readonly inserted: number
    /** Number of phone numbers that cannot be dialed. */
    readonly skipped_invalid: number
    /** Number of contacts on the list now. */
    readonly total_now: number
  }>
  /**
   * List the contacts of a campaign.
   *
   * Returns the contacts with the results of their calls, in the order in which they were added: all of them, or those that the filters leave. An API key needs the scope `campaigns:read`.
   */
  listContacts(
    campaignId: string,
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only items with this status; of campaigns also several, with commas between them. */
      readonly status?: "pending" | "approved" | "calling" | "done" | "failed" | undefined
      /** Returns only items whose last attempt failed for this reason. */
      readonly last_error?:
        | "busy"
        | "no_answer"
        | "machine"
        | "invalid_number"
        | "blocked_number"
        | "do_not_call"
        | "provider_error"
        | "outcome_unknown"
        | "canceled"
        | undefined
      /** Returns only items of whose latest call exactly this was noted. */
      readonly outcome?: string | undefined
      /** Returns only items whose name has this text as a part, in small or capital letters; three digits or more are also looked for in the phone number. */
      readonly q?: string | undefined
    },
    options?: RequestOptions
  ): List<CampaignContact>
  /**
   * Export the contacts of a campaign.
   *
   * Returns all contacts that the filters leave, with the results of their latest calls, as a CSV file. An API key needs the scope `campaigns:read`.
   */
  exportContacts(
    campaignId: string,
    query?: {
      /** Returns only items with this status; of campaigns also several, with commas between them. */
      readonly status?: "pending" | "approved" | "calling" | "done" | "failed" | undefined
      /** Returns only items whose last attempt failed for this reason. */
      readonly last_error?:
        | "busy"
        | "no_answer"
        | "machine"
        | "invalid_number"
        | "blocked_number"
        | "do_not_call"
        | "provider_error"
        | "outcome_unknown"
        | "canceled"
        | undefined
      /** Returns only items of whose latest call exactly this was noted. */
      readonly outcome?: string | undefined
      /** Returns only items whose name has this text as a part, in small or capital letters; three digits or more are also looked for in the phone number. */
      readonly q?: string | undefined
    },
    options?: RequestOptions
  ): Promise<FileResponse>
  /**
   * Remove a contact from a campaign.
   *
   * Removes a contact that is not being called; its calls stay. An API key needs the scope `campaigns:write`.
   */
  removeContact(campaignId: string, contactId: string, options?: RequestOptions): Promise<void>
  /**
   * Retry failed contacts.
   *
   * Has failed contacts called again as if they were new: those that you name, or all that failed for these reasons. An API key needs the scope `campaigns:write`.
   */
  retryContacts(
    campaignId: string,
    body: RetryOrder,
    options?: KeyedRequestOptions
  ): Promise<{
    /** Number of contacts that wait again. */
    readonly retried: number
    /** Number of contacts that were left as they are: suppressed, not failed, or not on the list. */
    readonly skipped: number
  }>
  /**
   * Duplicate a campaign.
   *
   * Creates a draft with the settings of a campaign and, where you ask for it, its contacts as new ones. An API key needs the scope `campaigns:write`.
   */
  duplicate(campaignId: string, body?: CampaignDuplicate | null, options?: KeyedRequestOptions): Promise<Campaign>
  /**
   * Count the contacts of a campaign.
   *
   * Returns how many contacts there are of each status and last error, and how many calls. An API key needs the scope `campaigns:read`.
   */
  counts(campaignId: string, options?: RequestOptions): Promise<CampaignCounts>
  /**
   * Get the live view of a campaign.
   *
   * Returns the calls under way, the contacts that wait for approval, and the reason why nothing is dialed now. An API key needs the scope `campaigns:read`.
   */
  live(campaignId: string, options?: RequestOptions): Promise<CampaignLive>
  /**
   * Approve a contact.
   *
   * Approves one contact of a campaign in preview mode, so that the campaign calls it while it runs. An API key needs the scope `campaigns:write`.
   */
  approve(campaignId: string, contactId: string, options?: KeyedRequestOptions): Promise<CampaignContact>
}

export interface CallsMethods {
  /**
   * Place a call.
   *
   * Calls a number at once and spends credits, after the same checks as the calls of a campaign. An API key needs the scope `calls:write`.
   */
  create(body: NewCall, options?: KeyedRequestOptions): Promise<Call>
  /**
   * List calls.
   *
   * Returns calls, those of campaigns included, newest first: all of them, or those that the filters leave. An API key needs the scope `calls:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only items of this campaign. */
      readonly campaign_id?: string | undefined
      /** Returns only items of this contact of a campaign. */
      readonly contact_id?: string | undefined
      /** Returns only items with this status. */
      readonly status?:
        | "queued"
        | "dialing"
        | "ringing"
        | "in_progress"
        | "completed"
        | "busy"
        | "no_answer"
        | "failed"
        | "canceled"
        | undefined
      /** Returns only items to the number that ends with these digits. */
      readonly phone?: string | undefined
      /** Returns only items of this agent. */
      readonly bot_id?: string | undefined
      /** Returns only items from this caller number. */
      readonly from_number_id?: string | undefined
      /** Returns only items that ended for this reason. */
      readonly end_reason?:
        | "hangup_remote"
        | "hangup_local"
        | "busy"
        | "no_answer"
        | "failed"
        | "canceled"
        | "do_not_call"
        | "window_closed"
        | "lost_race"
        | "credits"
        | "unknown"
        | undefined
      /** Returns only items that were answered so. */
      readonly answered_by?: "human" | "machine" | "unknown" | undefined
      /** Returns only items of which exactly this was noted. */
      readonly outcome?: string | undefined
      /** Returns only items that were created at this time or later. */
      readonly since?: string | undefined
      /** Returns only items that were created before this time. */
      readonly until?: string | undefined
    },
    options?: RequestOptions
  ): List<Call>
  /**
   * Export calls.
   *
   * Returns all calls that the filters leave as a CSV file, newest first. An API key needs the scope `calls:read`.
   */
  exportCalls(
    query?: {
      /** Returns only items of this campaign. */
      readonly campaign_id?: string | undefined
      /** Returns only items of this contact of a campaign. */
      readonly contact_id?: string | undefined
      /** Returns only items with this status. */
      readonly status?:
        | "queued"
        | "dialing"
        | "ringing"
        | "in_progress"
        | "completed"
        | "busy"
        | "no_answer"
        | "failed"
        | "canceled"
        | undefined
      /** Returns only items to the number that ends with these digits. */
      readonly phone?: string | undefined
      /** Returns only items of this agent. */
      readonly bot_id?: string | undefined
      /** Returns only items from this caller number. */
      readonly from_number_id?: string | undefined
      /** Returns only items that ended for this reason. */
      readonly end_reason?:
        | "hangup_remote"
        | "hangup_local"
        | "busy"
        | "no_answer"
        | "failed"
        | "canceled"
        | "do_not_call"
        | "window_closed"
        | "lost_race"
        | "credits"
        | "unknown"
        | undefined
      /** Returns only items that were answered so. */
      readonly answered_by?: "human" | "machine" | "unknown" | undefined
      /** Returns only items of which exactly this was noted. */
      readonly outcome?: string | undefined
      /** Returns only items that were created at this time or later. */
      readonly since?: string | undefined
      /** Returns only items that were created before this time. */
      readonly until?: string | undefined
    },
    options?: RequestOptions
  ): Promise<FileResponse>
  /**
   * Note the outcome of a call.
   *
   * Notes how a call has ended, in place of what was noted before, and puts its number on the do-not-call list where you ask for it. An API key needs the scope `calls:write`.
   */
  note(callId: string, body: NewCallOutcome, options?: RequestOptions): Promise<Call>
  /**
   * Get the recording of a call.
   *
   * Returns a WAV file of the newest conversation with an agent: the caller on the left, the agent on the right. An API key needs the scope `calls:read`.
   */
  recording(callId: string, options?: RequestOptions): Promise<FileResponse>
  /**
   * Get a call.
   *
   * Returns one call with its status, times and price. An API key needs the scope `calls:read`.
   */
  get(callId: string, options?: RequestOptions): Promise<CallDetails>
  /**
   * Get the transcript of a call.
   *
   * Returns what caller and agent said, in its order, also while the call goes on. An API key needs the scope `calls:read`.
   */
  transcript(
    callId: string,
    query?: {
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): Promise<ReadonlyArray<TranscriptEntry>>
  /**
   * Hang up a call.
   *
   * Ends a call; one that has ended already stays as it is. An API key needs the scope `calls:write`.
   */
  hangUp(callId: string, options?: KeyedRequestOptions): Promise<Call>
}

export interface NumbersMethods {
  /**
   * Add a caller number.
   *
   * Adds a number that calls may come from; the carrier must accept it as yours. An API key needs the scope `calls:write`.
   */
  create(body: NewPhoneNumber, options?: KeyedRequestOptions): Promise<PhoneNumber>
  /**
   * List caller numbers.
   *
   * Returns the account's caller numbers, newest first. An API key needs the scope `calls:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): List<PhoneNumber>
  /**
   * Change a caller number.
   *
   * Changes the label of a caller number; null clears it. An API key needs the scope `calls:write`.
   */
  label(numberId: string, body: PhoneNumberChange, options?: RequestOptions): Promise<PhoneNumber>
  /**
   * Remove a caller number.
   *
   * Removes a caller number that no unfinished campaign uses. An API key needs the scope `calls:write`.
   */
  remove(numberId: string, options?: RequestOptions): Promise<void>
}

export interface VoicemailTemplatesMethods {
  /**
   * Create a voicemail template.
   *
   * Creates a message for answering machines: a text that is spoken, or an audio file. An API key needs the scope `campaigns:write`.
   */
  create(body: NewVoicemailTemplate, options?: KeyedRequestOptions): Promise<VoicemailTemplate>
  /**
   * List voicemail templates.
   *
   * Returns the account's voicemail templates, newest first. An API key needs the scope `campaigns:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): List<VoicemailTemplate>
  /**
   * Get a voicemail template.
   *
   * Returns one voicemail template. An API key needs the scope `campaigns:read`.
   */
  get(templateId: string, options?: RequestOptions): Promise<VoicemailTemplate>
  /**
   * Change a voicemail template.
   *
   * Changes the fields that you send and keeps the others. An API key needs the scope `campaigns:write`.
   */
  change(templateId: string, body: VoicemailTemplateChange, options?: RequestOptions): Promise<VoicemailTemplate>
  /**
   * Delete a voicemail template.
   *
   * Deletes a voicemail template that no unfinished campaign uses. An API key needs the scope `campaigns:write`.
   */
  remove(templateId: string, options?: RequestOptions): Promise<void>
}

export interface SuppressionMethods {
  /**
   * Download the do-not-call list.
   *
   * Returns the numbers that the account does not call as a CSV file, newest first, which can be imported again. An API key needs the scope `campaigns:read`.
   */
  exportEntries(
    query?: {
      /** Returns only entries that suppress this number, however it is written. */
      readonly phone?: string | undefined
      /** Returns only entries whose reason has this text in it, in any case. */
      readonly q?: string | undefined
    },
    options?: RequestOptions
  ): Promise<FileResponse>
  /**
   * Import numbers into the do-not-call list.
   *
   * Adds the rows of a CSV file, all of them or none, after which no new call to them is placed; a dry run, the default, changes nothing. An API key needs the scope `campaigns:write`.
   */
  importCsv(
    body: {
      /** CSV file in UTF-8 with a header row; at most 25 MiB. */
      readonly file: FormFile
      /** JSON object from headers to fields; default: headers that name fields. */
      readonly column_map?: string | undefined
      /** True to report without a change; default true. */
      readonly dry_run?: boolean | undefined
      /** Why the number is on the list; up to 500 characters. */
      readonly reason?: string | undefined
    },
    options?: KeyedRequestOptions
  ): Promise<DoNotCallImportReport>
  /**
   * List the do-not-call list.
   *
   * Returns the numbers that the account does not call, newest first. An API key needs the scope `campaigns:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only entries that suppress this number, however it is written. */
      readonly phone?: string | undefined
      /** Returns only entries whose reason has this text in it, in any case. */
      readonly q?: string | undefined
    },
    options?: RequestOptions
  ): List<DoNotCallEntry>
  /**
   * Add numbers to the do-not-call list.
   *
   * Adds numbers; once this is answered, no new call to them is placed, and calls that have not been answered are cancelled. An API key needs the scope `campaigns:write`.
   */
  add(
    body: NewDoNotCallEntries,
    options?: KeyedRequestOptions
  ): Promise<{
    /** Number of entries that were added. */
    readonly added: number
    /** Number of entries that were not added: they are on the list already, or cannot be dialed. */
    readonly skipped: number
    /** Number of phone numbers that cannot be dialed. */
    readonly skipped_invalid: number
  }>
  /**
   * Remove a number from the do-not-call list.
   *
   * Removes one entry; the number stays blocked while another entry matches it. An API key needs the scope `campaigns:write`.
   */
  remove(entryId: string, options?: RequestOptions): Promise<void>
}

/** The routes of the area calling. */
export interface CallingClient {
  readonly preview: PreviewMethods
  readonly contacts: ContactsMethods
  readonly campaigns: CampaignsMethods
  readonly calls: CallsMethods
  readonly numbers: NumbersMethods
  readonly voicemailTemplates: VoicemailTemplatesMethods
  readonly suppression: SuppressionMethods
}

/** For the `areas` of `createClient`. */
export const calling: ClientArea<CallingClient> = clientArea({
  preview: {
    next: { method: "POST", path: "/api/v1/voice-campaigns/{campaign_id}/contacts/next", key: "always" },
    hold: { method: "POST", path: "/api/v1/voice-campaigns/{campaign_id}/contacts/{contact_id}/hold", key: "always" },
    release: { method: "DELETE", path: "/api/v1/voice-campaigns/{campaign_id}/contacts/{contact_id}/hold" },
    skip: {
      method: "POST",
      path: "/api/v1/voice-campaigns/{campaign_id}/contacts/{contact_id}/skip",
      takes: ["json"],
      key: "always"
    }
  },
  contacts: {
    list: { method: "GET", path: "/api/v1/contacts", takes: ["query"], pages: "offset" },
    create: { method: "POST", path: "/api/v1/contacts", takes: ["json"], key: "always" },
    get: { method: "GET", path: "/api/v1/contacts/{contact_id}" },
    change: { method: "PATCH", path: "/api/v1/contacts/{contact_id}", takes: ["json"] },
    remove: { method: "DELETE", path: "/api/v1/contacts/{contact_id}" }
  },
  campaigns: {
    importContacts: {
      method: "POST",
      path: "/api/v1/voice-campaigns/{campaign_id}/contacts/import",
      takes: ["form"],
      key: "always"
    },
    create: { method: "POST", path: "/api/v1/voice-campaigns", takes: ["json"], key: "always" },
    list: { method: "GET", path: "/api/v1/voice-campaigns", takes: ["query"], pages: "offset" },
    get: { method: "GET", path: "/api/v1/voice-campaigns/{campaign_id}" },
    change: { method: "PATCH", path: "/api/v1/voice-campaigns/{campaign_id}", takes: ["json"] },
    remove: { method: "DELETE", path: "/api/v1/voice-campaigns/{campaign_id}" },
    move: { method: "POST", path: "/api/v1/voice-campaigns/{campaign_id}/status", takes: ["json"], key: "always" },
    addContacts: {
      method: "POST",
      path: "/api/v1/voice-campaigns/{campaign_id}/contacts",
      takes: ["json"],
      key: "always"
    },
    listContacts: {
      method: "GET",
      path: "/api/v1/voice-campaigns/{campaign_id}/contacts",
      takes: ["query"],
      pages: "offset"
    },
    exportContacts: {
      method: "GET",
      path: "/api/v1/voice-campaigns/{campaign_id}/contacts.csv",
      takes: ["query"],
      isFile: true
    },
    removeContact: { method: "DELETE", path: "/api/v1/voice-campaigns/{campaign_id}/contacts/{contact_id}" },
    retryContacts: {
      method: "POST",
      path: "/api/v1/voice-campaigns/{campaign_id}/contacts/retry",
      takes: ["json"],
      key: "always"
    },
    duplicate: {
      method: "POST",
      path: "/api/v1/voice-campaigns/{campaign_id}/duplicate",
      takes: ["json"],
      key: "always"
    },
    counts: { method: "GET", path: "/api/v1/voice-campaigns/{campaign_id}/counts" },
    live: { method: "GET", path: "/api/v1/voice-campaigns/{campaign_id}/live" },
    approve: {
      method: "POST",
      path: "/api/v1/voice-campaigns/{campaign_id}/contacts/{contact_id}/approve",
      key: "always"
    }
  },
  calls: {
    create: { method: "POST", path: "/api/v1/telephony/calls", takes: ["json"], key: "always" },
    list: { method: "GET", path: "/api/v1/telephony/calls", takes: ["query"], pages: "offset" },
    exportCalls: { method: "GET", path: "/api/v1/telephony/calls.csv", takes: ["query"], isFile: true },
    note: { method: "PUT", path: "/api/v1/telephony/calls/{call_id}/outcome", takes: ["json"] },
    recording: { method: "GET", path: "/api/v1/telephony/calls/{call_id}/recording", isFile: true },
    get: { method: "GET", path: "/api/v1/telephony/calls/{call_id}" },
    transcript: { method: "GET", path: "/api/v1/telephony/calls/{call_id}/transcript", takes: ["query"] },
    hangUp: { method: "POST", path: "/api/v1/telephony/calls/{call_id}/hangup", key: "always" }
  },
  numbers: {
    create: { method: "POST", path: "/api/v1/telephony/numbers", takes: ["json"], key: "always" },
    list: { method: "GET", path: "/api/v1/telephony/numbers", takes: ["query"], pages: "offset" },
    label: { method: "PATCH", path: "/api/v1/telephony/numbers/{number_id}", takes: ["json"] },
    remove: { method: "DELETE", path: "/api/v1/telephony/numbers/{number_id}" }
  },
  voicemailTemplates: {
    create: { method: "POST", path: "/api/v1/voicemail-templates", takes: ["json"], key: "always" },
    list: { method: "GET", path: "/api/v1/voicemail-templates", takes: ["query"], pages: "offset" },
    get: { method: "GET", path: "/api/v1/voicemail-templates/{template_id}" },
    change: { method: "PATCH", path: "/api/v1/voicemail-templates/{template_id}", takes: ["json"] },
    remove: { method: "DELETE", path: "/api/v1/voicemail-templates/{template_id}" }
  },
  suppression: {
    exportEntries: { method: "GET", path: "/api/v1/voice-campaigns/dnc.csv", takes: ["query"], isFile: true },
    importCsv: { method: "POST", path: "/api/v1/voice-campaigns/dnc/import", takes: ["form"], key: "always" },
    list: { method: "GET", path: "/api/v1/voice-campaigns/dnc", takes: ["query"], pages: "offset" },
    add: { method: "POST", path: "/api/v1/voice-campaigns/dnc", takes: ["json"], key: "always" },
    remove: { method: "DELETE", path: "/api/v1/voice-campaigns/dnc/{entry_id}" }
  }
})
