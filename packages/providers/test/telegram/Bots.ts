/** The Telegram channel at a fake of the Bot API, and a bot that uses it. */

import { type ChannelConnection, ChatChannel } from "@trunkline/core/provider"
import { layerOf } from "@trunkline/core/testing"
import { startFakeTelegram, telegramToken } from "@trunkline/testing/messaging"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { telegram } from "../../src/telegram/index.ts"

export const botId = 110201543
export const token = telegramToken(botId)

export const bot: ChannelConnection = {
  id: `telegram:${botId}`,
  accountId: String(botId),
  credentials: Redacted.make(token)
}

export const fakeTelegram = Effect.acquireRelease(
  Effect.promise(() => startFakeTelegram([botId])),
  (fake) => Effect.promise(fake.close)
)

export const channelAt = (apiUrl: string) =>
  Effect.map(
    Layer.build(layerOf(telegram({ publicUrl: "https://chat.example.com/", apiUrl, timeoutMs: 2_000 }))),
    (context) => Context.get(context, ChatChannel)
  )
