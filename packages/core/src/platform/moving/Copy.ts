/** Copies the rows of an account, or of everybody, from one database to another: in parts, each of which is there whole or not at all. */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { StorageError } from "../storage/index.ts"
import { type AccountMove, everyAccount } from "./AccountMove.ts"
import type { Installation } from "./Installation.ts"
import type { MovedRow, Rows } from "./MoveStore.ts"
import { AccountMoveRefused } from "./MovingErrors.ts"

/** A secret of the one installation, as the other one stores it. Fails where it cannot be read. */
export type Reencrypt = (text: string) => Effect.Effect<string, AccountMoveRefused>

export interface Copying {
  readonly from: Installation
  readonly to: Installation
  readonly reencrypt: Reencrypt
}

/** Rows of one transaction. A crash repeats at most the reading of these. */
export const rowsInPart = 500

/** Which rows a move is about. */
export const rowsOf = ({ tenantId }: Pick<AccountMove, "tenantId">, place: number): Rows => ({
  place,
  tenantId: tenantId === everyAccount ? null : tenantId
})

/** Places of the tables that a move copies, those first that others belong to. */
export const placesOf = ({ store }: Installation, { tenantId }: Pick<AccountMove, "tenantId">): ReadonlyArray<number> =>
  store.tables.flatMap(({ isOfAccounts }, place) => (isOfAccounts || tenantId === everyAccount ? [place] : []))

const reencrypted = Effect.fnUntraced(function* (row: MovedRow, secrets: ReadonlyArray<string>, reencrypt: Reencrypt) {
  const changed: Record<string, unknown> = { ...row }
  for (const field of secrets) {
    const text = row[field]
    if (typeof text === "string") changed[field] = yield* reencrypt(text)
  }
  return changed
})

/** Copies the rows that are left, beginning at the place at which the target says that the move is. */
export const copyRows = Effect.fnUntraced(function* ({ from, reencrypt, to }: Copying, begun: AccountMove) {
  let move = begun
  for (const place of placesOf(from, move).filter((one) => one >= begun.place)) {
    const { secrets } = from.store.tables[place]!
    let cursor = place === begun.place ? begun.cursor : null
    do {
      const page = yield* from.storage.read(from.store.page(rowsOf(move, place), cursor, rowsInPart))
      const rows: ReadonlyArray<MovedRow> =
        secrets.length === 0
          ? page.rows
          : yield* Effect.forEach(page.rows, (row) => reencrypted(row, secrets, reencrypt))
      cursor = page.cursor
      // At the end of a table the next one begins: its first part has no cursor.
      move = { ...move, ...(cursor === null ? { place: place + 1 } : { place }), cursor, updatedAt: yield* Instant.now }
      yield* to.storage.transact(Effect.andThen(to.store.add(place, rows), to.store.save(move)))
    } while (cursor !== null)
  }
})

/** Removes an account's rows, those first that belong to others. Rows that stay are removed as well where `all` says so. */
export const removeRows = Effect.fnUntraced(function* (
  { storage, store }: Installation,
  { tenantId }: Pick<AccountMove, "tenantId">,
  all: boolean
): Effect.fn.Return<void, StorageError> {
  const places = store.tables.flatMap(({ isOfAccounts, stays }, place) =>
    isOfAccounts && (all || !stays) ? [place] : []
  )
  for (const place of places.toReversed()) {
    while ((yield* storage.transact(store.remove({ place, tenantId }, rowsInPart))) > 0) yield* Effect.yieldNow
  }
})

export interface CopiedTable {
  readonly name: string
  readonly rows: number
}

/** What a database has of an account, or of everybody. */
export const tablesOf = Effect.fnUntraced(function* ({ storage, store }: Installation, tenantId: Ids.AccountId | null) {
  const tables: Array<CopiedTable> = []
  for (const [place, { isOfAccounts, name }] of store.tables.entries()) {
    if (tenantId !== null && !isOfAccounts) continue
    tables.push({ name, rows: (yield* storage.read(store.measure({ place, tenantId }))).rows })
  }
  return tables
})

/** Compares both databases table by table: numbers of rows, and sums of amounts. */
export const verify = Effect.fnUntraced(function* ({ from, to }: Pick<Copying, "from" | "to">, move: AccountMove) {
  for (const place of placesOf(from, move)) {
    const { name } = from.store.tables[place]!
    const source = yield* from.storage.read(from.store.measure(rowsOf(move, place)))
    const target = yield* to.storage.read(to.store.measure(rowsOf(move, place)))
    if (source.rows !== target.rows || source.sum !== target.sum) {
      return yield* new AccountMoveRefused({
        detail: `The copy of the table ${name} differs: ${source.rows} rows with a sum of ${source.sum} at the source, ${target.rows} with ${target.sum} at the target. Something has written meanwhile: see that no process of an earlier release runs, and begin again.`
      })
    }
  }
})
