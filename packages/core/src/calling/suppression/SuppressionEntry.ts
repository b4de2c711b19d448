/** An entry of the do-not-call list. Pure. Source: docs/reference/suppression.md#routes. */
import * as Schema from "effect/Schema"
import { Entity, Ids, Instant } from "../../platform/kernel/index.ts"
import { MatchKey } from "../../platform/numbers/index.ts"

/** Its row. */
export const suppressionEntity = Schema.Struct({
  id: Ids.schema<"SuppressionEntry">(),
  tenantId: Ids.schema<"Account">(),
  /** As it was given. */
  phone: Schema.String,
  matchKey: MatchKey,
  reason: Schema.NullOr(Schema.String),
  createdAt: Instant.Iso
})
export interface SuppressionEntry extends Schema.Struct.Type<typeof suppressionEntity.fields> {}

/** How an entry is shown. */
export const SuppressionRecord = Entity.recordOf(suppressionEntity, ["id", "phone", "reason", "createdAt"])
