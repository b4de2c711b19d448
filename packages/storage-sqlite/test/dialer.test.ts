import { suite } from "../../testing/src/dialer/DialerModel.ts"
import * as SqliteStorage from "../src/SqliteStorage.ts"

suite("sqlite", () => SqliteStorage.layer({ path: ":memory:" }), Number(process.env.MODEL_RUNS ?? 150))
