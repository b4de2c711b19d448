/** The data of every event under wire names, as receivers get them, each field with its meaning. Pure. */
import * as Schema from "effect/Schema"
import { Instant, Statuses } from "../kernel/index.ts"

/** Says what a field means; the event reference and the OpenAPI document show it. */
const means = <A>(type: Schema.Codec<A>, description: string): Schema.Codec<A> =>
  type.annotate({ description }) as Schema.Codec<A>

/** A field that may be missing: hosts publish these events, and a host may not know every field. */
const known = <A>(type: Schema.Codec<A>, description: string) => Schema.optionalKey(means(type, description))

/** Named as in the OpenAPI document. */
const payload = <const Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.Struct(fields).annotate({ identifier })

/** Nothing here is transformed, unlike in requests: these schemas describe what stands on the wire. */
const uuid: Schema.Codec<string> = Schema.String.check(
  Schema.isGUID({ expected: "a UUID", toJsonSchema: () => ({ format: "uuid" }) })
)
const instant: Schema.Codec<string> = Schema.String.check(
  Schema.makeFilter(
    (value: string) =>
      Instant.parse(value) !== undefined || "Expected an ISO 8601 instant such as 2026-11-21T09:30:00.000Z",
    { toJsonSchema: () => ({ format: "date-time" }) }
  )
)
const text: Schema.Codec<string> = Schema.String
/** An identifier of the host's own, in any form. */
const hostId: Schema.Codec<string> = Schema.String.check(Schema.isMinLength(1))
const count: Schema.Codec<number> = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const number: Schema.Codec<number> = Schema.Finite
const orNull = <A>(type: Schema.Codec<A>): Schema.Codec<A | null> => Schema.NullOr(type)

/** Source: docs/reference/events.md#catalogue. */
const campaignFields = {
  campaign_id: means(uuid, "The campaign"),
  name: means(text, "Its name"),
  status: means(Statuses.CampaignStatus, "Its status after the change"),
  total_contacts: means(count, "How many contacts it has"),
  completed_contacts: means(count, "How many of them are `done`"),
  failed_contacts: means(count, "How many of them are `failed`"),
  dial_mode: means(Statuses.DialMode, "How it dials")
}

export const CampaignData = payload("CampaignEventData", campaignFields)

export const CampaignFailedData = payload("CampaignFailedEventData", {
  ...campaignFields,
  reason: means(
    Schema.Literals(["configuration_refused", "caller_number_missing", "timezone_unknown"]),
    "Why no calls can be placed: the carrier refuses our credentials or caller number, or needs a caller number and there is none, or the platform has no clock for the campaign's time zone"
  )
})

/** Source: docs/reference/telephony.md#call. */
export const CallData = payload("CallEventData", {
  id: means(uuid, "The call"),
  campaign_id: means(orNull(uuid), "The campaign that placed it"),
  contact_id: means(orNull(uuid), "The contact of that campaign"),
  attempt: means(orNull(count), "Which attempt at the contact this is, from 1"),
  bot_id: means(orNull(uuid), "The agent that talks"),
  from_number_id: means(orNull(uuid), "The account's number, where one was used"),
  from: means(orNull(text), "The caller number that was shown"),
  to: means(text, "The number that was called, as it was given"),
  status: means(Statuses.CallStatus, "Where the call stands"),
  answered_by: means(
    orNull(Statuses.AnsweredBy),
    "What machine detection has found; null without it and before it resolves"
  ),
  burst_id: means(orNull(uuid), "The parallel dial that the call belongs to"),
  is_winner: means(Schema.Boolean, "It won its parallel dial"),
  abandoned: means(Schema.Boolean, "A person answered after another leg had won, and was hung up on"),
  provider: means(text, "The carrier's name"),
  provider_call_id: means(orNull(text), "The carrier's own id of the call"),
  started_at: means(instant, "When the carrier was asked"),
  answered_at: means(orNull(instant), "When it was answered"),
  ended_at: means(orNull(instant), "When it ended"),
  duration_seconds: means(
    orNull(count),
    "Seconds between answer and end; 0 when not answered, null while it is not over"
  ),
  end_reason: means(orNull(Statuses.EndReason), "Why it ended; null while it is not over"),
  voice_session_id: means(orNull(uuid), "The voice session of its agent, where it has one"),
  credits: means(number, "What it cost, in credits; 0 while it is not over"),
  created_at: means(instant, "When the call was written down")
})

const customerId = means(
  orNull(text),
  "The customer: the upstream platform's id of the person, else the digits of the phone"
)
const platformNumber = means(text, "The number, by the upstream platform's id")

export const ConversationData = payload("ConversationEventData", {
  conversation_id: means(uuid, "The conversation: one customer on one number"),
  phone_number_id: platformNumber,
  user_id: customerId,
  bot_id: means(orNull(uuid), "The agent that is linked to the number")
})

const messageId = means(uuid, "The message, by our own id, as lists of messages show it")

export const MessageData = payload("MessageEventData", {
  id: messageId,
  conversation_id: means(uuid, "The conversation that the message belongs to"),
  role: means(
    Statuses.MessageRole,
    "Who wrote it: the customer, the agent's model, or a person or program of the account"
  ),
  msgid: means(text, "The message, by the upstream platform's id"),
  phone_number_id: platformNumber,
  user_id: customerId,
  type: means(text, "The kind of message, such as `text`, `image` or `template`"),
  text: means(orNull(text), "What it says, where it has words")
})

export const MessageStatusData = payload("MessageStatusEventData", {
  id: messageId,
  conversation_id: means(uuid, "The conversation that the message belongs to"),
  status: means(Statuses.ReportedStatus, "What the message has reached"),
  msgid: means(
    orNull(text),
    "The message, by the upstream platform's id; null for a message that the platform never accepted"
  ),
  error: means(
    orNull(text),
    "Why it failed, as a sentence that ends with the platform's code where it named one; null unless it failed"
  ),
  biz_opaque_callback_data: means(
    orNull(text),
    "What the compatible send of this message carried under this name; null where it carried nothing"
  )
})

/** A session's token is a secret, and stands in no event. */
const voiceSession = <Status extends string, const More extends Schema.Struct.Fields>(
  identifier: string,
  status: Schema.Codec<Status>,
  more: More
) =>
  payload(identifier, {
    session_id: means(hostId, "The voice session"),
    status: means(status, "Where it stands"),
    bot_id: means(orNull(uuid), "The agent that talks"),
    call_id: means(orNull(uuid), "The telephone call on which it is held; null without one"),
    stt_model: means(orNull(text), "The model that hears"),
    language: means(orNull(text), "The language, as a BCP 47 tag"),
    max_duration_seconds: means(count, "How many seconds it may last"),
    started_at: means(orNull(instant), "When it was connected"),
    ended_at: means(orNull(instant), "When it ended; null while it is not over"),
    duration_seconds: means(orNull(count), "How many seconds it lasted; null while it is not over"),
    end_reason: means(orNull(text), "Why it ended, such as `caller_hangup`; null while it is not over"),
    ...more
  })

const said = Schema.Struct({
  role: means(Statuses.TranscriptRole, "Who said it"),
  text: means(text, "What was said")
})

/** What is known at the end. */
const endOfSession = {
  turn_count: means(count, "How many turns the caller had"),
  credits: means(number, "What its models cost, in credits"),
  recording: means(Statuses.RecordingState, "Whether there is a recording"),
  transcript: known(Schema.Array(said), "What caller and agent said, up to 64 KiB; missing where the host omits it"),
  transcript_truncated: known(Schema.Boolean, "True where the oldest entries are missing")
}

export const VoiceSessionStartedData = voiceSession(
  "VoiceSessionStartedEventData",
  Statuses.VoiceStatus.pick(["created", "active"]),
  {}
)
export const VoiceSessionEndedData = voiceSession(
  "VoiceSessionEndedEventData",
  Schema.Literal("completed"),
  endOfSession
)
export const VoiceSessionFailedData = voiceSession(
  "VoiceSessionFailedEventData",
  Statuses.VoiceStatus.pick(["failed", "timeout"]),
  endOfSession
)

export const VoiceAnalysisData = payload("VoiceAnalysisEventData", {
  analysis_id: means(hostId, "The analysis"),
  call_id: known(orNull(text), "The call that was analysed"),
  session_id: known(orNull(text), "The voice session that was analysed"),
  bot_id: known(orNull(uuid), "The agent that talked"),
  summary: known(orNull(text), "What was said, in short"),
  score: known(orNull(number), "How well it went, from 0 to 1"),
  results: known(
    Schema.JsonObject,
    "The outcome, the sentiment, and what else was looked for and found, under the agent's names"
  ),
  completed_at: known(instant, "When the analysis was done")
})

export const VoiceAlertData = payload("VoiceAlertEventData", {
  alert_id: means(hostId, "The alert"),
  name: known(text, "Its name"),
  metric: known(text, "What is measured, such as `connect_rate`"),
  value: known(number, "What was measured, in the metric's unit"),
  threshold: known(number, "The value at which the alert is triggered, in the same unit"),
  comparison: known(Schema.Literals(["above", "below"]), "On which side of the threshold it is triggered"),
  window_seconds: known(count, "Over how many seconds it was measured"),
  bot_id: known(orNull(uuid), "The agent that the alert is about; null for all"),
  triggered_at: known(instant, "When it fired")
})

export const BudgetData = payload("BudgetEventData", {
  key_id: means(hostId, "The API key whose budget it is"),
  key_name: means(orNull(text), "The key's name"),
  budget: means(number, "The budget, in credits"),
  spent: means(number, "What the key has spent of it, in credits"),
  period: means(
    Schema.Literals(["total", "month"]),
    "Whether the budget is for the key's lifetime or for a month of UTC"
  ),
  period_started_at: means(orNull(instant), "When the month began; null for a lifetime")
})

export const CreditsLowData = payload("CreditsLowEventData", {
  balance: means(number, "What is left, in credits"),
  threshold: means(number, "The balance below which the event is emitted, in credits")
})

export const ApiKeyExpiredData = payload("ApiKeyExpiredEventData", {
  key_id: means(hostId, "The key"),
  name: means(orNull(text), "Its name"),
  prefix: means(text, "Its first characters, for people to recognise it by"),
  expires_at: means(instant, "When it expired")
})

const currency = known(text, "ISO 4217, such as `EUR`")

export const InvoiceData = payload("InvoiceEventData", {
  invoice_id: means(hostId, "The invoice"),
  number: known(text, "The number that is printed on it"),
  amount: known(number, "What is to be paid, in whole units of the currency: 12.5 is 12.50"),
  currency,
  due_at: known(orNull(instant), "When it is due"),
  url: known(orNull(text), "Where it can be seen")
})

const paymentFields = {
  payment_id: means(hostId, "The payment"),
  invoice_id: known(orNull(text), "The invoice that it is for"),
  amount: known(number, "How much, in whole units of the currency: 12.5 is 12.50"),
  currency,
  method: known(orNull(text), "How it was made, such as `card`")
}

export const PaymentData = payload("PaymentEventData", {
  ...paymentFields,
  paid_at: known(instant, "When it was made")
})

export const PaymentFailedData = payload("PaymentFailedEventData", {
  ...paymentFields,
  reason: known(orNull(text), "Why it failed, as a word for programs, such as `card_declined`"),
  message: known(orNull(text), "Why it failed, as a sentence for people")
})

/** One shape for all four: what was asked for, and what has been paid so far. */
export const PaymentRequestData = payload("PaymentRequestEventData", {
  payment_request_id: means(hostId, "The request, a link that a customer pays by"),
  amount: known(number, "What was asked for, in whole units of the currency: 12.5 is 12.50"),
  amount_paid: known(number, "What has been paid so far, in the same unit"),
  currency,
  reference: known(orNull(text), "The account's own word for it, such as an order number"),
  payment_id: known(orNull(text), "The latest payment"),
  expires_at: known(orNull(instant), "Until when it can be paid"),
  url: known(orNull(text), "The link")
})

/** Every field is there; what was not reported is null. */
export const EmailData = payload("EmailEventData", {
  email_id: means(orNull(text), "The send that the event is about; null when it is not known which"),
  message_id: means(orNull(text), "The Message-ID of RFC 5322"),
  recipient: means(text, "The address"),
  detail: means(orNull(text), "The reason that was reported"),
  domain: means(orNull(text), "The domain that sent it")
})
