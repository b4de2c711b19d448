/** Deliveries keep their promises on SQLite. Verifies: HOOK-1, HOOK-2, HOOK-3, HOOK-5, HOOK-6, HOOK-7. */
import { layer } from "@trunkline/storage-sqlite"
import { deliverySuite } from "@trunkline/testing/webhooks"

deliverySuite("sqlite", () => layer({ path: ":memory:" }), Number(process.env.MODEL_RUNS ?? 15))
