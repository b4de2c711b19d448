/** Answers keep their promises on Postgres, on days that no two runs share. */
import { chatPlanSuite, replySuite } from "@trunkline/testing/messaging"
import { it } from "vitest"
import { missing, storage } from "../../../test/TestPostgres.ts"

const reason = missing()
if (reason === null) {
  replySuite("postgres", () => storage(), Number(process.env.MODEL_RUNS ?? 3))
  chatPlanSuite("postgres", () => storage(), { sideBySide: true })
} else it.skip(`answers on Postgres [skipped: ${reason}]`, () => undefined)
