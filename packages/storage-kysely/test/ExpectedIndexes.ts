/** Sums of usage over time: for each filter that leads, and each group. */
const seriesBy = (lead: string): ReadonlyArray<string> =>
  ["", ".service", ".model", ".key"].map((by) => `usage.series${by}${lead === "" ? "" : `.by.${lead}`}`)

const ofSeries = <A>(lead: string, value: A): Readonly<Record<string, A>> =>
  Object.fromEntries(seriesBy(lead).map((name) => [name, value]))

/** Lists of the contacts of a template campaign: without a phone, by the filter that has the fewest rows. */
const templateContactLists = ["list", "list.replied", "list.unreplied", "count", "count.replied"]
  .flatMap((name) => [name, `${name}.status`])
  .flatMap((name) => [name, `${name}.reason`])
  .flatMap((name) => [name, `${name}.phone`])
  .map((name) => `templateContacts.${name}`)

const indexOfList = (name: string): string => {
  const has = (filter: string) => name.includes(`.${filter}`)
  // Both indexes have the contacts that have replied; the order of the list stands in the one alone.
  if (/count\.replied(\.status)?$/.test(name)) return "template_contacts_replied_at"
  const leads = ["phone", "reason", "replied", "status"].find(has) ?? "order"
  return `template_contacts_${leads === "phone" ? "key" : leads}`
}

/**
 * Which index answers which statement, on both databases. Statements that find one row by its own id, or that only add,
 * are not listed. What is not listed must still be found by some index: see the two tests of plans.
 */
export const expectedIndexes: Readonly<Record<string, string>> = {
  "alerts.count": "voice_alerts_tenant",
  "alerts.list": "voice_alerts_tenant",
  "alerts.lockDue": "voice_alerts_due",
  "alerts.nextDue": "voice_alerts_due",
  "analyses.claimDue": "voice_analyses_due",
  "analyses.nextDue": "voice_analyses_due",
  "readings.endedCalls": "calls_ended",
  "readings.endedCalls.botId": "calls_ended",
  "readings.placedCalls": "calls_placed",
  "readings.placedCalls.botId": "calls_placed",
  "readings.endedSessions": "voice_sessions_ended",
  "readings.endedSessions.botId": "voice_sessions_ended",
  "readings.replies": "voice_transcripts_replies",
  "readings.replies.botId": "voice_transcripts_replies",
  "readings.replyLatency": "voice_transcripts_replies",
  "readings.replyLatency.botId": "voice_transcripts_replies",
  "audit.list": "audit_log_tenant",
  "members.anyActive": "members_active",
  "members.byEmail": "members_email",
  "members.ofAccount": "members_tenant",
  "memberLinks.remove": "member_links_member",
  "memberLinks.sweep": "member_links_expiry",
  "signInSessions.ofMember": "sign_in_sessions_member",
  "signInSessions.removeAll": "sign_in_sessions_member",
  "signInSessions.sweep": "sign_in_sessions_expiry",
  "signInFailures.sweep": "sign_in_failures_at",
  "access.countKeys": "api_keys_tenant",
  "access.keyByPreviousHash": "api_keys_previous",
  "keys.list": "api_keys_tenant",
  "keys.list.state": "api_keys_tenant",
  "keys.list.search": "api_keys_tenant",
  "keys.list.state.search": "api_keys_tenant",
  "keys.count": "api_keys_tenant",
  "keys.count.state": "api_keys_tenant",
  "keys.count.search": "api_keys_tenant",
  "keys.count.state.search": "api_keys_tenant",
  "keyUses.ofAccount": "key_uses_tenant",
  "access.expired": "key_expiries_at",
  "audit.count": "audit_log_tenant",
  "creditEntries.list": "credit_ledger_tenant",
  "creditEntries.list.kind": "credit_ledger_tenant",
  "creditEntries.count": "credit_ledger_tenant",
  "changes.notes": "change_notes_process",
  "changes.sweepNotes": "change_notes_at",
  "changes.sweepWatches": "change_watches_until",
  "bots.list": "bots_tenant",
  "bots.count": "bots_tenant",
  "calls.list": "calls_tenant",
  "calls.list.campaignId": "calls_campaign",
  "calls.list.contactId": "calls_contact",
  "calls.list.campaignId.contactId": "calls_contact",
  "calls.list.status": "calls_status",
  "calls.list.contactId.status": "calls_contact",
  "calls.list.campaignId.contactId.status": "calls_contact",
  "calls.count": "calls_tenant",
  "calls.count.campaignId": "calls_campaign",
  "calls.count.contactId": "calls_contact",
  "calls.count.status": "calls_status",
  "calls.openOfCampaign": "calls_open_campaign",
  "calls.openIdsOfCampaign": "calls_open_campaign",
  "calls.countAwaitingAgent": "calls_awaiting",
  "calls.unansweredOf": "calls_open",
  "calls.legsOf": "calls_burst",
  "calls.ownerOf": "calls_record",
  "calls.unnamed": "calls_unnamed",
  "calls.answerCounts": "calls_answered",
  "calls.startedSince": "calls_started",
  "calls.due": "calls_check",
  "calls.nextCheck": "calls_check",
  "calls.markForReconciliation": "calls_open",
  "connected.known": "connected_numbers_known",
  "connected.latest": "connected_numbers_ids",
  "connected.list": "connected_numbers_tenant",
  "numberFacts.ofBusinessAccount": "connected_numbers_business",
  "numberFacts.nextDue": "connected_numbers_facts",
  "numberFacts.claimDue": "connected_numbers_facts",
  "flowEndpoints.ofFlow": "flow_endpoints_flow",
  "flowEndpoints.removeOfFlow": "flow_endpoints_flow",
  "sentFlows.byToken": "chat_messages_flow",
  "optOuts.near": "opt_outs_key",
  "optOuts.ofUser": "opt_outs_user",
  "optOuts.list": "opt_outs_tenant",
  "knownTemplates.named": "known_templates_name",
  "knownTemplates.nextRead": "known_templates_due",
  "knownTemplates.claimReads": "known_templates_due",
  "payments.byReference": "payments_reference",
  "payments.byMessage": "payments_message",
  "payments.list": "payments_tenant",
  "payments.list.status": "payments_tenant",
  "payments.list.referenceId": "payments_references",
  "payments.list.status.referenceId": "payments_references",
  "payments.nextDue": "payments_due",
  "payments.claimDue": "payments_due",
  "templateCampaigns.list": "template_campaigns_tenant",
  "templateCampaigns.list.status": "template_campaigns_tenant",
  "templateCampaigns.list.phoneNumberId": "template_campaigns_tenant",
  "templateCampaigns.count": "template_campaigns_tenant",
  "templateCampaigns.due": "template_campaigns_due",
  "templateCampaigns.nextDue": "template_campaigns_due",
  "templateCampaigns.using": "template_campaigns_phone",
  "templateCampaigns.usingLanguage": "template_campaigns_phone",
  "templateCampaigns.running": "template_campaigns_running",
  "deliveryCounts.ofAccount": "chat_messages_phone",
  "deliveryCounts.ofNumber": "chat_messages_phone",
  "deliveryCounts.ofCampaign": "chat_messages_campaign",
  "templateContacts.near": "template_contacts_key",
  "templateContacts.ofUser": "template_contacts_user",
  "templateContacts.due": "template_contacts_queued",
  "templateContacts.nextRetry": "template_contacts_queued",
  "templateContacts.overdue": "template_contacts_settle",
  "templateContacts.nextOverdue": "template_contacts_settle",
  "templateContacts.lastOutcomes": "template_contacts_outcome",
  "templateContacts.sentSince": "template_contacts_outcome",
  "templateContacts.retry": "template_contacts_reason",
  "templateContacts.failures": "template_contacts_reason",
  "templateContacts.lastWrittenTo": "chat_messages_contact",
  ...Object.fromEntries(
    templateContactLists.filter((name) => name !== "templateContacts.count").map((name) => [name, indexOfList(name)])
  ),
  "templateRecipients.oldest": "template_recipients_business",
  "templateRecipients.sweep": "template_recipients_swept",
  "crm.lastOfPart": "crm_contacts_tenant",
  "crm.segment": "crm_contacts_tenant",
  "suppression.keysNear": "suppression_entries_key",
  "contacts.byLastError": "campaign_contacts_error",
  "contacts.countLater": "campaign_contacts_retry",
  "contacts.list": "campaign_contacts_order",
  "contacts.list.status": "campaign_contacts_status",
  "contacts.list.lastError": "campaign_contacts_error",
  "contacts.list.search": "campaign_contacts_order",
  "contacts.list.status.search": "campaign_contacts_status",
  "contacts.list.lastError.search": "campaign_contacts_error",
  "contacts.count.status": "campaign_contacts_status",
  "contacts.count.lastError": "campaign_contacts_error",
  "contacts.due": "campaign_contacts_retry",
  "contacts.dueApproved": "campaign_contacts_approved",
  "contacts.nextRetry": "campaign_contacts_retry",
  "contacts.nextApprovedRetry": "campaign_contacts_retry",
  "holds.fresh": "campaign_contacts_fresh",
  "holds.retries": "campaign_contacts_retry",
  "holds.skipped": "campaign_contacts_skipped",
  "holds.releaseContact": "preview_holds_contact",
  "calls.near": "calls_to",
  "calls.search": "calls_tenant",
  "calls.search.to": "calls_to",
  "calls.search.outcome": "calls_outcome",
  "calls.search.campaignId": "calls_campaign",
  "calls.countSearch.to": "calls_to",
  "calls.countSearch.outcome": "calls_outcome",
  "calls.countSearch.campaignId": "calls_campaign",
  "contacts.awaitingFresh": "campaign_contacts_fresh",
  "contacts.awaitingRetry": "campaign_contacts_retry",
  "contacts.countApproved": "campaign_contacts_approved",
  "campaigns.list": "campaigns_tenant",
  "campaigns.list.statuses": "campaigns_tenant",
  "campaigns.list.search": "campaigns_tenant",
  "campaigns.list.statuses.search": "campaigns_tenant",
  "campaigns.count": "campaigns_tenant",
  "campaigns.count.statuses": "campaigns_tenant",
  "campaigns.count.search": "campaigns_tenant",
  "campaigns.count.statuses.search": "campaigns_tenant",
  "campaigns.due": "campaigns_due",
  "campaigns.nextDue": "campaigns_due",
  "campaigns.users.botId": "campaigns_tenant",
  "campaigns.users.fromNumberId": "campaigns_tenant",
  "campaigns.users.voicemailTemplateId": "campaigns_tenant",
  "conversations.countMessages": "chat_messages_customer",
  "conversations.list": "conversations_tenant",
  "conversations.list.phoneId": "conversations_phone",
  "conversations.list.status": "conversations_status",
  "conversations.list.customer": "chat_customers_end",
  "conversations.list.search": "conversations_customer",
  "conversations.list.needsPerson": "conversations_waiting",
  "conversations.list.isUnread": "conversations_unread",
  "conversations.list.assignedTo": "conversations_assigned",
  "conversations.unassign": "conversations_assigned",
  "conversations.messages": "chat_messages_customer",
  "conversations.messagesBefore": "chat_messages_customer",
  "conversations.count.phoneId": "conversations_phone",
  "conversations.count.status": "conversations_status",
  "conversations.count.customer": "chat_customers_end",
  "conversations.count.needsPerson": "conversations_waiting",
  "conversations.count.isUnread": "conversations_unread",
  "conversations.count.assignedTo": "conversations_assigned",
  "customers.byPhone": "chat_customers_phone",
  "customers.byRef": "chat_customers_ref",
  "customers.move.chatMessages": "chat_messages_customer",
  "customers.move.conversations": "conversations_customer",
  "deliveries.log": "webhook_deliveries_log",
  "deliveries.countLog": "webhook_deliveries_log",
  "deliveries.failedLog": "webhook_deliveries_failed",
  "deliveries.countFailed": "webhook_deliveries_failed",
  "deliveries.pendingLog": "webhook_deliveries_due",
  "deliveries.countPending": "webhook_deliveries_due",
  "deliveries.deliveredLog": "webhook_deliveries_log",
  "deliveries.countDelivered": "webhook_deliveries_log",
  "deliveries.log.event": "webhook_deliveries_log",
  "deliveries.countLog.event": "webhook_deliveries_log",
  "deliveries.emailLog": "webhook_deliveries_email",
  "deliveries.countEmailLog": "webhook_deliveries_email",
  "deliveries.failedSince": "webhook_deliveries_failed",
  "deliveries.due": "webhook_deliveries_due",
  "deliveries.nextDue": "webhook_deliveries_due",
  "emailSuppressions.list": "email_suppressions_tenant",
  "emailSuppressions.count": "email_suppressions_tenant",
  "batches.list": "batches_tenant",
  "batchQueue.countOpen": "batches_open",
  "batches.open": "batches_open",
  "batches.pending": "batch_lines_pending",
  "batches.swept": "batches_sweep",
  "batchQueue.claimDue": "batch_queue_due",
  "batchQueue.nextDue": "batch_queue_due",
  "files.list.asc": "files_tenant",
  "files.list.desc": "files_tenant",
  "files.count": "files_tenant",
  "files.used": "files_tenant",
  "files.staged": "files_staged",
  "files.due": "files_sweep",
  "idempotency.sweep": "idempotency_keys_expiry",
  "metrics.calls": "calls_open",
  "metrics.deliveries": "webhook_deliveries_due",
  "metrics.replies": "reply_jobs_due",
  "metrics.templateCampaigns": "template_campaigns_running",
  "messages.byMsgid": "chat_messages_msgid",
  "messages.history": "chat_messages_customer",
  "messages.inboundAfter": "chat_messages_customer",
  "messages.lastBefore": "chat_messages_customer",
  "messages.expireStaleSends": "chat_messages_sending",
  "messages.openParts": "chat_messages_open",
  "messages.turnsSince": "chat_messages_turns",
  "providerStates.listOpen": "provider_states_open",
  "knowledge.list": "knowledge_bot",
  "knowledge.count": "knowledge_bot",
  "knowledge.removeAll": "knowledge_bot",
  "knowledge.removePassages": "knowledge_passages_bot",
  "knowledge.removeAllPassages": "knowledge_passages_bot",
  "numbers.first": "phone_numbers_tenant",
  "numbers.list": "phone_numbers_tenant",
  "numbers.count": "phone_numbers_tenant",
  "replyJobs.claimDue": "reply_jobs_due",
  "replyJobs.nextDue": "reply_jobs_due",
  "templates.list": "voicemail_templates_tenant",
  "templates.count": "voicemail_templates_tenant",
  "suppression.keysBetween": "suppression_entries_key",
  "suppression.near": "suppression_entries_key",
  "suppression.near.reason": "suppression_entries_key",
  "suppression.list": "suppression_entries_tenant",
  "suppression.list.reason": "suppression_entries_tenant",
  "suppression.count": "suppression_entries_tenant",
  "suppression.count.reason": "suppression_entries_tenant",
  "voice.lockDue": "voice_sessions_due",
  "voice.nextDue": "voice_sessions_due",
  "voice.list": "voice_sessions_tenant",
  "voice.list.status": "voice_sessions_status",
  "voice.list.botId": "voice_sessions_bot",
  "voice.list.callId": "voice_sessions_call",
  "voice.count": "voice_sessions_tenant",
  "voice.lockRecorded": "voice_sessions_recorded",
  "liveSessions.byToken": "voice_sessions_token",
  "liveSessions.lockOfCall": "voice_sessions_call",
  "liveSessions.countActive": "voice_sessions_active",
  "liveSessions.lockLapsed": "voice_sessions_lease",
  "liveSessions.nextLapse": "voice_sessions_lease",
  "usage.ofSession": "usage_log_session",
  "bonuses.accounts": "accounts_bonus",
  "usage.count": "usage_log_tenant",
  "usage.count.keyId": "usage_log_key",
  "usage.count.sessionId": "usage_log_session",
  "usage.count.traceId": "usage_log_trace",
  "ledger.lapseReservations": "usage_holds_expiry",
  "ledger.lapsePlaces": "key_places_until",
  "ledger.expiredReservations": "usage_holds_expiry",
  "ledger.expiredPlaces": "key_places_until",
  "responses.items": "kept_items_key",
  "responses.sweep": "kept_responses_expiry",
  "usage.ofKeys": "usage_log_key",
  "usage.list": "usage_log_tenant",
  "usage.list.keyId": "usage_log_key",
  "usage.list.sessionId": "usage_log_session",
  "usage.list.traceId": "usage_log_trace",
  ...ofSeries("", "usage_log_tenant"),
  ...ofSeries("keyId", "usage_log_key"),
  ...ofSeries("sessionId", "usage_log_session"),
  ...ofSeries("traceId", "usage_log_trace"),
  "usage.totals": "usage_log_tenant",
  "usage.totals.keyId": "usage_log_key",
  "usage.totals.sessionId": "usage_log_session",
  "usage.totals.traceId": "usage_log_trace",
  "webhooks.list": "webhooks_tenant",
  "webhooks.count": "webhooks_tenant",
  "webhooks.activeFilters": "webhooks_tenant"
}

/** Statements that walk one whole table or index, on purpose. */
export const walks: Readonly<Record<string, { readonly table: string; readonly because: string }>> = {
  "members.firstAccount": {
    table: "accounts",
    because: "the oldest account: the first row of the table, in the order of its key"
  },
  "access.listAccounts": {
    table: "accounts",
    because: "an operator lists all of them, in the order of the primary key"
  },
  "calls.markForReconciliation": { table: "calls", because: "its partial index holds the open calls alone" },
  "campaigns.sweepContacts": { table: "removed_campaigns", because: "it holds a handful of rows, for minutes" },
  "campaigns.sweepMarkers": { table: "removed_campaigns", because: "it holds a handful of rows, for minutes" },
  "deliveries.sweep": { table: "removed_webhooks", because: "it holds a handful of rows, for minutes" },
  "knowledge.candidates": {
    table: "knowledge_search",
    because: "the full-text index is a virtual table, and finds its rows by the term"
  },
  "ledger.ended": { table: "processes", because: "it holds the running processes, and those that have ended lately" },
  "ledger.heldByEnded": { table: "process_holds", because: "it is read when a process has ended without a word" },
  "ledger.acquiredByEnded": { table: "process_slots", because: "it is read when a process has ended without a word" },
  "ledger.removeLeases": {
    table: "processes",
    because: "it holds the running processes, and those that have ended lately"
  },
  "metrics.inference": { table: "process_holds", because: "it holds a row for each account and service that is busy" },
  "metrics.calls": { table: "calls", because: "its partial index holds the open calls alone" },
  "moves.forgetFloors": { table: "queue_floors", because: "it holds three rows" },
  "moves.list": { table: "account_moves", because: "it holds the accounts that move, and those that have moved" },
  "moves.running.messages_on_their_way": {
    table: "chat_messages",
    because: "its partial index holds the messages alone that are on their way"
  },
  "moves.running.removals_of_campaigns": {
    table: "removed_campaigns",
    because: "it holds a handful of rows, for minutes"
  },
  "moves.running.removals_of_template_campaigns": {
    table: "removed_template_campaigns",
    because: "it holds a handful of rows, for minutes"
  },
  "moves.running.removals_of_webhooks": {
    table: "removed_webhooks",
    because: "it holds a handful of rows, for minutes"
  },
  "metrics.held": { table: "credit_holds", because: "it holds the open calls alone" },
  "templateCampaigns.sweepContacts": {
    table: "removed_template_campaigns",
    because: "it holds a handful of rows, for minutes"
  },
  "templateCampaigns.sweepChanges": {
    table: "removed_template_campaigns",
    because: "it holds a handful of rows, for minutes"
  },
  "templateCampaigns.sweepMarkers": {
    table: "removed_template_campaigns",
    because: "it holds a handful of rows, for minutes"
  },
  "webhooks.sweepMarkers": { table: "removed_webhooks", because: "it holds a handful of rows, for minutes" }
}

/** Counts of messages by interval: the intervals are a list of values. */
const deliveryCounts = ["ofAccount", "ofNumber", "ofCampaign"].map((name) => `deliveryCounts.${name}`)

const conversationLists = ["", ".customer", ".needsPerson", ".isUnread", ".assignedTo", ".phoneId", ".status"]
  .flatMap((lead) => [lead, `${lead}.others`])
  .flatMap((shape) => [shape, `${shape}.search`])
  .map((shape) => `conversations.list${shape}`)
  .concat("conversations.view")

/**
 * What is pending, in an index that holds nothing else: endpoints one by one, or rows to be counted; the first rows of a table or an
 * index; or the tags of one contact.
 */
export const queueTables: Readonly<Record<string, ReadonlyArray<string>>> = {
  "contacts.due": ["retries", "unattempted"],
  "contactChanges.waiting": ["campaigns", "contact_changes", "CONSTANT"],
  "templateContacts.due": ["retries", "untried"],
  ...Object.fromEntries(deliveryCounts.map((name) => [name, ["intervals", "(subquery-4)"]])),
  "deliveryCounts.ofCampaign": ["intervals", "(subquery-6)", "(subquery-7)"],
  "templateRecipients.since": ["people"],
  ...Object.fromEntries(
    ["list", "count", "between"].flatMap((name) => [
      [`crm.${name}.tag`, ["element"]],
      [`crm.${name}.text.tag`, ["element"]]
    ])
  ),
  "crm.segment": ["element"],
  "deliveries.due": ["webhook_deliveries", "first", "endpoints", "candidates", "(subquery-10)"],
  "deliveries.nextDue": ["webhook_deliveries", "first", "endpoints"],
  "metrics.deliveries": ["webhook_deliveries", "waiting"],
  "metrics.replies": ["reply_jobs", "waiting"],
  "metrics.templateCampaigns": ["template_campaigns", "running"],
  "retention.events": ["outbox", "old"],
  // A page of them, which was found before.
  ...Object.fromEntries(conversationLists.map((name) => [name, ["page", "found"]]))
}

/** An import compares and writes all of its staged rows, and nobody else's are in their table. */
export const importTables: ReadonlyArray<string> = [
  ...["import_rows", "import_entries", "jsonb_each", "found", "part", "(subquery-2)"]
]

/** Statements that sort what an index has found, on purpose. */
export const sorts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    deliveryCounts.map((name) => [
      name,
      "the intervals and statuses of at most 2,500 intervals, out of what an index has found"
    ])
  ),
  "deliveries.due": "as many candidates as there are free slots, a few times over",
  "deliveries.pendingLog.event": "what one endpoint has not got yet, found in an index of that alone",
  "deliveries.pendingLog": "what one endpoint has not got yet, found in an index of that alone",
  "conversations.newestOfNumber": "the chats of one person",
  ...Object.fromEntries(conversationLists.map((name) => [name, "one page, or the chats of customers who were found"])),
  "calls.search.to": "one person's calls",
  "crm.between": "at most 1,111 people have numbers that end alike",
  "crm.between.text": "at most 1,111 people have numbers that end alike",
  "crm.between.tag": "at most 1,111 people have numbers that end alike",
  "crm.between.text.tag": "at most 1,111 people have numbers that end alike",
  "crm.segment": "the tags of one contact, each once",
  "ledger.heldByEnded": "accounts of which a process that has died held something",
  "ledger.acquiredByEnded": "accounts of which a process that has died held something",
  "ledger.expiredReservations": "accounts of which a process of an earlier release that has died held something",
  "ledger.expiredPlaces": "accounts of which a process of an earlier release that has died held something",
  "metrics.calls": "open calls, by their status",
  "metrics.inference": "running requests, by their service",
  "readings.replyLatency": "the latencies of a window, out of the index that holds them alone",
  "readings.replyLatency.botId": "the latencies of a window, out of the index that holds them alone",
  "transcripts.ofCall": "what was said on one call",
  "knowledge.candidates": "places of rare terms, or of one common one",
  "usage.ofSession": "the models of one session, out of what an index has found",
  ...Object.assign(
    {},
    ...["", "keyId", "sessionId", "traceId"].map((lead) => ofSeries(lead, "the groups of at most a thousand intervals"))
  ),
  "usage.totals": "six services, out of what an index has found",
  "usage.totals.sessionId": "six services, out of what an index has found",
  "usage.totals.traceId": "six services, out of what an index has found",
  "usage.totals.keyId": "six services, out of what an index has found",
  "optOuts.near": "at most 1,111 numbers end alike, and a person has a few entries",
  "suppression.near": "at most 1,111 entries have numbers that end alike",
  "suppression.near.reason": "at most 1,111 entries have numbers that end alike",
  "templateCampaigns.using": "the campaigns of one number that have such a status",
  "templateCampaigns.usingLanguage": "the campaigns of one number that have such a status",
  "templateContacts.failures": "the reasons and codes of one campaign, out of what an index has found",
  "templateRecipients.since": "the people of one business account, each once, out of what an index has found",
  ...Object.fromEntries(
    templateContactLists
      .filter((name) => name.endsWith(".phone"))
      .map((name) => [name, "at most 1,111 numbers end alike, and each is on the list once"])
  ),
  "imports.writePeople": "the rows of one import, into the order of its file",
  "imports.writeList": "the rows of one import, into the order of its file",
  "imports.writeList.template": "the rows of one import, into the order of its file"
}
