/** The chat channels that the file configures, and what they find wrong with it, by path. */
import type { ChannelProvider, TrunklineOptions } from "@trunkline/core"
import { snakeName } from "@trunkline/core/effect"
import { cloudApi, InvalidUpstreamOptions } from "@trunkline/providers/cloud-api"
import { telegram } from "@trunkline/providers/telegram"
import { webChat } from "@trunkline/providers/web-chat"
import * as Redacted from "effect/Redacted"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"

type Messaging = Sections["messaging"]

/** Source: docs/reference/configuration.md#messaging. */
export const standardBaseUrl = "https://graph.facebook.com/v23.0"

/** Throws `InvalidUpstreamOptions` for settings that cannot work. */
const cloudApiOf = ({ base_url, product, timeout_ms }: Messaging): ChannelProvider =>
  cloudApi({ baseUrl: base_url ?? standardBaseUrl, product, timeoutMs: timeout_ms })

type Telegram = NonNullable<Messaging["telegram"]>

const telegramOf = ({ api_url, public_url, timeout_ms }: Telegram) =>
  telegram({ publicUrl: public_url, apiUrl: api_url, timeoutMs: timeout_ms })

type WebChat = NonNullable<Messaging["web_chat"]>

const webChatOf = ({ messages_per_minute, secret, visitors_per_minute }: WebChat) =>
  webChat({
    secret: Redacted.value(secret),
    messagesPerMinute: messages_per_minute,
    visitorsPerMinute: visitors_per_minute
  })

/** The channels beside the Cloud API. */
const channelsOf = ({ telegram: bot, web_chat: chat }: Messaging) => [
  ...(bot === undefined ? [] : [telegramOf(bot)]),
  ...(chat === undefined ? [] : [webChatOf(chat)])
]

export const messagingOf = (section: Messaging): NonNullable<TrunklineOptions["messaging"]> => {
  const { app_secret, check_business_account = true, reply, verify_token } = section
  return {
    platform: cloudApiOf(section),
    channels: channelsOf(section),
    ...(app_secret === undefined ? {} : { appSecret: Redacted.value(app_secret) }),
    ...(verify_token === undefined ? {} : { verifyToken: Redacted.value(verify_token) }),
    checkBusinessAccount: check_business_account,
    reply: {
      ...(reply?.quiet_ms === undefined ? {} : { quietMs: reply.quiet_ms }),
      ...(reply?.max_wait_ms === undefined ? {} : { maxWaitMs: reply.max_wait_ms }),
      ...(reply?.places === undefined ? {} : { places: reply.places })
    }
  }
}

/** What a channel finds wrong, under the path of its section. */
const faultsAt = (path: string, make: () => unknown): ReadonlyArray<Fault> => {
  try {
    make()
    return []
  } catch (error) {
    if (!(error instanceof InvalidUpstreamOptions)) throw error
    return error.problems.map((problem) => {
      const [, field = "", what = problem] = /^(\w+): (.*)$/s.exec(problem) ?? []
      return { path: `${path}.${snakeName(field)}`, message: what.replace(/^expected/i, "must be") }
    })
  }
}

/** Everything that the channels find wrong with their sections. */
export const messagingFaults = (section: Messaging): ReadonlyArray<Fault> => {
  const { telegram: bot, web_chat: chat } = section
  return [
    ...faultsAt("messaging", () => cloudApiOf(section)),
    ...(bot === undefined ? [] : faultsAt("messaging.telegram", () => telegramOf(bot))),
    ...(chat === undefined ? [] : faultsAt("messaging.web_chat", () => webChatOf(chat)))
  ]
}
