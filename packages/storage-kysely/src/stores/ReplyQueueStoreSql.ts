/** The reply queue in SQL. */
import { type Instant, type ReplyJob, type ReplyJobState, ReplyQueueStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { changed, row, write, writeRows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import { joinHandled } from "./MessageStoreSql.ts"

type OfJob<K extends keyof ReplyJob> = Pick<ReplyJob, K>

const find = statement<OfJob<"customerId">>("replyJobs.find")((db, value) =>
  db.selectFrom("replyJobs").select(fieldsOf("replyJobs")).where("customerId", "=", value.customerId)
)

const save = statement<ReplyJobState>("replyJobs.save")((db, job) => {
  const { answeredAt, customerId, dueAt, failures, handledUpTo, waitingSince } = job
  const state = { answeredAt, dueAt, failures, handledUpTo, waitingSince }
  return db
    .insertInto("replyJobs")
    .values({ customerId, ...state, claim: null, claimedUntil: null })
    .onConflict((on) =>
      on.column("customerId").doUpdateSet((eb) => ({
        answeredAt: eb.ref("excluded.answeredAt"),
        dueAt: eb.ref("excluded.dueAt"),
        failures: eb.ref("excluded.failures"),
        handledUpTo: eb.ref("excluded.handledUpTo"),
        waitingSince: eb.ref("excluded.waitingSince")
      }))
    )
})

const remove = statement<OfJob<"customerId">>("replyJobs.remove")((db, value) =>
  db.deleteFrom("replyJobs").where("customerId", "=", value.customerId)
)

/** From when on a due job may be claimed: an expression that an index holds, so it stands here as it stands there. */
const claimableAt = sql<Instant.Instant>`case when claimed_until > due_at then claimed_until else due_at end`

interface Claim {
  readonly at: Instant.Instant
  readonly until: Instant.Instant
  readonly claim: string
  readonly limit: number
}

const claimDue = statement<Claim>("replyJobs.claimDue")((db, value, dialect) =>
  db
    .with("due", (of) => {
      const found = of
        .selectFrom("replyJobs")
        .select("customerId")
        .where("dueAt", "is not", null)
        .where(claimableAt, "<=", value.at)
        .orderBy(claimableAt)
        .orderBy("customerId")
        .limit(value.limit)
      return dialect.forUpdateSkipLocked(found)
    })
    .updateTable("replyJobs")
    .set({ claim: value.claim, claimedUntil: value.until })
    .where(dialect.isAmong(sql`customer_id`, sql`select customer_id from due`))
    .returning(fieldsOf("replyJobs"))
)

const renew = statement<OfJob<"customerId" | "claim"> & Pick<Claim, "until">>("replyJobs.renew")((db, value) =>
  db
    .updateTable("replyJobs")
    .set({ claimedUntil: value.until })
    .where("customerId", "=", value.customerId)
    .where("claim", "=", value.claim)
)

const release = statement<OfJob<"customerId" | "claim">>("replyJobs.release")((db, value) =>
  db
    .updateTable("replyJobs")
    .set({ claim: null, claimedUntil: null })
    .where("customerId", "=", value.customerId)
    .where("claim", "=", value.claim)
)

export const nextDue = statement("replyJobs.nextDue")((db) =>
  db
    .selectFrom("replyJobs")
    .select(claimableAt.as("dueAt"))
    .where("dueAt", "is not", null)
    // Says nothing new, but SQLite seeks in an index only where something is compared.
    .where(claimableAt, ">=", sql<Instant.Instant>`0`)
    .orderBy(claimableAt)
    .orderBy("customerId")
    .limit(1)
)

/** Rows that a writing statement returns come in no order. */
const inOrder = (jobs: ReadonlyArray<ReplyJob>): ReadonlyArray<ReplyJob> =>
  jobs.toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || (a.customerId < b.customerId ? -1 : 1))

export const layer = Layer.succeed(ReplyQueueStore, {
  find: (customerId) => row(find, { customerId }),
  save: (job) => Effect.asVoid(write(save, job)),
  joinHandled,
  remove: (customerId) => Effect.asVoid(write(remove, { customerId })),
  claimDue: (wanted) => Effect.map(writeRows(claimDue, wanted), inOrder),
  renew: (customerId, claim, until) => changed(renew, { customerId, claim, until }),
  release: (customerId, claim) => changed(release, { customerId, claim }),
  nextDue: () => Effect.map(row(nextDue, {}), (found) => found?.dueAt ?? null)
})
