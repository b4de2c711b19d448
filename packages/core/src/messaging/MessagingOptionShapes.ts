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
  }
  readonly retention?: {
    /** The days for which messages of conversations are kept at least; null keeps them for ever. It is a whole number from 31 to 36500. Default null. Source: docs/reference/storage.md#retention. */
    readonly messagesDays?: number | null
  }
}
