/** SQLite keeps every promise of a storage in a file, and in memory those that depend on where the database is. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { layer } from "@trunkline/storage-sqlite"
import { all, imports, keyLimits, ledger, locks, outbox, transactions, values } from "@trunkline/testing/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll } from "vitest"

// Each import begins a thread, and without this its source would be translated and compiled for each: most of what it costs.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL("../../../node_modules/.cache/trunkline-compiled", import.meta.url)
)

const folders = mkdtempSync(join(tmpdir(), "trunkline-sqlite-"))
afterAll(() => rmSync(folders, { recursive: true }))

/** A file with every table and no row: to make its tables takes fifteen times as long as to copy and open it. */
const template = join(folders, "template.db")
await Effect.runPromise(Effect.scoped(Layer.build(layer({ path: template }))))

const inFile = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(folders, "one-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ),
    (folder) => {
      const path = join(folder, "data", "trunkline.db")
      mkdirSync(join(folder, "data"))
      copyFileSync(template, path)
      return layer({ path })
    }
  )
)

all("sqlite", inFile, { sideBySide: false })

// The statements are the same ones. What is not: there is one connection, no other process, no thread, and no disk to wait for.
for (const suite of [transactions, locks, values, imports, outbox, ledger, keyLimits])
  suite("sqlite in memory", layer({ path: ":memory:" }), { sideBySide: false })
