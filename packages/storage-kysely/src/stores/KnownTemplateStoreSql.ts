/** What is known of templates, in SQL. */
import { type Instant, type KnownTemplate, KnownTemplateStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { row, rows, write, writeRows } from "../Session.ts"
import { changesOf, fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"

type Of<K extends keyof KnownTemplate> = Pick<KnownTemplate, K>
type Owner = Of<"tenantId" | "channel" | "businessAccountId">

const among = statement<Owner & { readonly ids: ReadonlyArray<string> }>("knownTemplates.among")((db, value, dialect) =>
  db
    .selectFrom("knownTemplates")
    .select(fieldsOf("knownTemplates"))
    .where("tenantId", "=", value.tenantId)
    .where("channel", "=", value.channel)
    .where("businessAccountId", "=", value.businessAccountId)
    .where("id", "in", dialect.list(value.ids, "text"))
)

const named = statement<Owner & Of<"name" | "language">>("knownTemplates.named")((db, value) =>
  db
    .selectFrom("knownTemplates")
    .select(fieldsOf("knownTemplates"))
    .where("tenantId", "=", value.tenantId)
    .where("channel", "=", value.channel)
    .where("businessAccountId", "=", value.businessAccountId)
    .where("name", "=", value.name)
    .where("language", "=", value.language)
    .orderBy("updatedAt", "desc")
    .orderBy("id", "desc")
    .limit(1)
)

const keys = ["tenantId", "channel", "businessAccountId", "id"] as const

const save = statement<KnownTemplate>("knownTemplates.save")((db, template) =>
  db
    .insertInto("knownTemplates")
    .values(valuesOf("knownTemplates", template))
    .onConflict((on) => on.columns(keys).doUpdateSet(changesOf("knownTemplates", template, keys)))
)

const removeOne = statement<Owner & Of<"id">>("knownTemplates.removeOne")((db, value) =>
  db
    .deleteFrom("knownTemplates")
    .where("tenantId", "=", value.tenantId)
    .where("channel", "=", value.channel)
    .where("businessAccountId", "=", value.businessAccountId)
    .where("id", "=", value.id)
)

const removeNamed = statement<Owner & Of<"name">>("knownTemplates.removeNamed")((db, value) =>
  db
    .deleteFrom("knownTemplates")
    .where("tenantId", "=", value.tenantId)
    .where("channel", "=", value.channel)
    .where("businessAccountId", "=", value.businessAccountId)
    .where("name", "=", value.name)
)

const nextRead = statement("knownTemplates.nextRead")((db) =>
  db
    .selectFrom("knownTemplates")
    .select("readDueAt")
    .where("readDueAt", "is not", null)
    .orderBy("readDueAt")
    .orderBy("tenantId")
    .orderBy("channel")
    .orderBy("businessAccountId")
    .orderBy("id")
    .limit(1)
)

interface Wanted {
  readonly at: Instant.Instant
  readonly until: Instant.Instant
  readonly limit: number
}

const claimReads = statement<Wanted>("knownTemplates.claimReads")((db, value, dialect) =>
  db
    .with("due", (of) => {
      const found = of
        .selectFrom("knownTemplates")
        .select(keys)
        .where("readDueAt", "is not", null)
        .where("readDueAt", "<=", value.at)
        .orderBy("readDueAt")
        .orderBy("tenantId")
        .orderBy("channel")
        .orderBy("businessAccountId")
        .orderBy("id")
        .limit(value.limit)
      return dialect.forUpdateSkipLocked(found)
    })
    .updateTable("knownTemplates")
    .set({ readDueAt: value.until })
    .where(
      sql<boolean>`(tenant_id, channel, business_account_id, id) in (select tenant_id, channel, business_account_id, id from due)`
    )
    .returning(fieldsOf("knownTemplates"))
)

export const layer = Layer.succeed(KnownTemplateStore, {
  among: (owner, ids) => (ids.length === 0 ? Effect.succeed([]) : rows(among, { ...owner, ids })),
  named: (owner, name, language) => row(named, { ...owner, name, language }),
  save: (template) => Effect.asVoid(write(save, template)),
  remove: (owner, { id, name }) =>
    Effect.asVoid(id === null ? write(removeNamed, { ...owner, name }) : write(removeOne, { ...owner, id })),
  nextRead: Effect.map(row(nextRead, {}), (found) => found?.readDueAt ?? null),
  claimReads: (at, until, limit) => writeRows(claimReads, { at, until, limit })
})
