/** What a channel's network says of a number. Source: docs/reference/messaging.md#number-facts. */
import type { Instant } from "../../platform/kernel/index.ts"

/** How many people outside of an open reply window a number may write to in 24 hours. */
export interface MessagingLimit {
  /** In the network's own words: `TIER_2K`. */
  readonly tier: string
  /** Null for no limit. */
  readonly perDay: number | null
}

export interface Throughput {
  /** In the network's own words: `STANDARD`. */
  readonly level: string
  /** Messages that the network takes of the number each second. */
  readonly perSecond: number
}

/** What the network does not let a number do for now. */
export interface Restriction {
  /** In the network's own words. */
  readonly type: string
  /** Null where it has no end. */
  readonly until: Instant.Instant | null
}

export const qualities = ["GREEN", "YELLOW", "RED", "UNKNOWN"] as const
/** How customers take the messages of a number or of a template. */
export type Quality = (typeof qualities)[number]

/** What the network says when it is asked about a number. A field that it does not name is null. */
export interface NumberFacts {
  readonly status: string | null
  readonly qualityRating: Quality | null
  readonly messagingLimit: MessagingLimit | null
  readonly throughput: Throughput | null
  readonly verifiedName: string | null
  readonly nameStatus: string | null
  readonly codeVerificationStatus: string | null
  readonly isPinEnabled: boolean | null
  /** The number as people read it. */
  readonly displayPhoneNumber: string | null
}
