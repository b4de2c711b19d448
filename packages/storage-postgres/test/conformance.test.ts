/** Postgres keeps every promise of a storage. */
import { it } from "@effect/vitest"
import { all } from "@trunkline/testing/storage"
import { missing, storage } from "../../../test/TestPostgres.ts"

const reason = missing()
if (reason === null) all("postgres", storage(), { sideBySide: true })
else it.skip(`Postgres [skipped: ${reason}]`, () => undefined)
