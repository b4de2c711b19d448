/** Connected numbers in SQL. */
import {
  type ConnectedNumber,
  ConnectedNumberStore,
  Ids,
  type Instant,
  type NumberChange
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Kysely, sql } from "kysely"
import { changed, count, row, rows, write, writeRow } from "../Session.ts"
import { fieldsOf, valuesOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Of<K extends keyof ConnectedNumber> = Pick<ConnectedNumber, K>

const add = statement<ConnectedNumber>("connected.add")((db, number) =>
  db
    .insertInto("connectedNumbers")
    .values(valuesOf("connectedNumbers", number))
    .onConflict((on) => on.column("phoneNumberId").where("disconnectedAt", "is", null).doNothing())
)

const numbers = (db: Kysely<Database>) => db.selectFrom("connectedNumbers").select(fieldsOf("connectedNumbers"))

const byId = statement<Of<"id">>("connected.byId")((db, value) =>
  numbers(db).where("id", "=", value.id).where("disconnectedAt", "is", null)
)

const find = statement<Of<"id" | "tenantId">>("connected.find")((db, value) =>
  numbers(db).where("id", "=", value.id).where("tenantId", "=", value.tenantId).where("disconnectedAt", "is", null)
)

const connected = statement<Of<"phoneNumberId">>("connected.byPlatform")((db, value) =>
  numbers(db).where("phoneNumberId", "=", value.phoneNumberId).where("disconnectedAt", "is", null)
)

const known = statement<Of<"tenantId" | "phoneNumberId">>("connected.known")((db, value) =>
  numbers(db)
    .where("tenantId", "=", value.tenantId)
    .where("phoneNumberId", "=", value.phoneNumberId)
    .orderBy("id", "desc")
    .limit(1)
)

const latest = statement<Of<"phoneNumberId">>("connected.latest")((db, value) =>
  numbers(db).where("phoneNumberId", "=", value.phoneNumberId).orderBy("id", "desc").limit(1)
)

const list = page<Of<"tenantId"> & { limit: number; offset: number }>("connected.list")((db, value) =>
  numbers(db)
    .where("tenantId", "=", value.tenantId)
    .where("disconnectedAt", "is", null)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countOf = statement<Of<"tenantId">>("connected.count")((db, value) =>
  db
    .selectFrom("connectedNumbers")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("tenantId", "=", value.tenantId)
    .where("disconnectedAt", "is", null)
)

const changeable = [
  "businessAccountId",
  "displayPhoneNumber",
  "isProven",
  "token",
  "botId",
  "aiAutoreplyEnabled",
  "factsDueAt",
  "disconnectedAt"
] as const satisfies ReadonlyArray<keyof NumberChange>
type Changeable = (typeof changeable)[number]

/** Each field, and whether it is given: a null is a value here. */
type Given = Required<{ [F in Changeable]: NumberChange[F] | null }> & { [F in Changeable as `${F}Given`]: boolean }
type Change = Of<"id"> & Given & { readonly connects: boolean; readonly at: Instant.Instant }

const change = statement<Change>("connected.change")((db, value) =>
  db
    .updateTable("connectedNumbers")
    .set({
      ...Object.fromEntries(
        changeable.map((field) => [
          field,
          sql`case when ${value[`${field}Given`]} then ${value[field]} else ${sql.ref(field)} end`
        ])
      ),
      updatedAt: value.at
    })
    .where("id", "=", value.id)
    .where((eb) =>
      eb.or([
        sql<boolean>`not ${value.connects}`,
        eb.not(
          eb.exists(
            eb
              .selectFrom("connectedNumbers as other")
              .select("other.id")
              .whereRef("other.phoneNumberId", "=", "connectedNumbers.phoneNumberId")
              .where("other.disconnectedAt", "is", null)
              .whereRef("other.id", "<>", "connectedNumbers.id")
          )
        )
      ])
    )
    .returning(fieldsOf("connectedNumbers"))
)

const given = (asked: NumberChange): Given =>
  Object.fromEntries(
    changeable.flatMap((field) => [
      [field, asked[field] ?? null],
      [`${field}Given`, asked[field] !== undefined]
    ])
  ) as unknown as Given // one pair for each of the fields, which Object.fromEntries cannot tell

const unlinkBot = statement<Of<"tenantId" | "botId">>("connected.unlinkBot")((db, value) =>
  db
    .updateTable("connectedNumbers")
    .set({ botId: null })
    .where("tenantId", "=", value.tenantId)
    .where("botId", "=", value.botId)
)

const tokens = statement<{ after: ConnectedNumber["id"]; limit: number; pattern: string }>("connected.tokens")(
  (db, value) =>
    db
      .selectFrom("connectedNumbers")
      .select(["id", "token"])
      .where("id", ">", value.after)
      .where("token", "like", value.pattern)
      .orderBy("id")
      .limit(value.limit)
)

const replaceToken = statement<Of<"id"> & { was: string; is: string }>("connected.replaceToken")((db, value) =>
  db.updateTable("connectedNumbers").set({ token: value.is }).where("id", "=", value.id).where("token", "=", value.was)
)

export const layer = Layer.succeed(ConnectedNumberStore, {
  add: (number) => changed(add, number),
  find: (tenantId, id) => row(find, { tenantId, id }),
  connected: (phoneNumberId) => row(connected, { phoneNumberId }),
  known: (tenantId, phoneNumberId) => row(known, { tenantId, phoneNumberId }),
  latest: (phoneNumberId) => row(latest, { phoneNumberId }),
  byId: (id) => row(byId, { id }),
  list: (tenantId, page) => rows(list, { tenantId, ...page }),
  count: (tenantId) => count(countOf, { tenantId }),
  change: (id, asked, at) => writeRow(change, { id, at, connects: asked.disconnectedAt === null, ...given(asked) }),
  tokens: (after, limit, prefix) => rows(tokens, { after: after ?? Ids.first(), limit, pattern: `${prefix}%` }),
  replaceToken: (id, was, is) => changed(replaceToken, { id, was, is }),
  unlinkBot: (tenantId, botId) => Effect.asVoid(write(unlinkBot, { tenantId, botId }))
})
