/** Kept responses in SQL. */
import { type Instant, outputItems, ResponseStore, sha256Hex } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { changed, insert, row, rows, write } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Response = Database["keptResponses"]
type Item = Database["keptItems"]
type One = Pick<Response, "tenantId" | "id"> & { readonly at: Instant.Instant }

const find = statement<One>("responses.find")((db, value) =>
  db
    .selectFrom("keptResponses")
    .select(fieldsOf("keptResponses"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
    .where("expiresAt", ">", value.at)
)

const input = statement<One>("responses.input")((db, value) =>
  db
    .selectFrom("keptItems")
    .select(["itemId", "item"])
    .where("responseId", "=", value.id)
    .where("tenantId", "=", value.tenantId)
    .where("expiresAt", ">", value.at)
    .where("isInput", "=", sql<boolean>`true`)
    .orderBy("place")
)

/** Of the items with one id those of the response that was kept last. Ids of responses ascend. */
const items = statement<Pick<Response, "tenantId"> & { keys: ReadonlyArray<string>; at: Instant.Instant }>(
  "responses.items"
)((db, value, dialect) =>
  db
    .selectFrom("keptItems")
    .select(["itemId", "item"])
    .where("tenantId", "=", value.tenantId)
    .where("itemKey", "in", dialect.list(value.keys, "text"))
    .where("expiresAt", ">", value.at)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("keptItems as later")
            .select("later.place")
            .whereRef("later.tenantId", "=", "keptItems.tenantId")
            .whereRef("later.itemKey", "=", "keptItems.itemKey")
            .whereRef("later.responseId", ">", "keptItems.responseId")
            .where("later.expiresAt", ">", value.at)
        )
      )
    )
)

const remove = statement<One>("responses.remove")((db, value) =>
  db
    .deleteFrom("keptResponses")
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
    .where("expiresAt", ">", value.at)
)

/** Two sweepers take different rows. */
const sweep = statement<{ at: Instant.Instant; limit: number }>("responses.sweep")((db, value, dialect) =>
  db.deleteFrom("keptResponses").where("id", "in", (eb) => {
    const old = eb
      .selectFrom("keptResponses as old")
      .select("old.id")
      .where("old.expiresAt", "<=", value.at)
      .orderBy("old.expiresAt")
      .orderBy("old.id")
      .limit(value.limit)
    return dialect.forUpdateSkipLocked(old)
  })
)

const keptItem = ({ item, itemId }: Pick<Item, "item" | "itemId">) => ({ id: itemId, item })

export const layer = Layer.succeed(ResponseStore, {
  add: Effect.fnUntraced(function* ({ input, ...response }) {
    const { expiresAt, id: responseId, tenantId } = response
    const own = input.length
    const kept = [...input, ...outputItems(response.response.output)].map(({ id, item }, place) => ({
      ...{ responseId, place, tenantId, expiresAt, item },
      ...{ itemKey: sha256Hex(id), itemId: id, isInput: place < own }
    }))
    yield* insert("keptResponses", [response])
    yield* insert("keptItems", kept)
  }),
  find: (tenantId, id, at) => row(find, { tenantId, id, at }),
  input: (tenantId, id, at) => Effect.map(rows(input, { tenantId, id, at }), (found) => found.map(keptItem)),
  items: (tenantId, ids, at) =>
    Effect.map(rows(items, { tenantId, keys: ids.map((id) => sha256Hex(id)), at }), (found) => found.map(keptItem)),
  remove: (tenantId, id, at) => changed(remove, { tenantId, id, at }),
  sweep: (at, limit) => write(sweep, { at, limit })
})
