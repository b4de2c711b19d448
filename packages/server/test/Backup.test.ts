/** A backup of a server at work, and the server on it: docs/reference/operations.md#sqlite-backup. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { createTrunkline, type Trunkline } from "@trunkline/core"
import { backup, sqlite } from "@trunkline/storage-sqlite"
import { afterAll, expect, it } from "vitest"
import { json, run } from "./Command.ts"
import {
  accountOf,
  callsOf,
  campaign,
  cleanUp,
  client,
  completed,
  folder,
  keyOf,
  reached,
  serve,
  stop
} from "./Spawned.ts"

afterAll(cleanUp)

const workers = { dialer: false, deliveries: false, replies: false, batches: false, analysis: false }

/** What must be equal in every moment of every account: balances and the ledger, reservations and what they are for. */
const accounts = (path: string) => {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return db
      .prepare(
        `select balance, (select coalesce(sum(amount), 0) from credit_ledger as l where l.tenant_id = a.tenant_id) as entries,
          reserved, (select coalesce(sum(amount), 0) from credit_holds as h where h.tenant_id = a.tenant_id) as holds,
          (select count(*) from calls as c where c.tenant_id = a.tenant_id and ended_at is not null) as ended
        from credit_accounts as a`
      )
      .all() as unknown as ReadonlyArray<
      Readonly<Record<"balance" | "entries" | "reserved" | "holds" | "ended", number>>
    >
  } finally {
    db.close()
  }
}

it("a backup of a server that dials has balances that agree, and a server that starts on it dials on", async () => {
  const cwd = folder(100)
  const server = await serve(cwd)
  const key = keyOf(server)
  const id = await campaign(client(server, key), 5)
  await reached(client(server, key), id, 2)
  const copy = join(cwd, "copy.db")
  const { bytes, file, next } = await json(cwd, "backup", copy)
  expect({ bytes, file }).toEqual({ bytes: statSync(copy).size, file: copy })
  expect(next).toMatch(/^keep data\/secret with it/)
  expect((await stop(server)).code).toBe(0)

  const restored = folder(100, { workers })
  mkdirSync(join(restored, "data"), { mode: 0o700 })
  copyFileSync(join(cwd, "data/secret"), join(restored, "data/secret"))
  copyFileSync(copy, join(restored, "data/trunkline.db"))
  const [account] = accounts(copy)
  expect(account!.ended).toBeGreaterThanOrEqual(2)
  expect([account!.balance, account!.reserved]).toEqual([account!.entries, account!.holds])

  // First without workers: nobody is called until the operator has looked.
  const quiet = await serve(restored)
  expect(quiet.logged()).toBe("")
  const before = await callsOf(client(quiet, key), id)
  await json(restored, "account", "show", "--account", accountOf(server))
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await callsOf(client(quiet, key), id)).toEqual(before)
  await stop(quiet)

  const config = JSON.parse(readFileSync(join(restored, "config.json"), "utf8"))
  writeFileSync(join(restored, "config.json"), JSON.stringify({ ...config, workers: {} }))
  const again = await serve(restored)
  await completed(client(again, key), id)
  const answered = (await callsOf(client(again, key), id)).filter(({ answered_at }) => answered_at !== null)
  expect(new Set(answered.map(({ contact_id }) => contact_id)).size).toBe(5)
  await stop(again)
  const [end] = accounts(join(restored, "data/trunkline.db"))
  expect([end!.balance, end!.reserved]).toEqual([end!.entries, 0])
})

it("who reads events begins, after a restore, at a cursor from before it: a later one passes over new events", async () => {
  const cwd = folder()
  const [path, copy] = [join(cwd, "first.db"), join(cwd, "copy.db")]
  const open = (file: string) =>
    createTrunkline({
      storage: sqlite(file),
      encryptionKey: "the key of an installation for tests",
      log: () => undefined
    })
  const core = await open(path)
  const { id } = await core.admin.createAccount({ name: "A" })
  const publish = (on: Trunkline, n: number) => on.events.publish(id, { event: "payment.succeeded", data: { n } })
  await publish(core, 1)
  const [before] = await core.events.read(null)
  await backup(path, copy)
  for (const n of [2, 3]) await publish(core, n)
  const last = (await core.events.read(before!.cursor)).at(-1)!
  await core.stop()

  const restored = await open(copy)
  try {
    await publish(restored, 4)
    expect(await restored.events.read(last.cursor)).toEqual([])
    expect((await restored.events.read(before!.cursor)).map(({ data }) => data)).toEqual([{ n: 4 }])
  } finally {
    await restored.stop()
  }
})

// Verifies: SERV-4.
it("what cannot be backed up is refused in one line that says what to do, and nothing is created", async () => {
  const cwd = folder()
  const copy = join(cwd, "copy.db")
  const cases: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
    [["backup", copy], /no backup was made: there is no database \S+data\/trunkline\.db$/],
    [["backup", copy, "--database", "sqlite::memory:"], /in memory ends with its process: name a file$/],
    [
      ["backup", copy, "--database", "postgres://u:secret@db/t"],
      /^trunkline: postgres:\/\/u@db\/t is backed up with the tools of Postgres: docs\/reference\/operations\.md#postgres-backup$/
    ],
    [["backup"], /missing required argument 'file'/]
  ]
  for (const [words, line] of cases) {
    const { code, err, out } = await run(cwd, words)
    expect({ code, out }, words.join(" ")).toEqual({ code: 1, out: "" })
    expect(err.trimEnd(), words.join(" ")).toMatch(line)
    expect(err).toMatch(/^trunkline: [^\n]+\n$/)
  }
  expect([existsSync(copy), existsSync(join(cwd, "data"))]).toEqual([false, false])
})
