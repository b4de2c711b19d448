/** What an installation decides about its chat channels. Source: docs/configuration.md#messaging. */
import * as Context from "effect/Context"

export class MessagingSettings extends Context.Service<
  MessagingSettings,
  {
    /** Whether a delivery must come from the business account that its number was connected with. */
    readonly checksBusinessAccount: boolean
    readonly reply: {
      /** So long after a message nothing may follow for its burst to be over; 0 answers at once. */
      readonly quietMs: number
      /** A burst is answered so long after its first message at the latest. */
      readonly maxWaitMs: number
      /** Lanes that one process works in at a time. */
      readonly places: number
    }
  }
>()("@trunkline/core/messaging/MessagingSettings") {}

export const standardReply = { quietMs: 1500, maxWaitMs: 12_000, places: 1024 } as const
