/** Template campaigns keep their promises on Postgres, on days that no two runs share. Verifies: TCMP-1, TCMP-2, TCMP-3, TCMP-6. */
import { campaignSuite } from "@trunkline/testing/messaging"
import { it } from "vitest"
import { missing, storage } from "../../../test/TestPostgres.ts"

const reason = missing()
if (reason === null) campaignSuite("postgres", () => storage(), { runs: Number(process.env.MODEL_RUNS ?? 2), every: 4 })
else it.skip(`template campaigns on Postgres [skipped: ${reason}]`, () => undefined)
