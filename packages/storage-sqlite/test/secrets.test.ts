/** Verifies: HOOK-8, CHAT-7, VOIC-4. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sqlite } from "@trunkline/storage-sqlite"
import { storedSecretsSuite } from "@trunkline/testing/http"
import BetterSqlite from "better-sqlite3"

storedSecretsSuite("sqlite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-secrets-"))
  const path = join(folder, "test.db")
  return {
    storage: () => sqlite(path),
    rows: async () => {
      const db = new BetterSqlite(path, { readonly: true })
      try {
        const tables = db.prepare("select name from sqlite_master where type = 'table'").pluck().all()
        return JSON.stringify(
          tables.map((table) => db.prepare(`select * from "${table}"`).safeIntegers().all()),
          (_, value) => (typeof value === "bigint" ? String(value) : value)
        )
      } finally {
        db.close()
      }
    },
    close: async () => rmSync(folder, { recursive: true, force: true })
  }
})
