import { migrationsOf, sqliteDialect } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import { assert, it } from "vitest"
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
