import { layer } from "@trunkline/storage-postgres"
import * as sqlite from "@trunkline/storage-sqlite"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { database, missing } from "../../../test/TestPostgres.ts"
import { installation } from "../../storage-kysely/test/Moving.ts"
import { migrating, moving } from "../../storage-kysely/test/MovingSuite.ts"

const reason = missing()

const file = installation(sqlite.layer({ path: ":memory:" }))
const server = Effect.flatMap(database, (url) => installation(layer({ url, connections: 2 })))

describe.skipIf(reason !== null)(`moves${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  moving("SQLite to Postgres", file, server)
  migrating("SQLite to Postgres", file, server)
  moving("Postgres to SQLite", server, file)
})
