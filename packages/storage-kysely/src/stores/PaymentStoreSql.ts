/** Payments, in SQL. */
import { type Instant, KnownConfigurationStore, type Payment, PaymentStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, sql } from "kysely"
import { count, insert, row, rows, write, writeRows } from "../Session.ts"
import { changesOf, fieldsOf, valuesOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import type { Database } from "../Tables.ts"

type Of<K extends keyof Payment> = Pick<Payment, K>

const find = statement<Of<"tenantId" | "id">>("payments.find")((db, value) =>
  db
    .selectFrom("payments")
    .select(fieldsOf("payments"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
)

const byReference = statement<Of<"tenantId" | "phoneNumberId" | "referenceId">>("payments.byReference")((db, value) =>
  db
    .selectFrom("payments")
    .select(fieldsOf("payments"))
    .where("tenantId", "=", value.tenantId)
    .where("phoneNumberId", "=", value.phoneNumberId)
    .where("referenceId", "=", value.referenceId)
)

const byMessage = statement<Of<"tenantId" | "messageId">>("payments.byMessage")((db, value) =>
  db
    .selectFrom("payments")
    .select(fieldsOf("payments"))
    .where("messageId", "=", value.messageId)
    .where("tenantId", "=", value.tenantId)
)

const save = statement<Payment>("payments.save")((db, payment) =>
  db
    .updateTable("payments")
    .set(changesOf("payments", payment, ["id", "tenantId"]))
    .where("id", "=", payment.id)
    .where("tenantId", "=", payment.tenantId)
)

const remove = statement<Of<"tenantId" | "id">>("payments.remove")((db, value) =>
  db.deleteFrom("payments").where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

type Filter = "status" | "referenceId"
type Found = Of<"tenantId" | Filter>

const shapes = byFilters<Filter>(["status", "referenceId"])

const matching = (eb: ExpressionBuilder<Database, "payments">, value: Found, asked: ReadonlyArray<Filter>) =>
  eb.and([eb("tenantId", "=", value.tenantId), ...asked.map((column) => eb(column, "=", value[column]))])

const listOf = shapes((asked, suffix) =>
  page<Found & { readonly limit: number; readonly offset: number }>(`payments.list${suffix}`)((db, value) =>
    db
      .selectFrom("payments")
      .select(fieldsOf("payments"))
      .where((eb) => matching(eb, value, asked))
      .orderBy("id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const countOf = shapes((asked, suffix) =>
  statement<Found>(`payments.count${suffix}`)((db, value) =>
    db
      .selectFrom("payments")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked))
  )
)

const nextDue = statement("payments.nextDue")((db) =>
  db.selectFrom("payments").select("dueAt").where("dueAt", "is not", null).orderBy("dueAt").orderBy("id").limit(1)
)

interface Wanted {
  readonly at: Instant.Instant
  readonly until: Instant.Instant
  readonly limit: number
}

const claimDue = statement<Wanted>("payments.claimDue")((db, value, dialect) =>
  db
    .with("due", (of) => {
      const found = of
        .selectFrom("payments")
        .select("id")
        .where("dueAt", "is not", null)
        .where("dueAt", "<=", value.at)
        .orderBy("dueAt")
        .orderBy("id")
        .limit(value.limit)
      return dialect.forUpdateSkipLocked(found)
    })
    .updateTable("payments")
    .set({ dueAt: value.until })
    .where(dialect.isAmong(sql`id`, sql`select id from due`))
    .returning(fieldsOf("payments"))
)

type Known = Database["knownConfigurations"]

const knownOf = statement<Pick<Known, "tenantId" | "channel" | "businessAccountId">>("knownConfigurations.of")(
  (db, value) =>
    db
      .selectFrom("knownConfigurations")
      .select(fieldsOf("knownConfigurations"))
      .where("tenantId", "=", value.tenantId)
      .where("channel", "=", value.channel)
      .where("businessAccountId", "=", value.businessAccountId)
)

const keys = ["tenantId", "channel", "businessAccountId", "name"] as const

const saveKnown = statement<Known>("knownConfigurations.save")((db, known) =>
  db
    .insertInto("knownConfigurations")
    .values(valuesOf("knownConfigurations", known))
    .onConflict((on) =>
      on
        .columns(keys)
        .doUpdateSet(changesOf("knownConfigurations", known, keys))
        .where("knownConfigurations.reportedAt", "<=", known.reportedAt)
    )
)

export const layer = Layer.mergeAll(
  Layer.succeed(PaymentStore, {
    add: (payment) => insert("payments", [payment]),
    find: (tenantId, id) => row(find, { tenantId, id }),
    byReference: (tenantId, phoneNumberId, referenceId) => row(byReference, { tenantId, phoneNumberId, referenceId }),
    byMessage: (tenantId, messageId) => row(byMessage, { tenantId, messageId }),
    save: (payment) => Effect.asVoid(write(save, payment)),
    remove: (tenantId, id) => Effect.asVoid(write(remove, { tenantId, id })),
    list: (tenantId, filter, page) => rows(listOf({ ...filter }), { tenantId, ...filter, ...page } as never),
    count: (tenantId, filter) => count(countOf({ ...filter }), { tenantId, ...filter } as never),
    nextDue: Effect.map(row(nextDue, {}), (found) => found?.dueAt ?? null),
    claimDue: (at, until, limit) => writeRows(claimDue, { at, until, limit })
  }),
  Layer.succeed(KnownConfigurationStore, {
    of: (owner) => rows(knownOf, owner),
    save: (known) => Effect.asVoid(write(saveKnown, known))
  })
)
