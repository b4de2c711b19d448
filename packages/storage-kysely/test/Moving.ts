/** Installations whose rows are copied to each other, for the tests of both databases. */
import { Errors, Storage } from "@trunkline/core/effect"
import { type MovedRow, MoveStore, type StorageError } from "@trunkline/core/storage"
import { everyAccount, type Installation } from "@trunkline/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { emptyBefore, type Filling, rowsOf, tableOf } from "./FilledTables.ts"

export const installation = (
  layer: Layer.Layer<Storage | MoveStore, StorageError>
): Effect.Effect<Installation, StorageError, Scope.Scope> =>
  Effect.map(Layer.build(layer), (context) => ({
    storage: Context.get(context, Storage),
    store: Context.get(context, MoveStore)
  }))

/** Moves the test's clock on for as long as a program runs, which may wait for a database. */
export const driven = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(
    program,
    Effect.forever(
      Effect.andThen(
        TestClock.adjust(250),
        Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
      )
    )
  )

/** Adds rows to every table. */
export const fill = Effect.fnUntraced(function* ({ storage, store }: Installation, filling: Filling) {
  const names = store.tables.map(({ name }) => name)
  for (const [place, { isOfAccounts, name, secrets }] of store.tables.entries()) {
    if (emptyBefore.has(name) || !(isOfAccounts || filling.seed === 1)) continue
    yield* storage.transact(store.add(place, rowsOf(tableOf(name), names, filling, secrets)))
  }
})

/** A value that equals another one of the same content. */
const plain = (value: unknown): unknown => {
  if (typeof value === "bigint") return `${value}n`
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value
}

const numbered = new Set(["outbox", "chat_messages", "knowledge_passages"])

/** Everything of an account, or of everybody: by table, in the order in which the database numbers rows, else in no order. */
export const contents = Effect.fnUntraced(function* (
  { storage, store }: Installation,
  tenantId: Parameters<MoveStore["Service"]["page"]>[0]["tenantId"]
) {
  const all: Record<string, ReadonlyArray<string>> = {}
  for (const [place, { isOfAccounts, name }] of store.tables.entries()) {
    if (tenantId !== null && !isOfAccounts) continue
    const rows: Array<MovedRow> = []
    let cursor: string | null = null
    do {
      const page: { readonly rows: ReadonlyArray<MovedRow>; readonly cursor: string | null } = yield* storage.read(
        store.page({ place, tenantId }, cursor, 2)
      )
      rows.push(...page.rows)
      cursor = page.cursor
    } while (cursor !== null)
    const texts = rows.map(({ epoch: _, position: __, ...row }) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).map(([field, value]) => [field, plain(value)])))
    )
    all[name] = numbered.has(name) ? texts : texts.toSorted()
  }
  return all
})

export const oldSecret = (table: string, field: string): string => `old:${table}.${field}`

/** The key of the target. */
export const reencrypt = (text: string): Effect.Effect<string, Errors.AccountMoveRefused> =>
  text.startsWith("old:")
    ? Effect.succeed(`new:${text.slice(4)}`)
    : Effect.fail(new Errors.AccountMoveRefused({ detail: `not readable: ${text}` }))

export const reencrypted = (all: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Object.fromEntries(
    Object.entries(all).map(([name, rows]) => [name, rows.map((row) => row.replaceAll("old:", "new:"))])
  )

/** The same installation, in a process that is killed at its n-th transaction: before it begins, or after its commit. */
export const dying = (
  { storage, store }: Installation,
  transactions: number,
  when: "before" | "after"
): Installation => {
  let left = transactions
  const killed = Effect.die(new Error("killed"))
  return {
    store,
    storage: {
      ...storage,
      transact: (program) =>
        Effect.suspend(() => {
          left -= 1
          if (left > 0) return storage.transact(program)
          return when === "before" ? killed : Effect.andThen(storage.transact(program), killed)
        })
    }
  }
}

export const nobody = everyAccount
