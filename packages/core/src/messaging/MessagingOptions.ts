/** What a host decides about chat channels. Pure. */
import { Instant } from "../platform/kernel/index.ts"
import { effective, type LayerProvider, provider, type SettingFault, Settings } from "../platform/settings/index.ts"
import { retentionDays } from "../platform/storage/index.ts"
import { standardReply } from "./MessagingSettings.ts"
import { rateFaults } from "./template-campaigns/CostEstimate.ts"
import { standardPercent } from "./template-campaigns/SendPace.ts"
import { standardRetryMs } from "./template-campaigns/SendResult.ts"

/** A chat channel. Made by a provider package: `cloudApi({ … })`, `telegram({ … })`. */
export interface ChannelProvider extends LayerProvider<"messaging"> {}

const { checked, entry, flag, hostOnly, list, required, secret, section, standard, text, web, whole } = Settings

const amount = Settings.value<string>(
  'must be a decimal number as a text, such as "0.0118"',
  (given) => typeof given === "string" && /^\d{1,9}(\.\d{1,6})?$/.test(given)
)

const rate = entry({
  /** The first digits of the numbers that it is for; empty for all others. */
  prefix: required(
    checked<string>("must be digits, or an empty text for all numbers", (given) =>
      typeof given === "string" && /^\d{0,15}$/.test(given) ? null : "must be digits, or an empty text for all numbers"
    )
  ),
  marketing: required(amount),
  utility: required(amount),
  authentication: required(amount)
})

const channel = (makers: string) => provider<ChannelProvider>("messaging", makers)

export const settings = {
  /** The chat channels. Source: docs/reference/configuration.md#messaging. */
  messaging: section({
    /** The standard channel: numbers are connected to it unless another one is named. Without any channel no message is sent. */
    platform: channel("cloudApi({ … }) of @trunkline/providers"),
    /** Further channels, each of another kind. Without `platform` the first one is the standard channel. */
    channels: hostOnly(list(channel("telegram({ … }) of @trunkline/providers"))),
    /** The secret with which inbound deliveries are signed. Without it all are refused. Source: docs/reference/messaging.md#inbound. */
    appSecret: secret,
    /** The secret that the platform must know to have the inbound endpoint verified. Without it the endpoint cannot be verified. */
    verifyToken: secret,
    /** Whether a delivery is passed over that is for another business account than the one that its number was connected with. Default true. Source: docs/reference/messaging.md#proof. */
    checkBusinessAccount: flag(true),
    /** Where the platform reaches the mount point, with the prefix of a proxy: `https://chat.example.com/phone`. Without it no flow has an endpoint for data. Source: docs/reference/flows.md#data. */
    publicUrl: web,
    /** What a message of a template costs, by the beginning of the customer's number: decimal texts in one currency. The longest beginning counts, and an empty one is for all others. Default `[]`. Source: docs/reference/template-campaigns.md#cost. */
    rates: standard(list(rate), []),
    /** The currency of `rates`, as reports name it. Default `USD`. */
    ratesCurrency: standard(text, "USD"),
    campaigns: section({
      /** The milliseconds before each further attempt at a message that the platform could not take. Default `[30000,120000,600000]`. Source: docs/reference/template-campaigns.md#codes. */
      retryMs: standard(list(whole({ min: 0 }), { max: 10 }), standardRetryMs),
      /** The milliseconds after which a message has failed of which nobody knows whether the platform took it. Default 3,600,000. */
      unknownAfterMs: whole({ min: Instant.second, default: Instant.hour }),
      /** The share of a number's throughput that template campaigns use, in percent: the rest is left for agents and people. Default 80. */
      throughputPercent: whole({ min: 1, max: 100, default: standardPercent })
    }),
    reply: section({
      /** The milliseconds without a further message after which a message group is answered; 0 answers each message at once. Default 1500. Source: docs/reference/messaging.md#reply-queue. */
      quietMs: whole({ min: 0, default: standardReply.quietMs }),
      /** The milliseconds after its first message at which a message group is answered at the latest. They are not fewer than those of `quietMs`. Default 12,000. */
      maxWaitMs: whole({ min: 0, default: standardReply.maxWaitMs }),
      /** The customers that this process answers at a time. Default 1024. */
      places: whole({ min: 1, default: standardReply.concurrency })
    })
  }),
  workers: section({
    /** Whether `start` answers messages of the chat channels. Default true. */
    replies: flag(true),
    /** Whether `start` sends the messages of template campaigns. Default true. */
    templateCampaigns: flag(true)
  }),
  retention: section({
    /** The days for which messages of conversations are kept at least; null keeps them for ever. Default null. Source: docs/reference/storage.md#retention. */
    messagesDays: whole({ min: retentionDays.min.messages, max: retentionDays.max, default: null, orNull: true })
  })
}

export type MessagingOptions = Settings.ValuesOf<typeof settings>

/** What must hold of several options together, by the section in which it is reported. */
export const rules = {
  messaging: (options: MessagingOptions): ReadonlyArray<SettingFault> => {
    const { rates, reply } = effective(settings, options).messaging
    const { maxWaitMs, quietMs } = reply
    const waits =
      maxWaitMs < quietMs
        ? [
            {
              path: ["messaging", "reply", "maxWaitMs"],
              message: `must not be shorter than the time of silence before a reply, which is ${quietMs}`
            }
          ]
        : []
    const wrong = rateFaults(rates).map(({ path, ...fault }) => ({ ...fault, path: ["messaging", "rates", ...path] }))
    return [...waits, ...wrong]
  }
}
