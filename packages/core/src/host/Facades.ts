/** The one list of namespaces that a host calls, such as `core.campaigns`. */
import type { Outbox } from "../platform/events/index.ts"
import type { Brand } from "../platform/kernel/index.ts"
import type { Method } from "./Facade.ts"
import { type AdminFacade, adminFacade } from "./facades/AdminFacade.ts"
import { type CallsFacade, callsFacade } from "./facades/CallsFacade.ts"
import { type CampaignsFacade, campaignsFacade } from "./facades/CampaignsFacade.ts"
import { type EmailFacade, emailFacade } from "./facades/EmailFacade.ts"
import { type EventsFacade, eventsFacade } from "./facades/EventsFacade.ts"
import { type MessagingFacade, messagingFacade } from "./facades/MessagingFacade.ts"
import { type SuppressionFacade, suppressionFacade } from "./facades/SuppressionFacade.ts"
import { type UsageFacade, usageFacade } from "./facades/UsageFacade.ts"
import { type VoiceAlertsFacade, voiceAlertsFacade } from "./facades/VoiceAlertsFacade.ts"
import { type VoiceFacade, voiceFacade } from "./facades/VoiceFacade.ts"
import { type WebhooksFacade, webhooksFacade } from "./facades/WebhooksFacade.ts"

export interface Facades {
  /** What an operator may do. Source: docs/reference/access.md#admin. */
  readonly admin: AdminFacade
  /** Source: docs/reference/campaigns.md. */
  readonly campaigns: CampaignsFacade
  /** The do-not-call list. Source: docs/reference/suppression.md. */
  readonly suppression: SuppressionFacade
  /** Single calls. Source: docs/reference/telephony.md. */
  readonly calls: CallsFacade
  /** Source: docs/reference/events.md. */
  readonly events: EventsFacade
  /** Webhooks of platform events. Source: docs/reference/webhooks.md. */
  readonly webhooks: WebhooksFacade
  /** Voice sessions, for the host's media layer. Source: docs/reference/voice.md#media. */
  readonly voice: VoiceFacade
  /** Source: docs/reference/voice-alerts.md. */
  readonly voiceAlerts: VoiceAlertsFacade
  /** What is used of an account's plan. Source: docs/reference/plans.md#counters. */
  readonly usage: UsageFacade
  /** The chat channels. Source: docs/reference/messaging.md. */
  readonly messaging: MessagingFacade
  /** Reports on emails. Source: docs/reference/webhooks.md#email. */
  readonly email: EmailFacade
}

/** Makes every facade from the function that runs programs. */
export const facadesOf = (method: Method, brand: Brand, outbox: Outbox["Service"]): Facades => ({
  admin: adminFacade(method, brand),
  campaigns: campaignsFacade(method),
  suppression: suppressionFacade(method),
  calls: callsFacade(method),
  events: eventsFacade(method, outbox),
  webhooks: webhooksFacade(method),
  voice: voiceFacade(method),
  voiceAlerts: voiceAlertsFacade(method),
  usage: usageFacade(method),
  messaging: messagingFacade(method, brand.channel),
  email: emailFacade(method)
})
