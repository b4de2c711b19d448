/** What a channel's network says of a number. Source: docs/reference/messaging.md#number-facts. */
import * as Schema from "effect/Schema"
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

/** What is known of a number from its channel's network: by what it was asked and by what it has delivered. */
export interface KnownFacts extends Omit<NumberFacts, "displayPhoneNumber"> {
  /** Null where the network restricts nothing. One whose `until` is past restricts nothing any more. */
  readonly restriction: Restriction | null
  /** When the network was last asked; null where only deliveries have said something. */
  readonly checkedAt: Instant.Instant | null
}

export const nothingKnown: KnownFacts = {
  status: null,
  qualityRating: null,
  messagingLimit: null,
  throughput: null,
  verifiedName: null,
  nameStatus: null,
  codeVerificationStatus: null,
  isPinEnabled: null,
  restriction: null,
  checkedAt: null
}

const instant = Schema.Number as unknown as Schema.Codec<Instant.Instant, number> // a whole number of milliseconds, as it stands in the row

/** As it stands in a number's row. */
export const knownFacts: Schema.Codec<KnownFacts, unknown> = Schema.Struct({
  status: Schema.NullOr(Schema.String),
  qualityRating: Schema.NullOr(Schema.Literals(qualities)),
  messagingLimit: Schema.NullOr(Schema.Struct({ tier: Schema.String, perDay: Schema.NullOr(Schema.Int) })),
  throughput: Schema.NullOr(Schema.Struct({ level: Schema.String, perSecond: Schema.Int })),
  verifiedName: Schema.NullOr(Schema.String),
  nameStatus: Schema.NullOr(Schema.String),
  codeVerificationStatus: Schema.NullOr(Schema.String),
  isPinEnabled: Schema.NullOr(Schema.Boolean),
  restriction: Schema.NullOr(Schema.Struct({ type: Schema.String, until: Schema.NullOr(instant) })),
  checkedAt: Schema.NullOr(instant)
})
