/** Claims of calls that are due for supervision, and the owners of carriers' records, in SQL. */
import {
  CallSupervisionStore,
  type CarrierRecordId,
  type Ids,
  type Instant,
  PhoneNumber
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { row, rows, write, writeRows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import { makePending, type Span, spanOf } from "./QueueFloor.ts"

type Calls = Span<Ids.CallId>

/**
 * A claim is a locking read and then one update: the update alone could return no order of the rows on either database,
 * because it overwrites the column that orders them.
 */
const due = statement<Calls & { at: Instant.Instant; limit: number }>("calls.due")((db, value, dialect) => {
  const found = db
    .selectFrom("calls")
    .select(fieldsOf("calls"))
    .where("checkAt", "is not", null)
    .where("checkAt", "<=", value.at)
    .where(dialect.idsBetween("id", value.first, value.last))
    .orderBy("checkAt")
    .orderBy("id")
    .limit(value.limit)
  return dialect.forUpdateSkipLocked(found)
})

const claim = statement<Calls & { ids: ReadonlyArray<Ids.CallId>; until: Instant.Instant }>("calls.claim")(
  (db, value, dialect) =>
    db
      .updateTable("calls")
      .set({ checkAt: value.until })
      .where(dialect.isOneOf("id", value.ids, value.first, value.last))
)

const markForReconciliation = statement<{ at: Instant.Instant }>("calls.markForReconciliation")((db, value) =>
  db
    .updateTable("calls")
    .set({ lookUpAt: value.at, checkAt: value.at, lookUps: 0, firstLookUpAt: null, silentSince: null })
    .where("endedAt", "is", null)
    // Written so that the index of open calls is used, not that of all calls that have an id.
    .where(sql<boolean>`coalesce(provider_call_id, '') <> ''`)
)

export const nextCheck = statement<Calls>("calls.nextCheck")((db, value, dialect) =>
  db
    .selectFrom("calls")
    .select("checkAt")
    .where("checkAt", "is not", null)
    .where(dialect.idsBetween("id", value.first, value.last))
    .orderBy("checkAt")
    .limit(1)
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

const makeStore = (open: ReturnType<typeof makePending<Ids.CallId>>) =>
  CallSupervisionStore.of({
    claimDue: Effect.fnUntraced(function* ({ at, limit, until }) {
      const claimed = yield* writeRows(due, { at, limit, ...(yield* open) })
      const ids = claimed.map(({ id }) => id)
      if (ids.length > 0) yield* write(claim, { ids, until, ...spanOf(ids) })
      return claimed.map((call) => ({ ...call, checkAt: until }))
    }),
    markForReconciliation: (at) => Effect.asVoid(write(markForReconciliation, { at })),
    nextCheck: Effect.flatMap(open, (calls) => Effect.map(row(nextCheck, calls), (found) => found?.checkAt ?? null)),
    ownerOf: (record) => Effect.map(row(ownerOf, { ...record }), (found) => found?.id ?? null),
    unnamed: ({ key, ...filter }) =>
      Effect.map(rows(unnamed, { ...filter, ...PhoneNumber.seekRange(key) }), (found) =>
        found.filter(({ toKey }) => PhoneNumber.samePerson(toKey, key)).map(({ id }) => id)
      )
  })

export const layer = Layer.sync(CallSupervisionStore, () => makeStore(makePending("calls")))
