/** What a host gives for the options of WebhooksOptions.ts, from which OptionShapes.test.ts makes it. */
import type { PageTheme } from "../platform/brand/index.ts"

export interface WebhooksOptionShapes {
  readonly webhooks?: {
    /** The hosts that get chat messages. Default `["hooks.slack.com"]`. Source: docs/reference/webhooks-receiving.md#team-chat. */
    readonly teamChatHosts?: ReadonlyArray<string>
    /** The time of one attempt, in milliseconds. It is a whole number of at least 1. Default 10,000. Source: docs/reference/webhooks.md#attempt. */
    readonly timeoutMs?: number
    /** The attempts that this process makes at a time. It is a whole number of at least 1. Default 64. Source: docs/reference/webhooks.md#fairness. */
    readonly concurrency?: number
    /** The attempts that are made to one endpoint at a time. It is a whole number of at least 1. Default 16. */
    readonly perEndpoint?: number
    readonly portal?: {
      /** The origins of pages that may show the portal in a frame. Default `["'self'"]`. Source: docs/reference/webhooks-portal.md#policy. */
      readonly frameAncestors?: ReadonlyArray<string>
      /** The colour, font, colour scheme and logo of the portal, where they differ from those of `brand.theme`. Source: docs/reference/webhooks-portal.md#theme. */
      readonly theme?: PageTheme
      /** The language tag of the page, its dates and times, such as `de`. Default `en`. Source: docs/reference/webhooks-portal.md#words. */
      readonly language?: string
      /** The texts of the page by their keys, in place of the English ones. Source: docs/reference/webhooks-portal.md#words. */
      readonly words?: {
        readonly [name: string]: string
      }
    }
  }
  readonly workers?: {
    /** Whether `start` delivers webhooks. Default true. Source: docs/reference/webhooks.md. */
    readonly deliveries?: boolean
  }
  readonly retention?: {
    /** The days for which deliveries are kept at least that are not tried any more; null keeps them for ever. It is a whole number from 31 to 36500. Default null. Source: docs/reference/storage.md#retention. */
    readonly deliveriesDays?: number | null
  }
}
