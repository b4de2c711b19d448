import { layer } from "@trunkline/storage-sqlite"
import { describe } from "vitest"
import { installation } from "../../storage-kysely/test/Moving.ts"
import { migrating, moving } from "../../storage-kysely/test/MovingSuite.ts"

const open = installation(layer({ path: ":memory:" }))

describe("moves", () => {
  moving("SQLite to SQLite", open, open)
  migrating("SQLite to SQLite", open, open)
})
