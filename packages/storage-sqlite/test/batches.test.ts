/** Batches keep their promises on SQLite. Verifies: BATC-1, BATC-2, BATC-3, BATC-4, BATC-5, BATC-6. */
import { layer } from "@trunkline/storage-sqlite"
import { batchModelSuite } from "@trunkline/testing/batches"

batchModelSuite("sqlite", () => layer({ path: ":memory:" }), Number(process.env.MODEL_RUNS ?? 8))
