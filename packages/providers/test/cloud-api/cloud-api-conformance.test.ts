/** The Cloud API does what every channel promises. Verifies: CLAP-1, CLAP-2, CLAP-4. */

import { ChatChannel, InboundSecrets } from "@trunkline/core/provider"
import { layerOf } from "@trunkline/core/testing"
import {
  channelLeak,
  channelSuite,
  inboundBody,
  inboundChange,
  inboundMessage,
  type PlatformMood,
  sampleCustomer,
  signed
} from "@trunkline/testing/messaging"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { cloudApi } from "../../src/cloud-api/index.ts"
import { fakePlatform, number } from "./Numbers.ts"

const appSecret = "the app secret of this test"

const secrets: InboundSecrets = { signing: Redacted.make(appSecret), verification: Redacted.make("verify") }

const channelAt = (baseUrl: string) =>
  Effect.map(
    Layer.build(
      Layer.provide(layerOf(cloudApi({ baseUrl, timeoutMs: 2_000 })), Layer.succeed(InboundSecrets, secrets))
    ),
    (context) => Context.get(context, ChatChannel)
  )

const callbackOf = (body: unknown, secret: string) => {
  const { bytes, headers } = signed(body, secret)
  return { method: "POST", target: "/api/v1/messaging/inbound", resource: null, headers, body: bytes }
}

channelSuite(
  "cloud-api",
  Effect.gen(function* () {
    const fake = yield* fakePlatform()
    const channel = yield* channelAt(fake.baseUrl)
    const refuses =
      (code: number | null, more: Partial<Extract<PlatformMood, { does: "refuse" }>> = {}) =>
      () =>
        fake.next({ does: "refuse", code, message: channelLeak, details: channelLeak, ...more })
    return {
      channel,
      connection: number,
      // One endpoint for all numbers: its callbacks name theirs themselves.
      addressed: null,
      keepsTemplate: (name: string, language: string) => {
        const components = [{ type: "BODY", text: "Dear {{1}}, welcome." }]
        const id = String(fake.templates.length + 1)
        fake.templates.push({ id, name, language, status: "APPROVED", category: "UTILITY", components })
      },
      customer: { _tag: "Phone", phone: sampleCustomer.phone } as const,
      texts: () => fake.messages.map(({ body }) => (body.text as { readonly body: string }).body), // a text was sent
      refusals: [
        { class: "throttled", next: refuses(130429, { retryAfter: 3 }) },
        { class: "throttled", next: refuses(null, { status: 429 }) },
        { class: "unavailable", next: refuses(131000) },
        { class: "unavailable", isCertain: false, next: refuses(null, { status: 502 }) },
        { class: "window_closed", next: refuses(131047) },
        { class: "credentials", next: refuses(190) },
        { class: "not_permitted", next: refuses(131031) },
        { class: "recipient_unknown", next: refuses(131026) },
        { class: "too_large", next: refuses(131052) },
        { class: "invalid_content", next: refuses(131009) },
        { class: "rejected", next: refuses(null, { status: 418 }) }
      ],
      breaksOff: () => fake.next({ does: "reset" }),
      writes: (id: string, text: string) => {
        const message = inboundMessage("text", { body: text }, { id: `wamid.${id}` })
        return callbackOf(inboundBody([inboundChange({ phoneNumberId: number.id, messages: [message] })]), appSecret)
      },
      forged: ({ body }) => callbackOf(new TextDecoder().decode(body), `${appSecret}x`)
    }
  })
)
