/** What an installation decides about its chat channels. Source: docs/reference/configuration.md#messaging. */
import * as Context from "effect/Context"

export class MessagingSettings extends Context.Service<
  MessagingSettings,
  {
    /** Whether a delivery must come from the business account that its number was connected with. */
    readonly checksBusinessAccount: boolean
    /** Where the channel's network reaches the mount point, without a slash at its end; null where nobody has said. */
    readonly publicUrl: string | null
    readonly reply: {
      /** A message group is complete when nothing has followed its last message for this time; 0 replies at once. */
      readonly quietMs: number
      /** A message group gets its reply at the latest this time after its first message. */
      readonly maxWaitMs: number
      /** Reply jobs that one process has in progress at the same time. */
      readonly concurrency: number
    }
  }
>()("@trunkline/core/messaging/MessagingSettings") {}

export const standardReply = { quietMs: 1500, maxWaitMs: 12_000, concurrency: 1024 } as const
