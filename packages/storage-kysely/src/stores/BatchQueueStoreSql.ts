/** The queue of accounts with open batches in SQL. */
import { BatchQueueStore, type Instant } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { changed, count, row, write, writeRows } from "../Session.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Account = Database["batchQueue"]
type Claimed = Pick<Account, "tenantId"> & { readonly claim: string }

/** A row that is there is written as it is: it stays locked until the end of the transaction. */
const add = statement<Pick<Account, "tenantId" | "dueAt">>("batchQueue.add")((db, value) =>
  db
    .insertInto("batchQueue")
    .values({ tenantId: value.tenantId, dueAt: value.dueAt, claim: null })
    .onConflict((on) => on.column("tenantId").doUpdateSet((eb) => ({ dueAt: eb.ref("batchQueue.dueAt") })))
)

const countOpen = statement<Pick<Account, "tenantId">>("batchQueue.countOpen")((db, value) =>
  db
    .selectFrom("batches")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("tenantId", "=", value.tenantId)
    .where("isOpen", "=", sql<boolean>`true`)
)

interface Wanted {
  readonly at: Instant.Instant
  readonly until: Instant.Instant
  readonly claim: string
  readonly limit: number
}

const claimDue = statement<Wanted>("batchQueue.claimDue")((db, value, dialect) =>
  db
    .with("due", (of) => {
      const found = of
        .selectFrom("batchQueue")
        .select("tenantId")
        .where("dueAt", "<=", value.at)
        .orderBy("dueAt")
        .orderBy("tenantId")
        .limit(value.limit)
      return dialect.forUpdateSkipLocked(found)
    })
    .updateTable("batchQueue")
    .set({ claim: value.claim, dueAt: value.until })
    .where(dialect.isAmong(sql`tenant_id`, sql`select tenant_id from due`))
    .returning("tenantId")
)

const renew = statement<Claimed & Pick<Wanted, "until">>("batchQueue.renew")((db, value) =>
  db
    .updateTable("batchQueue")
    .set({ dueAt: value.until })
    .where("tenantId", "=", value.tenantId)
    .where("claim", "=", value.claim)
)

const release = statement<Claimed & Pick<Account, "dueAt">>("batchQueue.release")((db, value) =>
  db
    .updateTable("batchQueue")
    .set({ claim: null, dueAt: value.dueAt })
    .where("tenantId", "=", value.tenantId)
    .where("claim", "=", value.claim)
)

const remove = statement<Claimed>("batchQueue.remove")((db, value) =>
  db.deleteFrom("batchQueue").where("tenantId", "=", value.tenantId).where("claim", "=", value.claim)
)

export const nextDue = statement("batchQueue.nextDue")((db) =>
  db
    .selectFrom("batchQueue")
    .select("dueAt")
    // Says nothing new, but SQLite seeks in an index only where something is compared.
    .where("dueAt", ">=", sql<Instant.Instant>`0`)
    .orderBy("dueAt")
    .orderBy("tenantId")
    .limit(1)
)

export const layer = Layer.succeed(BatchQueueStore, {
  add: (tenantId, dueAt) => Effect.asVoid(write(add, { tenantId, dueAt })),
  countOpen: (tenantId) => count(countOpen, { tenantId }),
  claimDue: (wanted) => Effect.map(writeRows(claimDue, wanted), (found) => found.map(({ tenantId }) => tenantId)),
  renew: (claim, until) => changed(renew, { ...claim, until }),
  release: (claim, dueAt) => Effect.asVoid(write(release, { ...claim, dueAt })),
  remove: (claim) => Effect.asVoid(write(remove, claim)),
  nextDue: Effect.map(row(nextDue, {}), (found) => found?.dueAt ?? null)
})
