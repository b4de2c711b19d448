/** The area messaging: made from the contract by ClientFiles.test.ts. */
import type { List } from "../List.ts"
import { type ClientArea, clientArea } from "../Operation.ts"
import type { FileResponse, FormFile, KeyedRequestOptions, RequestOptions } from "../Request.ts"
import type {
  BlockedPeople,
  BlockedPeopleChange,
  ChangedFlow,
  Channel,
  ChannelConnectionRequest,
  CommerceChange,
  CommerceSettings,
  CompatibleBody,
  CompatibleMarked,
  CompatibleSent,
  ConnectedNumber,
  ConnectedNumberChange,
  ContactSegment,
  Conversation,
  ConversationChange,
  CreatedFlow,
  DeliveryCounts,
  DiscoveredNumber,
  FlowChange,
  FlowJson,
  FlowKey,
  FlowKeyStatus,
  ImportReport,
  LinkedBot,
  Message,
  NewFlow,
  NewMessage,
  NewOptOuts,
  NewPayment,
  NewPlatformTemplate,
  NewTemplateCampaign,
  NewTemplateContacts,
  NumberConnection,
  NumberPin,
  NumberProfile,
  NumberProfileChange,
  NumberRegistration,
  NumberSearch,
  OptOut,
  Payment,
  PaymentConfiguration,
  PaymentUpdate,
  PlatformBlockedPeople,
  PlatformCatalogs,
  PlatformFlow,
  PlatformFlowJson,
  PlatformFlows,
  PlatformMessageCounts,
  PlatformPricing,
  PlatformProducts,
  PlatformTemplate,
  PlatformTemplateChange,
  PlatformTemplates,
  SavedFlowJson,
  SentMessage,
  TemplateAnalyticsEnabled,
  TemplateCampaign,
  TemplateCampaignChange,
  TemplateCampaignDryRun,
  TemplateCampaignLive,
  TemplateContact,
  TemplateExample,
  TemplateResults,
  TemplateRetry,
  TemplateTrial,
  UnblockedPeople,
  UploadedMedia
} from "./Records.ts"

export interface AnalyticsMethods {
  /**
   * Count messages.
   *
   * Returns by interval how many messages of the account were sent, delivered, read, failed and received, oldest first; the chat platform is not asked. An API key needs the scope `messaging:read`.
   */
  delivery(
    query?: {
      /** Start of the period; 30 days before its end by default. */
      readonly from?: string | undefined
      /** End of the period, exclusive; now by default. */
      readonly to?: string | undefined
      /** Length of the intervals; `day` by default. */
      readonly granularity?: "hour" | "day" | "total" | undefined
      /** IANA name of the time zone of hours and days; `UTC` by default. */
      readonly timezone?: string | undefined
      /** The chat platform's id of a connected number. */
      readonly phone_number_id?: string | undefined
      /** Counts only messages of this template campaign, and the replies to it. */
      readonly campaign_id?: string | undefined
      /** Counts only messages of this type. */
      readonly type?: string | undefined
    },
    options?: RequestOptions
  ): Promise<ReadonlyArray<DeliveryCounts>>
  /**
   * Get the platform's counts of messages.
   *
   * Returns how many messages the chat platform counts by interval. An API key needs the scope `messaging:read`.
   */
  messages(
    query: {
      /** The chat platform's id of a connected number. */
      readonly phone_number_id: string
      /** Start of the period. */
      readonly start: string
      /** End of the period, after its start. */
      readonly end: string
      /** Length of the intervals; `day` by default. */
      readonly granularity?: "half_hour" | "day" | "month" | undefined
      /** False for all numbers of the business account; true by default. */
      readonly this_number?: boolean | undefined
    },
    options?: RequestOptions
  ): Promise<ReadonlyArray<PlatformMessageCounts>>
  /**
   * Get what messages cost.
   *
   * Returns how many messages the chat platform has priced by interval, and what they cost. An API key needs the scope `messaging:read`.
   */
  pricing(
    query: {
      /** The chat platform's id of a connected number. */
      readonly phone_number_id: string
      /** Start of the period. */
      readonly start: string
      /** End of the period, after its start. */
      readonly end: string
      /** Length of the intervals; `day` by default. */
      readonly granularity?: "half_hour" | "day" | "month" | undefined
      /** What the counts are divided by, with commas between several. */
      readonly dimensions?: string | undefined
    },
    options?: RequestOptions
  ): Promise<ReadonlyArray<PlatformPricing>>
  /**
   * Get what became of templates.
   *
   * Returns by day how often templates were sent, delivered, read and tapped, as the chat platform counts it. An API key needs the scope `messaging:read`.
   */
  templates(
    query: {
      /** The chat platform's id of a connected number. */
      readonly phone_number_id: string
      /** Start of the period. */
      readonly start: string
      /** End of the period, after its start. */
      readonly end: string
      /** Ids of 1 to 10 templates, with commas between them. */
      readonly template_ids: string
    },
    options?: RequestOptions
  ): Promise<ReadonlyArray<TemplateResults>>
  /**
   * Enable analytics of templates.
   *
   * Has the chat platform count what becomes of the templates of a business account, which cannot be switched off again. An API key needs the scope `messaging:write`.
   */
  enableTemplates(
    query: {
      /** The chat platform's id of a connected number. */
      readonly phone_number_id: string
    },
    options?: KeyedRequestOptions
  ): Promise<TemplateAnalyticsEnabled>
}

export interface CompatibleMethods {
  /**
   * Send a message in the chat platform's form.
   *
   * Sends a message, or marks one as read, with the chat platform's own body. An API key needs the scope `messaging:send`.
   */
  send(
    phoneNumberId: string,
    body: CompatibleBody,
    options?: KeyedRequestOptions
  ): Promise<CompatibleSent | CompatibleMarked>
  /**
   * Send a message with a version in the path.
   *
   * Sends a message, or marks one as read, with the chat platform's own body; the version in the path changes nothing. An API key needs the scope `messaging:send`.
   */
  sendVersioned(
    version: string,
    phoneNumberId: string,
    body: CompatibleBody,
    options?: KeyedRequestOptions
  ): Promise<CompatibleSent | CompatibleMarked>
}

export interface TemplateCampaignsMethods {
  /**
   * Create a template campaign.
   *
   * Creates a campaign in the status `draft`, which writes to nobody. An API key needs the scope `messaging:write`.
   */
  create(body: NewTemplateCampaign, options?: KeyedRequestOptions): Promise<TemplateCampaign>
  /**
   * List template campaigns.
   *
   * Returns the account's template campaigns, newest first: all of them, or those that the filters leave. An API key needs the scope `messaging:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 100. Default 50. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 100000. */
      readonly offset?: number | undefined
      /** Returns only items with this status. */
      readonly status?: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled" | undefined
      /** Returns only campaigns that send from this number, by the chat platform's id. */
      readonly phone_number_id?: string | undefined
    },
    options?: RequestOptions
  ): List<TemplateCampaign>
  /**
   * Get a template campaign.
   *
   * Returns one campaign with its settings, totals and prices. An API key needs the scope `messaging:read`.
   */
  get(campaignId: string, options?: RequestOptions): Promise<TemplateCampaign>
  /**
   * Change a template campaign.
   *
   * Changes the fields that you send and keeps the others; a running campaign follows from the next message on. An API key needs the scope `messaging:write`.
   */
  change(campaignId: string, body: TemplateCampaignChange, options?: RequestOptions): Promise<TemplateCampaign>
  /**
   * Delete a template campaign.
   *
   * Deletes a campaign that is not running, and its contact list; its messages stay in their conversations. An API key needs the scope `messaging:write`.
   */
  remove(campaignId: string, options?: RequestOptions): Promise<void>
  /**
   * Change the status of a template campaign.
   *
   * Moves a campaign to another status; `scheduled` and `running`, which lead to real messages, need the scope `messaging:send` too. An API key needs the scope `messaging:write`.
   */
  move(
    campaignId: string,
    body: {
      /** Status of the campaign. */
      readonly status: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled"
    },
    options?: KeyedRequestOptions
  ): Promise<TemplateCampaign>
  /**
   * Add contacts to a template campaign.
   *
   * Adds people to the end of the contact list, each once, and counts those who cannot be written to. An API key needs the scope `messaging:write`.
   */
  addContacts(
    campaignId: string,
    body: NewTemplateContacts,
    options?: KeyedRequestOptions
  ): Promise<{
    /** Number of contacts that were added; of a dry run, that would be. */
    readonly added: number
    /** Number of people who are on the list already, or are named twice. */
    readonly skipped_duplicate: number
    /** Number of people without a usable number or id. */
    readonly skipped_invalid: number
    /** Number of contacts on the list now. */
    readonly total_now: number
  }>
  /**
   * List the contacts of a template campaign.
   *
   * Returns the contacts with what became of their messages, in the order in which they were added: all of them, or those that the filters leave. An API key needs the scope `messaging:read`.
   */
  listContacts(
    campaignId: string,
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only items with this status. */
      readonly status?:
        | "queued"
        | "sending"
        | "sent"
        | "delivered"
        | "read"
        | "skipped"
        | "failed"
        | "unknown"
        | undefined
      /** Returns only contacts that were skipped or have failed for this reason. */
      readonly reason?:
        | "opted_out"
        | "do_not_call"
        | "blocked"
        | "own_number"
        | "no_opt_in"
        | "missing_variable"
        | "platform"
        | "pair_rate"
        | "marketing_limit"
        | "experiment"
        | "undeliverable"
        | "country"
        | "invalid_content"
        | "rejected"
        | "outcome_unknown"
        | undefined
      /** Returns only contacts that have replied, or only those that have not. */
      readonly replied?: boolean | undefined
      /** Returns only contacts whose number ends in these digits. */
      readonly phone?: string | undefined
    },
    options?: RequestOptions
  ): List<TemplateContact>
  /**
   * Import contacts of a template campaign from a CSV file.
   *
   * Adds the rows of a CSV file to the address book and to the campaign, all of them or none, and reports every rejected row; a dry run, the default, changes nothing. An API key needs the scope `messaging:write`.
   */
  importContacts(
    campaignId: string,
    body: {
      /** CSV file in UTF-8 with a header row; at most 25 MiB. */
      readonly file: FormFile
      /** JSON object from headers to fields; default: headers that name fields, of which `variables.<key>` is a variable of the contact. */
      readonly column_map?: string | undefined
      /** True to count without adding anybody; default false. */
      readonly dry_run?: boolean | undefined
      /** Whether the person has agreed to be messaged; default false. */
      readonly opted_in?: boolean | undefined
    },
    options?: KeyedRequestOptions
  ): Promise<ImportReport>
  /**
   * Export the contacts of a template campaign.
   *
   * Returns all contacts that the filters leave, with what became of their messages, as a CSV file. An API key needs the scope `messaging:read`.
   */
  exportContacts(
    campaignId: string,
    query?: {
      /** Returns only items with this status. */
      readonly status?:
        | "queued"
        | "sending"
        | "sent"
        | "delivered"
        | "read"
        | "skipped"
        | "failed"
        | "unknown"
        | undefined
      /** Returns only contacts that were skipped or have failed for this reason. */
      readonly reason?:
        | "opted_out"
        | "do_not_call"
        | "blocked"
        | "own_number"
        | "no_opt_in"
        | "missing_variable"
        | "platform"
        | "pair_rate"
        | "marketing_limit"
        | "experiment"
        | "undeliverable"
        | "country"
        | "invalid_content"
        | "rejected"
        | "outcome_unknown"
        | undefined
      /** Returns only contacts that have replied, or only those that have not. */
      readonly replied?: boolean | undefined
      /** Returns only contacts whose number ends in these digits. */
      readonly phone?: string | undefined
    },
    options?: RequestOptions
  ): Promise<FileResponse>
  /**
   * Remove a contact from a template campaign.
   *
   * Removes a contact that is queued, to whom nothing has been sent. An API key needs the scope `messaging:write`.
   */
  removeContact(campaignId: string, contactId: string, options?: RequestOptions): Promise<void>
  /**
   * Add contacts of the address book.
   *
   * Adds the people of the address book who have the tags now, each once; a dry run counts them alone. An API key needs the scope `messaging:write`.
   */
  addSegment(
    campaignId: string,
    body: ContactSegment,
    options?: KeyedRequestOptions
  ): Promise<{
    /** Number of people whom the tags fit. */
    readonly matched: number
    /** Number of contacts that were added; of a dry run, that would be. */
    readonly added: number
    /** Number of people who are on the list already, or are named twice. */
    readonly skipped_duplicate: number
    /** Number of contacts on the list now. */
    readonly total_now: number
  }>
  /**
   * Retry failed contacts of a template campaign.
   *
   * Has failed contacts written to again as if they were new; a campaign that is completed runs again for them. An API key needs the scopes `messaging:write` and `messaging:send`.
   */
  retry(
    campaignId: string,
    body?: TemplateRetry | null,
    options?: KeyedRequestOptions
  ): Promise<{
    /** Number of contacts that are written to again. */
    readonly queued: number
  }>
  /**
   * Try a template campaign without sending.
   *
   * Returns what a start at once would do: to whom messages would go, who would be skipped, and what would refuse it; nothing is sent and nothing is changed. An API key needs the scope `messaging:read`.
   */
  dryRun(campaignId: string, options?: KeyedRequestOptions): Promise<TemplateCampaignDryRun>
  /**
   * Send a test message of a template campaign.
   *
   * Sends one message with the campaign's template and parameters; it is on no list and in no count. An API key needs the scope `messaging:send`.
   */
  test(campaignId: string, body: TemplateTrial, options?: KeyedRequestOptions): Promise<SentMessage>
  /**
   * Get the live view of a template campaign.
   *
   * Returns how many contacts have which status, how fast messages go out, and the reason why none goes out now. An API key needs the scope `messaging:read`.
   */
  live(campaignId: string, options?: RequestOptions): Promise<TemplateCampaignLive>
}

export interface NumberManagementMethods {
  /**
   * Find the numbers of a business account.
   *
   * Returns the numbers that the chat platform names for a business account, and stores nothing. An API key needs the scope `messaging:write`.
   */
  discover(body: NumberSearch, options?: KeyedRequestOptions): Promise<ReadonlyArray<DiscoveredNumber>>
  /**
   * Read a number anew.
   *
   * Asks the chat platform about a number and returns it with what it says. An API key needs the scope `messaging:write`.
   */
  refresh(phoneId: string, options?: KeyedRequestOptions): Promise<ConnectedNumber>
  /**
   * Register a number.
   *
   * Registers a number at the chat platform, so that it can send and receive. An API key needs the scope `messaging:write`.
   */
  register(phoneId: string, body: NumberRegistration, options?: KeyedRequestOptions): Promise<ConnectedNumber>
  /**
   * Deregister a number.
   *
   * Ends the registration of a number at the chat platform; it stays connected. An API key needs the scope `messaging:write`.
   */
  deregister(phoneId: string, options?: KeyedRequestOptions): Promise<ConnectedNumber>
  /**
   * Set the PIN of a number.
   *
   * Sets the PIN that the chat platform asks for at the next registration. An API key needs the scope `messaging:write`.
   */
  setPin(phoneId: string, body: NumberPin, options?: RequestOptions): Promise<void>
  /**
   * Get the profile of a number.
   *
   * Returns what customers see of the business behind a number. An API key needs the scope `messaging:read`.
   */
  profile(phoneId: string, options?: RequestOptions): Promise<NumberProfile>
  /**
   * Change the profile of a number.
   *
   * Changes the fields that are there and leaves the others. An API key needs the scope `messaging:write`.
   */
  changeProfile(phoneId: string, body: NumberProfileChange, options?: RequestOptions): Promise<NumberProfile>
  /**
   * List blocked people.
   *
   * Returns the people that a number has blocked, as the chat platform names them. An API key needs the scope `messaging:read`.
   */
  blocked(
    phoneId: string,
    query?: {
      /** Fields to return, in the chat platform's words. */
      readonly fields?: string | undefined
      /** Maximum number of items to return. From 1 to 1000. */
      readonly limit?: number | undefined
      /** Returns what follows this cursor of the chat platform. */
      readonly after?: string | undefined
      /** Returns what precedes this cursor of the chat platform. */
      readonly before?: string | undefined
    },
    options?: RequestOptions
  ): Promise<PlatformBlockedPeople>
  /**
   * Block people.
   *
   * Blocks people on a number; the chat platform blocks only people who have written to it in the last 24 hours. An API key needs the scope `messaging:write`.
   */
  block(phoneId: string, body: BlockedPeopleChange, options?: KeyedRequestOptions): Promise<BlockedPeople>
  /**
   * Unblock people.
   *
   * Lets people write to a number again who were blocked on it. An API key needs the scope `messaging:write`.
   */
  unblock(phoneId: string, body: BlockedPeopleChange, options?: RequestOptions): Promise<UnblockedPeople>
}

export interface ChatCommerceMethods {
  /**
   * Get the commerce settings of a number.
   *
   * Returns what customers see of a number's catalog. An API key needs the scope `messaging:read`.
   */
  settings(phoneId: string, options?: RequestOptions): Promise<CommerceSettings>
  /**
   * Change the commerce settings of a number.
   *
   * Changes the fields that are there, leaves the others, and returns all of them. An API key needs the scope `messaging:write`.
   */
  change(phoneId: string, body: CommerceChange, options?: RequestOptions): Promise<CommerceSettings>
  /**
   * List catalogs.
   *
   * Returns the catalogs of a number's business account, as the chat platform has them. An API key needs the scope `messaging:read`.
   */
  catalogs(
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
      /** Fields to return, in the chat platform's words. */
      readonly fields?: string | undefined
      /** Maximum number of items to return. From 1 to 1000. */
      readonly limit?: number | undefined
      /** Returns what follows this cursor of the chat platform. */
      readonly after?: string | undefined
      /** Returns what precedes this cursor of the chat platform. */
      readonly before?: string | undefined
    },
    options?: RequestOptions
  ): Promise<PlatformCatalogs>
  /**
   * List products.
   *
   * Returns the products of a catalog, as the chat platform has them. An API key needs the scope `messaging:read`.
   */
  products(
    catalogId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
      /** Fields to return, in the chat platform's words. */
      readonly fields?: string | undefined
      /** Maximum number of items to return. From 1 to 1000. */
      readonly limit?: number | undefined
      /** Returns what follows this cursor of the chat platform. */
      readonly after?: string | undefined
      /** Returns what precedes this cursor of the chat platform. */
      readonly before?: string | undefined
      /** Filter of products, in the chat platform's words. */
      readonly filter?: string | undefined
    },
    options?: RequestOptions
  ): Promise<PlatformProducts>
}

export interface ChatPaymentsMethods {
  /**
   * List payment configurations.
   *
   * Returns where the money of a number's business account can go. An API key needs the scope `messaging:read`.
   */
  listConfigurations(
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
    },
    options?: RequestOptions
  ): Promise<ReadonlyArray<PaymentConfiguration>>
  /**
   * Get a payment configuration.
   *
   * Returns one configuration of a number's business account. An API key needs the scope `messaging:read`.
   */
  getConfiguration(
    name: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
    },
    options?: RequestOptions
  ): Promise<PaymentConfiguration>
  /**
   * Request a payment.
   *
   * Sends a customer a bill to pay in the chat, once for each reference of a number. An API key needs the scope `messaging:send`.
   */
  create(body: NewPayment, options?: KeyedRequestOptions): Promise<Payment>
  /**
   * List payments.
   *
   * Returns the payments that were requested, newest first. An API key needs the scope `messaging:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only payments with this status. */
      readonly status?: "requested" | "pending" | "captured" | "failed" | "expired" | "cancelled" | undefined
      /** Returns only payments with this reference. */
      readonly reference_id?: string | undefined
    },
    options?: RequestOptions
  ): List<Payment>
  /**
   * Get a payment.
   *
   * Returns one payment. An API key needs the scope `messaging:read`.
   */
  get(paymentId: string, options?: RequestOptions): Promise<Payment>
  /**
   * Look up a payment.
   *
   * Asks the chat platform about a payment now, and returns it with what it says. An API key needs the scope `messaging:write`.
   */
  refresh(paymentId: string, options?: KeyedRequestOptions): Promise<Payment>
  /**
   * Set the status of an order.
   *
   * Sends the customer how far the order has come, and withdraws the bill where that is `canceled`. An API key needs the scope `messaging:send`.
   */
  update(paymentId: string, body: PaymentUpdate, options?: KeyedRequestOptions): Promise<Payment>
}

export interface ChatTemplatesMethods {
  /**
   * List templates.
   *
   * Returns the templates of a number's business account, as the chat platform has them. An API key needs the scope `messaging:read`.
   */
  list(
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
      /** Fields to return, in the chat platform's words. */
      readonly fields?: string | undefined
      /** Maximum number of items to return. From 1 to 1000. */
      readonly limit?: number | undefined
      /** Returns what follows this cursor of the chat platform. */
      readonly after?: string | undefined
      /** Returns what precedes this cursor of the chat platform. */
      readonly before?: string | undefined
      /** Returns only items with this name. */
      readonly name?: string | undefined
      /** Returns only items in this language. */
      readonly language?: string | undefined
      /** Returns only items with this status. */
      readonly status?: string | undefined
      /** Returns only items of this category. */
      readonly category?: string | undefined
    },
    options?: RequestOptions
  ): Promise<PlatformTemplates>
  /**
   * Create a template.
   *
   * Creates a template and submits it to the chat platform for approval. An API key needs the scope `messaging:write`.
   */
  create(
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
    },
    body: NewPlatformTemplate,
    options?: KeyedRequestOptions
  ): Promise<PlatformTemplate>
  /**
   * Delete a template in every language.
   *
   * Deletes every language of a template at the chat platform. An API key needs the scope `messaging:write`.
   */
  removeNamed(
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
      /** Returns only items with this name. */
      readonly name: string
    },
    options?: RequestOptions
  ): Promise<void>
  /**
   * Upload an example for a header.
   *
   * Uploads a file that shows what the header of a template looks like, and returns the handle that the template names it by. An API key needs the scope `messaging:write`.
   */
  keepExample(
    body: {
      /** The chat platform's id of the number. */
      readonly phone_number_id: string
      /** A picture (JPEG, PNG), a video (MP4) or a document (PDF). */
      readonly file: FormFile
    },
    options?: KeyedRequestOptions
  ): Promise<TemplateExample>
  /**
   * Get a template.
   *
   * Returns one template, as the chat platform has it. An API key needs the scope `messaging:read`.
   */
  get(
    templateId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
      /** Fields to return, in the chat platform's words. */
      readonly fields?: string | undefined
      /** Maximum number of items to return. From 1 to 1000. */
      readonly limit?: number | undefined
      /** Returns what follows this cursor of the chat platform. */
      readonly after?: string | undefined
      /** Returns what precedes this cursor of the chat platform. */
      readonly before?: string | undefined
    },
    options?: RequestOptions
  ): Promise<PlatformTemplate>
  /**
   * Change a template.
   *
   * Changes a template at the chat platform, which approves it anew; the body is in the chat platform's words. An API key needs the scope `messaging:write`.
   */
  change(
    templateId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
    },
    body: PlatformTemplateChange,
    options?: RequestOptions
  ): Promise<PlatformTemplate>
  /**
   * Delete a template.
   *
   * Deletes a template in one language at the chat platform; its name is required. An API key needs the scope `messaging:write`.
   */
  remove(
    templateId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
      /** Returns only items with this name. */
      readonly name: string
    },
    options?: RequestOptions
  ): Promise<void>
  /**
   * Unpause a template.
   *
   * Lets a template be sent again that the chat platform has paused. An API key needs the scope `messaging:write`.
   */
  unpause(
    templateId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
    },
    options?: KeyedRequestOptions
  ): Promise<PlatformTemplate>
}

export interface ChatFlowsMethods {
  /**
   * List flows.
   *
   * Returns the flows of a number's business account, as the chat platform has them. An API key needs the scope `messaging:read`.
   */
  list(
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
      /** Fields to return, in the chat platform's words. */
      readonly fields?: string | undefined
      /** Maximum number of items to return. From 1 to 1000. */
      readonly limit?: number | undefined
      /** Returns what follows this cursor of the chat platform. */
      readonly after?: string | undefined
      /** Returns what precedes this cursor of the chat platform. */
      readonly before?: string | undefined
    },
    options?: RequestOptions
  ): Promise<PlatformFlows>
  /**
   * Create a flow.
   *
   * Creates a flow at the chat platform and returns the secret of its endpoint once. An API key needs the scope `messaging:write`.
   */
  create(body: NewFlow, options?: KeyedRequestOptions): Promise<CreatedFlow>
  /**
   * Get a flow.
   *
   * Returns one flow, as the chat platform has it, and the address of its endpoint. An API key needs the scope `messaging:read`.
   */
  get(
    flowId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
      /** Fields to return, in the chat platform's words. */
      readonly fields?: string | undefined
      /** Maximum number of items to return. From 1 to 1000. */
      readonly limit?: number | undefined
      /** Returns what follows this cursor of the chat platform. */
      readonly after?: string | undefined
      /** Returns what precedes this cursor of the chat platform. */
      readonly before?: string | undefined
    },
    options?: RequestOptions
  ): Promise<PlatformFlow>
  /**
   * Change a flow.
   *
   * Changes name, categories or endpoint of a flow, or the secret of its endpoint. An API key needs the scope `messaging:write`.
   */
  change(
    flowId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
    },
    body: FlowChange,
    options?: RequestOptions
  ): Promise<ChangedFlow>
  /**
   * Delete a flow.
   *
   * Deletes a flow that was never published, and its endpoint. An API key needs the scope `messaging:write`.
   */
  remove(
    flowId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
    },
    options?: RequestOptions
  ): Promise<void>
  /**
   * Replace the screens of a flow.
   *
   * Replaces the screens of a flow and returns what is wrong in them. An API key needs the scope `messaging:write`.
   */
  saveJson(
    flowId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
    },
    body: FlowJson,
    options?: RequestOptions
  ): Promise<SavedFlowJson>
  /**
   * Get the screens of a flow.
   *
   * Returns the screens of a flow in the chat platform's words. An API key needs the scope `messaging:read`.
   */
  json(
    flowId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
    },
    options?: RequestOptions
  ): Promise<PlatformFlowJson>
  /**
   * Publish a flow.
   *
   * Publishes a flow, whose screens stay as they are from then on. An API key needs the scope `messaging:write`.
   */
  publish(
    flowId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
    },
    options?: KeyedRequestOptions
  ): Promise<PlatformFlow>
  /**
   * Deprecate a flow.
   *
   * Has the chat platform send a published flow no more. An API key needs the scope `messaging:write`.
   */
  deprecate(
    flowId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
    },
    options?: KeyedRequestOptions
  ): Promise<PlatformFlow>
}

export interface FlowKeysMethods {
  /**
   * Get the key of a number.
   *
   * Returns the fingerprint of a number's key and what the platform says of it. An API key needs the scope `messaging:read`.
   */
  get(phoneId: string, options?: RequestOptions): Promise<FlowKeyStatus>
  /**
   * Make a key for a number.
   *
   * Makes a new key with which the chat platform encrypts what flows exchange; the old one is gone at once. An API key needs the scope `messaging:write`.
   */
  make(phoneId: string, options?: RequestOptions): Promise<FlowKey>
}

export interface OptOutsMethods {
  /**
   * List opt-outs.
   *
   * Returns the people who get no messages of campaigns, newest first. An API key needs the scope `messaging:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only entries about this number, however it is written. */
      readonly phone?: string | undefined
      /** Returns only entries of this source. */
      readonly source?: "keyword" | "platform" | "button" | "api" | undefined
      /** Returns only entries for this number of the account. */
      readonly phone_number_id?: string | undefined
    },
    options?: RequestOptions
  ): List<OptOut>
  /**
   * Add opt-outs.
   *
   * Adds people; once this is answered, no message of a campaign to them is begun. An API key needs the scope `messaging:write`.
   */
  add(
    body: NewOptOuts,
    options?: KeyedRequestOptions
  ): Promise<{
    /** Number of people who were added. */
    readonly added: number
    /** Number of those who were on the list already, or have no usable number. */
    readonly skipped: number
    /** Number of those without a usable number. */
    readonly skipped_invalid: number
  }>
  /**
   * Remove an opt-out.
   *
   * Removes one entry; what somebody has said at the chat platform only they can take back. An API key needs the scope `messaging:write`.
   */
  remove(entryId: string, options?: RequestOptions): Promise<void>
}

export interface ChannelsMethods {
  /**
   * List channels.
   *
   * Returns the chat channels of the installation and what each of them can do. An API key needs the scope `messaging:read`.
   */
  list(options?: RequestOptions): Promise<ReadonlyArray<Channel>>
  /**
   * Connect a number of a channel.
   *
   * Connects a number of a channel that finds out by itself whose credentials it gets. An API key needs the scope `messaging:write`.
   */
  connect(channel: string, body: ChannelConnectionRequest, options?: KeyedRequestOptions): Promise<ConnectedNumber>
}

export interface ConnectedNumbersMethods {
  /**
   * Connect a number.
   *
   * Connects a business number once the chat platform has said that it is the business account's, and subscribes to its messages; a number that is connected already gets the new access token. An API key needs the scope `messaging:write`.
   */
  connect(body: NumberConnection, options?: KeyedRequestOptions): Promise<ConnectedNumber>
  /**
   * List connected numbers.
   *
   * Returns the account's connected numbers, newest first. An API key needs the scope `messaging:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): List<ConnectedNumber>
  /**
   * Get a connected number.
   *
   * Returns one connected number. An API key needs the scope `messaging:read`.
   */
  get(phoneId: string, options?: RequestOptions): Promise<ConnectedNumber>
  /**
   * Change a connected number.
   *
   * Switches the agent's answers on a number on or off. An API key needs the scope `messaging:write`.
   */
  change(phoneId: string, body: ConnectedNumberChange, options?: RequestOptions): Promise<ConnectedNumber>
  /**
   * Disconnect a number.
   *
   * Disconnects a number; its conversations stay. An API key needs the scope `messaging:write`.
   */
  disconnect(phoneId: string, options?: RequestOptions): Promise<void>
  /**
   * Link an agent to a number.
   *
   * Sets the agent that answers on a number; null unlinks the agent. An API key needs the scope `messaging:write`.
   */
  linkBot(phoneId: string, body: LinkedBot, options?: KeyedRequestOptions): Promise<ConnectedNumber>
}

export interface ConversationsMethods {
  /**
   * List conversations.
   *
   * Returns conversations, the one with the latest message first, of which every filter holds. An API key needs the scope `messaging:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only items of this connected number. */
      readonly phone_id?: string | undefined
      /** Returns only items with this status. */
      readonly status?: "open" | "ended" | undefined
      /** Returns only items with unread messages; with `false` those without. */
      readonly unread?: boolean | undefined
      /** Returns only items that need a person; with `false` the others. */
      readonly needs_person?: boolean | undefined
      /** Returns only items that are assigned to this id, to the caller (`me`) or to nobody (`none`). */
      readonly assigned_to?: string | undefined
      /** Returns only items with the customer whose number ends with these digits. */
      readonly phone?: string | undefined
      /** Returns only items whose customer has this part in the name, the digits of the phone, or the id. */
      readonly q?: string | undefined
    },
    options?: RequestOptions
  ): List<Conversation>
  /**
   * Get a conversation.
   *
   * Returns one conversation. An API key needs the scope `messaging:read`.
   */
  get(conversationId: string, options?: RequestOptions): Promise<Conversation>
  /**
   * Take over or assign a conversation.
   *
   * Switches the agent's answers in one conversation off, so that a person answers, or on again, and assigns it to somebody: both or neither. An API key needs the scope `messaging:write`.
   */
  change(conversationId: string, body: ConversationChange, options?: RequestOptions): Promise<Conversation>
  /**
   * List the messages of a conversation.
   *
   * Returns the messages of a conversation, newest first, or those before one of them. An API key needs the scope `messaging:read`.
   */
  listMessages(
    conversationId: string,
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only messages before the one with this id. */
      readonly before?: string | undefined
    },
    options?: RequestOptions
  ): List<Message>
  /**
   * Mark a conversation read.
   *
   * Counts all messages of the customer that have come as read, for everybody of the account. An API key needs the scope `messaging:write`.
   */
  read(conversationId: string, options?: KeyedRequestOptions): Promise<void>
}

export interface ChatMessagesMethods {
  /**
   * Send a message.
   *
   * Sends a message from a connected number to a customer; a text that is too long is split into several messages. An API key needs the scope `messaging:send`.
   */
  send(body: NewMessage, options?: KeyedRequestOptions): Promise<SentMessage>
}

export interface ChatMediaMethods {
  /**
   * Upload a file.
   *
   * Uploads a file to the chat platform and returns the id that messages name it by. An API key needs the scope `messaging:send`.
   */
  upload(
    body: {
      /** The chat platform's id of the number. */
      readonly phone_number_id: string
      /** The file. */
      readonly file: FormFile
    },
    options?: KeyedRequestOptions
  ): Promise<UploadedMedia>
  /**
   * Download a file.
   *
   * Returns a file that a message names. An API key needs the scope `messaging:read`.
   */
  get(
    mediaId: string,
    query: {
      /** The chat platform's id of the connected number. */
      readonly phone_number_id: string
    },
    options?: RequestOptions
  ): Promise<FileResponse>
}

/** The routes of the area messaging. */
export interface MessagingClient {
  readonly analytics: AnalyticsMethods
  readonly compatible: CompatibleMethods
  readonly templateCampaigns: TemplateCampaignsMethods
  readonly numberManagement: NumberManagementMethods
  readonly chatCommerce: ChatCommerceMethods
  readonly chatPayments: ChatPaymentsMethods
  readonly chatTemplates: ChatTemplatesMethods
  readonly chatFlows: ChatFlowsMethods
  readonly flowKeys: FlowKeysMethods
  readonly optOuts: OptOutsMethods
  readonly channels: ChannelsMethods
  readonly connectedNumbers: ConnectedNumbersMethods
  readonly conversations: ConversationsMethods
  readonly chatMessages: ChatMessagesMethods
  readonly chatMedia: ChatMediaMethods
}

/** For the `areas` of `createClient`. */
export const messaging: ClientArea<MessagingClient> = clientArea({
  analytics: {
    delivery: { method: "GET", path: "/api/v1/messaging/analytics/delivery", takes: ["query"] },
    messages: { method: "GET", path: "/api/v1/messaging/analytics/messages", takes: ["query"] },
    pricing: { method: "GET", path: "/api/v1/messaging/analytics/pricing", takes: ["query"] },
    templates: { method: "GET", path: "/api/v1/messaging/analytics/templates", takes: ["query"] },
    enableTemplates: {
      method: "POST",
      path: "/api/v1/messaging/analytics/templates/enable",
      takes: ["query"],
      key: "always"
    }
  },
  compatible: {
    send: { method: "POST", path: "/api/v1/messaging/{phone_number_id}/messages", takes: ["json"], key: "always" },
    sendVersioned: {
      method: "POST",
      path: "/api/v1/messaging/{version}/{phone_number_id}/messages",
      takes: ["json"],
      key: "always"
    }
  },
  templateCampaigns: {
    create: { method: "POST", path: "/api/v1/messaging/campaigns", takes: ["json"], key: "always" },
    list: { method: "GET", path: "/api/v1/messaging/campaigns", takes: ["query"], pages: "offset" },
    get: { method: "GET", path: "/api/v1/messaging/campaigns/{campaign_id}" },
    change: { method: "PATCH", path: "/api/v1/messaging/campaigns/{campaign_id}", takes: ["json"] },
    remove: { method: "DELETE", path: "/api/v1/messaging/campaigns/{campaign_id}" },
    move: { method: "POST", path: "/api/v1/messaging/campaigns/{campaign_id}/status", takes: ["json"], key: "always" },
    addContacts: {
      method: "POST",
      path: "/api/v1/messaging/campaigns/{campaign_id}/contacts",
      takes: ["json"],
      key: "always"
    },
    listContacts: {
      method: "GET",
      path: "/api/v1/messaging/campaigns/{campaign_id}/contacts",
      takes: ["query"],
      pages: "offset"
    },
    importContacts: {
      method: "POST",
      path: "/api/v1/messaging/campaigns/{campaign_id}/contacts/import",
      takes: ["form"],
      key: "always"
    },
    exportContacts: {
      method: "GET",
      path: "/api/v1/messaging/campaigns/{campaign_id}/contacts.csv",
      takes: ["query"],
      isFile: true
    },
    removeContact: { method: "DELETE", path: "/api/v1/messaging/campaigns/{campaign_id}/contacts/{contact_id}" },
    addSegment: {
      method: "POST",
      path: "/api/v1/messaging/campaigns/{campaign_id}/contacts/segment",
      takes: ["json"],
      key: "always"
    },
    retry: { method: "POST", path: "/api/v1/messaging/campaigns/{campaign_id}/retry", takes: ["json"], key: "always" },
    dryRun: { method: "POST", path: "/api/v1/messaging/campaigns/{campaign_id}/dry-run", key: "always" },
    test: { method: "POST", path: "/api/v1/messaging/campaigns/{campaign_id}/test", takes: ["json"], key: "always" },
    live: { method: "GET", path: "/api/v1/messaging/campaigns/{campaign_id}/live" }
  },
  numberManagement: {
    discover: { method: "POST", path: "/api/v1/messaging/phone_numbers/discover", takes: ["json"], key: "always" },
    refresh: { method: "POST", path: "/api/v1/messaging/phone_numbers/{phone_id}/refresh", key: "always" },
    register: {
      method: "POST",
      path: "/api/v1/messaging/phone_numbers/{phone_id}/register",
      takes: ["json"],
      key: "always"
    },
    deregister: { method: "POST", path: "/api/v1/messaging/phone_numbers/{phone_id}/deregister", key: "always" },
    setPin: { method: "PUT", path: "/api/v1/messaging/phone_numbers/{phone_id}/pin", takes: ["json"] },
    profile: { method: "GET", path: "/api/v1/messaging/phone_numbers/{phone_id}/profile" },
    changeProfile: { method: "PATCH", path: "/api/v1/messaging/phone_numbers/{phone_id}/profile", takes: ["json"] },
    blocked: { method: "GET", path: "/api/v1/messaging/phone_numbers/{phone_id}/blocked", takes: ["query"] },
    block: {
      method: "POST",
      path: "/api/v1/messaging/phone_numbers/{phone_id}/blocked",
      takes: ["json"],
      key: "always"
    },
    unblock: { method: "DELETE", path: "/api/v1/messaging/phone_numbers/{phone_id}/blocked", takes: ["json"] }
  },
  chatCommerce: {
    settings: { method: "GET", path: "/api/v1/messaging/phone_numbers/{phone_id}/commerce" },
    change: { method: "PATCH", path: "/api/v1/messaging/phone_numbers/{phone_id}/commerce", takes: ["json"] },
    catalogs: { method: "GET", path: "/api/v1/messaging/catalogs", takes: ["query"] },
    products: { method: "GET", path: "/api/v1/messaging/catalogs/{catalog_id}/products", takes: ["query"] }
  },
  chatPayments: {
    listConfigurations: { method: "GET", path: "/api/v1/messaging/payment-configurations", takes: ["query"] },
    getConfiguration: { method: "GET", path: "/api/v1/messaging/payment-configurations/{name}", takes: ["query"] },
    create: { method: "POST", path: "/api/v1/messaging/payments", takes: ["json"], key: "always" },
    list: { method: "GET", path: "/api/v1/messaging/payments", takes: ["query"], pages: "offset" },
    get: { method: "GET", path: "/api/v1/messaging/payments/{payment_id}" },
    refresh: { method: "POST", path: "/api/v1/messaging/payments/{payment_id}/refresh", key: "always" },
    update: { method: "POST", path: "/api/v1/messaging/payments/{payment_id}/status", takes: ["json"], key: "always" }
  },
  chatTemplates: {
    list: { method: "GET", path: "/api/v1/messaging/templates", takes: ["query"] },
    create: { method: "POST", path: "/api/v1/messaging/templates", takes: ["query", "json"], key: "always" },
    removeNamed: { method: "DELETE", path: "/api/v1/messaging/templates", takes: ["query"] },
    keepExample: { method: "POST", path: "/api/v1/messaging/templates/media", takes: ["form"], key: "always" },
    get: { method: "GET", path: "/api/v1/messaging/templates/{template_id}", takes: ["query"] },
    change: { method: "PATCH", path: "/api/v1/messaging/templates/{template_id}", takes: ["query", "json"] },
    remove: { method: "DELETE", path: "/api/v1/messaging/templates/{template_id}", takes: ["query"] },
    unpause: {
      method: "POST",
      path: "/api/v1/messaging/templates/{template_id}/unpause",
      takes: ["query"],
      key: "always"
    }
  },
  chatFlows: {
    list: { method: "GET", path: "/api/v1/messaging/flows", takes: ["query"] },
    create: { method: "POST", path: "/api/v1/messaging/flows", takes: ["json"], key: "always" },
    get: { method: "GET", path: "/api/v1/messaging/flows/{flow_id}", takes: ["query"] },
    change: { method: "PATCH", path: "/api/v1/messaging/flows/{flow_id}", takes: ["query", "json"] },
    remove: { method: "DELETE", path: "/api/v1/messaging/flows/{flow_id}", takes: ["query"] },
    saveJson: { method: "PUT", path: "/api/v1/messaging/flows/{flow_id}/json", takes: ["query", "json"] },
    json: { method: "GET", path: "/api/v1/messaging/flows/{flow_id}/json", takes: ["query"] },
    publish: { method: "POST", path: "/api/v1/messaging/flows/{flow_id}/publish", takes: ["query"], key: "always" },
    deprecate: { method: "POST", path: "/api/v1/messaging/flows/{flow_id}/deprecate", takes: ["query"], key: "always" }
  },
  flowKeys: {
    get: { method: "GET", path: "/api/v1/messaging/phone_numbers/{phone_id}/flow-key" },
    make: { method: "PUT", path: "/api/v1/messaging/phone_numbers/{phone_id}/flow-key" }
  },
  optOuts: {
    list: { method: "GET", path: "/api/v1/messaging/opt-outs", takes: ["query"], pages: "offset" },
    add: { method: "POST", path: "/api/v1/messaging/opt-outs", takes: ["json"], key: "always" },
    remove: { method: "DELETE", path: "/api/v1/messaging/opt-outs/{entry_id}" }
  },
  channels: {
    list: { method: "GET", path: "/api/v1/messaging/channels" },
    connect: {
      method: "POST",
      path: "/api/v1/messaging/channels/{channel}/connections",
      takes: ["json"],
      key: "always"
    }
  },
  connectedNumbers: {
    connect: { method: "POST", path: "/api/v1/messaging/phone_numbers", takes: ["json"], key: "always" },
    list: { method: "GET", path: "/api/v1/messaging/phone_numbers", takes: ["query"], pages: "offset" },
    get: { method: "GET", path: "/api/v1/messaging/phone_numbers/{phone_id}" },
    change: { method: "PATCH", path: "/api/v1/messaging/phone_numbers/{phone_id}", takes: ["json"] },
    disconnect: { method: "DELETE", path: "/api/v1/messaging/phone_numbers/{phone_id}" },
    linkBot: {
      method: "POST",
      path: "/api/v1/messaging/phone_numbers/{phone_id}/link-bot",
      takes: ["json"],
      key: "always"
    }
  },
  conversations: {
    list: { method: "GET", path: "/api/v1/messaging/conversations", takes: ["query"], pages: "offset" },
    get: { method: "GET", path: "/api/v1/messaging/conversations/{conversation_id}" },
    change: { method: "PATCH", path: "/api/v1/messaging/conversations/{conversation_id}", takes: ["json"] },
    listMessages: {
      method: "GET",
      path: "/api/v1/messaging/conversations/{conversation_id}/messages",
      takes: ["query"],
      pages: "offset"
    },
    read: { method: "POST", path: "/api/v1/messaging/conversations/{conversation_id}/read", key: "always" }
  },
  chatMessages: {
    send: { method: "POST", path: "/api/v1/messaging/messages", takes: ["json"], key: "always" }
  },
  chatMedia: {
    upload: { method: "POST", path: "/api/v1/messaging/media", takes: ["form"], key: "always" },
    get: { method: "GET", path: "/api/v1/messaging/media/{media_id}", takes: ["query"], isFile: true }
  }
})
