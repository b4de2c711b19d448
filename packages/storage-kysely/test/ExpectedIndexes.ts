/**
 * Which index answers which statement, on both databases. Statements that find one row by its own id, or that only add,
 * are not listed. What is not listed must still be found by some index: see the two tests of plans.
 */
export const expectedIndexes: Readonly<Record<string, string>> = {
  "access.listAudit": "audit_log_tenant",
  "access.expired": "key_expiries_at",
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
  "calls.unansweredOf": "calls_open",
  "calls.ofBurst": "calls_burst",
  "calls.answerCounts": "calls_answered",
  "calls.due": "calls_check",
  "calls.nextCheck": "calls_check",
  "calls.distrust": "calls_open",
  "contacts.list": "campaign_contacts_order",
  "contacts.dueRetries": "campaign_contacts_retry",
  "contacts.fresh": "campaign_contacts_fresh",
  "contacts.dueApproved": "campaign_contacts_approved",
  "contacts.nextRetry": "campaign_contacts_retry",
  "contacts.nextApprovedRetry": "campaign_contacts_retry",
  "contacts.awaitingFresh": "campaign_contacts_fresh",
  "contacts.awaitingRetry": "campaign_contacts_retry",
  "contacts.countApproved": "campaign_contacts_approved",
  "campaigns.list": "campaigns_tenant",
  "campaigns.count": "campaigns_tenant",
  "campaigns.due": "campaigns_due",
  "campaigns.nextDue": "campaigns_due",
  "campaigns.users.botId": "campaigns_tenant",
  "campaigns.users.fromNumberId": "campaigns_tenant",
  "campaigns.users.voicemailTemplateId": "campaigns_tenant",
  "carrierBook.open": "carrier_book_open",
  "deliveries.log": "webhook_deliveries_log",
  "deliveries.countLog": "webhook_deliveries_log",
  "deliveries.logOfEmail": "webhook_deliveries_email",
  "deliveries.countLogOfEmail": "webhook_deliveries_email",
  "deliveries.failedSince": "webhook_deliveries_failed",
  "deliveries.due": "webhook_deliveries_due",
  "deliveries.nextDue": "webhook_deliveries_due",
  "emailSuppressions.list": "email_suppressions_tenant",
  "emailSuppressions.count": "email_suppressions_tenant",
  "idempotency.sweep": "idempotency_keys_expiry",
  "numbers.first": "phone_numbers_tenant",
  "numbers.list": "phone_numbers_tenant",
  "numbers.count": "phone_numbers_tenant",
  "templates.list": "voicemail_templates_tenant",
  "templates.count": "voicemail_templates_tenant",
  "suppression.keysBetween": "suppression_entries_key",
  "suppression.list": "suppression_entries_tenant",
  "suppression.count": "suppression_entries_tenant",
  "voice.holdDue": "voice_sessions_due",
  "voice.nextDue": "voice_sessions_due",
  "usage.bonusAccounts": "accounts_bonus",
  "usage.count": "usage_log_tenant",
  "usage.count.keyId": "usage_log_key",
  "usage.count.sessionId": "usage_log_session",
  "usage.count.traceId": "usage_log_trace",
  "usage.expired": "usage_holds_expiry",
  "usage.expiredOf": "usage_holds_expiry",
  "usage.forget": "usage_holds_expiry",
  "usage.list": "usage_log_tenant",
  "usage.list.keyId": "usage_log_key",
  "usage.list.sessionId": "usage_log_session",
  "usage.list.traceId": "usage_log_trace",
  "usage.totals": "usage_log_tenant",
  "usage.totals.keyId": "usage_log_key",
  "usage.totals.sessionId": "usage_log_session",
  "usage.totals.traceId": "usage_log_trace",
  "webhooks.list": "webhooks_tenant",
  "webhooks.count": "webhooks_tenant",
  "webhooks.interests": "webhooks_tenant"
}

/** Statements that walk one whole table or index, on purpose. */
export const walks: Readonly<Record<string, { readonly table: string; readonly because: string }>> = {
  "access.listAccounts": {
    table: "accounts",
    because: "an operator lists all of them, in the order of the primary key"
  },
  "calls.distrust": { table: "calls", because: "its partial index holds the open calls alone" },
  "campaigns.sweepContacts": { table: "removed_campaigns", because: "it holds a handful of rows, for minutes" },
  "campaigns.sweepMarkers": { table: "removed_campaigns", because: "it holds a handful of rows, for minutes" },
  "carrierBook.open": { table: "carrier_book", because: "its partial index holds the open calls alone" },
  "deliveries.sweep": { table: "removed_webhooks", because: "it holds a handful of rows, for minutes" },
  "webhooks.sweepMarkers": { table: "removed_webhooks", because: "it holds a handful of rows, for minutes" }
}

/** Endpoints with something pending, found one by one in an index that holds what is pending alone. */
export const laneTables: Readonly<Record<string, ReadonlyArray<string>>> = {
  "deliveries.due": ["webhook_deliveries", "first", "lanes", "candidates", "(subquery-10)"],
  "deliveries.nextDue": ["webhook_deliveries", "first", "lanes"]
}

/** An import compares and writes all of its staged rows, and nobody else's are in their table. */
export const importTables: ReadonlyArray<string> = ["import_rows", "jsonb_each", "found", "(subquery-2)"]

/** Statements that sort what an index has found, on purpose. */
export const sorts: Readonly<Record<string, string>> = {
  "deliveries.due": "as many candidates as there are places, a few times over",
  "crm.between": "at most 1,111 people have numbers that end alike",
  "usage.totals": "six services, out of what an index has found",
  "usage.totals.sessionId": "six services, out of what an index has found",
  "usage.totals.traceId": "six services, out of what an index has found",
  "usage.totals.keyId": "six services, out of what an index has found",
  "imports.writePeople": "the rows of one import, into the order of its file",
  "imports.writeList": "the rows of one import, into the order of its file"
}
