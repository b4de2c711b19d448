import { suite } from "@trunkline/testing/dialer"
import * as SqliteStorage from "../src/SqliteStorage.ts"

suite("sqlite", () => SqliteStorage.layer({ path: ":memory:" }), Number(process.env.MODEL_RUNS ?? 20))
