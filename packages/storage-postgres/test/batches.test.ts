/** Batches keep their promises on Postgres, on days that no two runs share. */
import { batchModelSuite } from "@trunkline/testing/batches"
import { it } from "vitest"
import { missing, storage } from "../../../test/TestPostgres.ts"

const reason = missing()
if (reason === null) batchModelSuite("postgres", () => storage(), Number(process.env.MODEL_RUNS ?? 2))
else it.skip(`batches on Postgres [skipped: ${reason}]`, () => undefined)
