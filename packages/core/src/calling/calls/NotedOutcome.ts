/** What a person has noted of a call, as it is shown. Pure. Source: docs/reference/telephony.md#outcome. */
import * as Schema from "effect/Schema"
import { type Doer, DoerBody } from "../../platform/accounts/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type { Call } from "./Call.ts"

export const NotedOutcomeBody = Schema.Struct({
  outcome: Schema.String,
  note: Schema.NullOr(Schema.String),
  by: DoerBody,
  at: Instant.Iso
}).annotate({ identifier: "CallOutcome" })
export interface NotedOutcome {
  readonly outcome: string
  readonly note: string | null
  readonly by: Doer
  readonly at: Instant.Instant
}

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
