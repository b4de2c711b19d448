/** The ledger in SQL: one statement for each kind of counter, whatever the number of requests. */
import {
  type Ids,
  type Instant,
  type LedgerChanges,
  type LedgerQuery,
  type LedgerRows,
  LedgerStore,
  Tx
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { atEnd, insert, put, SqlSession, together, write, writeRows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"
import { type CounterRows, KnownCounters } from "./KnownCounters.ts"

type Count = Database["usageCounts"]
type Spend = Database["spends"]
type Slot = Database["keyPlaces"]

const none: Effect.Effect<ReadonlyArray<never>> = Effect.succeed([])

interface Ending {
  readonly ids: ReadonlyArray<Ids.UsageId>
}

const endReservations = statement<Ending>("ledger.endReservations")((db, value, dialect) =>
  db.deleteFrom("usageHolds").where("id", "in", dialect.list(value.ids, "uuid")).returning(fieldsOf("usageHolds"))
)

const removeReservations = statement<Ending>("ledger.removeReservations")((db, value, dialect) =>
  db.deleteFrom("usageHolds").where("id", "in", dialect.list(value.ids, "uuid"))
)

/** Removes reservations, and succeeds with them: those that are known are not read. */
const end = (ids: ReadonlyArray<Ids.UsageId>, known: KnownCounters | null) => {
  if (ids.length === 0) return none
  const ended = known?.end(ids) ?? null
  return ended === null ? writeRows(endReservations, { ids }) : Effect.as(write(removeReservations, { ids }), ended)
}

const releaseSlots = statement<{ slots: ReadonlyArray<Pick<Slot, "id" | "keyId">> }>("ledger.releaseSlots")(
  (db, value, dialect) =>
    db
      .deleteFrom("keyPlaces")
      .where(
        sql<boolean>`(key_id, id) in (select slot."keyId", slot."id" from ${dialect.records(value.slots, "slot", {
          keyId: "uuid",
          id: "uuid"
        })})`
      )
      .returning(["keyId", "until"])
)

/** Credit may be added without the account's lock: what is written must not be older than that. */
const balances = statement<{ tenantIds: ReadonlyArray<Ids.AccountId> }>("ledger.balances")((db, value, dialect) =>
  db
    .selectFrom("creditAccounts")
    .select(fieldsOf("creditAccounts"))
    .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
    .$call(dialect.forUpdate)
)

interface CountsOf {
  readonly tenantIds: ReadonlyArray<Ids.AccountId>
  readonly services: ReadonlyArray<Count["service"]>
  readonly months: ReadonlyArray<string>
}

const counts = statement<CountsOf>("ledger.counts")((db, value, dialect) =>
  db
    .selectFrom("usageCounts")
    .select(fieldsOf("usageCounts"))
    .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
    .where("service", "in", dialect.list(value.services, "text"))
    .where("month", "in", dialect.list(value.months, "text"))
)

interface SpendingOf {
  readonly ownerIds: ReadonlyArray<string>
  readonly periods: ReadonlyArray<string>
}

const spending = statement<SpendingOf>("ledger.spending")((db, value, dialect) =>
  db
    .selectFrom("spends")
    .select(fieldsOf("spends"))
    .where("ownerId", "in", dialect.list(value.ownerIds, "uuid"))
    .where("period", "in", dialect.list(value.periods, "text"))
)

interface OfKeys {
  readonly keyIds: ReadonlyArray<Ids.KeyId>
}

const versions = statement<Pick<CountsOf, "tenantIds">>("ledger.versions")((db, value, dialect) =>
  db
    .selectFrom("accessVersions")
    .select(fieldsOf("accessVersions"))
    .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
)

/** Locks the minutes: processes of an earlier release know no other lock. */
const windows = statement<OfKeys>("ledger.windows")((db, value, dialect) =>
  db
    .selectFrom("keyWindows")
    .select(fieldsOf("keyWindows"))
    .where("keyId", "in", dialect.list(value.keyIds, "uuid"))
    .$call(dialect.forUpdate)
)

/** The key's oldest request in its window, found at the beginning of the index. */
const oldest = statement<OfKeys & { after: Instant.Instant }>("ledger.oldest")((db, value, dialect) =>
  db
    .selectFrom("keyWindows")
    .select((eb) => {
      const first = eb
        .selectFrom("keyRequests")
        .whereRef("keyRequests.keyId", "=", "keyWindows.keyId")
        .where("keyRequests.at", ">", value.after)
        .orderBy("keyRequests.at")
        .orderBy("keyRequests.seq")
        .limit(1)
      return ["keyId", first.select("keyRequests.at").as("at"), first.select("keyRequests.seq").as("seq")]
    })
    .where("keyId", "in", dialect.list(value.keyIds, "uuid"))
)

const slots = statement<OfKeys & { at: Instant.Instant }>("ledger.slots")((db, value, dialect) =>
  db
    .selectFrom("keyPlaces")
    .select((eb) => [
      "keyId",
      eb.fn.countAll<number>().as("n"),
      sql<number>`sum(case when until > ${value.at} then 1 else 0 end)`.as("used"),
      sql<Instant.Instant | null>`min(case when until > ${value.at} then until end)`.as("until")
    ])
    .where("keyId", "in", dialect.list(value.keyIds, "uuid"))
    .groupBy("keyId")
)

const spendOf = ({ pending, ...one }: LedgerRows["spending"][number]): Spend => ({ ...one, pendingAmount: pending })

/** Reads what is not known, and removes what ends. */
const read = Effect.fnUntraced(function* (query: LedgerQuery, known: KnownCounters | null) {
  const missing = known === null ? query : known.missing(query)
  const { accounts: tenantIds, at, keys: keyIds, months, owners: ownerIds, periods, remembered, services } = missing
  const { ending: ids, locked, released } = query
  const [, ended, freed, balance, counted, spent, window, first, slot, version] = yield* together([
    Tx.use((tx) => tx.lock("account", ...locked)),
    end(ids, known),
    released.length > 0 ? writeRows(releaseSlots, { slots: released }) : none,
    tenantIds.length > 0 ? writeRows(balances, { tenantIds }) : none,
    tenantIds.length > 0 ? writeRows(counts, { tenantIds, services, months }) : none,
    ownerIds.length > 0 ? writeRows(spending, { ownerIds, periods }) : none,
    keyIds.length > 0 ? writeRows(windows, { keyIds }) : none,
    keyIds.length > 0 ? writeRows(oldest, { keyIds, after: query.windowStart }) : none,
    keyIds.length > 0 ? writeRows(slots, { keyIds, at }) : none,
    remembered.length > 0 ? writeRows(versions, { tenantIds: remembered }) : none
  ])
  const rows: CounterRows = {
    balances: balance,
    counts: counted,
    spending: spent.map(({ pendingAmount, ...one }) => ({ ...one, pending: pendingAmount })),
    windows: window,
    oldest: first.flatMap(({ at, keyId, seq }) => (at === null || seq === null ? [] : [{ keyId, at, seq }])),
    slots: slot.map(({ keyId, n, until, used }) => ({ keyId, acquired: used, stored: n, until })),
    versions: version
  }
  if (known === null) return { ended, ...rows }
  known.release(freed, at)
  known.add(missing, rows)
  return { ended, ...known.rowsOf(query) }
})

const written = (changes: LedgerChanges) =>
  together([
    put("creditAccounts", ["tenantId"], changes.balances),
    put("usageCounts", ["tenantId", "service", "month"], changes.counts),
    put("spends", ["ownerId", "period"], changes.spending.map(spendOf)),
    put("keyWindows", ["keyId"], changes.windows),
    insert("keyRequests", changes.requests),
    insert("keyPlaces", changes.slots),
    insert("usageHolds", changes.reservations),
    insert("usageLog", changes.usage),
    insert("creditLedger", changes.entries)
  ])

export const layer = Layer.sync(LedgerStore, () => {
  const known = new KnownCounters()
  return {
    load: (query) =>
      SqlSession.use(({ version }) => {
        if (version === null) return read(query, null)
        known.validate(version())
        return read(query, known)
      }),
    save: (changes) =>
      SqlSession.use(({ version }) =>
        version === null
          ? atEnd(written(changes))
          : Effect.map(written(changes), () => known.change(changes, version()))
      )
  }
})
