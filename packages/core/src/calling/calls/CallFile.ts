/** Calls as the rows of a file. Source: docs/reference/telephony.md#csv. Pure. */
import { Instant } from "../../platform/kernel/index.ts"
import type { Call } from "./Call.ts"
import { CallRecord } from "./Call.ts"
import { recordOf } from "./CallEvents.ts"

/** The plain fields of a call, and what was noted of it. */
export const callColumns: ReadonlyArray<string> = [...Object.keys(CallRecord.schema.fields), "outcome", "note"]

const instants: ReadonlySet<string> = new Set(["started_at", "answered_at", "ended_at", "created_at"])

const cellOf = (name: string, value: unknown): string | number | boolean | null =>
  instants.has(name) && typeof value === "number"
    ? Instant.toIso(Instant.make(value))
    : (value as string | number | boolean | null) // A record of a call has nothing else.

export const callCells = (call: Call): ReadonlyArray<string | number | boolean | null> => [
  ...Object.entries(recordOf(call)).map(([name, value]) => cellOf(name, value)),
  call.outcome,
  call.outcomeNote
]
