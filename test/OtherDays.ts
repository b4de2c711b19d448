/**
 * Runs the tests as on other days: tomorrow's tomorrow, a season and two years ahead, on a leap day, and on the days on
 * which clocks change. Arguments are passed to vitest, such as `--project unit`. Each day takes most of what `npm test` takes.
 */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

interface Day {
  readonly name: string
  /** As libfaketime reads it: in the machine's zone. */
  readonly clock: string
  readonly zone?: string
}

/** An instant that comes twice is the first one, before the change. */
const days: ReadonlyArray<Day> = [
  { name: "40 hours ahead", clock: "+40h" },
  { name: "100 days ahead", clock: "+100d" },
  { name: "two years ahead", clock: "+731d" },
  { name: "29 February, two minutes before noon", clock: "@2028-02-29 11:58:00", zone: "UTC" },
  { name: "the minute before clocks go forward", clock: "@2027-03-14 01:58:30", zone: "America/New_York" },
  { name: "the minutes before clocks go back", clock: "@2027-10-31 02:57:30", zone: "Europe/Paris" }
]

/** What measures the machine says nothing about the day, and the random models have a clock of their own. */
const projects = ["unit", "apart", "postgres"].flatMap((project) => ["--project", project])
const models = { MODEL_RUNS: "5" }

const given = process.argv.slice(2)
const failed: Array<string> = []
for (const { clock, name, zone } of days) {
  console.log(`\n=== ${name} (${clock}) ===`)
  const run = spawn(
    process.execPath,
    [fileURLToPath(new URL("RunTests.ts", import.meta.url)), ...(given.length > 0 ? given : projects)],
    {
      stdio: "inherit",
      env: { ...models, ...process.env, TEST_CLOCK: clock, ...(zone === undefined ? {} : { TZ: zone }) }
    }
  )
  const code = await new Promise<number | null>((resolve) => run.once("exit", resolve))
  if (code !== 0) failed.push(name)
}
for (const name of failed) console.error(`The tests failed: ${name}`)
process.exitCode = failed.length === 0 ? 0 : 1
