/** Telegram as a channel: a connected number is a bot, a customer is a person who has written to it. */

import type { ChannelProvider } from "@trunkline/core"
import {
  bareNetwork,
  type ChannelCallback,
  ChannelCallbackRefused,
  type ChannelConnection,
  type ChannelTraits,
  ChannelUnreachable,
  ChatChannel,
  channelProvider,
  hmacSha256Hex,
  isObject,
  maxTextLength,
  tracedFn
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { makeWire } from "../chat/ChannelWire.ts"
import { sameSecret } from "../chat/SameSecret.ts"
import { jsonIn } from "../http/index.ts"
import type { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
import { makeClient, type TelegramClient } from "./TelegramClient.ts"
import { refusedHere } from "./TelegramErrors.ts"
import { chatOf, methodOf, sendableContents } from "./TelegramMessage.ts"
import { type TelegramOptions, type TelegramSettings, telegramSettings } from "./TelegramOptions.ts"
import { messageIdOf, readUpdate } from "./TelegramUpdate.ts"

const kind = "telegram"

const secretHeader = "x-telegram-bot-api-secret-token"

/** Source: docs/reference/messaging.md#channel-traits. */
const traits: ChannelTraits = {
  replyWindowMs: null,
  maxTextLength,
  contents: sendableContents,
  // A bot sends files that Telegram has or fetches; it has no place for others.
  maxFileBytes: 0,
  typing: true,
  readMarks: false,
  statuses: false,
  echoes: false,
  provesNumbers: true,
  // An update is one message, with what it answers.
  callbacks: { maxBytes: 256 * 1024, proof: { header: secretHeader, form: /^[0-9a-f]{64}$/ } }
}

/** What Telegram proves itself with: it follows from the token, so that nothing else need be kept. */
const secretOf = (token: Redacted.Redacted): string =>
  hmacSha256Hex(Redacted.value(token), "the secret of this bot's webhook")

const refuse = (reason: ChannelCallbackRefused["reason"], detail: string) =>
  Effect.fail(new ChannelCallbackRefused({ reason, detail }))

const read = ({ body, headers }: ChannelCallback, connection: ChannelConnection | null) => {
  const given = headers[secretHeader] ?? ""
  if (connection === null || !sameSecret(secretOf(connection.credentials), given)) {
    return refuse("signature", "The update does not have this bot's secret token. Nothing was stored.")
  }
  const update = jsonIn(body)
  if (update === undefined) return refuse("malformed", "The update is not JSON")
  const { messages, reply } = readUpdate(update)
  const { accountId, id: connectionId } = connection
  return Effect.succeed({
    batches: messages.length === 0 ? [] : [{ connectionId, accountId, messages, statuses: [] }],
    reply: { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(reply ?? {}) }
  })
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

/** The channel over a client of the Bot API. */
export const telegramChannel = (
  { publicUrl }: TelegramSettings,
  { call, file }: TelegramClient,
  maxRequestMs: number
): ChatChannel["Service"] =>
  ChatChannel.of({
    kind,
    traits,
    maxRequestMs,
    identify: tracedFn("Telegram.identify")(function* ({ credentials }) {
      if (credentials === null) return yield* refusedHere("credentials", "access_token: the bot's token is needed.")
      const bot = yield* call(credentials, "getMe")
      const { first_name, id, username } = isObject(bot) ? bot : {}
      if (!Number.isSafeInteger(id)) return yield* new ChannelUnreachable({ isCertain: false, detail: "named no bot" })
      const name = textOf(username)
      return {
        id: `${kind}:${id}`,
        accountId: String(id),
        displayName: name === null ? textOf(first_name) : `@${name}`,
        credentials
      }
    }),
    connect: ({ credentials, id }, inboundPath) =>
      Effect.asVoid(
        call(credentials, "setWebhook", {
          url: `${publicUrl}${inboundPath}/${id.slice(kind.length + 1)}`,
          secret_token: secretOf(credentials),
          allowed_updates: ["message", "edited_message", "callback_query"]
        })
      ),
    disconnect: ({ credentials }) => Effect.asVoid(call(credentials, "deleteWebhook")),
    send: tracedFn("Telegram.send")(function* ({ credentials }, to, message) {
      const chat = chatOf(to)
      if (chat === undefined) {
        return yield* refusedHere(
          "recipient_unknown",
          "Telegram knows customers by its own ids alone: name the user_id."
        )
      }
      const method = yield* Effect.mapError(Effect.fromResult(methodOf(chat, message)), (fault) =>
        refusedHere("invalid_content", fault)
      )
      const sent = yield* call(credentials, method.method, method.parameters)
      const id = isObject(sent) ? sent.message_id : undefined
      if (!Number.isSafeInteger(id)) {
        return yield* new ChannelUnreachable({ isCertain: false, detail: "took a message and named no id of it" })
      }
      return { id: messageIdOf(chat, String(id)), contact: { input: chat, phone: null, userRef: chat } }
    }),
    markRead: ({ credentials }, { id, typing }) => {
      const [chat] = id.split(":")
      return typing
        ? Effect.asVoid(call(credentials, "sendChatAction", { chat_id: chat, action: "typing" }))
        : Effect.void
    },
    read,
    files: {
      upload: () => refusedHere("rejected", "A Telegram bot keeps no files: name the file of a message by its link."),
      download: ({ credentials }, fileId, maxBytes) => file(credentials, fileId, maxBytes)
    },
    network: bareNetwork
  })

const open = Effect.fnUntraced(function* (settings: TelegramSettings) {
  const wire = yield* Effect.acquireRelease(
    Effect.sync(() => makeWire(settings.timeoutMs)),
    ({ close }) => Effect.promise(close)
  )
  // A file takes two requests.
  return telegramChannel(settings, makeClient(settings, wire), 2 * wire.maxRequestMs)
})

/** The channel for hosts that use Effect. Fails when the options cannot work. Closes its connections with its scope. */
export const layer = (options: TelegramOptions): Layer.Layer<ChatChannel, InvalidProviderOptions> =>
  Layer.effect(ChatChannel, Effect.flatMap(Effect.fromResult(telegramSettings(options)), open))

/**
 * The channel for hosts that know nothing of Effect. Throws `InvalidProviderOptions`, which names every fault.
 * Source: docs/reference/messaging.md#telegram.
 *
 * @example
 * const channels = [telegram({ publicUrl: "https://chat.example.com" })]
 */
export const telegram = (options: TelegramOptions): ChannelProvider =>
  channelProvider(Layer.effect(ChatChannel, open(Result.getOrThrow(telegramSettings(options)))))
