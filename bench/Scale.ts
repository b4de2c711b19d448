/**
 * The load run: what one installation on one Postgres does with one, two and four processes, with large tables, and beside one noisy
 * account. Writes its curves to docs/reference/scale. Words: `deliveries`, `dialing`, `requests`, `sizes`, `noisy` for parts; `short` shows that it works, and writes
 * its curves to the system's temporary folder.
 */
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { postgresServer } from "./Postgres.ts"
import { writeCurves } from "./ScaleCurves.ts"
import { noisy } from "./ScaleNoisy.ts"
import { type Amounts, deliveries, dialing, type Found, serving } from "./ScaleProcesses.ts"
import { bySize, type Sizes } from "./ScaleSizes.ts"

const words = process.argv.slice(2)
const isShort = words.includes("short")
const asked = (part: string): boolean => words.every((word) => word === "short") || words.includes(part)

const amounts: Amounts = isShort
  ? { plan: { rounds: 1, warmUp: 0 }, deliveries: 320, campaigns: 50, seconds: 1 }
  : { plan: { rounds: 3, warmUp: 1 }, deliveries: 3_200, campaigns: 1_000, seconds: 4 }

const sizes: Sizes = isShort
  ? { contacts: [10_000], listed: [10_000, 100_000], finished: [1_000, 10_000], accounts: [1, 100], samples: 20 }
  : {
      contacts: [10_000, 100_000, 1_000_000],
      listed: [10_000, 100_000, 1_000_000, 10_000_000],
      finished: [1_000, 10_000, 100_000, 1_000_000],
      accounts: [1, 10, 100, 1_000, 10_000],
      samples: 500
    }

const quiet = isShort ? 50 : 1_000

const main = async (): Promise<void> => {
  // Ten million numbers and a million deliveries with their indexes.
  folder(isShort ? 1 : 6)
  const server = await postgresServer()
  if ("missing" in server) {
    progress(`nothing is measured: ${server.missing}`)
    return report([])
  }
  const figures: Array<Figure> = []
  const add = (found: Found): void => {
    figures.push(...found.figures)
    writeCurves(isShort ? tmpdir() : fileURLToPath(new URL("../docs/reference/scale", import.meta.url)), found.curves)
  }
  if (asked("deliveries")) add(await deliveries(server, amounts))
  if (asked("dialing")) add(await dialing(server, amounts))
  if (asked("requests")) add(await serving(server, amounts))
  if (asked("sizes")) add(await bySize(server, sizes))
  if (asked("noisy"))
    figures.push(...(await noisy(server, quiet, { rounds: isShort ? 1 : 5, warmUp: isShort ? 0 : 1 })))
  await server.stop()
  report(figures)
}

await main()
