/** The import of 100,000 CSV rows, against the same parser and one prepared insert for each row. */
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { messageOf, start } from "./Children.ts"
import { database, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import type { Imported, Way } from "./ImportOnce.ts"
import { interleaved, median, ratio } from "./Rounds.ts"

const plan = { rounds: 5, warmUp: 1 }
const rows = 100_000
/** Imported first, in the same process and into the same tables, so that nothing is measured before it is compiled. */
const warmUpRows = 3_000

const lines = function* (from: number, count: number) {
  yield "phone,first_name,last_name,email,company,tags,notes\n"
  for (let n = from; n < from + count; n++) {
    // Multiplied by a prime, so that keys come in no order, as in a file of people.
    const digits = String(1_000_000_000 + ((n * 387_420_489) % 8_999_999_999))
    yield `+91 ${digits},First ${n},Last ${n},person${n}@example.com,"Company, ${n % 1000}",lead;spring,Met at the fair in hall ${n % 9}\n`
  }
}

const main = async (): Promise<void> => {
  const home = folder(2)
  const [file, warmUp] = [join(home, "rows.csv"), join(home, "warm-up.csv")]
  await pipeline(lines(0, rows), createWriteStream(file))
  await pipeline(lines(rows, warmUpRows), createWriteStream(warmUp))

  const found: Array<Imported> = []
  const measured = (way: Way) => async (round: number) => {
    const name = `${way}-${round}.db`
    const path = await database(home, name)
    const words = [way, path, warmUp, String(warmUpRows), file, String(rows)]
    const child = start("ImportOnce.ts", words)
    const imported = await messageOf<Imported>(child)
    await once(child, "exit")
    for (const suffix of ["", "-wal", "-shm"]) await rm(path + suffix, { force: true })
    progress(
      `${way}: ${imported.ms.toFixed(0)} ms, standstill ${imported.standstill.toFixed(0)} ms, ${imported.peak.toFixed(0)} MB`
    )
    if (way === "product" && round >= 0) found.push(imported)
    return imported.ms
  }
  const times = await interleaved(plan, {
    product: measured("product"),
    "one insert": measured("one insert"),
    "two inserts": measured("two inserts")
  })

  const seconds = (way: Way) => `${(median(times[way]) / 1000).toFixed(2)} s`
  const standstills = found.map(({ standstill }) => standstill)
  const peaks = found.map(({ peak }) => peak)
  const figures: ReadonlyArray<Figure> = [
    {
      what: `import of ${rows.toLocaleString("en")} rows`,
      measured: seconds("product"),
      against: `one insert a row ${seconds("one insert")}`,
      judged: { value: ratio(times, "product", "one insert"), bar: { atMost: 2.5 } }
    },
    {
      what: "  against an insert into both tables it fills",
      measured: ratio(times, "product", "two inserts").toFixed(2),
      against: `two inserts a row ${seconds("two inserts")}`
    },
    {
      what: "longest standstill of the event loop",
      measured: `${median(standstills).toFixed(0)} ms, in the worst import ${Math.max(...standstills).toFixed(0)} ms`,
      judged: { value: median(standstills), unit: " ms", bar: { atMost: 50 } }
    },
    {
      what: "peak memory of the process",
      measured: `${median(peaks).toFixed(0)} MB, in the worst import ${Math.max(...peaks).toFixed(0)} MB`,
      judged: { value: Math.max(...peaks), unit: " MB", bar: { atMost: 300 } }
    }
  ]
  report(figures)
}

await main()
