/** The one contract: every route of the product, in the words of a brand. Handlers, OpenAPI and clients come from it. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { botsGroup } from "../bots/BotsApi.ts"
import { campaignsGroup } from "../campaigns/CampaignsApi.ts"
import { compatibleGroup } from "../compat/CompatibleApi.ts"
import { contactsGroup } from "../contacts/ContactsApi.ts"
import { inferenceModelsGroup, modelsGroup } from "../inference/ModelsApi.ts"
import { audioGroup } from "../inference/SpeechApi.ts"
import { usageGroup } from "../inference/UsageApi.ts"
import { inboundGroup } from "../messaging/InboundApi.ts"
import { messagingGroups } from "../messaging/MessagingApi.ts"
import { suppressionGroup } from "../suppression/SuppressionApi.ts"
import { callbacksGroup, callsGroup, numbersGroup, templatesGroup } from "../telephony/TelephonyApi.ts"
import { voiceGroup } from "../voice/VoiceApi.ts"
import { emailSuppressionsGroup, emailWebhooksGroup } from "../webhooks/EmailWebhooksApi.ts"
import { portalGroup } from "../webhooks/PortalApi.ts"
import { webhooksGroup } from "../webhooks/WebhooksApi.ts"
import type { Brand } from "./Brand.ts"
import { describe } from "./Description.ts"

/** What callers of the API have: generated clients are made of these groups. */
const publicGroups = (brand: Brand) =>
  HttpApi.make("trunkline").add(
    campaignsGroup,
    suppressionGroup,
    callsGroup,
    numbersGroup,
    templatesGroup,
    contactsGroup,
    botsGroup,
    modelsGroup,
    inferenceModelsGroup,
    audioGroup,
    webhooksGroup,
    emailWebhooksGroup,
    emailSuppressionsGroup,
    usageGroup,
    voiceGroup,
    ...messagingGroups(brand),
    compatibleGroup(brand)
  )

const compose = (brand: Brand) => {
  const open = publicGroups(brand)
  // Carriers, the chat platform and browsers call these, nobody's program does.
  const whole = open
    .add(callbacksGroup, portalGroup, inboundGroup(brand))
    .annotate(HttpApi.ParseOptions, { errors: "all" })
  return {
    whole: whole.annotate(OpenApi.Transform, describe(brand, whole)),
    open: open.annotate(OpenApi.Transform, describe(brand, open))
  }
}

export type Api = ReturnType<typeof compose>["whole"]

const composed = new WeakMap<Brand, ReturnType<typeof compose>>()

/** Always the same for a brand: its description is made once, however many products a process has. */
const contractOf = (brand: Brand) => {
  const known = composed.get(brand) ?? compose(brand)
  composed.set(brand, known)
  return known
}

/** The contract for a brand: all that is served. */
export const makeApi = (brand: Brand): Api => contractOf(brand).whole

/** The part of it that is published: `core.openapi()`, `/openapi.json` and `/docs` describe it. */
export const publicApi = (brand: Brand) => contractOf(brand).open
