/** The move of an account with many people to another installation, against a copy of the same tables by hand. */
import { createReadStream, createWriteStream } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createTrunkline, type StorageProvider } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { postgres } from "@trunkline/storage-postgres"
import { sqlite } from "@trunkline/storage-sqlite"
import BetterSqlite from "better-sqlite3"
import { database, encryptionKey, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { postgresServer } from "./Postgres.ts"
import { timed } from "./Rounds.ts"

const people = 50_000
/** Each is in the address book and on the list of a campaign. */
const tables = ["crm_contacts", "campaign_contacts"]
const rowsPerTransaction = 500
/** For requests that were let in before the mark. */
const waitMs = 2000

const perSecond = (rows: number, ms: number): string => `${Math.round((rows / ms) * 1000).toLocaleString("en")} rows/s`

const lines = function* () {
  yield "phone,first_name,last_name\n"
  for (let n = 0; n < people; n++) yield `+91${6_000_000_000 + n},First ${n},Last ${n}\n`
}

const home = folder(2)
const file = join(home, "people.csv")
await pipeline(Readable.from(lines()), createWriteStream(file))

/** An installation with one account that has the people. */
const source = async (name: string) => {
  const path = await database(home, name)
  const core = await createTrunkline({ storage: sqlite(path), telephony: simulator(), encryptionKey })
  const { id } = await core.admin.createAccount({ name: "Bench", voiceCampaigns: true })
  const campaign = await core.campaigns.create(id, { name: "Bench" })
  await core.campaigns.importCsv(id, campaign.id, createReadStream(file), { dryRun: false })
  return { core, id, path }
}

const moved = async (name: string, storage: StorageProvider): Promise<string> => {
  const { core, id } = await source(`${name}.db`)
  let rows = 0
  const ms = await timed(async () => {
    const { tables } = await core.move(id, { name, storage, encryptionKey })
    rows = tables.reduce((sum, table) => sum + table.rows, 0)
  })
  await core.stop()
  progress(`${name}: ${rows} rows in ${ms.toFixed(0)} ms`)
  return perSecond(rows, ms - waitMs)
}

const byHand = async (): Promise<string> => {
  const { core, path } = await source("by-hand.db")
  await core.stop()
  const from = new BetterSqlite(path, { readonly: true })
  const to = new BetterSqlite(await database(home, "copied.db"))
  to.pragma("synchronous = full")
  let rows = 0
  const ms = await timed(() => {
    for (const table of tables) {
      const page = from.prepare<Array<unknown>, { readonly rowid: number }>(
        `select rowid, * from ${table} where rowid > ? order by rowid limit ${rowsPerTransaction}`
      )
      for (let last = 0; ; ) {
        const found = page.all(last)
        if (found.length === 0) break
        const { rowid: _, ...fields } = found[0]!
        const names = Object.keys(fields)
        const insert = to.prepare(
          `insert into ${table} (${names.map((name) => `"${name}"`).join(", ")}) values (${names.map((name) => `@${name}`).join(", ")})`
        )
        to.transaction(() => {
          for (const row of found) insert.run(row)
        })()
        rows += found.length
        last = found.at(-1)!.rowid
      }
    }
  })
  return perSecond(rows, ms)
}

const main = async (): Promise<void> => {
  const hand = await byHand()
  const figures: Array<Figure> = [
    {
      what: "copied and compared, SQLite to SQLite",
      measured: await moved("sqlite", sqlite(await database(home, "target.db"))),
      against: `copied by hand ${hand}`
    }
  ]
  const server = await postgresServer()
  if ("missing" in server) progress(server.missing)
  else {
    figures.push({
      what: "copied and compared, SQLite to Postgres",
      measured: await moved("postgres", postgres(await server.database("target")))
    })
    await server.stop()
  }
  report(figures)
}

await main()
