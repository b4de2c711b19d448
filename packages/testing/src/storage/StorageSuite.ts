/**
 * What every storage of Trunkline must do. Call each suite once for each storage, or all of them at once:
 * `all("sqlite", layer({ path: ":memory:" }), { sideBySide: false })`.
 */
import type { Suite } from "./Subject.ts"
import { transactions } from "./TransactionSuite.ts"

export type { Stores, StoresLayer, Suite, Traits } from "./Subject.ts"
export { transactions }

export const all: Suite = (name, stores, traits) => {
  for (const suite of [transactions]) suite(name, stores, traits)
}
