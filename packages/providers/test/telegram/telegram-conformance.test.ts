/** Telegram does what every channel promises. Verifies: BOTA-1, BOTA-2. */
import { channelLeak, channelSuite, telegramText } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { bot, channelAt, fakeTelegram } from "./Bots.ts"

const customer = 4242

channelSuite(
  "telegram",
  Effect.gen(function* () {
    const fake = yield* fakeTelegram
    const channel = yield* channelAt(fake.apiUrl)
    yield* Effect.orDie(channel.connect(bot, "/api/v1/messaging/inbound/telegram"))
    const secret = String(fake.webhook(fake.calls[0]!.token)!.secret_token)
    const refuses = (code: number, description: string) => () =>
      fake.next("sendMessage", { does: "refuse", code, description: `${description} ${channelLeak}` })
    const ids = new Map<string, number>()
    return {
      channel,
      connection: bot,
      addressed: bot,
      keepsTemplate: null,
      customer: { _tag: "User", id: String(customer) } as const,
      texts: () => fake.of("sendMessage").map(({ parameters }) => String(parameters.text)),
      refusals: [
        { class: "throttled", next: refuses(429, "Too Many Requests: retry after 3") },
        { class: "unavailable", isCertain: false, next: refuses(502, "Bad Gateway") },
        { class: "credentials", next: refuses(401, "Unauthorized") },
        { class: "recipient_unknown", next: refuses(403, "Forbidden: bot was blocked by the user") },
        { class: "recipient_unknown", next: refuses(400, "Bad Request: chat not found") },
        { class: "invalid_content", next: refuses(400, "Bad Request: message text is empty") },
        { class: "rejected", next: refuses(409, "Conflict") }
      ],
      breaksOff: () => fake.next("sendMessage", { does: "reset" }),
      writes: (id: string, text: string) => {
        if (!ids.has(id)) ids.set(id, ids.size + 1)
        const update = { update_id: 1, message: telegramText(customer, ids.get(id)!, text) }
        return {
          method: "POST",
          target: "/api/v1/messaging/inbound/telegram/110201543",
          resource: null,
          headers: { "x-telegram-bot-api-secret-token": secret },
          body: new TextEncoder().encode(JSON.stringify(update))
        }
      },
      forged: (callback) => ({ ...callback, headers: { "x-telegram-bot-api-secret-token": `${secret}x` } })
    }
  })
)
