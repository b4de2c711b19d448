/** Deliveries keep their promises on Postgres, on days that no two runs share. */
import { deliverySuite } from "@trunkline/testing/webhooks"
import { it } from "vitest"
import { missing, storage } from "../../../test/TestPostgres.ts"

const reason = missing()
if (reason === null) deliverySuite("postgres", () => storage(), Number(process.env.MODEL_RUNS ?? 4))
else it.skip(`deliveries on Postgres [skipped: ${reason}]`, () => undefined)
