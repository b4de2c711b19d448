/** The usage log as a CSV file, for spreadsheets and programs. Pure. Source: docs/reference/usage.md#csv. */
import { stringify } from "csv-stringify/sync"
import { Instant, Wire } from "../../platform/kernel/index.ts"
import type { UsageRecord } from "./UsageRecord.ts"

const names = [
  "id",
  "createdAt",
  "requestId",
  "keyId",
  "service",
  "model",
  "status",
  "units",
  "unit",
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheCreationTokens",
  "credits",
  "costUsd",
  "latencyMs",
  "sessionId",
  "traceId"
] as const satisfies ReadonlyArray<keyof UsageRecord>

/**
 * RFC 4180. Texts that come from callers must not run when the file is opened. Of line ends the library quotes only the
 * one that it writes itself.
 */
const options = { record_delimiter: "windows", escape_formulas: true, quoted_match: /[\r\n]/ } as const

export const header: string = stringify([names.map(Wire.snakeName)], options)

/** Lines of records, each with its end. */
export const linesOf = (records: ReadonlyArray<UsageRecord>): string =>
  stringify(
    records.map((record) =>
      names.map((name) => (name === "createdAt" ? Instant.toIso(record.createdAt) : record[name]))
    ),
    options
  )
