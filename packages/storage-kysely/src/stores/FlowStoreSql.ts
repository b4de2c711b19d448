/** Endpoints of flows, and the keys of numbers, in SQL. */
import { FlowEndpointStore, FlowKeyStore, Ids, type Message, SentFlowStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, insert, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Endpoint = Database["flowEndpoints"]
type Of<K extends keyof Endpoint> = Pick<Endpoint, K>
type Flow = Of<"tenantId" | "channel" | "businessAccountId"> & { readonly flowId: string }

const byId = statement<Of<"id">>("flowEndpoints.byId")((db, value) =>
  db.selectFrom("flowEndpoints").select(fieldsOf("flowEndpoints")).where("id", "=", value.id)
)

const ofFlow = statement<Flow>("flowEndpoints.ofFlow")((db, value) =>
  db
    .selectFrom("flowEndpoints")
    .select(fieldsOf("flowEndpoints"))
    .where("tenantId", "=", value.tenantId)
    .where("channel", "=", value.channel)
    .where("businessAccountId", "=", value.businessAccountId)
    .where("flowId", "is not", null)
    .where("flowId", "=", value.flowId)
    .orderBy("id", "desc")
    .limit(1)
)

const save = statement<Of<"id" | "tenantId" | "flowId" | "url" | "secret" | "updatedAt">>("flowEndpoints.save")(
  (db, value) =>
    db
      .updateTable("flowEndpoints")
      .set({ flowId: value.flowId, url: value.url, secret: value.secret, updatedAt: value.updatedAt })
      .where("id", "=", value.id)
      .where("tenantId", "=", value.tenantId)
)

const remove = statement<Of<"id" | "tenantId">>("flowEndpoints.remove")((db, value) =>
  db.deleteFrom("flowEndpoints").where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

const removeOfFlow = statement<Flow>("flowEndpoints.removeOfFlow")((db, value) =>
  db
    .deleteFrom("flowEndpoints")
    .where("tenantId", "=", value.tenantId)
    .where("channel", "=", value.channel)
    .where("businessAccountId", "=", value.businessAccountId)
    .where("flowId", "is not", null)
    .where("flowId", "=", value.flowId)
)

const secrets = statement<{ after: Endpoint["id"]; limit: number; pattern: string }>("flowEndpoints.secrets")(
  (db, value) =>
    db
      .selectFrom("flowEndpoints")
      .select(["id", "secret"])
      .where("id", ">", value.after)
      .where("secret", "like", value.pattern)
      .orderBy("id")
      .limit(value.limit)
)

const replaceSecret = statement<Of<"id"> & { was: string; is: string }>("flowEndpoints.replaceSecret")((db, value) =>
  db.updateTable("flowEndpoints").set({ secret: value.is }).where("id", "=", value.id).where("secret", "=", value.was)
)

type Key = Database["flowKeys"]

const saveKey = statement<Key>("flowKeys.save")((db, key) =>
  db
    .insertInto("flowKeys")
    .values(valuesOf("flowKeys", key))
    .onConflict((on) => on.column("phoneId").doUpdateSet(changesOf("flowKeys", key, ["phoneId", "tenantId"])))
)

const among = statement<Pick<Key, "tenantId"> & { readonly phoneIds: ReadonlyArray<Key["phoneId"]> }>("flowKeys.among")(
  (db, value, dialect) =>
    db
      .selectFrom("flowKeys")
      .select(fieldsOf("flowKeys"))
      .where("phoneId", "in", dialect.list(value.phoneIds, "uuid"))
      .where("tenantId", "=", value.tenantId)
      .orderBy("phoneId")
)

const privateKeys = statement<{ after: Key["phoneId"]; limit: number; pattern: string }>("flowKeys.privateKeys")(
  (db, value) =>
    db
      .selectFrom("flowKeys")
      .select(["phoneId", "privateKey"])
      .where("phoneId", ">", value.after)
      .where("privateKey", "like", value.pattern)
      .orderBy("phoneId")
      .limit(value.limit)
)

const replaceKey = statement<Pick<Key, "phoneId"> & { was: string; is: string }>("flowKeys.replaceKey")((db, value) =>
  db
    .updateTable("flowKeys")
    .set({ privateKey: value.is })
    .where("phoneId", "=", value.phoneId)
    .where("privateKey", "=", value.was)
)

const sent = statement<Pick<Message, "tenantId"> & { readonly flowToken: string }>("sentFlows.byToken")((db, value) =>
  db
    .selectFrom("chatMessages")
    .select(fieldsOf("chatMessages"))
    .where("tenantId", "=", value.tenantId)
    .where("flowToken", "is not", null)
    .where("flowToken", "=", value.flowToken)
    .limit(1)
)

const endpoints = Layer.succeed(FlowEndpointStore, {
  add: (endpoint) => insert("flowEndpoints", [endpoint]),
  byId: (id) => row(byId, { id }),
  ofFlow: (owner, flowId) => row(ofFlow, { ...owner, flowId }),
  save: ({ flowId, id, secret, tenantId, updatedAt, url }) =>
    Effect.asVoid(write(save, { id, tenantId, flowId, url, secret, updatedAt })),
  remove: (tenantId, id) => Effect.asVoid(write(remove, { tenantId, id })),
  removeOfFlow: (owner, flowId) => Effect.asVoid(write(removeOfFlow, { ...owner, flowId })),
  secrets: (after, limit, prefix) => rows(secrets, { after: after ?? Ids.first(), limit, pattern: `${prefix}%` }),
  replaceSecret: (id, was, is) => changed(replaceSecret, { id, was, is })
})

const keys = Layer.succeed(FlowKeyStore, {
  save: (key) => Effect.asVoid(write(saveKey, key)),
  among: (tenantId, phoneIds) => (phoneIds.length === 0 ? Effect.succeed([]) : rows(among, { tenantId, phoneIds })),
  privateKeys: (after, limit, prefix) =>
    rows(privateKeys, { after: after ?? Ids.first(), limit, pattern: `${prefix}%` }),
  replaceKey: (phoneId, was, is) => changed(replaceKey, { phoneId, was, is })
})

const sentFlows = Layer.succeed(SentFlowStore, {
  byToken: (tenantId, flowToken) => row(sent, { tenantId, flowToken })
})

export const layer = Layer.mergeAll(endpoints, keys, sentFlows)
