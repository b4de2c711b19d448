/** Every event as data: when it is emitted, by whom, and what it carries. Pure. */
import type * as Schema from "effect/Schema"
import type { EmailEventName, EventName, PlatformEventName } from "./EventNames.ts"
import * as Payloads from "./EventPayloads.ts"

/**
 * Who emits an event:
 * - `product` the product
 * - `host`    the host, with `events.publish`; for emails with `email.report`
 * - `never`   nobody yet; subscriptions may name it
 */
export type EventSource = "product" | "host" | "never"

export interface CatalogueEntry<Data extends Schema.Codec<object> = Schema.Codec<object>> {
  readonly category: string
  /** When it is emitted, as the end of a sentence. */
  readonly fires: string
  readonly source: EventSource
  /** Its `data` under wire names. */
  readonly data: Data
}

/** Source: docs/reference/events.md#catalogue. */
export const platformCatalogue = {
  "conversation.started": {
    category: "Conversations and messages",
    fires: "when a customer writes for the first time, or again after a conversation has ended",
    source: "product",
    data: Payloads.ConversationData
  },
  "conversation.ended": {
    category: "Conversations and messages",
    fires: "when a conversation has been silent for 24 hours and the next message begins another one",
    source: "product",
    data: Payloads.ConversationData
  },
  "message.received": {
    category: "Conversations and messages",
    fires: "when a customer's message has been stored",
    source: "product",
    data: Payloads.MessageData
  },
  "message.sent": {
    category: "Conversations and messages",
    fires: "when the upstream platform has accepted a message to a customer",
    source: "product",
    data: Payloads.MessageData
  },
  "message.status": {
    category: "Conversations and messages",
    fires: "when a message to a customer was sent, delivered or read, or has failed",
    source: "product",
    data: Payloads.MessageStatusData
  },
  "voice_session.started": {
    category: "Voice sessions",
    fires: "when a voice session is connected",
    source: "product",
    data: Payloads.VoiceSessionStartedData
  },
  "voice_session.ended": {
    category: "Voice sessions",
    fires: "once, when a voice session has ended `completed`",
    source: "product",
    data: Payloads.VoiceSessionEndedData
  },
  "voice_session.failed": {
    category: "Voice sessions",
    fires: "once, when a voice session has ended `failed` or `timeout`",
    source: "product",
    data: Payloads.VoiceSessionFailedData
  },
  "call.started": {
    category: "Calls",
    fires: "when the carrier has accepted the call",
    source: "product",
    data: Payloads.CallData
  },
  "call.completed": {
    category: "Calls",
    fires: "when the call has ended `completed`",
    source: "product",
    data: Payloads.CallData
  },
  "call.failed": {
    category: "Calls",
    fires: "when the call has ended `busy`, `no_answer`, `failed` or `canceled`",
    source: "product",
    data: Payloads.CallData
  },
  "call.amd_detected": {
    category: "Calls",
    fires: "once per call with machine detection, when the detection resolves",
    source: "product",
    data: Payloads.CallData
  },
  "voice_analysis.completed": {
    category: "Analysis of calls",
    fires: "when the analysis of a call or voice session is done",
    source: "product",
    data: Payloads.VoiceAnalysisData
  },
  "campaign.started": {
    category: "Campaigns",
    fires: "on every entry into `running`",
    source: "product",
    data: Payloads.CampaignData
  },
  "campaign.completed": {
    category: "Campaigns",
    fires: "on entry into `completed`, by hand or by itself",
    source: "product",
    data: Payloads.CampaignData
  },
  "campaign.failed": {
    category: "Campaigns",
    fires: "when the service cannot place calls and has paused the campaign",
    source: "product",
    data: Payloads.CampaignFailedData
  },
  "voice_alert.triggered": {
    category: "Alerts",
    fires: "when a watched metric crosses its threshold",
    source: "product",
    data: Payloads.VoiceAlertData
  },
  "budget.alert": {
    category: "Billing",
    fires: "once per budget, when the spend of a key reaches 80 % of it",
    source: "product",
    data: Payloads.BudgetData
  },
  "budget.exceeded": {
    category: "Billing",
    fires: "once per budget, when the spend of a key reaches it, or a request is first refused for it",
    source: "product",
    data: Payloads.BudgetData
  },
  "credits.low": {
    category: "Billing",
    fires: "when the balance falls below 100 credits, once per fall",
    source: "product",
    data: Payloads.CreditsLowData
  },
  "api_key.expired": {
    category: "Keys",
    fires: "once, within a minute of a key's expiry",
    source: "product",
    data: Payloads.ApiKeyExpiredData
  },
  "invoice.created": {
    category: "Invoices and payments",
    fires: "when the host has created an invoice",
    source: "host",
    data: Payloads.InvoiceData
  },
  "payment.succeeded": {
    category: "Invoices and payments",
    fires: "when a payment has succeeded",
    source: "host",
    data: Payloads.PaymentData
  },
  "payment.failed": {
    category: "Invoices and payments",
    fires: "when a payment was refused",
    source: "host",
    data: Payloads.PaymentFailedData
  },
  "payment_request.partially_paid": {
    category: "Payment requests",
    fires: "when a customer has paid a part of the requested amount",
    source: "host",
    data: Payloads.PaymentRequestData
  },
  "payment_request.paid": {
    category: "Payment requests",
    fires: "when a customer has paid the requested amount in full",
    source: "host",
    data: Payloads.PaymentRequestData
  },
  "payment_request.expired": {
    category: "Payment requests",
    fires: "when the time to pay has passed before the requested amount was paid",
    source: "host",
    data: Payloads.PaymentRequestData
  },
  "payment_request.cancelled": {
    category: "Payment requests",
    fires: "when the account has withdrawn its request",
    source: "host",
    data: Payloads.PaymentRequestData
  }
} as const satisfies Record<PlatformEventName, CatalogueEntry>

/** Source: docs/reference/events.md#catalogue. */
export const emailCatalogue = {
  "email.bounced": {
    category: "Emails",
    fires: "when a recipient's mail server has refused a message; the address is suppressed from then on",
    source: "host",
    data: Payloads.EmailData
  },
  "email.complained": {
    category: "Emails",
    fires: "when a recipient has reported a message as spam; the address is suppressed from then on",
    source: "host",
    data: Payloads.EmailData
  },
  "email.sent": {
    category: "Emails",
    fires: "when a mail server has accepted a message for delivery",
    source: "never",
    data: Payloads.EmailData
  },
  "email.delivered": {
    category: "Emails",
    fires: "when a message has reached the mailbox",
    source: "never",
    data: Payloads.EmailData
  },
  "email.opened": {
    category: "Emails",
    fires: "when a recipient has opened a tracked message",
    source: "never",
    data: Payloads.EmailData
  },
  "email.received": {
    category: "Emails",
    fires: "when a message has arrived at an address of the account",
    source: "never",
    data: Payloads.EmailData
  }
} as const satisfies Record<EmailEventName, CatalogueEntry>

const catalogue = { ...platformCatalogue, ...emailCatalogue }

/** What an event carries, in the catalogue's names. */
export type EventData<Name extends EventName> = (typeof catalogue)[Name]["data"]["Type"]

/** Events that the product emits itself. */
export type ProductEvent = {
  [Name in PlatformEventName]: (typeof platformCatalogue)[Name]["source"] extends "product" ? Name : never
}[PlatformEventName]

export const catalogueEntry = (name: EventName): CatalogueEntry => catalogue[name]
