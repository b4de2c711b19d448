/** Scenarios on SQLite in memory. */
import { layer } from "@trunkline/storage-sqlite"
import { scenarios } from "../../../testing/src/scenarios/index.ts"

export { type Attempt, instant, realTraits, type Stage } from "../../../testing/src/scenarios/index.ts"

export const scenario = scenarios(() => layer({ path: ":memory:" }))
