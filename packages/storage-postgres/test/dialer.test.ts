/** The dialer keeps its promises on Postgres, on days that no two runs share. */
import { it } from "vitest"
import { missing, storage } from "../../../test/TestPostgres.ts"
import { suite } from "../../testing/src/dialer/DialerModel.ts"

const reason = missing()
if (reason === null) suite("postgres", () => storage(), Number(process.env.MODEL_RUNS ?? 25))
else it.skip(`the dialer on Postgres [skipped: ${reason}]`, () => undefined)
