/** Subscriptions in SQL. */
import { type HealthChange, Ids, Instant, SubscriptionStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { changed, count, insert, row, rows, write, writeRow, writeRows } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Webhook = Database["webhooks"]
interface Paging {
  readonly limit: number
  readonly offset: number
}

const save = statement<Webhook>("webhooks.save")((db, webhook) =>
  db
    .updateTable("webhooks")
    .set(changesOf("webhooks", webhook, ["id", "tenantId", "surface", "createdAt"]))
    .where("id", "=", webhook.id)
    .where("tenantId", "=", webhook.tenantId)
)

const find = statement<Pick<Webhook, "id" | "tenantId" | "surface">>("webhooks.find")((db, value) =>
  db
    .selectFrom("webhooks")
    .select(fieldsOf("webhooks"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
    .where("surface", "=", value.surface)
)

type OfAccount = Pick<Webhook, "tenantId" | "surface">

const list = page<OfAccount & Paging>("webhooks.list")((db, value) =>
  db
    .selectFrom("webhooks")
    .select(fieldsOf("webhooks"))
    .where("tenantId", "=", value.tenantId)
    .where("surface", "=", value.surface)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countAll = statement<OfAccount>("webhooks.count")((db, value) =>
  db
    .selectFrom("webhooks")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("tenantId", "=", value.tenantId)
    .where("surface", "=", value.surface)
)

const remove = statement<Pick<Webhook, "id">>("webhooks.remove")((db, value) =>
  db.deleteFrom("webhooks").where("id", "=", value.id).returning("tenantId")
)

const secrets = statement<{ after: Webhook["id"]; limit: number; pattern: string }>("webhooks.secrets")((db, value) =>
  db
    .selectFrom("webhooks")
    .select(["id", "secret", "previousSecret"])
    .where("id", ">", value.after)
    .where((where) =>
      where.or([where("secret", "like", value.pattern), where("previousSecret", "like", value.pattern)])
    )
    .orderBy("id")
    .limit(value.limit)
)

const replaceSecret = statement<Pick<Webhook, "id"> & { from: string; to: string }>("webhooks.replaceSecret")(
  (db, value) =>
    db
      .updateTable("webhooks")
      .set({
        secret: sql`case when secret = ${value.from} then ${value.to} else secret end`,
        previousSecret: sql`case when previous_secret = ${value.from} then ${value.to} else previous_secret end`
      })
      .where("id", "=", value.id)
      .where((eb) => eb.or([eb("secret", "=", value.from), eb("previousSecret", "=", value.from)]))
)

const activeFilters = statement<OfAccount>("webhooks.activeFilters")((db, value, dialect) => {
  const found = db
    .selectFrom("webhooks")
    .select(["id", "events", "botId"])
    .where("tenantId", "=", value.tenantId)
    .where("surface", "=", value.surface)
    .where("isActive", "=", sql<boolean>`true`)
    .orderBy("id")
  return dialect.forKeyShare(found)
})

const changeHealth = statement<Pick<Webhook, "id"> & HealthChange>("webhooks.changeHealth")((db, value) =>
  db
    .updateTable("webhooks")
    .set({ failingSince: value.failingSince, isActive: sql<boolean>`is_active and not ${value.pauses}` })
    .where("id", "=", value.id)
    .where("failingSince", "is not distinct from", value.previous)
)

export const layer = Layer.succeed(SubscriptionStore, {
  add: (webhook) => insert("webhooks", [webhook]),
  save: (webhook) => Effect.asVoid(write(save, webhook)),
  find: (key) => row(find, key),
  list: (owner, page) => rows(list, { ...owner, ...page }),
  count: (owner) => count(countAll, owner),
  remove: Effect.fnUntraced(function* ({ id }) {
    const removed = yield* writeRow(remove, { id })
    if (removed !== null) yield* insert("removedWebhooks", [{ id, ...removed, createdAt: yield* Instant.now }])
  }),
  activeFilters: (owner) => writeRows(activeFilters, owner),
  changeHealth: ({ id }, change) => Effect.asVoid(write(changeHealth, { id, ...change })),
  secrets: ({ after, limit, prefix }) => rows(secrets, { after: after ?? Ids.first(), limit, pattern: `${prefix}%` }),
  replaceSecret: (id, secret) => changed(replaceSecret, { id, ...secret })
})
