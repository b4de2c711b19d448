/** The dialer keeps its promises on Postgres, on days that no two runs share. */

import { suite } from "@trunkline/testing/dialer"
import { it } from "vitest"
import { missing, storage } from "../../../test/TestPostgres.ts"

const reason = missing()
if (reason === null) suite("postgres", () => storage(), Number(process.env.MODEL_RUNS ?? 4))
else it.skip(`the dialer on Postgres [skipped: ${reason}]`, () => undefined)
