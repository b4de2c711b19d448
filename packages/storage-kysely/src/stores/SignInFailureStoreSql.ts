/** Sign-ins that have failed, in SQL. */
import { Ids, type Instant, SignInFailureStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { insert, rows, write } from "../Session.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Row = Database["signInFailures"]

const recent = statement<Pick<Row, "key"> & { since: Instant.Instant; limit: number }>("signInFailures.recent")(
  (db, value) =>
    db
      .selectFrom("signInFailures")
      .select("at")
      .where("key", "=", value.key)
      .where("at", ">", value.since)
      .orderBy("at", "desc")
      .limit(value.limit)
)

const forget = statement<Pick<Row, "key">>("signInFailures.forget")((db, value) =>
  db.deleteFrom("signInFailures").where("key", "=", value.key)
)

const sweep = statement<{ at: Instant.Instant }>("signInFailures.sweep")((db, value) =>
  db.deleteFrom("signInFailures").where("at", "<=", value.at)
)

export const layer = Layer.succeed(SignInFailureStore, {
  add: Effect.fnUntraced(function* (keys: ReadonlyArray<string>, at: Instant.Instant) {
    const next = yield* Ids.source
    yield* insert(
      "signInFailures",
      keys.map((key) => ({ key, id: next(), at }))
    )
  }),
  recent: (key, since, limit) => Effect.map(rows(recent, { key, since, limit }), (found) => found.map(({ at }) => at)),
  forget: (key) => Effect.asVoid(write(forget, { key })),
  sweep: (at) => Effect.asVoid(write(sweep, { at }))
})
