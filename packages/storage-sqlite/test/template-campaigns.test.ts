/** Template campaigns keep their promises on SQLite, on days that no two runs share. Verifies: TCMP-1, TCMP-2, TCMP-3, TCMP-6. */
import { layer } from "@trunkline/storage-sqlite"
import { campaignSuite } from "@trunkline/testing/messaging"

campaignSuite("sqlite", () => layer({ path: ":memory:" }), { runs: Number(process.env.MODEL_RUNS ?? 6), every: 1 })
