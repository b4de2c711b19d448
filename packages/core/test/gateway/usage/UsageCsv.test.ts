/** The usage log as records and as a CSV file: docs/reference/usage.md. */

import { Ids, Instant } from "@trunkline/core/effect"
import type { UsageRow } from "@trunkline/core/testing"
import { parse } from "csv-parse/sync"
import { describe, expect, it } from "vitest"
import { cellsOf, header } from "../../../src/gateway/usage/UsageCsv.ts"
import { recordOf, summaryOf, type UsageRecord, usdOf } from "../../../src/gateway/usage/UsageRecord.ts"
import { csvLines } from "../../../src/platform/http/CsvFile.ts"

const row: UsageRow = {
  id: Ids.as("01936f00-0000-7000-8000-000000000001"),
  tenantId: Ids.as("01936f00-0000-7000-8000-000000000002"),
  keyId: null,
  service: "stt",
  credits: 565_333_334n,
  createdAt: Instant.make(Date.UTC(2026, 10, 21)),
  requestId: "r",
  model: "saaras:v3",
  httpStatus: 200,
  units: 40,
  unit: "seconds",
  inputTokens: 1,
  outputTokens: 2,
  cacheReadTokens: 3,
  cacheCreationTokens: 4,
  latencyMs: 5,
  sessionId: null,
  traceId: null
}

const names = [...header]
const linesOf = (records: ReadonlyArray<UsageRecord>) => csvLines(records.map(cellsOf))
const cells = (more: Partial<UsageRow>) => linesOf([recordOf({ ...row, ...more }, 96)])
const read = (text: string) => parse(text, { columns: names }) as ReadonlyArray<Readonly<Record<string, string>>>

describe("the CSV file of the usage log", () => {
  it("has the names of the JSON rows as its header, in their order", () => {
    expect(csvLines([header])).toBe(
      "id,created_at,request_id,key_id,service,model,status,units,unit,input_tokens,output_tokens,cache_read_tokens,cache_creation_tokens,credits,cost_usd,latency_ms,session_id,trace_id\r\n"
    )
    expect(names.map((name) => name.replace(/_([a-z])/g, (_, next: string) => next.toUpperCase()))).toEqual(
      Object.keys(recordOf(row, 96))
    )
  })

  // Verifies: G-25.
  it("writes one line for each row, with empty cells for null", () => {
    expect(cells({})).toBe(
      "01936f00-0000-7000-8000-000000000001,2026-11-21T00:00:00.000Z,r,,stt,saaras:v3,200,40,seconds,1,2,3,4,0.565333334,0.005888888895833333,5,,\r\n"
    )
    expect(linesOf([])).toBe("")
    expect(linesOf([recordOf(row, 96), recordOf(row, 96)]).split("\r\n")).toHaveLength(3)
  })

  it.each(['a "quoted" word', "one, two", "first\r\nsecond", "first\nsecond", "भाषा", " padded "])(
    "is read as %j by a reader of RFC 4180",
    (traceId) => {
      expect(read(cells({ traceId }))[0]!.trace_id).toBe(traceId)
    }
  )

  it.each([
    "=1+1",
    '=HYPERLINK("http://evil.test","x")',
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "＝1",
    "＋1",
    "－1",
    "＠A"
    // Verifies: H-97.
  ])("defuses %j", (sessionId) => {
    const cell = read(cells({ sessionId }))[0]!.session_id!
    expect(cell).toBe(`'${sessionId}`)
  })

  it("leaves numbers and texts that only contain such signs as they are", () => {
    const [record] = read(cells({ sessionId: "a=1", traceId: "x-y", credits: 1n }))
    expect(record).toMatchObject({ session_id: "a=1", trace_id: "x-y", credits: "1e-9" })
  })
})

describe("credits and dollars", () => {
  it.each([
    [0n, 96, 0],
    [96_000_000_000n, 96, 1],
    [1n, 96, 1 / 96e9],
    [565_333_334n, 96, 0.565333334 / 96],
    [100_000_000_000n, 83.5, 100 / 83.5],
    [9_007_199_254_740_993n * 96n, 96, 9007199.254740993],
    [12_345_678_901_234_567_890n, 96, 128600821.88786009]
    // Verifies: G-25, H-85.
  ] as const)("%s nano-credits at %s are %s dollars, to a double", (nano, rate, dollars) => {
    expect(usdOf(nano, rate)).toBe(dollars)
  })

  it("sums exactly and rounds last", () => {
    const of = (service: "stt" | "llm", credits: bigint) => ({
      service,
      calls: 1,
      inputTokens: 10,
      outputTokens: 20,
      cacheReadTokens: 30,
      cacheCreationTokens: 40,
      audioSeconds: 50,
      credits
    })
    // As doubles, these would lose the small one.
    const { services, total } = summaryOf([of("stt", 9_007_199_254_740_992n), of("llm", 1n)], 96)
    expect(total).toEqual({
      calls: 2,
      inputTokens: 20,
      outputTokens: 40,
      cacheReadTokens: 60,
      cacheCreationTokens: 80,
      audioSeconds: 100,
      credits: 9007199.254740993,
      costUsd: 9007199.254740993 / 96
    })
    expect(Object.keys(services)).toEqual(["stt", "llm"])
    expect(services.llm).toMatchObject({ calls: 1, credits: 1e-9 })
  })

  it("of nothing are zero", () => {
    expect(summaryOf([], 96)).toMatchObject({ total: { calls: 0, credits: 0, costUsd: 0 }, services: {} })
  })
})
