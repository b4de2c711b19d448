/** What a person has noted of a call, as it is shown. Pure. Source: docs/reference/telephony.md#outcome. */
import * as Schema from "effect/Schema"
import { Instant } from "../../platform/kernel/index.ts"
import type { Call } from "./Call.ts"

/** A person or a key, by whom something was done. */
export const Doer = Schema.Struct({ subject: Schema.String, name: Schema.NullOr(Schema.String) })
export interface Doer extends Schema.Struct.Type<typeof Doer.fields> {}

export const NotedOutcome = Schema.Struct({
  outcome: Schema.String,
  note: Schema.NullOr(Schema.String),
  by: Doer,
  at: Instant.Iso
}).annotate({ identifier: "CallOutcome" })
export interface NotedOutcome extends Schema.Struct.Type<typeof NotedOutcome.fields> {}

/** Null of a call of which nobody has noted anything. */
export const notedOutcome = (
  call: Pick<Call, "outcome" | "outcomeNote" | "outcomeBy" | "outcomeByName" | "outcomeAt">
): NotedOutcome | null =>
  call.outcome === null || call.outcomeAt === null
    ? null
    : {
        outcome: call.outcome,
        note: call.outcomeNote,
        by: { subject: call.outcomeBy ?? "", name: call.outcomeByName },
        at: call.outcomeAt
      }
