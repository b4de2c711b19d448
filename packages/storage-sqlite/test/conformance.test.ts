/** SQLite keeps every promise of a storage, in a file and in memory. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layer } from "@trunkline/storage-sqlite"
import { all } from "@trunkline/testing/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const inFile = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-sqlite-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ),
    (folder) => layer({ path: join(folder, "data", "trunkline.db") })
  )
)

all("sqlite", inFile, { sideBySide: false })
all("sqlite in memory", layer({ path: ":memory:" }), { sideBySide: false })
