/**
 * The outbox in SQL. Positions are given when an event is written, but transactions end in another order: on Postgres an
 * event is read only when every transaction that began to write before its own has ended, so that none can still appear
 * before it. SQLite writes one transaction after the other, and needs nothing of this. Source: docs/reference/storage.md#outbox-order.
 */
import { cursorForm, type Ids, OutboxStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, insert, row, rows } from "../Session.ts"
import { fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

interface Place {
  /** The transaction that wrote the event; 0 on SQLite. */
  readonly epoch: bigint
  readonly position: bigint
}

const after = statement<Place & { limit: number }>("outbox.after")((db, value, dialect) =>
  db
    .selectFrom("outbox")
    .select(fieldsOf("outbox"))
    .select(dialect.outbox.cursor.as("cursor"))
    .where(dialect.outbox.isAfter(value))
    .orderBy(dialect.outbox.order)
    .limit(value.limit)
)

type Key = Database["publishKeys"]

const claimKey = statement<Key>("outbox.claimKey")((db, key) =>
  db
    .insertInto("publishKeys")
    .values(valuesOf("publishKeys", key))
    .onConflict((on) => on.columns(["tenantId", "key"]).doNothing())
)

const byKey = statement<Pick<Key, "tenantId" | "key">>("outbox.byKey")((db, value) =>
  db.selectFrom("publishKeys").select("eventId").where("tenantId", "=", value.tenantId).where("key", "=", value.key)
)

/** Before the first event. */
const start: Place = { epoch: 0n, position: 0n }

const placeOf = (cursor: string): Effect.Effect<Place> => {
  const parts = cursorForm.exec(cursor)
  return parts === null
    ? Effect.die(new Error(`"${cursor}" is no cursor of the outbox: pass one that it has given, or null for the start`))
    : Effect.succeed({ epoch: BigInt(parts[1]!), position: BigInt(parts[2]!) })
}

export const layer = Layer.succeed(OutboxStore, {
  append: (events) => insert("outbox", events as ReadonlyArray<(typeof events)[number] & { id: Ids.EventId }>),
  claimKey: (key) => changed(claimKey, key),
  byKey: (tenantId, key) => Effect.map(row(byKey, { tenantId, key }), (found) => found?.eventId ?? null),
  after: Effect.fnUntraced(function* (cursor, limit) {
    return yield* rows(after, { ...(cursor === null ? start : yield* placeOf(cursor)), limit })
  })
})
