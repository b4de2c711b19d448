/**
 * The whole product in one process on a durable file: campaigns that call one person after another over the simulator, as
 * many at a time as they can. Beside it, how often the disk can commit at all.
 */
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import BetterSqlite from "better-sqlite3"
import { database, encryptionKey, fill, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { median } from "./Rounds.ts"
import { account, campaign, contact, credit } from "./SeedRows.ts"

/** Of the simulator's time, in which a call lasts 18.6 s in the mean over all ways in which it may end. */
const speed = 7.44
const callMs = 18_600 / speed

/** Campaigns with one line, each of which dials again as soon as its call has ended: 240 starts a second, at best. */
const asked = 600
/** More than one process can do: what it starts then is its limit. */
const flood = 6_000

/** Prime to a hundred, so that every list has all the ways in which a call may end, and each begins with another one. */
const contactsOfEach = 51
const warmUpSeconds = 10
const seconds = 20

const contacts = function* (campaigns: number) {
  for (let n = 0; n < campaigns * contactsOfEach; n++)
    yield contact(n, Math.floor(n / contactsOfEach), n % contactsOfEach)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))

/** Commits of one row each, one after the other, on a file like the product's. */
const commitsPerSecond = (home: string): number => {
  const db = new BetterSqlite(join(home, `commits-${Math.random()}.db`))
  db.pragma("journal_mode = wal")
  db.pragma("synchronous = full")
  db.exec("create table t (n integer primary key, text text)")
  const insert = db.prepare("insert into t (text) values (?)")
  const began = performance.now()
  let commits = 0
  for (; performance.now() - began < 2000; commits++) insert.run("x".repeat(100))
  db.close()
  return commits / 2
}

const run = async (home: string, name: string, campaigns: number) => {
  const path = await database(home, `${name}.db`)
  fill(path, {
    accounts: () => [account],
    credit_accounts: () => [credit],
    // One after the other within the time of a call, lest they all dial, and all wait, at the same moments.
    campaigns: () =>
      Array.from({ length: campaigns }, (_, n) =>
        campaign(n, contactsOfEach, Math.round(Date.now() + (n / campaigns) * callMs))
      ),
    campaign_contacts: () => contacts(campaigns)
  })
  const faults: Array<string> = []
  const core = await createTrunkline({
    storage: sqlite(path),
    telephony: simulator({ speed }),
    encryptionKey,
    log: ({ level, message }) => void (level === "error" && faults.push(message))
  })
  let started = 0
  let ended = 0
  core.events.on("call.started", () => {
    started += 1
  })
  for (const end of ["call.completed", "call.failed"] as const) {
    core.events.on(end, () => {
      ended += 1
    })
  }
  await core.start()
  await pause(warmUpSeconds * 1000)

  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const cpu = process.cpuUsage()
  const began = performance.now()
  const before = started
  const open: Array<number> = []
  const starts: Array<number> = []
  for (let second = 0; second < seconds; second++) {
    const from = started
    for (let tenth = 0; tenth < 10; tenth++) {
      await pause(began + (second * 10 + tenth + 1) * 100 - performance.now())
      open.push(started - ended)
    }
    starts.push(started - from)
  }
  const wall = (performance.now() - began) / 1000
  const { system, user } = process.cpuUsage(cpu)
  loop.disable()
  const perSecond = (started - before) / wall
  await core.stop()

  const db = new BetterSqlite(path, { readonly: true })
  const rows = db.prepare("select count(*) from calls where provider_call_id is not null").pluck().get() as number
  const twice = db.prepare(
    "select count(*) from (select 1 from calls group by contact_id, attempt having count(*) > 1)"
  )
  if (rows < started || twice.pluck().get() !== 0) throw new Error(`${rows} rows of ${started} calls, or a call twice`)
  db.close()
  if (faults.length > 0) throw new Error(`${faults.length} faults were logged, the first: ${faults[0]}`)
  return {
    perSecond,
    open,
    slowest: Math.min(...starts),
    cpu: (user + system) / 1e6 / wall,
    delay: { p99: loop.percentile(99) / 1e6, max: loop.max / 1e6 }
  }
}

const main = async (): Promise<void> => {
  const home = folder(2)
  const before = commitsPerSecond(home)
  progress(`${asked} campaigns with a line each, ${warmUpSeconds + seconds} s`)
  const sustained = await run(home, "asked", asked)
  progress(`${flood} campaigns, ${warmUpSeconds + seconds} s`)
  const limit = await run(home, "flood", flood)
  const disk = `disk ${median([before, commitsPerSecond(home)]).toFixed(0)} commits/s`
  const figures: ReadonlyArray<Figure> = [
    {
      what: "calls at a time",
      measured: `${median(sustained.open)}, never below ${Math.min(...sustained.open)}`,
      against: disk,
      judged: { value: median(sustained.open), bar: { atLeast: 500 } }
    },
    {
      what: "call starts a second",
      measured: `${sustained.perSecond.toFixed(0)}, in the slowest second ${sustained.slowest}`,
      against: disk,
      judged: { value: sustained.perSecond, unit: "/s", bar: { atLeast: 200 } }
    },
    { what: "  CPU for it", measured: `${(sustained.cpu * 100).toFixed(0)} % of one core` },
    {
      what: "  event loop late by",
      measured: `p99 ${sustained.delay.p99.toFixed(1)} ms, at most ${sustained.delay.max.toFixed(1)} ms`
    },
    {
      what: `with ${flood} lines: call starts a second`,
      measured: `${limit.perSecond.toFixed(0)}, with ${median(limit.open)} calls at a time`,
      against: disk
    },
    {
      what: "  event loop late by",
      measured: `p99 ${limit.delay.p99.toFixed(1)} ms, at most ${limit.delay.max.toFixed(1)} ms`
    }
  ]
  report(figures)
}

await main()
