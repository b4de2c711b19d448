/** What the ledger remembers of a database that nobody else changes. Verifies: BILL-4. */
import { Ids, Instant } from "@trunkline/core/effect"
import type { LedgerQuery, LedgerRows } from "@trunkline/core/storage"
import { expect, it } from "vitest"
import { KnownCounters } from "../src/stores/KnownCounters.ts"

const at = Instant.make(Date.UTC(2026, 10, 29))

const queryOf = (accounts: ReadonlyArray<Ids.AccountId>): LedgerQuery => ({
  ...{ locked: accounts, accounts, owners: [], services: [], months: [], periods: [], at, windowStart: at },
  ...{ remembered: [], keys: [], ending: [], released: [] }
})

const rows = { counts: [], spending: [], windows: [], oldest: [], slots: [], versions: [] }

/** What a flush reads of these accounts, and remembers. */
const flush = (known: KnownCounters, accounts: ReadonlyArray<Ids.AccountId>): number => {
  known.validate("as it was")
  const missing = known.missing(queryOf(accounts))
  const balances = missing.accounts.map((tenantId) => ({ tenantId, balance: 1n, reserved: 0n }))
  known.add(missing, { ...rows, balances })
  const changes = { ...rows, balances: [], requests: [], reservations: [], usage: [], entries: [] }
  known.change(changes, "as it was")
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

it("knows a reservation until it ends or the database changes, and none of several where one is not known", () => {
  const known = new KnownCounters()
  const reservation = (name: string): LedgerRows["ended"][number] => ({
    ...{ id: Ids.as<"Usage">(name), tenantId: Ids.as<"Account">("account"), keyId: null, service: "llm" },
    ...{ month: "2026-11", period: null, calls: 1, amount: 1n, reserved: 1n, lapsed: false, expiresAt: at }
  })
  const add = (...names: ReadonlyArray<string>) => {
    known.validate("as it was")
    const reservations = names.map(reservation)
    known.change({ ...rows, balances: [], requests: [], usage: [], entries: [], reservations }, "as it was")
  }
  const ends = (...names: ReadonlyArray<string>) => known.end(names.map((name) => Ids.as<"Usage">(name)))
  add("a", "b", "c")
  expect(ends("a", "b")).toEqual([reservation("a"), reservation("b")])
  expect([ends("a"), ends("c", "a"), ends("c")]).toEqual([null, null, null])
  add("d")
  known.validate("somebody has changed it")
  expect(ends("d")).toBeNull()
})
