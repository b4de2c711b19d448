/** What reading a CSV file uses of a processor. Verifies: CONT-1. */
import { parse } from "csv-parse"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { beforeAll, describe, expect, it } from "vitest"
import * as CsvReader from "../../../src/calling/csv/CsvReader.ts"

/** Milliseconds of the processor, in the best of three runs. */
const used = async (work: () => Promise<unknown>): Promise<number> => {
  const runs: Array<number> = []
  for (let run = 0; run < 3; run += 1) {
    const before = process.cpuUsage()
    await work()
    const { system, user } = process.cpuUsage(before)
    runs.push((system + user) / 1000)
  }
  return Math.min(...runs)
}

const parsed = (text: string) =>
  new Promise((resolve, reject) => {
    const parser = parse({ trim: true }).on("data", () => undefined)
    parser.on("end", resolve).on("error", reject)
    parser.end(text)
  })

const read = (text: string) =>
  Effect.runPromise(Stream.runDrain(CsvReader.read(Stream.succeed(new TextEncoder().encode(text)))))

describe("a file that is read", () => {
  const text = `phone,notes\n${`1,${"x".repeat(400_000)}\n`.repeat(5)}`
  let alone = Number.NaN
  // Before the reader: what that does to the parser would slow it down here as well, and in a repeated test too.
  beforeAll(async () => {
    alone = await used(() => parsed(text))
  })

  it("takes at most twice as long as the parser alone needs for its bytes", async () => {
    expect(await used(() => read(text))).toBeLessThan(2 * alone)
  })

  it("takes at most three times as long where its rows are shorter than its header", async () => {
    const rows = "1,x\n".repeat(20_000)
    const equal = await used(() => read(`phone,name\n${rows}`))
    expect(await used(() => read(`phone,name,notes\n${rows}`))).toBeLessThan(3 * equal)
  })
})
