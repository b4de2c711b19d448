/** The ledger in SQL: one statement for each kind of counter, whatever the number of requests. */
import {
  type Ids,
  Instant,
  type LedgerChanges,
  type LedgerQuery,
  type LedgerRows,
  LedgerStore,
  type RunKey,
  Tx
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { atEnd, insert, put, rows, SqlSession, together, write, writeRows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"
import { claimRun } from "./IdempotencyStoreSql.ts"
import { type CounterRows, KnownCounters } from "./KnownCounters.ts"

type Count = Database["usageCounts"]
type Spend = Database["spends"]
type Hold = Database["processHolds"]

const none: Effect.Effect<ReadonlyArray<never>> = Effect.succeed([])

interface OfProcess {
  readonly processId: Ids.ProcessId
}

/** Rows of this process. Those of other owners, services and months that are found beside them are left out by the caller. */
const holds = statement<
  OfProcess & { tenantIds: ReadonlyArray<Ids.AccountId>; ownerIds: ReadonlyArray<Hold["ownerId"]> }
>("ledger.holds")((db, value, dialect) =>
  db
    .selectFrom("processHolds")
    .select(fieldsOf("processHolds"))
    .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
    .where("processId", "=", value.processId)
    .where("ownerId", "in", dialect.list(value.ownerIds, "uuid"))
)

/** Processes whose lease is over. There are few of them, and mostly none. */
const ended = statement<{ at: Instant.Instant } & OfProcess>("ledger.ended")((db, value) =>
  db.selectFrom("processes").select("id").where("until", "<=", value.at).where("id", "!=", value.processId)
)

interface OfEnded {
  readonly tenantIds: ReadonlyArray<Ids.AccountId>
  readonly processIds: ReadonlyArray<Ids.ProcessId>
}

const lapseHolds = statement<OfEnded>("ledger.lapseHolds")((db, value, dialect) =>
  db
    .deleteFrom("processHolds")
    .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
    .where("processId", "in", dialect.list(value.processIds, "uuid"))
    .returning(fieldsOf("processHolds"))
)

const lapseSlots = statement<OfEnded>("ledger.lapseSlots")((db, value, dialect) =>
  db
    .deleteFrom("processSlots")
    .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
    .where("processId", "in", dialect.list(value.processIds, "uuid"))
    .returning(["keyId", "tenantId", "acquired"])
)

interface Expired {
  readonly tenantIds: ReadonlyArray<Ids.AccountId>
  readonly at: Instant.Instant
}

/** Of a process of an earlier release, which may still end it: it is kept for a day, as that release does. */
const lapseReservations = statement<Expired & { removeAt: Instant.Instant }>("ledger.lapseReservations")(
  (db, value, dialect) =>
    db
      .updateTable("usageHolds")
      .set({ lapsed: sql<boolean>`true`, expiresAt: value.removeAt })
      .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
      .where("lapsed", "=", sql<boolean>`false`)
      .where("expiresAt", "<=", value.at)
      .returning(fieldsOf("usageHolds"))
)

const lapsePlaces = statement<Expired>("ledger.lapsePlaces")((db, value, dialect) =>
  db
    .deleteFrom("keyPlaces")
    .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
    .where("until", "<=", value.at)
    .returning(["keyId", "tenantId"])
)

const billed = statement<{ ids: ReadonlyArray<Ids.UsageId> }>("ledger.billed")((db, value, dialect) =>
  db.selectFrom("usageLog").select("id").where("id", "in", dialect.list(value.ids, "uuid"))
)

const lapsedOf = ({ keyId, lapsed: _, expiresAt: __, id: ___, period, ...held }: Database["usageHolds"]) => ({
  ...held,
  ...(keyId === null || period === null ? { ownerId: held.tenantId, period: "none" } : { ownerId: keyId, period }),
  running: 1
})

const nothingLapsed: Pick<LedgerRows, "lapsed" | "lapsedSlots"> = { lapsed: [], lapsedSlots: [] }

/** Removes what has lapsed, and succeeds with it. */
const lapse = Effect.fnUntraced(function* ({ at, lapsing: tenantIds, processId }: LedgerQuery) {
  const processIds = (yield* writeRows(ended, { at, processId })).map(({ id }) => id)
  const [held, slots, reservations, places] = yield* together([
    writeRows(lapseHolds, { tenantIds, processIds }),
    writeRows(lapseSlots, { tenantIds, processIds }),
    writeRows(lapseReservations, { tenantIds, at, removeAt: Instant.plus(at, Instant.day) }),
    writeRows(lapsePlaces, { tenantIds, at })
  ])
  return {
    lapsed: [...held.map(({ processId: _, ...hold }) => hold), ...reservations.map(lapsedOf)],
    lapsedSlots: [...slots, ...places.map((place) => ({ ...place, acquired: 1 }))]
  }
})

/** Credit may be added without the account's lock: a balance that is written must not be older than that. */
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

/** Slots of each process. Those that a process of an earlier release has acquired have no name of a process. */
const slots = statement<OfKeys & Expired>("ledger.slots")((db, value, dialect) =>
  db
    .selectFrom("processSlots")
    .select(["keyId", "processId", "acquired"])
    .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
    .where("keyId", "in", dialect.list(value.keyIds, "uuid"))
    .unionAll(
      db
        .selectFrom("keyPlaces")
        .select((eb) => ["keyId", sql<Ids.ProcessId>`null`.as("processId"), eb.fn.countAll<number>().as("acquired")])
        .where("keyId", "in", dialect.list(value.keyIds, "uuid"))
        .where("until", ">", value.at)
        .groupBy("keyId")
    )
)

/** Slots of each key that is asked for, by this process and by others. */
const countSlots = (
  asked: LedgerQuery["slots"],
  found: ReadonlyArray<{ readonly keyId: string; readonly processId: string | null; readonly acquired: number }>,
  processId: string
): LedgerRows["slots"] =>
  asked.map(({ keyId, tenantId }) => {
    const ofKey = found.filter((row) => row.keyId === keyId)
    const own = ofKey.find((row) => row.processId === processId)?.acquired ?? null
    return { keyId, tenantId, own, others: ofKey.reduce((sum, row) => sum + row.acquired, 0) - (own ?? 0) }
  })

const runFields = ["tenantId", "key", "fingerprint", "claim", "leaseUntil", "hasActed", "expiresAt"] as const

interface RunsOf {
  readonly tenantIds: ReadonlyArray<Ids.AccountId>
  readonly runKeys: ReadonlyArray<string>
}

/** Their answers, which may be long, are not read. Of accounts side by side some that nobody asks for are found too. */
const runs = statement<RunsOf>("ledger.runs")((db, value, dialect) =>
  db
    .selectFrom("idempotencyKeys")
    .select(runFields)
    .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
    .where("key", "in", dialect.list(value.runKeys, "text"))
)

/** Runs that end. A process of an earlier release, which begins one in their place without the account's lock, waits. */
const endingRuns = statement<RunsOf & { claims: ReadonlyArray<string> }>("ledger.endingRuns")((db, value, dialect) =>
  db
    .selectFrom("idempotencyKeys")
    .select(runFields)
    .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
    .where("key", "in", dialect.list(value.runKeys, "text"))
    .where("claim", "in", dialect.list(value.claims, "text"))
    .$call(dialect.forUpdate)
)

const keptBytes = statement<Pick<CountsOf, "tenantIds">>("ledger.keptBytes")((db, value, dialect) =>
  db
    .selectFrom("accountTotals")
    .select(["tenantId", "n"])
    .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
    .where("name", "=", "kept_answer_bytes")
)

const freeRun = statement<RunKey>("ledger.freeRun")((db, value) =>
  db.deleteFrom("idempotencyKeys").where("tenantId", "=", value.tenantId).where("key", "=", value.key)
)

const namesOf = (keys: ReadonlyArray<RunKey>): RunsOf => ({
  tenantIds: [...new Set(keys.map(({ tenantId }) => tenantId))],
  runKeys: [...new Set(keys.map(({ key }) => key))]
})

/** Writes claims, and succeeds with those that were written; the others are prevented by runs that stand. */
const writeClaims = (claims: LedgerQuery["claims"], at: Instant.Instant) =>
  Effect.map(together(claims.map((run) => claimRun(run, at))), (written) => claims.filter((_, nth) => written[nth]))

interface FoundRuns {
  readonly before: LedgerRows["standing"]
  readonly written: LedgerQuery["claims"]
  readonly ending: LedgerRows["standing"]
}

/** Runs of the keys that are asked for. Those that prevented a claim are read once more: one may have been written in between. */
const runRows = Effect.fnUntraced(function* ({ claims }: LedgerQuery, { before, ending, written }: FoundRuns) {
  const others = claims.filter((run) => !written.includes(run))
  const found = others.length === 0 ? [] : yield* writeRows(runs, namesOf(others))
  const isWritten = ({ key, tenantId }: RunKey) => written.some((run) => run.key === key && run.tenantId === tenantId)
  return {
    claimed: written.flatMap((run) => run.claim ?? []),
    replaced: before.filter(isWritten),
    standing: [...found.filter((run) => !isWritten(run)), ...ending]
  }
})

const noRuns: Pick<LedgerRows, "claimed" | "replaced" | "standing"> = { claimed: [], replaced: [], standing: [] }

const spendOf = ({ pending, ...one }: LedgerRows["spending"][number]): Spend => ({ ...one, pendingAmount: pending })

/** Reads the rows that are not known, and removes those that have lapsed. */
const read = Effect.fnUntraced(function* (query: LedgerQuery, known: KnownCounters | null) {
  const { at, processId } = query
  const locked = Tx.use((tx) => tx.lock("account", ...query.locked))
  const lapsed = query.lapsing.length === 0 ? nothingLapsed : yield* Effect.andThen(locked, lapse(query))
  known?.lapse(lapsed.lapsedSlots)
  const missing = known === null ? query : known.missing(query)
  const {
    accounts: tenantIds,
    doubted,
    keys: keyIds,
    months,
    owners: ownerIds,
    periods,
    remembered,
    services
  } = missing
  const acquired = {
    tenantIds: missing.slots.map(({ tenantId }) => tenantId),
    keyIds: missing.slots.map(({ keyId }) => keyId),
    at
  }
  const held = {
    processId,
    tenantIds: missing.holds.map(({ tenantId }) => tenantId),
    ownerIds: missing.holds.map(({ ownerId }) => ownerId)
  }
  const { answering, claims, keptBytesOf } = query
  const ends = { ...namesOf(answering), claims: answering.map((run) => run.claim) }
  const [, before, written, ending, kept, balance, counted, spent, window, first, slot, version, hold, bill] =
    yield* together([
      locked,
      claims.length > 0 ? writeRows(runs, namesOf(claims)) : none,
      claims.length > 0 ? writeClaims(claims, at) : none,
      answering.length > 0 ? writeRows(endingRuns, ends) : none,
      keptBytesOf.length > 0 ? writeRows(keptBytes, { tenantIds: keptBytesOf }) : none,
      tenantIds.length > 0 ? writeRows(balances, { tenantIds }) : none,
      tenantIds.length > 0 ? writeRows(counts, { tenantIds, services, months }) : none,
      ownerIds.length > 0 ? writeRows(spending, { ownerIds, periods }) : none,
      keyIds.length > 0 ? writeRows(windows, { keyIds }) : none,
      keyIds.length > 0 ? writeRows(oldest, { keyIds, after: query.windowStart }) : none,
      missing.slots.length > 0 ? writeRows(slots, acquired) : none,
      remembered.length > 0 ? writeRows(versions, { tenantIds: remembered }) : none,
      missing.holds.length > 0 ? writeRows(holds, held) : none,
      doubted.length > 0 ? writeRows(billed, { ids: doubted }) : none
    ])
  const counters: CounterRows = {
    balances: balance,
    counts: counted,
    spending: spent.map(({ pendingAmount, ...one }) => ({ ...one, pending: pendingAmount })),
    windows: window,
    oldest: first.flatMap(({ at, keyId, seq }) => (at === null || seq === null ? [] : [{ keyId, at, seq }])),
    slots: countSlots(missing.slots, slot, processId),
    versions: version,
    holds: hold.map(({ processId: _, ...one }) => one)
  }
  const found = {
    ...lapsed,
    ...(claims.length === 0 && answering.length === 0 ? noRuns : yield* runRows(query, { before, written, ending })),
    keptBytes: kept.map(({ n, tenantId }) => ({ tenantId, bytes: n })),
    billed: bill.map(({ id }) => id)
  }
  if (known === null) return { ...found, ...counters }
  known.add(missing, counters)
  return { ...found, ...known.rowsOf(query) }
})

const written = ({ processId, ...changes }: LedgerChanges) =>
  together([
    put("creditAccounts", ["tenantId"], changes.balances),
    put("usageCounts", ["tenantId", "service", "month"], changes.counts),
    put("spends", ["ownerId", "period"], changes.spending.map(spendOf)),
    put("keyWindows", ["keyId"], changes.windows),
    insert("keyRequests", changes.requests),
    put("processes", ["id"], changes.lease === null ? [] : [changes.lease]),
    put(
      "processHolds",
      ["tenantId", "processId", "ownerId", "service", "month", "period"],
      changes.holds.map((hold): Hold => ({ ...hold, processId }))
    ),
    put(
      "processSlots",
      ["tenantId", "keyId", "processId"],
      changes.slots.map((slot) => ({ ...slot, processId }))
    ),
    put("idempotencyKeys", ["tenantId", "key"], changes.runs),
    ...changes.freed.map((key) => Effect.asVoid(write(freeRun, key))),
    insert("usageLog", changes.usage),
    insert("creditLedger", changes.entries)
  ])

interface EndedBy {
  readonly processIds: ReadonlyArray<Ids.ProcessId>
  readonly limit: number
}

const heldByEnded = statement<EndedBy>("ledger.heldByEnded")((db, value, dialect) =>
  db
    .selectFrom("processHolds")
    .select("tenantId")
    .distinct()
    .where("processId", "in", dialect.list(value.processIds, "uuid"))
    .limit(value.limit)
)

const acquiredByEnded = statement<EndedBy>("ledger.acquiredByEnded")((db, value, dialect) =>
  db
    .selectFrom("processSlots")
    .select("tenantId")
    .distinct()
    .where("processId", "in", dialect.list(value.processIds, "uuid"))
    .limit(value.limit)
)

interface ExpiredBy {
  readonly at: Instant.Instant
  readonly limit: number
}

/** Of processes of an earlier release. */
const expiredReservations = statement<ExpiredBy>("ledger.expiredReservations")((db, value) =>
  db
    .selectFrom("usageHolds")
    .select("tenantId")
    .distinct()
    .where("lapsed", "=", sql<boolean>`false`)
    .where("expiresAt", "<=", value.at)
    .limit(value.limit)
)

const expiredPlaces = statement<ExpiredBy>("ledger.expiredPlaces")((db, value) =>
  db
    .selectFrom("keyPlaces")
    .select("tenantId")
    .distinct()
    .where("until", "<=", value.at)
    .where("tenantId", "is not", null)
    .limit(value.limit)
)

const lapsingAccounts: LedgerStore["Service"]["lapsing"] = Effect.fnUntraced(function* ({ at, limit, processId }) {
  const processIds = (yield* rows(ended, { at, processId })).map(({ id }) => id)
  const found = [
    ...(processIds.length === 0 ? [] : yield* rows(heldByEnded, { processIds, limit })),
    ...(processIds.length === 0 ? [] : yield* rows(acquiredByEnded, { processIds, limit })),
    ...(yield* rows(expiredReservations, { at, limit })),
    ...(yield* rows(expiredPlaces, { at, limit }))
  ]
  return [...new Set(found.map(({ tenantId }) => tenantId))].slice(0, limit)
})

const removeLeases = statement<{ at: Instant.Instant }>("ledger.removeLeases")((db, value) =>
  db.deleteFrom("processes").where("until", "<=", value.at)
)

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
      ),
    renew: (lease) => put("processes", ["id"], [lease]),
    lapsing: lapsingAccounts,
    removeLeases: (at) => Effect.asVoid(write(removeLeases, { at }))
  }
})
