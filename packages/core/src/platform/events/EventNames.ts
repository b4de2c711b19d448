/** The names of all events, in the catalogue's order. Plain: hosts that know nothing of schemas meet these types. */
export const platformEvents = [
  "conversation.started",
  "conversation.ended",
  "message.received",
  "message.sent",
  "message.status",
  "voice_session.started",
  "voice_session.ended",
  "voice_session.failed",
  "call.started",
  "call.completed",
  "call.failed",
  "call.amd_detected",
  "voice_analysis.completed",
  "campaign.started",
  "campaign.completed",
  "campaign.failed",
  "voice_alert.triggered",
  "budget.alert",
  "budget.exceeded",
  "credits.low",
  "api_key.expired",
  "invoice.created",
  "payment.succeeded",
  "payment.failed",
  "payment_request.partially_paid",
  "payment_request.paid",
  "payment_request.expired",
  "payment_request.cancelled"
] as const

export const emailEvents = [
  "email.bounced",
  "email.complained",
  "email.sent",
  "email.delivered",
  "email.opened",
  "email.received"
] as const

export type PlatformEventName = (typeof platformEvents)[number]
export type EmailEventName = (typeof emailEvents)[number]
export type EventName = PlatformEventName | EmailEventName

export const isPlatformEvent = (name: string): name is PlatformEventName =>
  (platformEvents as ReadonlyArray<string>).includes(name)
