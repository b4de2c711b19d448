/** What a host gives for the options of MessagingOptions.ts, from which OptionShapes.test.ts makes it. */
import type { ChannelProvider } from "./MessagingOptions.ts"

export interface MessagingOptionShapes {
  /** The chat channels. Source: docs/reference/configuration.md#messaging. */
  readonly messaging?: {
    /** The standard channel: numbers are connected to it unless another one is named. Without any channel no message is sent. */
    readonly platform?: ChannelProvider
    /** Further channels, each of another kind. Without `platform` the first one is the standard channel. */
    readonly channels?: ReadonlyArray<ChannelProvider>
    /** The secret with which inbound deliveries are signed. Without it all are refused. Source: docs/reference/messaging.md#inbound. */
    readonly appSecret?: string
    /** The secret that the platform must know to have the inbound endpoint verified. Without it the endpoint cannot be verified. */
    readonly verifyToken?: string
    /** Whether a delivery is passed over that is for another business account than the one that its number was connected with. Default true. Source: docs/reference/messaging.md#proof. */
    readonly checkBusinessAccount?: boolean
    /** Where the platform reaches the mount point, with the prefix of a proxy: `https://chat.example.com/phone`. Without it no flow has an endpoint for data. It is a URL that begins with https:// or http://. Source: docs/reference/flows.md#data. */
    readonly publicUrl?: string
    /** What a message of a template costs, by the beginning of the customer's number: decimal texts in one currency. The longest beginning counts, and an empty one is for all others. Default `[]`. Source: docs/reference/template-campaigns.md#cost. */
    readonly rates?: ReadonlyArray<{
      /** The first digits of the numbers that it is for; empty for all others. */
      readonly prefix: string
      readonly marketing: string
      readonly utility: string
      readonly authentication: string
    }>
    /** The currency of `rates`, as reports name it. Default `USD`. */
    readonly ratesCurrency?: string
    readonly campaigns?: {
      /** The milliseconds before each further attempt at a message that the platform could not take. Default `[30000,120000,600000]`. Source: docs/reference/template-campaigns.md#codes. */
      readonly retryMs?: ReadonlyArray<number>
      /** The milliseconds after which a message has failed of which nobody knows whether the platform took it. It is a whole number of at least 1000. Default 3,600,000. */
      readonly unknownAfterMs?: number
      /** The share of a number's throughput that template campaigns use, in percent: the rest is left for agents and people. It is a whole number from 1 to 100. Default 80. */
      readonly throughputPercent?: number
    }
    readonly reply?: {
      /** The milliseconds without a further message after which a message group is answered; 0 answers each message at once. It is a whole number of at least 0. Default 1500. Source: docs/reference/messaging.md#reply-queue. */
      readonly quietMs?: number
      /** The milliseconds after its first message at which a message group is answered at the latest. They are not fewer than those of `quietMs`. It is a whole number of at least 0. Default 12,000. */
      readonly maxWaitMs?: number
      /** The customers that this process answers at a time. It is a whole number of at least 1. Default 1024. */
      readonly places?: number
    }
  }
  readonly workers?: {
    /** Whether `start` answers messages of the chat channels. Default true. */
    readonly replies?: boolean
    /** Whether `start` sends the messages of template campaigns. Default true. */
    readonly templateCampaigns?: boolean
  }
  readonly retention?: {
    /** The days for which messages of conversations are kept at least; null keeps them for ever. It is a whole number from 31 to 36500. Default null. Source: docs/reference/storage.md#retention. */
    readonly messagesDays?: number | null
  }
}
