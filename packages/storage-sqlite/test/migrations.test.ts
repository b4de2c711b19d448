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
import { ownRecords, recordsVersion, sharedRecords } from "../../storage-kysely/test/SharedRecords.ts"

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
