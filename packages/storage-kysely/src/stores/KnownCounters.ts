/**
 * Counters and reservations that the ledger has read or written, kept in memory while nobody else has changed the database: half of what
 * a lone request asks the database for is what the one before it has written. Pure.
 */
import type { Instant, LedgerChanges, LedgerQuery, LedgerRows } from "@trunkline/core/storage"

type Reservation = LedgerRows["ended"][number]

type Slots = LedgerRows["slots"][number] & {
  /** When the first of those that are not expired expires; null where there is none. */
  readonly until: Instant.Instant | null
}

/** What the statements of the ledger have found. */
export interface CounterRows extends Omit<LedgerRows, "ended" | "slots"> {
  readonly slots: ReadonlyArray<Slots>
}

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
  /** The keys of the present flush. */
  #asked: ReadonlyArray<string> = []
  readonly #balances = new Known<LedgerRows["balances"][number]>(({ tenantId }) => tenantId)
  readonly #counts = new Known<LedgerRows["counts"][number]>(
    ({ month, service, tenantId }) => `${tenantId} ${service} ${month}`
  )
  readonly #spending = new Known<LedgerRows["spending"][number]>(({ ownerId, period }) => `${ownerId} ${period}`)
  readonly #windows = new Known<LedgerRows["windows"][number]>(({ keyId }) => keyId)
  readonly #oldest = new Known<LedgerRows["oldest"][number]>(({ keyId }) => keyId)
  readonly #slots = new Known<Slots>(({ keyId }) => keyId)
  readonly #versions = new Known<LedgerRows["versions"][number]>(({ tenantId }) => tenantId)
  readonly #reservations = new Known<Reservation>(({ id }) => id)

  /** Forgets everything where the database is not as the last flush has left it. */
  validate(version: string): void {
    const all = [
      ...[this.#balances, this.#counts, this.#spending, this.#windows, this.#oldest, this.#slots, this.#versions],
      this.#reservations
    ]
    if (version === this.#version && all.every(({ size }) => size < maxKnown)) return
    for (const known of all) known.clear()
  }

  /** What must be read for a query. */
  missing(query: LedgerQuery): LedgerQuery {
    const isCounted = query.accounts.every((account) => this.#balances.has(account))
    const accounts = isCounted && countNames(query).every((name) => this.#counts.has(name)) ? [] : query.accounts
    const owners = spendNames(query).every((name) => this.#spending.has(name)) ? [] : query.owners
    const keys = query.keys.filter((key) => !this.#isKnown(key, query))
    const remembered = query.remembered.filter((account) => !this.#versions.has(account))
    return { ...query, accounts, owners, keys, remembered }
  }

  /** Requests leave the minute, and slots expire, without a change of the database. */
  #isKnown(key: string, { at, windowStart }: Pick<LedgerQuery, "at" | "windowStart">): boolean {
    if (!(this.#windows.has(key) && this.#oldest.has(key) && this.#slots.has(key))) return false
    const until = this.#slots.get(key)?.until ?? null
    const oldest = this.#oldest.get(key)
    return (oldest === null || oldest.at > windowStart) && (until === null || until > at)
  }

  /** Rows that were read for a query, or are missing. */
  add(query: LedgerQuery, rows: CounterRows): void {
    this.#balances.found(query.accounts, rows.balances)
    this.#counts.found(countNames(query), rows.counts)
    this.#spending.found(spendNames(query), rows.spending)
    this.#windows.found(query.keys, rows.windows)
    this.#oldest.found(query.keys, rows.oldest)
    this.#slots.found(query.keys, rows.slots)
    this.#versions.found(query.remembered, rows.versions)
  }

  /** The reservations that end, which are known no longer; null where one of them must be read. */
  end(ids: LedgerQuery["ending"]): ReadonlyArray<Reservation> | null {
    const ended = this.#reservations.rows(ids)
    for (const id of ids) this.#reservations.forget(id)
    return ended.length === ids.length ? ended : null
  }

  /** Slots that were removed. */
  release(
    slots: ReadonlyArray<{ readonly keyId: string; readonly until: Instant.Instant }>,
    at: Instant.Instant
  ): void {
    for (const { keyId, until } of slots) {
      const known = this.#slots.get(keyId)
      if (known === null) continue
      const acquired = known.acquired - (until > at ? 1 : 0)
      this.#slots.set({ ...known, acquired, stored: known.stored - 1 })
    }
  }

  rowsOf(query: LedgerQuery): CounterRows {
    this.#asked = query.keys
    return {
      balances: this.#balances.rows(query.accounts),
      counts: this.#counts.rows(countNames(query)),
      spending: this.#spending.rows(spendNames(query)),
      windows: this.#windows.rows(query.keys),
      oldest: this.#oldest.rows(query.keys),
      slots: this.#slots.rows(query.keys),
      versions: this.#versions.rows(query.remembered)
    }
  }

  /** What a flush has written. `version`: of the database after it. */
  change(changes: LedgerChanges, version: string): void {
    for (const row of changes.balances) this.#balances.set(row)
    for (const row of changes.counts) this.#counts.set(row)
    for (const row of changes.spending) this.#spending.set(row)
    for (const row of changes.windows) this.#windows.set(row)
    for (const row of changes.reservations) this.#reservations.set(row)
    for (const request of changes.requests) if (this.#oldest.get(request.keyId) === null) this.#oldest.set(request)
    for (const { keyId, until } of changes.slots) {
      const known = this.#slots.get(keyId) ?? { acquired: 0, stored: 0, until: null }
      const earlier = known.until === null || until < known.until ? until : known.until
      this.#slots.set({ keyId, acquired: known.acquired + 1, stored: known.stored + 1, until: earlier })
    }
    // Expired slots are removed along with a flush: how many are left is read anew.
    for (const key of this.#asked) {
      const known = this.#slots.get(key)
      if (known !== null && known.acquired < known.stored) this.#slots.forget(key)
    }
    this.#version = version
  }
}
