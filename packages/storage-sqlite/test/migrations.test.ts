import { migrationsOf, sqliteDialect } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import { assert, it } from "vitest"
import {
  conversationsBefore,
  countedConversations,
  countingConversations,
  readCounted
} from "../../storage-kysely/test/AnsweredConversations.ts"
import {
  callsOfSimulator,
  movedCall,
  movedCalls,
  movingCalls,
  readStates
} from "../../storage-kysely/test/MovedCalls.ts"
import { customersWithJobs, movedJobs, movingJobs, readJobs } from "../../storage-kysely/test/MovedReplyJobs.ts"
import {
  countedOwned,
  countOwned,
  ownedRowsVersion,
  rowsAfter,
  rowsBefore,
  withoutAccount
} from "../../storage-kysely/test/OwnedRows.ts"
import { numbersAfter, numbersBefore, readingNumbers, readNumbers } from "../../storage-kysely/test/ReadNumbers.ts"
import { ownRecords, recordsVersion, sharedRecords } from "../../storage-kysely/test/SharedRecords.ts"
import { countingSpent, readSpent, spentAfter, spentBefore } from "../../storage-kysely/test/SpentByKeys.ts"
import { migrate } from "../src/SqliteMigrations.ts"

it("a carrier's record that several calls had stays with the one that began first", () => {
  const db = new BetterSqlite(":memory:")
  for (const { statements, version } of migrationsOf(sqliteDialect)) {
    if (version === recordsVersion) db.exec(sharedRecords("0"))
    for (const text of statements) db.exec(text)
  }
  const found = db.prepare("select provider, provider_call_id from calls order by id").raw().all()
  db.close()
  assert.deepStrictEqual(found, ownRecords)
})

it("the state of each reply job moves out of its customer's row", () => {
  const db = new BetterSqlite(":memory:")
  for (const { name, statements } of migrationsOf(sqliteDialect)) {
    if (name === movingJobs) db.exec(customersWithJobs)
    for (const text of statements) db.exec(text)
  }
  const found = db.prepare(readJobs).raw().all()
  const customers = db.prepare("select count(*) from chat_customers").pluck().get()
  db.close()
  assert.deepStrictEqual(found, movedJobs)
  assert.strictEqual(customers, 4)
})

it("calls of the simulated carrier become rows of that provider", () => {
  const db = new BetterSqlite(":memory:")
  for (const { name, statements } of migrationsOf(sqliteDialect)) {
    if (name === movingCalls) db.exec(callsOfSimulator("0", "1"))
    for (const text of statements) db.exec(text)
  }
  const found = db.prepare(readStates).raw().all() as Array<ReadonlyArray<unknown>>
  db.close()
  assert.deepStrictEqual<unknown>(found.map(movedCall), movedCalls)
})

// Verifies: H-809.
it("a conversation in which an agent has replied before does not count in a later month", () => {
  const db = new BetterSqlite(":memory:")
  for (const { name, statements } of migrationsOf(sqliteDialect)) {
    if (name === countingConversations) db.exec(conversationsBefore("0"))
    for (const text of statements) db.exec(text)
  }
  const found = db.prepare(readCounted).raw().all()
  db.close()
  assert.deepStrictEqual(found, countedConversations)
})

// Verifies: B-604.
it("what keys without a budget have spent is counted from the usage log, and what was counted stays", () => {
  const db = new BetterSqlite(":memory:")
  for (const { name, statements } of migrationsOf(sqliteDialect)) {
    if (name === countingSpent) db.exec(spentBefore("0"))
    for (const text of statements) db.exec(text)
  }
  const found = db.prepare(readSpent).raw().all()
  db.close()
  assert.deepStrictEqual<unknown>(found, spentAfter)
})

const literals = { no: "0", bytes: "x'63'" }

it("rows that belong to another row have its account, also those that an earlier release adds later", () => {
  const db = new BetterSqlite(":memory:")
  for (const { statements, version } of migrationsOf(sqliteDialect)) {
    if (version === ownedRowsVersion) db.exec(rowsBefore(literals))
    for (const text of statements) db.exec(text)
  }
  db.exec(rowsAfter(literals))
  const found = db.prepare(countOwned).raw().all()
  db.close()
  assert.deepStrictEqual(found, countedOwned)
})

// Verifies: D-295.
it("numbers that an earlier release has read by fewer rules are read anew, and no row is lost", () => {
  const db = new BetterSqlite(":memory:")
  db.exec(
    "create table trunkline_migrations (version integer primary key, name text not null, applied_at integer not null) strict"
  )
  for (const { name, statements, version } of migrationsOf(sqliteDialect)) {
    if (name === readingNumbers) break
    for (const text of statements) db.exec(text)
    db.prepare("insert into trunkline_migrations values (?, ?, 0)").run(version, name)
  }
  db.exec(numbersBefore("0"))
  migrate(db)
  const found = db.prepare(readNumbers).raw().all()
  db.close()
  assert.deepStrictEqual<unknown>(found, numbersAfter)
})

it("every table has the account of its rows, but those of nobody", () => {
  const db = new BetterSqlite(":memory:")
  for (const { statements } of migrationsOf(sqliteDialect)) for (const text of statements) db.exec(text)
  const tables = db
    .prepare("select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%'")
    .pluck()
    .all() as ReadonlyArray<string>
  const lacking = tables.filter(
    (name) => db.prepare("select count(*) from pragma_table_info(?) where name = 'tenant_id'").pluck().get(name) === 0
  )
  db.close()
  assert.isAbove(tables.length, 40)
  assert.sameMembers(
    lacking.filter((name) => !name.startsWith("knowledge_search")),
    Object.keys(withoutAccount).filter((name) => name !== "trunkline_migrations")
  )
})
