/** Idempotency keys in SQL. */
import { IdempotencyStore, type Instant } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, row, write } from "../Session.ts"
import { fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Run = Database["idempotencyKeys"]
type Key = Pick<Run, "tenantId" | "key">
type Claimed = Key & { readonly claim: string }

/**
 * One statement decides: the second caller conflicts, waits for the first to commit, and evaluates its condition on what the
 * first has written. On Postgres the conflicting row stays locked until the end of the transaction, so that a read that
 * follows sees the same.
 */
const claim = statement<Run & { at: Instant.Instant }>("idempotency.claim")((db, run) =>
  db
    .insertInto("idempotencyKeys")
    .values(valuesOf("idempotencyKeys", run))
    .onConflict((on) =>
      on
        .columns(["tenantId", "key"])
        .doUpdateSet((eb) => ({
          fingerprint: eb.ref("excluded.fingerprint"),
          claim: eb.ref("excluded.claim"),
          leaseUntil: eb.ref("excluded.leaseUntil"),
          hasActed: eb.ref("excluded.hasActed"),
          answer: null,
          expiresAt: eb.ref("excluded.expiresAt")
        }))
        .where((eb) =>
          eb.or([
            eb("idempotencyKeys.expiresAt", "<=", run.at),
            eb.and([
              eb("idempotencyKeys.leaseUntil", "<=", run.at),
              eb("idempotencyKeys.hasActed", "=", false),
              eb("idempotencyKeys.fingerprint", "=", eb.ref("excluded.fingerprint"))
            ])
          ])
        )
    )
)

const find = statement<Key>("idempotency.find")((db, value) =>
  db
    .selectFrom("idempotencyKeys")
    .select(fieldsOf("idempotencyKeys"))
    .where("tenantId", "=", value.tenantId)
    .where("key", "=", value.key)
)

const renew = statement<Claimed & { until: Instant.Instant }>("idempotency.renew")((db, value) =>
  db
    .updateTable("idempotencyKeys")
    .set({ leaseUntil: value.until })
    .where("tenantId", "=", value.tenantId)
    .where("key", "=", value.key)
    .where("claim", "=", value.claim)
)

const act = statement<Claimed>("idempotency.act")((db, value) =>
  db
    .updateTable("idempotencyKeys")
    .set({ hasActed: true })
    .where("tenantId", "=", value.tenantId)
    .where("key", "=", value.key)
    .where("claim", "=", value.claim)
)

const complete = statement<Claimed & Pick<Run, "answer" | "expiresAt">>("idempotency.complete")((db, value) =>
  db
    .updateTable("idempotencyKeys")
    .set({ claim: null, leaseUntil: null, answer: value.answer, expiresAt: value.expiresAt })
    .where("tenantId", "=", value.tenantId)
    .where("key", "=", value.key)
    .where("claim", "=", value.claim)
)

const forget = statement<Claimed>("idempotency.forget")((db, value) =>
  db
    .deleteFrom("idempotencyKeys")
    .where("tenantId", "=", value.tenantId)
    .where("key", "=", value.key)
    .where("claim", "=", value.claim)
)

const forgetIdle = statement<Claimed>("idempotency.forgetIdle")((db, value) =>
  db
    .deleteFrom("idempotencyKeys")
    .where("tenantId", "=", value.tenantId)
    .where("key", "=", value.key)
    .where("claim", "=", value.claim)
    .where("hasActed", "=", false)
)

const sweep = statement<{ at: Instant.Instant; limit: number }>("idempotency.sweep")((db, value) =>
  db
    .deleteFrom("idempotencyKeys")
    // A run that begins in the place of an old one meanwhile stays.
    .where("expiresAt", "<=", value.at)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("tenantId", "key"),
        "in",
        selectFrom("idempotencyKeys as old")
          .select(["old.tenantId", "old.key"])
          .where("old.expiresAt", "<=", value.at)
          .orderBy("old.expiresAt")
          .limit(value.limit)
          .$asTuple("tenantId", "key")
      )
    )
)

/** Writes a run, unless another one prevents it; succeeds with whether it has. */
export const claimRun: IdempotencyStore["Service"]["claim"] = (run, at) => changed(claim, { ...run, at })

export const layer = Layer.succeed(IdempotencyStore, {
  claim: claimRun,
  find: (tenantId, key) => row(find, { tenantId, key }),
  renew: (run, until) => Effect.asVoid(write(renew, { ...run, until })),
  complete: (run, answer, expiresAt) => changed(complete, { ...run, answer, expiresAt }),
  act: (run) => changed(act, run),
  abandon: (run, at) => Effect.andThen(write(forgetIdle, run), Effect.asVoid(write(renew, { ...run, until: at }))),
  forget: (run) => Effect.asVoid(write(forget, run)),
  sweep: (at, limit) => write(sweep, { at, limit })
})
