/** Claims of calls that are due for supervision, and the owners of carriers' records, in SQL. */
import { CallSupervisionStore, type CarrierRecordId, type Ids, type Instant, PhoneNumber } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { row, rows, write, writeRows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"

/**
 * A claim is a locking read and then one update: the update alone could return no order of the rows on either database,
 * because it overwrites the column that orders them.
 */
const due = statement<{ at: Instant.Instant; limit: number }>("calls.due")((db, value, dialect) => {
  const found = db
    .selectFrom("calls")
    .select(fieldsOf("calls"))
    .where("checkAt", "is not", null)
    .where("checkAt", "<=", value.at)
    .orderBy("checkAt")
    .orderBy("id")
    .limit(value.limit)
  return dialect.forUpdateSkipLocked(found)
})

const claim = statement<{ ids: ReadonlyArray<Ids.CallId>; until: Instant.Instant }>("calls.claim")(
  (db, value, dialect) =>
    db.updateTable("calls").set({ checkAt: value.until }).where("id", "in", dialect.list(value.ids, "uuid"))
)

const markForReconciliation = statement<{ at: Instant.Instant }>("calls.markForReconciliation")((db, value) =>
  db
    .updateTable("calls")
    .set({ lookUpAt: value.at, checkAt: value.at, lookUps: 0, firstLookUpAt: null, silentSince: null })
    .where("endedAt", "is", null)
    // Written so that the index of open calls is used, not that of all calls that have an id.
    .where(sql<boolean>`coalesce(provider_call_id, '') <> ''`)
)

export const nextCheck = statement("calls.nextCheck")((db) =>
  db.selectFrom("calls").select("checkAt").where("checkAt", "is not", null).orderBy("checkAt").limit(1)
)

const ownerOf = statement<CarrierRecordId>("calls.ownerOf")((db, value) =>
  db
    .selectFrom("calls")
    .select("id")
    .where("provider", "=", value.provider)
    .where("providerCallId", "=", value.providerCallId)
)

const unnamed = statement<{
  provider: string
  since: Instant.Instant
  until: Instant.Instant
  from: string
  to: string
}>("calls.unnamed")((db, value) =>
  db
    .selectFrom("calls")
    .select(["id", "toKey"])
    .where("providerCallId", "is", null)
    .where((eb) => eb.or([eb("endedAt", "is", null), eb("endReason", "=", sql.lit("unknown"))]))
    .where("toKey", ">=", PhoneNumber.as(value.from))
    .where("toKey", "<", PhoneNumber.as(value.to))
    .where("startedAt", ">=", value.since)
    .where("startedAt", "<=", value.until)
    .where("provider", "=", value.provider)
)

export const layer = Layer.succeed(CallSupervisionStore, {
  claimDue: Effect.fnUntraced(function* ({ at, limit, until }) {
    const claimed = yield* writeRows(due, { at, limit })
    if (claimed.length > 0) yield* write(claim, { ids: claimed.map(({ id }) => id), until })
    return claimed.map((call) => ({ ...call, checkAt: until }))
  }),
  markForReconciliation: (at) => Effect.asVoid(write(markForReconciliation, { at })),
  nextCheck: Effect.map(row(nextCheck, {}), (found) => found?.checkAt ?? null),
  ownerOf: (record) => Effect.map(row(ownerOf, { ...record }), (found) => found?.id ?? null),
  unnamed: ({ key, ...filter }) =>
    Effect.map(rows(unnamed, { ...filter, ...PhoneNumber.seekRange(key) }), (found) =>
      found.filter(({ toKey }) => PhoneNumber.samePerson(toKey, key)).map(({ id }) => id)
    )
})
