/** Where the rows of imports are gathered in SQL: tables of their own, from which they are removed at the end. */
import { type Ids, ImportPlaces, type ImportRun, Instant, Storage } from "@trunkline/core/storage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { write } from "../Session.ts"
import { type Statement, statement } from "../Statement.ts"

/** Tables of rows that are gathered, under their names in the database. */
export const stagingTables: ReadonlyArray<string> = ["import_rows", "import_entries"]

type Own = { id: Ids.Id<"Import">; limit: number }
type Stale = { before: Instant.Instant; limit: number }

const removals = (["importRows", "importEntries"] as const).map((table) => ({
  own: statement<Own>(`imports.removeOwn.${table}`)((db, value) =>
    db
      .deleteFrom(table)
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("importId", "matchKey"),
          "in",
          selectFrom(table)
            .select(["importId", "matchKey"])
            .where("importId", "=", value.id)
            .limit(value.limit)
            .$asTuple("importId", "matchKey")
        )
      )
  ),
  stale: statement<Stale>(`imports.removeStale.${table}`)((db, value) =>
    db
      .deleteFrom(table)
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("importId", "matchKey"),
          "in",
          selectFrom(table)
            .select(["importId", "matchKey"])
            .where("createdAt", "<", value.before)
            .limit(value.limit)
            .$asTuple("importId", "matchKey")
        )
      )
  )
}))

/** Rows that one transaction removes, in less than 20 ms. */
const removeBatchSize = 2000

/** An import removes the rows of a crashed process that are this old. */
const staleMs = 60 * 60 * 1000

type Open = ImportPlaces["Service"]["open"]

/** Opens imports in a way of the storage's own. The statements are the same. */
export const OpenImport = Context.Reference<Open | null>("@trunkline/storage-kysely/OpenImport", {
  defaultValue: () => null
})

export const layer = Layer.effect(
  ImportPlaces,
  Effect.gen(function* () {
    const { transact } = yield* Storage
    const removeAll = <P extends object>(statementOf: Statement<P & { limit: number }, unknown>, value: P) =>
      Effect.gen(function* () {
        let removed = removeBatchSize
        while (removed === removeBatchSize)
          removed = yield* transact(write(statementOf, { ...value, limit: removeBatchSize }))
      })

    const open: Open = ({ at, id }: ImportRun) =>
      Effect.gen(function* () {
        for (const { own, stale } of removals) {
          yield* removeAll(stale, { before: Instant.plus(at, -staleMs) })
          yield* Effect.addFinalizer(() => Effect.ignore(removeAll(own, { id })))
        }
        return { gather: transact, commit: transact }
      })

    return ImportPlaces.of({ open: (yield* OpenImport) ?? open })
  })
)
