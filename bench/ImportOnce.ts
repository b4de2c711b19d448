/** Imports one CSV file in a process of its own, so that its peak of memory is nobody else's: by the product, or by hand. */
import { createReadStream } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import BetterSqlite from "better-sqlite3"
import { parse } from "csv-parse"
import { encryptionKey } from "./Database.ts"
import { timed } from "./Rounds.ts"
import { accountId, campaignId, contactId, entryId } from "./SeedRows.ts"

/** By hand: a row of the address book for each row of the file, or a place on the campaign's list as well. */
export type Way = "product" | "one insert" | "two inserts"

export interface Imported {
  readonly ms: number
  /** The longest standstill of the event loop, in milliseconds. */
  readonly standstill: number
  /** Megabytes. */
  readonly peak: number
}

/** Returns a function that imports a file with a number of rows. */
type Open = (path: string) => Promise<(file: string, rows: number) => Promise<void>>

const product: Open = async (path) => {
  const core = await createTrunkline({ storage: sqlite(path), telephony: simulator(), encryptionKey })
  const account = await core.admin.createAccount({ name: "Bench", voiceCampaigns: true })
  return async (file, rows) => {
    const campaign = await core.campaigns.create(account.id, { name: file })
    const report = await core.campaigns.importCsv(account.id, campaign.id, createReadStream(file), { dryRun: false })
    if (report.created !== rows || report.attached !== rows) throw new Error(JSON.stringify(report))
  }
}

const addPerson = `insert into crm_contacts (id, tenant_id, phone, match_key, name, first_name, last_name, email, company, tags,
  notes, opted_in, custom, created_at, updated_at) values (?, ?, ?, ?, null, ?, ?, ?, ?, ?, ?, 0, '{}', ?, ?)`

const addToList = `insert into campaign_contacts (id, tenant_id, campaign_id, seq, phone, match_key, name, status, attempts,
  created_at) values (?, ?, ?, ?, ?, ?, ?, 'pending', 0, ?)`

/** The product's own tables with their indexes, its durability and one transaction, and nothing that the product checks. */
const byHand =
  (alsoOnList: boolean): Open =>
  async (path) => {
    const db = new BetterSqlite(path)
    db.pragma("synchronous = full")
    const person = db.prepare<Array<unknown>>(addPerson)
    const place = db.prepare<Array<unknown>>(addToList)
    let n = 0
    return (file, rows) =>
      new Promise((resolve, reject) => {
        const at = Date.now()
        const parser = parse({ from_line: 2, relax_column_count: true, trim: true })
        db.exec("begin immediate")
        parser.on("data", ([phone, first, last, email, company, tags, notes]: Array<string>) => {
          const key = [...phone!.slice(-10)].reverse().join("")
          person.run(
            entryId(n),
            accountId,
            phone,
            key,
            first,
            last,
            email,
            company,
            JSON.stringify(tags!.split(";")),
            notes,
            at,
            at
          )
          if (alsoOnList) place.run(contactId(n), accountId, campaignId(0), n, phone, key, `${first} ${last}`, at)
          n += 1
        })
        parser.on("error", reject)
        parser.on("end", () => {
          db.exec("commit")
          if (parser.info.records === rows) resolve()
          else reject(new Error(`${parser.info.records} of ${rows} rows`))
        })
        createReadStream(file).pipe(parser)
      })
  }

const ways: Readonly<Record<Way, Open>> = { product, "one insert": byHand(false), "two inserts": byHand(true) }

const [way, path, warmUp, warmUpRows, file, rows] = process.argv.slice(2) as [
  Way,
  string,
  string,
  string,
  string,
  string
]
const importFile = await ways[way](path)
await importFile(warmUp, Number(warmUpRows))
globalThis.gc?.()
const loop = monitorEventLoopDelay({ resolution: 1 })
loop.enable()
const ms = await timed(() => importFile(file, Number(rows)))
// A standstill that has not ended yet is seen by the next turn.
await new Promise((resolve) => setTimeout(resolve, 5))
loop.disable()
const answer: Imported = { ms, standstill: loop.max / 1e6, peak: process.resourceUsage().maxRSS / 1024 }
process.send?.(answer, () => process.exit(0))
