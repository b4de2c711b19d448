/** The usage log as the rows of a CSV file. Pure. Source: docs/reference/usage.md#csv. */
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

export const header: ReadonlyArray<string> = names.map(Wire.snakeName)

/** The cells of a record, in the order of the header. */
export const cellsOf = (record: UsageRecord) =>
  names.map((name) => (name === "createdAt" ? Instant.toIso(record.createdAt) : record[name]))
