/** The providers' own rows in SQL. */
import { ProviderStateStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { row, rows, write, writeRow } from "../Session.ts"
import { fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type State = Database["providerStates"]
type Key = Pick<State, "provider" | "key">

const add = statement<State>("providerStates.add")((db, value) =>
  db
    .insertInto("providerStates")
    .values(valuesOf("providerStates", value))
    .onConflict((on) => on.columns(["provider", "key"]).doNothing())
)

const find = statement<Key>("providerStates.find")((db, value) =>
  db
    .selectFrom("providerStates")
    .select(fieldsOf("providerStates"))
    .where("provider", "=", value.provider)
    .where("key", "=", value.key)
)

const lock = statement<Key>("providerStates.lock")((db, value, dialect) =>
  db
    .selectFrom("providerStates")
    .select(fieldsOf("providerStates"))
    .where("provider", "=", value.provider)
    .where("key", "=", value.key)
    .$call(dialect.forUpdate)
)

const save = statement<State>("providerStates.save")((db, value) =>
  db
    .updateTable("providerStates")
    .set({ state: value.state, isOpen: value.isOpen })
    .where("provider", "=", value.provider)
    .where("key", "=", value.key)
)

const listOpen = statement<Pick<State, "provider">>("providerStates.listOpen")((db, value) =>
  db
    .selectFrom("providerStates")
    .select(fieldsOf("providerStates"))
    .where("provider", "=", value.provider)
    .where("isOpen", "=", sql<boolean>`true`)
    .orderBy("key")
)

export const layer = Layer.succeed(ProviderStateStore, {
  add: (state) => Effect.asVoid(write(add, state)),
  lock: (provider, key) => writeRow(lock, { provider, key }),
  save: (state) => Effect.asVoid(write(save, state)),
  find: (provider, key) => row(find, { provider, key }),
  listOpen: (provider) => rows(listOpen, { provider })
})
