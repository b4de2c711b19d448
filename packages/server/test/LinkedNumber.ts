/** A number of the chat platform that is linked to an agent, and the settings of a server between a platform and a model. */
import { type FakePlatform, sampleNumber } from "@trunkline/testing/messaging"
import type { FakeUpstream } from "@trunkline/testing/upstreams"
import type { Client } from "./Spawned.ts"

export const appSecret = "what deliveries are signed with"

/** Settings by which a server answers messages of the platform with what the model says. */
export const chatSettings = (platform: FakePlatform, model: FakeUpstream, quietMs: number) => ({
  messaging: { base_url: platform.baseUrl, app_secret: appSecret, reply: { quiet_ms: quietMs } },
  models: {
    upstreams: { local: { kind: "openai", base_url: `${model.origin}/v1` } },
    routes: { "*": { upstream: "local" } }
  }
})

export const linkNumber = async (api: Client): Promise<void> => {
  const { body: bot } = await api("POST", "/api/v1/bots", { name: "Ann", system_prompt: "Help." })
  const { body: phone } = await api("POST", "/api/v1/messaging/phone_numbers", {
    phone_number_id: sampleNumber.phoneNumberId,
    business_account_id: "102290129340398",
    access_token: "EAAG-token"
  })
  await api("POST", `/api/v1/messaging/phone_numbers/${phone.id}/link-bot`, { bot_id: bot.id })
}
