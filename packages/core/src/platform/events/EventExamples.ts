/** One example of every event's data, for documents and for people who try a receiver. Pure. */
import type { EventData } from "./Catalogue.ts"
import type { EventName } from "./EventNames.ts"

const id = (last: string) => `0192f3a4-7c10-7b2e-9d41-${last.padStart(12, "0")}`

const campaign = {
  campaign_id: id("ca01"),
  name: "Autumn renewals",
  status: "running",
  total_contacts: 250,
  completed_contacts: 0,
  failed_contacts: 0,
  dial_mode: "power"
} as const

const placed = {
  id: id("ca11"),
  campaign_id: campaign.campaign_id,
  contact_id: id("c0a7"),
  attempt: 1,
  bot_id: id("b0a1"),
  from_number_id: id("a0b1"),
  from: "+14155550100",
  to: "+14155550123",
  status: "queued",
  answered_by: null,
  burst_id: null,
  is_winner: false,
  abandoned: false,
  provider: "twilio",
  provider_call_id: "CA5ef8732a3c49700934481addd5ce1659",
  started_at: "2026-11-21T09:30:00.000Z",
  answered_at: null,
  ended_at: null,
  duration_seconds: null,
  end_reason: null,
  voice_session_id: null,
  credits: 0,
  created_at: "2026-11-21T09:30:00.000Z"
} as const

const answered = {
  ...placed,
  status: "in_progress",
  answered_by: "human",
  answered_at: "2026-11-21T09:30:07.000Z"
} as const

const conversation = {
  conversation_id: id("c041"),
  phone_number_id: "106540352242922",
  user_id: "14155550123",
  bot_id: placed.bot_id
} as const

const message = {
  id: id("3e55"),
  conversation_id: conversation.conversation_id,
  role: "user",
  msgid: "mid.HBgLMTQxNTU1NTAxMjM",
  phone_number_id: conversation.phone_number_id,
  user_id: conversation.user_id,
  type: "text",
  text: "When do you open tomorrow?"
} as const

const session = {
  session_id: id("5e55"),
  status: "active",
  bot_id: placed.bot_id,
  call_id: null,
  stt_model: "saaras-v3",
  language: "en-IN",
  max_duration_seconds: 1800,
  started_at: "2026-11-21T09:30:00.000Z",
  ended_at: null,
  duration_seconds: null,
  end_reason: null
} as const

const budget = {
  key_id: id("ce91"),
  key_name: "Support desk",
  budget: 500,
  spent: 400.25,
  period: "month",
  period_started_at: "2026-11-01T00:00:00.000Z"
} as const

const payment = {
  payment_id: "pay_7781",
  invoice_id: "inv_2026_0042",
  amount: 49.9,
  currency: "EUR",
  method: "card"
} as const

const request = {
  payment_request_id: "pr_5512",
  amount: 120,
  amount_paid: 0,
  currency: "EUR",
  reference: "order 1009",
  payment_id: null,
  expires_at: "2026-11-28T00:00:00.000Z",
  url: "https://pay.example.com/pr_5512"
} as const

const email = {
  email_id: id("e0a1"),
  message_id: "<0192f3a4@mail.example.com>",
  recipient: "asha@example.com",
  detail: null,
  domain: "mail.example.com"
} as const

export const eventExamples: { readonly [Name in EventName]: EventData<Name> } = {
  "conversation.started": conversation,
  "conversation.ended": conversation,
  "message.received": message,
  "message.sent": { ...message, id: id("3e56"), role: "assistant", msgid: "mid.HBgLMTQxNTU1NTAxMjQ", text: "At nine." },
  "message.status": {
    id: id("3e56"),
    conversation_id: conversation.conversation_id,
    status: "delivered",
    msgid: "mid.HBgLMTQxNTU1NTAxMjQ",
    error: null,
    biz_opaque_callback_data: "order 1009"
  },
  "voice_session.started": session,
  "voice_session.ended": {
    ...session,
    status: "completed",
    ended_at: "2026-11-21T09:34:12.000Z",
    duration_seconds: 252,
    end_reason: "caller_hangup",
    turn_count: 1,
    credits: 4.25,
    recording: "available",
    transcript: [
      { role: "assistant", text: "Good morning, this is Asha." },
      { role: "user", text: "When do you open?" }
    ],
    transcript_truncated: false
  },
  "voice_session.failed": {
    ...session,
    status: "failed",
    ended_at: "2026-11-21T09:30:03.000Z",
    duration_seconds: 3,
    end_reason: "agent_error",
    turn_count: 0,
    credits: 0,
    recording: "none",
    transcript: [],
    transcript_truncated: false
  },
  "call.started": placed,
  "call.completed": {
    ...answered,
    status: "completed",
    ended_at: "2026-11-21T09:31:08.000Z",
    duration_seconds: 61,
    end_reason: "hangup_remote",
    credits: 2
  },
  "call.failed": {
    ...placed,
    status: "no_answer",
    ended_at: "2026-11-21T09:30:30.000Z",
    duration_seconds: 0,
    end_reason: "no_answer"
  },
  "call.amd_detected": answered,
  "voice_analysis.completed": {
    analysis_id: "an_3310",
    call_id: placed.id,
    session_id: null,
    bot_id: placed.bot_id,
    summary: "Asked for the opening hours and was content with the answer.",
    score: 0.9,
    results: { topic: "opening hours", callback_wanted: false, outcome: "answered", sentiment: "positive" },
    completed_at: "2026-11-21T09:32:00.000Z"
  },
  "campaign.started": campaign,
  "campaign.completed": { ...campaign, status: "completed", completed_contacts: 231, failed_contacts: 19 },
  "campaign.failed": { ...campaign, status: "paused", reason: "configuration_refused" },
  "voice_alert.triggered": {
    alert_id: "al_17",
    name: "Few people answer",
    metric: "connect_rate",
    value: 0.21,
    threshold: 0.3,
    comparison: "below",
    window_seconds: 3600,
    bot_id: placed.bot_id,
    triggered_at: "2026-11-21T10:00:00.000Z"
  },
  "budget.alert": budget,
  "budget.exceeded": { ...budget, spent: 500 },
  "credits.low": { balance: 99.5, threshold: 100 },
  "api_key.expired": {
    key_id: budget.key_id,
    name: budget.key_name,
    prefix: "svc_4f9KqZ2b",
    expires_at: "2026-11-21T09:30:00.000Z"
  },
  "invoice.created": {
    invoice_id: payment.invoice_id,
    number: "2026-0042",
    amount: payment.amount,
    currency: payment.currency,
    due_at: "2026-12-05T00:00:00.000Z",
    url: "https://billing.example.com/inv_2026_0042"
  },
  "payment.succeeded": { ...payment, paid_at: "2026-11-21T09:30:00.000Z" },
  "payment.failed": { ...payment, reason: "card_declined", message: "The bank has declined the card." },
  "payment_request.partially_paid": { ...request, amount_paid: 50, payment_id: payment.payment_id },
  "payment_request.paid": { ...request, amount_paid: 120, payment_id: payment.payment_id },
  "payment_request.expired": request,
  "payment_request.cancelled": request,
  "email.bounced": { ...email, detail: "550 5.1.1 mailbox does not exist" },
  "email.complained": { ...email, detail: "abuse" },
  "email.sent": email,
  "email.delivered": email,
  "email.opened": email,
  "email.received": { ...email, email_id: null, recipient: "help@example.com", domain: "example.com" }
}
