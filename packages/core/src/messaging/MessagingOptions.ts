/** What a host decides about chat channels. Pure. */
import { effective, type LayerProvider, provider, type SettingFault, Settings } from "../platform/settings/index.ts"
import { retentionDays } from "../platform/storage/index.ts"
import { standardReply } from "./MessagingSettings.ts"

/** A chat channel. Made by a provider package: `cloudApi({ … })`, `telegram({ … })`. */
export interface ChannelProvider extends LayerProvider<"messaging"> {}

const { flag, hostOnly, list, secret, section, whole } = Settings

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
    replies: flag(true)
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
    const { maxWaitMs, quietMs } = effective(settings, options).messaging.reply
    return maxWaitMs < quietMs
      ? [
          {
            path: ["messaging", "reply", "maxWaitMs"],
            message: `must not be shorter than the time of silence before a reply, which is ${quietMs}`
          }
        ]
      : []
  }
}
