/** The chat channels that the file configures, and what they find wrong with it, by path. */
import type { ChannelProvider, TrunklineOptions } from "@trunkline/core"
import { snakeName } from "@trunkline/core/storage"
import { cloudApi, InvalidProviderOptions } from "@trunkline/providers/cloud-api"
import { telegram } from "@trunkline/providers/telegram"
import { webChat } from "@trunkline/providers/web-chat"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"
import { defined } from "./Defined.ts"

type Messaging = Sections["messaging"]

/** Source: docs/reference/configuration.md#messaging. */
export const standardBaseUrl = "https://graph.facebook.com/v23.0"

/** Throws `InvalidProviderOptions` for settings that cannot work. */
const cloudApiOf = ({ baseUrl = standardBaseUrl, product, timeoutMs }: Messaging): ChannelProvider =>
  cloudApi({ baseUrl, product, timeoutMs })

const webChatOf = ({ secret, ...chat }: NonNullable<Messaging["webChat"]>) => webChat({ ...chat, secret: secret.text })

/** The channels beside the Cloud API. */
const channelsOf = ({ telegram: bot, webChat: chat }: Messaging) => [
  ...(bot === undefined ? [] : [telegram(bot)]),
  ...(chat === undefined ? [] : [webChatOf(chat)])
]

export const messagingOf = (section: Messaging): NonNullable<TrunklineOptions["messaging"]> => {
  const { appSecret, baseUrl, product, telegram, timeoutMs, verifyToken, webChat, ...messaging } = section
  return {
    ...messaging,
    platform: cloudApiOf(section),
    channels: channelsOf(section),
    ...defined({ appSecret: appSecret?.text, verifyToken: verifyToken?.text })
  }
}

/** What a channel finds wrong, under the path of its section. */
const faultsAt = (path: string, make: () => unknown): ReadonlyArray<Fault> => {
  try {
    make()
    return []
  } catch (error) {
    if (!(error instanceof InvalidProviderOptions)) throw error
    return error.problems.map((problem) => {
      const [, field = "", what = problem] = /^(\w+): (.*)$/s.exec(problem) ?? []
      return { path: `${path}.${snakeName(field)}`, message: what.replace(/^expected/i, "must be") }
    })
  }
}

/** Everything that the channels find wrong with their sections. */
export const messagingFaults = (section: Messaging): ReadonlyArray<Fault> => {
  const { telegram: bot, webChat: chat } = section
  return [
    ...faultsAt("messaging", () => cloudApiOf(section)),
    ...(bot === undefined ? [] : faultsAt("messaging.telegram", () => telegram(bot))),
    ...(chat === undefined ? [] : faultsAt("messaging.web_chat", () => webChatOf(chat)))
  ]
}
