/** Scenarios on SQLite in memory. */
import { layer } from "@trunkline/storage-sqlite"
import { scenarios } from "@trunkline/testing/scenarios"

export { type Attempt, instant, realTraits, type Stage } from "@trunkline/testing/scenarios"

export const scenario = scenarios(() => layer({ path: ":memory:" }))
