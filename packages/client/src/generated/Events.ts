/** What every event carries, under wire names: made from the catalogue by ClientFiles.test.ts. Types, which are records too. */

export type ConversationEventData = {
  /** The conversation: one customer on one number. */
  readonly conversation_id: string
  /** The number, by the upstream platform's id. */
  readonly phone_number_id: string
  /** The customer: the upstream platform's id of the person, else the digits of the phone. */
  readonly user_id: string | null
  /** The agent that is linked to the number. */
  readonly bot_id: string | null
}

export type MessageReceivedEventData = {
  /** The message, by our own id, as lists of messages show it. */
  readonly id: string
  /** The conversation that the message belongs to. */
  readonly conversation_id: string
  /** Who wrote it: the customer, the agent's model, or a person or program of the account. */
  readonly role: "user" | "assistant" | "agent"
  /** The message, by the upstream platform's id. */
  readonly msgid: string
  /** The number, by the upstream platform's id. */
  readonly phone_number_id: string
  /** The customer: the upstream platform's id of the person, else the digits of the phone. */
  readonly user_id: string | null
  /** The kind of message, such as `text`, `image` or `template`. */
  readonly type: string
  /** What it says, where it has words. */
  readonly text: string | null
  /** The template campaign that the message is of, or that the customer's message answers; null where it is of none. */
  readonly campaign_id: string | null
  /** The contact of that campaign; null where it is of none. */
  readonly contact_id: string | null
  /** What stands behind the button that the customer has tapped, or its title; null where none was tapped. */
  readonly button: string | null
  /** The flow that the customer has completed; null where none was. */
  readonly flow: {
    /** What the flow was sent with. */
    readonly token: string | null
    /** The flow, by the upstream platform's id, where its token was made here. */
    readonly flow_id: string | null
    /** What the customer has filled in; null where that cannot be read. */
    readonly values: Readonly<Record<string, unknown>> | null
  } | null
  /** What the customer has ordered, with decimals as texts; null where the message is no order. */
  readonly order: {
    /** The chat platform's id of the catalog that the products are of. */
    readonly catalog_id: string | null
    /** What the customer has written with the order. */
    readonly text: string | null
    /** The products that were ordered; what the message does not say of one is null. */
    readonly items: ReadonlyArray<{
      /** The account's own id of the product. */
      readonly retailer_id: string | null
      /** Number of pieces. */
      readonly quantity: number | null
      /** Price of one piece, as a decimal text. */
      readonly price: string | null
      /** Currency of the price, as three letters. */
      readonly currency: string | null
    }>
    /** Sum of the items as a decimal text; null where it is not known, or they differ in currency. */
    readonly total: string | null
    /** Currency of the total, as three letters; null where items differ in it. */
    readonly currency: string | null
  } | null
}

export type MessageEventData = {
  /** The message, by our own id, as lists of messages show it. */
  readonly id: string
  /** The conversation that the message belongs to. */
  readonly conversation_id: string
  /** Who wrote it: the customer, the agent's model, or a person or program of the account. */
  readonly role: "user" | "assistant" | "agent"
  /** The message, by the upstream platform's id. */
  readonly msgid: string
  /** The number, by the upstream platform's id. */
  readonly phone_number_id: string
  /** The customer: the upstream platform's id of the person, else the digits of the phone. */
  readonly user_id: string | null
  /** The kind of message, such as `text`, `image` or `template`. */
  readonly type: string
  /** What it says, where it has words. */
  readonly text: string | null
  /** The template campaign that the message is of, or that the customer's message answers; null where it is of none. */
  readonly campaign_id: string | null
  /** The contact of that campaign; null where it is of none. */
  readonly contact_id: string | null
}

export type MessageStatusEventData = {
  /** The message, by our own id, as lists of messages show it. */
  readonly id: string
  /** The conversation that the message belongs to. */
  readonly conversation_id: string
  /** What the message has reached. */
  readonly status: "sent" | "delivered" | "read" | "failed"
  /** The message, by the upstream platform's id; null for a message that the platform never accepted. */
  readonly msgid: string | null
  /** Why it failed, as a sentence that ends with the platform's code where it named one; null unless it failed. */
  readonly error: string | null
  /** What the compatible send of this message carried under this name; null where it carried nothing. */
  readonly biz_opaque_callback_data: string | null
  /** The template campaign that the message is of, or that the customer's message answers; null where it is of none. */
  readonly campaign_id: string | null
  /** The contact of that campaign; null where it is of none. */
  readonly contact_id: string | null
  /** The platform's code, where the message has failed and the platform named one. */
  readonly code: number | null
  /** What the message costs, in the platform's words, where the report says so. */
  readonly pricing: {
    /** The category that the platform charges for. */
    readonly category: string | null
    /** The kind of price. */
    readonly type: string | null
    /** Whether the platform charges for the message. */
    readonly billable: boolean | null
  } | null
}

export type NumberEventData = {
  /** The number, by our own id, as lists of numbers show it. */
  readonly phone_id: string
  /** The number, by the upstream platform's id. */
  readonly phone_number_id: string
  /** What has changed of it. */
  readonly change: "quality" | "messaging_limit" | "display_name" | "restriction"
  /** Its status, in the upstream platform's words; null where it is not known. */
  readonly status: string | null
  /** How customers take its messages; null where it is not known. */
  readonly quality_rating: "GREEN" | "YELLOW" | "RED" | "UNKNOWN" | null
  /** How many people outside of an open reply window it may write to in 24 hours; null where that is not known. */
  readonly messaging_limit: {
    /** The limit in the upstream platform's words. */
    readonly tier: string
    /** The limit as a number; null for no limit. */
    readonly per_day: number | null
  } | null
  /** How many messages a second it sends at most; null where that is not known. */
  readonly throughput: {
    /** The throughput in the upstream platform's words. */
    readonly level: string
    /** The throughput as a number. */
    readonly per_second: number
  } | null
  /** The name that customers see; null where it is not known. */
  readonly verified_name: string | null
  /** Whether that name is approved, in the upstream platform's words. */
  readonly name_status: string | null
  /** Whether the number is verified, in the upstream platform's words. */
  readonly code_verification_status: string | null
  /** Whether a PIN is set; null where it is not known. */
  readonly is_pin_enabled: boolean | null
  /** What the upstream platform does not let it do for now; null for nothing. */
  readonly restriction: {
    /** The restriction in the upstream platform's words. */
    readonly type: string
    /** When it ends; null where it has no end. */
    readonly until: string | null
  } | null
  /** When the upstream platform was last asked; null where it never was. */
  readonly checked_at: string | null
}

export type TemplateEventData = {
  /** The business account, by the upstream platform's id. */
  readonly business_account_id: string
  /** The template, by the upstream platform's id. */
  readonly template_id: string
  /** What the template is called; null where it is not known. */
  readonly name: string | null
  /** The language of the template, such as `en_US`; null where it is not known. */
  readonly language: string | null
  /** What has changed of it. */
  readonly change: "status" | "quality" | "category" | "components"
  /** Its status, in the upstream platform's words; null where it is not known. */
  readonly status: string | null
  /** The status that it had before; null where that is not known. */
  readonly previous_status: string | null
  /** How customers take it, in the upstream platform's words; null where it is not known. */
  readonly quality: string | null
  /** Its category, such as `MARKETING`; null where it is not known. */
  readonly category: string | null
  /** Why it has its status, in the upstream platform's words; null where it names no reason. */
  readonly reason: string | null
}

export type ContactPreferenceEventData = {
  /** The number that is meant, by the upstream platform's id; null for every number of the account. */
  readonly phone_number_id: string | null
  /** The person, by the upstream platform's id; null where it is not known. */
  readonly user_id: string | null
  /** The person's phone; null where it is not known. */
  readonly phone: string | null
  /** Whether the person gets no more messages, or gets them again. */
  readonly preference: "stopped" | "resumed"
  /** Whether marketing messages alone are meant, or all messages of campaigns. */
  readonly scope: "marketing" | "all"
  /** How the person, or the account for the person, has said so. */
  readonly source: "keyword" | "platform" | "button" | "api"
}

export type VoiceSessionStartedEventData = {
  /** The voice session. */
  readonly session_id: string
  /** Where it stands. */
  readonly status: "created" | "active"
  /** The agent that talks. */
  readonly bot_id: string | null
  /** The telephone call on which it is held; null without one. */
  readonly call_id: string | null
  /** The model that hears. */
  readonly stt_model: string | null
  /** The language, as a BCP 47 tag. */
  readonly language: string | null
  /** How many seconds it may last. */
  readonly max_duration_seconds: number
  /** When it was connected. */
  readonly started_at: string | null
  /** When it ended; null while it is not over. */
  readonly ended_at: string | null
  /** How many seconds it lasted; null while it is not over. */
  readonly duration_seconds: number | null
  /** Why it ended, such as `caller_hangup`; null while it is not over. */
  readonly end_reason: string | null
}

export type VoiceSessionEndedEventData = {
  /** The voice session. */
  readonly session_id: string
  /** Where it stands. */
  readonly status: "completed"
  /** The agent that talks. */
  readonly bot_id: string | null
  /** The telephone call on which it is held; null without one. */
  readonly call_id: string | null
  /** The model that hears. */
  readonly stt_model: string | null
  /** The language, as a BCP 47 tag. */
  readonly language: string | null
  /** How many seconds it may last. */
  readonly max_duration_seconds: number
  /** When it was connected. */
  readonly started_at: string | null
  /** When it ended; null while it is not over. */
  readonly ended_at: string | null
  /** How many seconds it lasted; null while it is not over. */
  readonly duration_seconds: number | null
  /** Why it ended, such as `caller_hangup`; null while it is not over. */
  readonly end_reason: string | null
  /** How many turns the caller had. */
  readonly turn_count: number
  /** What its models cost, in credits. */
  readonly credits: number
  /** Whether there is a recording. */
  readonly recording: "none" | "available" | "deleted"
  /** What caller and agent said, up to 64 KiB; missing where the host omits it. */
  readonly transcript?:
    | ReadonlyArray<{
        /** Who said it. */
        readonly role: "user" | "assistant" | "tool"
        /** What was said. */
        readonly text: string
      }>
    | undefined
  /** True where the oldest entries are missing. */
  readonly transcript_truncated?: boolean | undefined
}

export type VoiceSessionFailedEventData = {
  /** The voice session. */
  readonly session_id: string
  /** Where it stands. */
  readonly status: "failed" | "timeout"
  /** The agent that talks. */
  readonly bot_id: string | null
  /** The telephone call on which it is held; null without one. */
  readonly call_id: string | null
  /** The model that hears. */
  readonly stt_model: string | null
  /** The language, as a BCP 47 tag. */
  readonly language: string | null
  /** How many seconds it may last. */
  readonly max_duration_seconds: number
  /** When it was connected. */
  readonly started_at: string | null
  /** When it ended; null while it is not over. */
  readonly ended_at: string | null
  /** How many seconds it lasted; null while it is not over. */
  readonly duration_seconds: number | null
  /** Why it ended, such as `caller_hangup`; null while it is not over. */
  readonly end_reason: string | null
  /** How many turns the caller had. */
  readonly turn_count: number
  /** What its models cost, in credits. */
  readonly credits: number
  /** Whether there is a recording. */
  readonly recording: "none" | "available" | "deleted"
  /** What caller and agent said, up to 64 KiB; missing where the host omits it. */
  readonly transcript?:
    | ReadonlyArray<{
        /** Who said it. */
        readonly role: "user" | "assistant" | "tool"
        /** What was said. */
        readonly text: string
      }>
    | undefined
  /** True where the oldest entries are missing. */
  readonly transcript_truncated?: boolean | undefined
}

export type CallEventData = {
  /** The call. */
  readonly id: string
  /** The campaign that placed it. */
  readonly campaign_id: string | null
  /** The contact of that campaign. */
  readonly contact_id: string | null
  /** Which attempt at the contact this is, from 1. */
  readonly attempt: number | null
  /** The agent that talks. */
  readonly bot_id: string | null
  /** The account's number, where one was used. */
  readonly from_number_id: string | null
  /** The caller number that was shown. */
  readonly from: string | null
  /** The number that was called, as it was given. */
  readonly to: string
  /** Where the call stands. */
  readonly status:
    | "queued"
    | "dialing"
    | "ringing"
    | "in_progress"
    | "completed"
    | "busy"
    | "no_answer"
    | "failed"
    | "canceled"
  /** What machine detection has found; null without it and before it resolves. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** The parallel dial that the call belongs to. */
  readonly burst_id: string | null
  /** It won its parallel dial. */
  readonly is_winner: boolean
  /** A person answered after another leg had won, and was hung up on. */
  readonly abandoned: boolean
  /** The carrier's name. */
  readonly provider: string
  /** The carrier's own id of the call. */
  readonly provider_call_id: string | null
  /** When the carrier was asked. */
  readonly started_at: string
  /** When it was answered. */
  readonly answered_at: string | null
  /** When it ended. */
  readonly ended_at: string | null
  /** Seconds between answer and end; 0 when not answered, null while it is not over. */
  readonly duration_seconds: number | null
  /** Why it ended; null while it is not over. */
  readonly end_reason:
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
    | null
  /** The voice session of its agent, where it has one. */
  readonly voice_session_id: string | null
  /** What it cost, in credits; 0 while it is not over. */
  readonly credits: number
  /** When the call was written down. */
  readonly created_at: string
}

export type VoiceAnalysisEventData = {
  /** The analysis. */
  readonly analysis_id: string
  /** The call that was analysed. */
  readonly call_id?: string | null | undefined
  /** The voice session that was analysed. */
  readonly session_id?: string | null | undefined
  /** The agent that talked. */
  readonly bot_id?: string | null | undefined
  /** What was said, in short. */
  readonly summary?: string | null | undefined
  /** How well it went, from 0 to 1. */
  readonly score?: number | null | undefined
  /** The outcome, the sentiment, and what else was looked for and found, under the agent's names. */
  readonly results?: Readonly<Record<string, unknown>> | undefined
  /** When the analysis was done. */
  readonly completed_at?: string | undefined
}

export type CampaignEventData = {
  /** The campaign. */
  readonly campaign_id: string
  /** Whether it calls people, or sends a template to them. */
  readonly kind: "voice" | "template"
  /** Its name. */
  readonly name: string
  /** Its status after the change. */
  readonly status: "draft" | "scheduled" | "running" | "paused" | "insufficient_balance" | "completed" | "cancelled"
  /** How many contacts it has. */
  readonly total_contacts: number
  /** How many of them are `done`; of a template campaign, how many are `sent`, `delivered`, `read` or `skipped`. */
  readonly completed_contacts: number
  /** How many of them are `failed`. */
  readonly failed_contacts: number
  /** How it dials; null of a template campaign. */
  readonly dial_mode: "preview" | "power" | "parallel" | null
  /** The number that a template campaign sends from, by the upstream platform's id; null of a campaign of calls. */
  readonly phone_number_id: string | null
  /** The template that is sent; null of a campaign of calls. */
  readonly template: {
    /** The name of the template. */
    readonly name: string
    /** Its language, as the upstream platform writes it. */
    readonly language: string
  } | null
}

export type CampaignFailedEventData = {
  /** The campaign. */
  readonly campaign_id: string
  /** Whether it calls people, or sends a template to them. */
  readonly kind: "voice" | "template"
  /** Its name. */
  readonly name: string
  /** Its status after the change. */
  readonly status: "draft" | "scheduled" | "running" | "paused" | "insufficient_balance" | "completed" | "cancelled"
  /** How many contacts it has. */
  readonly total_contacts: number
  /** How many of them are `done`; of a template campaign, how many are `sent`, `delivered`, `read` or `skipped`. */
  readonly completed_contacts: number
  /** How many of them are `failed`. */
  readonly failed_contacts: number
  /** How it dials; null of a template campaign. */
  readonly dial_mode: "preview" | "power" | "parallel" | null
  /** The number that a template campaign sends from, by the upstream platform's id; null of a campaign of calls. */
  readonly phone_number_id: string | null
  /** The template that is sent; null of a campaign of calls. */
  readonly template: {
    /** The name of the template. */
    readonly name: string
    /** Its language, as the upstream platform writes it. */
    readonly language: string
  } | null
  /** Why the campaign is paused. Of a campaign of calls: the carrier refuses our credentials or caller number, or needs a caller number and there is none, or the platform has no clock for the campaign's time zone. Of a template campaign: its `pause_reason`. */
  readonly reason:
    | "configuration_refused"
    | "caller_number_missing"
    | "timezone_unknown"
    | "classification"
    | "spam_rate"
    | "invalid_content"
    | "template_missing"
    | "template_rejected"
    | "template_paused"
    | "template_disabled"
    | "template_deleted"
    | "template_category"
    | "flow_blocked"
    | "marketing_not_permitted"
    | "credentials"
    | "payment"
    | "account_restricted"
    | "quality"
    | "failure_rate"
    | "number_disconnected"
    | "start_refused"
}

export type VoiceAlertEventData = {
  /** The alert. */
  readonly alert_id: string
  /** Its name. */
  readonly name?: string | undefined
  /** What is measured, such as `connect_rate`. */
  readonly metric?: string | undefined
  /** What was measured, in the metric's unit. */
  readonly value?: number | undefined
  /** The value at which the alert is triggered, in the same unit. */
  readonly threshold?: number | undefined
  /** On which side of the threshold it is triggered. */
  readonly comparison?: "above" | "below" | undefined
  /** Over how many seconds it was measured. */
  readonly window_seconds?: number | undefined
  /** The agent that the alert is about; null for all. */
  readonly bot_id?: string | null | undefined
  /** When it fired. */
  readonly triggered_at?: string | undefined
}

export type BudgetEventData = {
  /** The API key whose budget it is. */
  readonly key_id: string
  /** The key's name. */
  readonly key_name: string | null
  /** The budget, in credits. */
  readonly budget: number
  /** What the key has spent of it, in credits. */
  readonly spent: number
  /** Whether the budget is for the key's lifetime or for a month of UTC. */
  readonly period: "total" | "month"
  /** When the month began; null for a lifetime. */
  readonly period_started_at: string | null
}

export type CreditsLowEventData = {
  /** What is left, in credits. */
  readonly balance: number
  /** The balance below which the event is emitted, in credits. */
  readonly threshold: number
}

export type ApiKeyExpiredEventData = {
  /** The key. */
  readonly key_id: string
  /** Its name. */
  readonly name: string | null
  /** Its first characters, for people to recognise it by. */
  readonly prefix: string
  /** When it expired. */
  readonly expires_at: string
}

export type InvoiceEventData = {
  /** The invoice. */
  readonly invoice_id: string
  /** The number that is printed on it. */
  readonly number?: string | undefined
  /** What is to be paid, in whole units of the currency: 12.5 is 12.50. */
  readonly amount?: number | undefined
  /** ISO 4217, such as `EUR`. */
  readonly currency?: string | undefined
  /** When it is due. */
  readonly due_at?: string | null | undefined
  /** Where it can be seen. */
  readonly url?: string | null | undefined
}

export type PaymentEventData = {
  /** The payment. */
  readonly payment_id: string
  /** The invoice that it is for. */
  readonly invoice_id?: string | null | undefined
  /** How much, in whole units of the currency: 12.5 is 12.50. */
  readonly amount?: number | undefined
  /** ISO 4217, such as `EUR`. */
  readonly currency?: string | undefined
  /** How it was made, such as `card`. */
  readonly method?: string | null | undefined
  /** When it was made. */
  readonly paid_at?: string | undefined
}

export type PaymentFailedEventData = {
  /** The payment. */
  readonly payment_id: string
  /** The invoice that it is for. */
  readonly invoice_id?: string | null | undefined
  /** How much, in whole units of the currency: 12.5 is 12.50. */
  readonly amount?: number | undefined
  /** ISO 4217, such as `EUR`. */
  readonly currency?: string | undefined
  /** How it was made, such as `card`. */
  readonly method?: string | null | undefined
  /** Why it failed, as a word for programs, such as `card_declined`. */
  readonly reason?: string | null | undefined
  /** Why it failed, as a sentence for people. */
  readonly message?: string | null | undefined
}

export type PaymentRequestEventData = {
  /** The request: a link that a customer pays by, or a bill in a chat. */
  readonly payment_request_id: string
  /** What was asked for, in whole units of the currency: 12.5 is 12.50. */
  readonly amount?: number | undefined
  /** What has been paid so far, in the same unit. */
  readonly amount_paid?: number | undefined
  /** ISO 4217, such as `EUR`. */
  readonly currency?: string | undefined
  /** The account's own word for it, such as an order number. */
  readonly reference?: string | null | undefined
  /** The latest payment. */
  readonly payment_id?: string | null | undefined
  /** Until when it can be paid. */
  readonly expires_at?: string | null | undefined
  /** The link; null of a bill in a chat. */
  readonly url?: string | null | undefined
}

export type EmailEventData = {
  /** The send that the event is about; null when it is not known which. */
  readonly email_id: string | null
  /** The Message-ID of RFC 5322. */
  readonly message_id: string | null
  /** The address. */
  readonly recipient: string
  /** The reason that was reported. */
  readonly detail: string | null
  /** The domain that sent it. */
  readonly domain: string | null
}

/** The data of each event, by its name. */
export interface EventDataOf {
  readonly "conversation.started": ConversationEventData
  readonly "conversation.ended": ConversationEventData
  readonly "message.received": MessageReceivedEventData
  readonly "message.sent": MessageEventData
  readonly "message.status": MessageStatusEventData
  readonly "number.status": NumberEventData
  readonly "template.status": TemplateEventData
  readonly "contact.preference": ContactPreferenceEventData
  readonly "voice_session.started": VoiceSessionStartedEventData
  readonly "voice_session.ended": VoiceSessionEndedEventData
  readonly "voice_session.failed": VoiceSessionFailedEventData
  readonly "call.started": CallEventData
  readonly "call.completed": CallEventData
  readonly "call.failed": CallEventData
  readonly "call.amd_detected": CallEventData
  readonly "voice_analysis.completed": VoiceAnalysisEventData
  readonly "campaign.started": CampaignEventData
  readonly "campaign.completed": CampaignEventData
  readonly "campaign.failed": CampaignFailedEventData
  readonly "voice_alert.triggered": VoiceAlertEventData
  readonly "budget.alert": BudgetEventData
  readonly "budget.exceeded": BudgetEventData
  readonly "credits.low": CreditsLowEventData
  readonly "api_key.expired": ApiKeyExpiredEventData
  readonly "invoice.created": InvoiceEventData
  readonly "payment.succeeded": PaymentEventData
  readonly "payment.failed": PaymentFailedEventData
  readonly "payment_request.partially_paid": PaymentRequestEventData
  readonly "payment_request.paid": PaymentRequestEventData
  readonly "payment_request.expired": PaymentRequestEventData
  readonly "payment_request.cancelled": PaymentRequestEventData
  readonly "email.bounced": EmailEventData
  readonly "email.complained": EmailEventData
  readonly "email.sent": EmailEventData
  readonly "email.delivered": EmailEventData
  readonly "email.opened": EmailEventData
  readonly "email.received": EmailEventData
}

export type EventName = keyof EventDataOf
