/** The one contract: every route of the product, in the words of a brand. Handlers, OpenAPI and clients come from it. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { botsGroup } from "../bots/BotsApi.ts"
import { campaignsGroup } from "../campaigns/CampaignsApi.ts"
import { contactsGroup } from "../contacts/ContactsApi.ts"
import { inferenceModelsGroup, modelsGroup } from "../inference/ModelsApi.ts"
import { audioGroup } from "../inference/SpeechApi.ts"
import { usageGroup } from "../inference/UsageApi.ts"
import { compatibleGroup } from "../messaging/CompatibleApi.ts"
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

const compose = (brand: Brand) => {
  const api = HttpApi.make("trunkline")
    .add(
      campaignsGroup,
      suppressionGroup,
      callsGroup,
      numbersGroup,
      templatesGroup,
      callbacksGroup,
      contactsGroup,
      botsGroup,
      modelsGroup,
      inferenceModelsGroup,
      audioGroup,
      webhooksGroup,
      emailWebhooksGroup,
      emailSuppressionsGroup,
      portalGroup,
      usageGroup,
      voiceGroup,
      ...messagingGroups(brand),
      inboundGroup(brand),
      compatibleGroup(brand)
    )
    .annotate(HttpApi.ParseOptions, { errors: "all" })
  return api.annotate(OpenApi.Transform, describe(brand, api))
}

export type Api = ReturnType<typeof compose>

const composed = new WeakMap<Brand, Api>()

/** The contract for a brand, always the same: its description is made once, however many products a process has. */
export const makeApi = (brand: Brand): Api => {
  const api = composed.get(brand) ?? compose(brand)
  composed.set(brand, api)
  return api
}
