/** How what is known of a number is shown. Pure. Source: docs/reference/messaging.md#number-facts. */
import * as Schema from "effect/Schema"
import { Instant } from "../../platform/kernel/index.ts"
import { type KnownFacts, qualities } from "./NumberFacts.ts"

/** The fields of `platform`. */
export const platformFields = {
  status: Schema.NullOr(Schema.String),
  quality_rating: Schema.NullOr(Schema.Literals(qualities)),
  messaging_limit: Schema.NullOr(Schema.Struct({ tier: Schema.String, per_day: Schema.NullOr(Schema.Int) })),
  throughput: Schema.NullOr(Schema.Struct({ level: Schema.String, per_second: Schema.Int })),
  verified_name: Schema.NullOr(Schema.String),
  name_status: Schema.NullOr(Schema.String),
  code_verification_status: Schema.NullOr(Schema.String),
  is_pin_enabled: Schema.NullOr(Schema.Boolean),
  restriction: Schema.NullOr(Schema.Struct({ type: Schema.String, until: Schema.NullOr(Instant.Iso) })),
  checked_at: Schema.NullOr(Instant.Iso)
}

export const platformRecord = (facts: KnownFacts) => ({
  status: facts.status,
  quality_rating: facts.qualityRating,
  messaging_limit:
    facts.messagingLimit === null ? null : { tier: facts.messagingLimit.tier, per_day: facts.messagingLimit.perDay },
  throughput:
    facts.throughput === null ? null : { level: facts.throughput.level, per_second: facts.throughput.perSecond },
  verified_name: facts.verifiedName,
  name_status: facts.nameStatus,
  code_verification_status: facts.codeVerificationStatus,
  is_pin_enabled: facts.isPinEnabled,
  restriction: facts.restriction,
  checked_at: facts.checkedAt
})
