/** The one list of namespaces that a host calls, such as `core.campaigns`, and the area of each. */

import type { Brand } from "../platform/brand/index.ts"
import type { Catalogue, Outbox } from "../platform/events/index.ts"
import type { AreaName } from "./AreaChoice.ts"
import type { Method } from "./Facade.ts"
import { type AdminFacade, adminFacade } from "./facades/AdminFacade.ts"
import type { AnalyticsFacade } from "./facades/AnalyticsFacade.ts"
import type { CallsFacade } from "./facades/CallsFacade.ts"
import type { CampaignsFacade } from "./facades/CampaignsFacade.ts"
import type { ConnectedNumbersFacade } from "./facades/ConnectedNumbersFacade.ts"
import type { EmailFacade } from "./facades/EmailFacade.ts"
import { type EventsFacade, eventsFacade } from "./facades/EventsFacade.ts"
import type { FlowsFacade } from "./facades/FlowsFacade.ts"
import type { MessagingFacade } from "./facades/MessagingFacade.ts"
import type { OptOutsFacade } from "./facades/OptOutsFacade.ts"
import type { PaymentsFacade } from "./facades/PaymentsFacade.ts"
import type { SuppressionFacade } from "./facades/SuppressionFacade.ts"
import type { TemplateCampaignsFacade } from "./facades/TemplateCampaignsFacade.ts"
import type { TemplatesFacade } from "./facades/TemplatesFacade.ts"
import { type UsageFacade, usageFacade } from "./facades/UsageFacade.ts"
import type { VoiceAlertsFacade } from "./facades/VoiceAlertsFacade.ts"
import type { VoiceFacade } from "./facades/VoiceFacade.ts"
import type { WebhooksFacade } from "./facades/WebhooksFacade.ts"
import { type Rooms, roomEvents } from "./Rooms.ts"
import type { Together } from "./Together.ts"

/** What every product has. */
interface PlatformFacades {
  /** What an operator may do. Source: docs/reference/access.md#admin. */
  readonly admin: AdminFacade
  /** Source: docs/reference/events.md. */
  readonly events: EventsFacade
  /** The usage of an account's plan. Source: docs/reference/plans.md#counters. */
  readonly usage: UsageFacade
}

interface CallingFacades {
  /** Source: docs/reference/campaigns.md. */
  readonly campaigns: CampaignsFacade
  /** The do-not-call list. Source: docs/reference/suppression.md. */
  readonly suppression: SuppressionFacade
  /** Single calls. Source: docs/reference/telephony.md. */
  readonly calls: CallsFacade
}

interface WebhooksFacades {
  /** Webhooks of platform events. Source: docs/reference/webhooks.md. */
  readonly webhooks: WebhooksFacade
  /** Reports on emails. Source: docs/reference/webhooks.md#email. */
  readonly email: EmailFacade
}

interface VoiceFacades {
  /** Voice sessions, for the host's media layer. Source: docs/reference/voice.md#media. */
  readonly voice: VoiceFacade
  /** Source: docs/reference/voice-alerts.md. */
  readonly voiceAlerts: VoiceAlertsFacade
}

interface MessagingFacades {
  /** What became of messages. Source: docs/reference/analytics.md. */
  readonly analytics: AnalyticsFacade
  /** The chat channels. Source: docs/reference/messaging.md. */
  readonly messaging: MessagingFacade
  /** Connected numbers of the chat channels. Source: docs/reference/messaging.md#number-management. */
  readonly numbers: ConnectedNumbersFacade
  /** People who get no messages of campaigns. Source: docs/reference/opt-outs.md. */
  readonly optOuts: OptOutsFacade
  /** Flows of the chat channels: forms that customers fill in within the chat. Source: docs/reference/flows.md. */
  readonly flows: FlowsFacade
  /** Bills that customers pay in the chat. Source: docs/reference/payments.md. */
  readonly payments: PaymentsFacade
  /** Campaigns that send one template to many people. Source: docs/reference/template-campaigns.md. */
  readonly templateCampaigns: TemplateCampaignsFacade
  /** Templates of the chat channels. Source: docs/reference/messaging.md#templates. */
  readonly templates: TemplatesFacade
}

/** What an area adds. */
interface FacadesOfAreas {
  readonly calling: CallingFacades
  readonly webhooks: WebhooksFacades
  readonly voice: VoiceFacades
  readonly messaging: MessagingFacades
  readonly agents: Record<never, never>
  readonly gateway: Record<never, never>
  readonly dashboard: Record<never, never>
}

/** The namespaces of a product with these areas. */
export type Facades<Names extends AreaName = AreaName> = PlatformFacades & Together<FacadesOfAreas[Names]>

type Make<Made> = (method: Method, brand: Brand, catalogue: Catalogue) => Made

const makers: { readonly [Name in AreaName]: () => Promise<Make<FacadesOfAreas[Name]>> } = {
  calling: async () => {
    const [campaigns, suppression, calls] = await Promise.all([
      import("./facades/CampaignsFacade.ts"),
      import("./facades/SuppressionFacade.ts"),
      import("./facades/CallsFacade.ts")
    ])
    return (method) => ({
      campaigns: campaigns.campaignsFacade(method),
      suppression: suppression.suppressionFacade(method),
      calls: calls.callsFacade(method)
    })
  },
  webhooks: async () => {
    const [webhooks, email] = await Promise.all([
      import("./facades/WebhooksFacade.ts"),
      import("./facades/EmailFacade.ts")
    ])
    return (method, _, { platformNames }) => ({
      webhooks: webhooks.webhooksFacade(method, platformNames),
      email: email.emailFacade(method)
    })
  },
  voice: async () => {
    const [voice, alerts] = await Promise.all([
      import("./facades/VoiceFacade.ts"),
      import("./facades/VoiceAlertsFacade.ts")
    ])
    return (method) => ({ voice: voice.voiceFacade(method), voiceAlerts: alerts.voiceAlertsFacade(method) })
  },
  messaging: async () => {
    const [
      { flowsFacade },
      { messagingFacade },
      { analyticsFacade },
      { optOutsFacade },
      { paymentsFacade },
      { templateCampaignsFacade }
    ] = await Promise.all([
      import("./facades/FlowsFacade.ts"),
      import("./facades/MessagingFacade.ts"),
      import("./facades/AnalyticsFacade.ts"),
      import("./facades/OptOutsFacade.ts"),
      import("./facades/PaymentsFacade.ts"),
      import("./facades/TemplateCampaignsFacade.ts")
    ])
    return (method, { channel }) => {
      const messaging = messagingFacade(method, channel)
      return {
        messaging,
        numbers: messaging.numbers,
        templates: messaging.templates,
        flows: flowsFacade(method, channel),
        analytics: analyticsFacade(method),
        optOuts: optOutsFacade(method),
        payments: paymentsFacade(method),
        templateCampaigns: templateCampaignsFacade(method)
      }
    }
  },
  agents: async () => () => ({}),
  gateway: async () => () => ({}),
  dashboard: async () => () => ({})
}

/** Makes the namespaces of these areas from the function that runs programs. */
export const loadFacades = async (names: ReadonlyArray<AreaName>) => {
  const made = await Promise.all(names.map((name): Promise<Make<unknown>> => makers[name]()))
  return (method: Method, brand: Brand, rooms: Rooms, outbox: Outbox["Service"]): Facades =>
    Object.assign(
      {
        admin: adminFacade(method, brand, rooms),
        events: eventsFacade(method, outbox, roomEvents(rooms)),
        usage: usageFacade(method)
      },
      ...made.map((make) => make(method, brand, roomEvents(rooms)))
    )
}
