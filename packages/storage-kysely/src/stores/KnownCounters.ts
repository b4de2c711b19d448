/**
 * Counters that the ledger has read or written, kept in memory while nobody else has changed the database: half of what
 * a lone request asks the database for is what the one before it has written. Pure.
 */
import { holdName, type LedgerChanges, type LedgerQuery, type LedgerRows, type RunRows } from "@trunkline/core/storage"

/** What the statements of the ledger have found. */
export type CounterRows = Omit<LedgerRows, "billed" | "lapsed" | "lapsedSlots" | keyof RunRows>

/** Rows of one kind by their names; null for one that is known to be missing. */
class Known<Row> {
  readonly #rows = new Map<string, Row | null>()
  readonly #nameOf: (row: Row) => string

  constructor(nameOf: (row: Row) => string) {
    this.#nameOf = nameOf
  }

  get size(): number {
    return this.#rows.size
  }

  has(name: string): boolean {
    return this.#rows.has(name)
  }

  get(name: string): Row | null {
    return this.#rows.get(name) ?? null
  }

  set(row: Row): void {
    this.#rows.set(this.#nameOf(row), row)
  }

  /** What was found of these names; the others are missing. */
  found(names: ReadonlyArray<string>, rows: ReadonlyArray<Row>): void {
    for (const name of names) this.#rows.set(name, null)
    for (const row of rows) this.set(row)
  }

  rows(names: ReadonlyArray<string>): ReadonlyArray<Row> {
    return names.flatMap((name) => this.#rows.get(name) ?? [])
  }

  forget(name: string): void {
    this.#rows.delete(name)
  }

  clear(): void {
    this.#rows.clear()
  }
}

/** Of each kind: more than are changed in a minute or two. */
const maxKnown = 20_000

type Names = Pick<LedgerQuery, "accounts" | "months" | "owners" | "periods" | "services">

const countNames = ({ accounts, months, services }: Names): ReadonlyArray<string> =>
  accounts.flatMap((account) => services.flatMap((service) => months.map((month) => `${account} ${service} ${month}`)))

const spendNames = ({ owners, periods }: Names): ReadonlyArray<string> =>
  owners.flatMap((owner) => periods.map((period) => `${owner} ${period}`))

export class KnownCounters {
  #version = ""
  #processId = ""
  readonly #balances = new Known<LedgerRows["balances"][number]>(({ tenantId }) => tenantId)
  readonly #counts = new Known<LedgerRows["counts"][number]>(
    ({ month, service, tenantId }) => `${tenantId} ${service} ${month}`
  )
  readonly #spending = new Known<LedgerRows["spending"][number]>(({ ownerId, period }) => `${ownerId} ${period}`)
  readonly #windows = new Known<LedgerRows["windows"][number]>(({ keyId }) => keyId)
  readonly #oldest = new Known<LedgerRows["oldest"][number]>(({ keyId }) => keyId)
  readonly #slots = new Known<LedgerRows["slots"][number]>(({ keyId }) => keyId)
  readonly #holds = new Known<LedgerRows["holds"][number]>(holdName)
  readonly #versions = new Known<LedgerRows["versions"][number]>(({ tenantId }) => tenantId)

  /** Forgets everything where the database is not as the last flush has left it. */
  validate(version: string): void {
    const all = [
      ...[this.#balances, this.#counts, this.#spending, this.#windows, this.#oldest, this.#slots, this.#versions],
      this.#holds
    ]
    if (version === this.#version && all.every(({ size }) => size < maxKnown)) return
    for (const known of all) known.clear()
  }

  /** What must be read for a query. */
  missing(query: LedgerQuery): LedgerQuery {
    // Which holds and slots are a process's own differs for another one at the same connection.
    if (query.processId !== this.#processId) for (const known of [this.#holds, this.#slots]) known.clear()
    this.#processId = query.processId
    const isCounted = query.accounts.every((account) => this.#balances.has(account))
    const accounts = isCounted && countNames(query).every((name) => this.#counts.has(name)) ? [] : query.accounts
    const owners = spendNames(query).every((name) => this.#spending.has(name)) ? [] : query.owners
    const keys = query.keys.filter((key) => !this.#isKnown(key, query))
    const remembered = query.remembered.filter((account) => !this.#versions.has(account))
    const holds = query.holds.every((name) => this.#holds.has(holdName(name))) ? [] : query.holds
    const slots = query.slots.filter(({ keyId }) => !this.#slots.has(keyId))
    return { ...query, accounts, owners, keys, remembered, holds, slots }
  }

  /** Requests leave the minute without a change of the database. */
  #isKnown(key: string, { windowStart }: Pick<LedgerQuery, "windowStart">): boolean {
    if (!(this.#windows.has(key) && this.#oldest.has(key))) return false
    const oldest = this.#oldest.get(key)
    return oldest === null || oldest.at > windowStart
  }

  /** Rows that were read for a query, or are missing. */
  add(query: LedgerQuery, rows: CounterRows): void {
    this.#balances.found(query.accounts, rows.balances)
    this.#counts.found(countNames(query), rows.counts)
    this.#spending.found(spendNames(query), rows.spending)
    this.#windows.found(query.keys, rows.windows)
    this.#oldest.found(query.keys, rows.oldest)
    this.#slots.found(
      query.slots.map(({ keyId }) => keyId),
      rows.slots
    )
    this.#holds.found(query.holds.map(holdName), rows.holds)
    this.#versions.found(query.remembered, rows.versions)
  }

  /** Slots that have lapsed: how many others have is read anew. */
  lapse(slots: LedgerRows["lapsedSlots"]): void {
    for (const { keyId } of slots) this.#slots.forget(keyId)
  }

  rowsOf(query: LedgerQuery): CounterRows {
    return {
      balances: this.#balances.rows(query.accounts),
      counts: this.#counts.rows(countNames(query)),
      spending: this.#spending.rows(spendNames(query)),
      windows: this.#windows.rows(query.keys),
      oldest: this.#oldest.rows(query.keys),
      slots: this.#slots.rows(query.slots.map(({ keyId }) => keyId)),
      holds: this.#holds.rows(query.holds.map(holdName)),
      versions: this.#versions.rows(query.remembered)
    }
  }

  /** What a flush has written. `version`: of the database after it. */
  change(changes: LedgerChanges, version: string): void {
    for (const row of changes.balances) this.#balances.set(row)
    for (const row of changes.counts) this.#counts.set(row)
    for (const row of changes.spending) this.#spending.set(row)
    for (const row of changes.windows) this.#windows.set(row)
    for (const request of changes.requests) if (this.#oldest.get(request.keyId) === null) this.#oldest.set(request)
    for (const row of changes.holds) this.#holds.set(row)
    for (const { acquired, keyId, tenantId } of changes.slots)
      this.#slots.set({ keyId, tenantId, own: acquired, others: this.#slots.get(keyId)?.others ?? 0 })
    this.#version = version
  }
}
