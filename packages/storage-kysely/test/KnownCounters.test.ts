/** What the ledger remembers of a database that nobody else changes. Verifies: BILL-4. */
import { Ids, Instant } from "@trunkline/core/effect"
import type { LedgerQuery } from "@trunkline/core/storage"
import { expect, it } from "vitest"
import { KnownCounters } from "../src/stores/KnownCounters.ts"

const at = Instant.make(Date.UTC(2026, 10, 29))

const queryOf = (accounts: ReadonlyArray<Ids.AccountId>): LedgerQuery => ({
  ...{ locked: accounts, accounts, owners: [], services: [], months: [], periods: [], at, windowStart: at },
  ...{ processId: Ids.as<"Process">("process"), remembered: [], keys: [], holds: [], slots: [] },
  ...{ lapsing: [], doubted: [], claims: [], answering: [], keptBytesOf: [] }
})

const rows = { counts: [], spending: [], windows: [], oldest: [], slots: [], versions: [], holds: [] }

const noChanges = {
  ...{ ...rows, balances: [], requests: [], usage: [], entries: [], runs: [], freed: [] },
  ...{ processId: Ids.as<"Process">("process"), lease: null }
}

/** What a flush reads of these accounts, and remembers. */
const flush = (known: KnownCounters, accounts: ReadonlyArray<Ids.AccountId>): number => {
  known.validate("as it was")
  const missing = known.missing(queryOf(accounts))
  const balances = missing.accounts.map((tenantId) => ({ tenantId, balance: 1n, reserved: 0n }))
  known.add(missing, { ...rows, balances })
  known.change({ ...noChanges, balances: [] }, "as it was")
  return missing.accounts.length
}

it("reads an account once, and all of them again when it has come to know twenty thousand", () => {
  const known = new KnownCounters()
  const account = (n: number) => Ids.as<"Account">(`account ${n}`)
  expect([flush(known, [account(0)]), flush(known, [account(0)])]).toEqual([1, 0])
  flush(
    known,
    Array.from({ length: 19_998 }, (_, n) => account(n + 1))
  )
  expect(flush(known, [account(0)])).toBe(0)
  flush(known, [account(19_999)])
  expect(flush(known, [account(0)])).toBe(1)
})

it("knows what a process holds until the database changes, and nothing of it for another process", () => {
  const known = new KnownCounters()
  const tenantId = Ids.as<"Account">("account")
  const name = { tenantId, ownerId: tenantId, service: "llm", month: "2026-11", period: "none" } as const
  const hold = { ...name, running: 1, calls: 1, amount: 1n, reserved: 1n }
  const query = { ...queryOf([]), holds: [name] }
  known.validate("as it was")
  known.missing(query)
  known.change({ ...noChanges, holds: [hold] }, "as it was")
  expect([known.missing(query).holds, known.rowsOf(query).holds]).toEqual([[], [hold]])
  expect(known.missing({ ...query, processId: Ids.as<"Process">("another") }).holds).toEqual([name])
  known.change({ ...noChanges, holds: [hold] }, "as it was")
  known.validate("somebody has changed it")
  expect(known.missing(query).holds).toEqual([name])
})
