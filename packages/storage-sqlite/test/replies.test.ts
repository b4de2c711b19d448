/** Answers keep their promises on SQLite. Verifies: CHAT-1, CHAT-2, CHAT-3, CHAT-4, CHAT-6. */
import { layer } from "@trunkline/storage-sqlite"
import { chatPlanSuite, replySuite } from "@trunkline/testing/messaging"

replySuite("sqlite", () => layer({ path: ":memory:" }), Number(process.env.MODEL_RUNS ?? 15))

chatPlanSuite("sqlite", () => layer({ path: ":memory:" }), { sideBySide: false })
