/** Conversations in SQL, and the lists of their messages. */
import { ConversationStore, type Message } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, type Kysely, sql } from "kysely"
import { count, insert, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import type { Database } from "../Tables.ts"

type Conversation = Database["conversations"]
type OfConversation = Pick<Message, "conversationId">
interface Paging {
  readonly limit: number
  readonly offset: number
}

const byId = statement<Pick<Conversation, "id">>("conversations.byId")((db, value) =>
  db.selectFrom("conversations").select(fieldsOf("conversations")).where("id", "=", value.id)
)

const save = statement<Conversation>("conversations.save")((db, value) =>
  db
    .updateTable("conversations")
    .set(changesOf("conversations", value, ["id", "tenantId", "phoneId", "customerId", "createdAt"]))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
)

interface Joined extends Pick<Message, "customerId"> {
  readonly from: Conversation["id"]
  readonly into: Conversation["id"]
}

const absorb = statement<Joined>("conversations.absorb")((db, value) =>
  db
    .updateTable("chatMessages")
    .set({ conversationId: value.into })
    .where("customerId", "=", value.customerId)
    .where("conversationId", "=", value.from)
)

const views = (db: Kysely<Database>) =>
  db
    .selectFrom("conversations as c")
    .innerJoin("chatCustomers as u", "u.id", "c.customerId")
    .innerJoin("connectedNumbers as n", "n.id", "c.phoneId")
    .select(fieldsOf("conversations").map((field) => `c.${field}` as const))
    .select(["n.phoneNumberId", "n.botId", "u.phone", "u.userRef", "u.name", "u.windowExpiresAt"])

const view = statement<Pick<Conversation, "id" | "tenantId">>("conversations.view")((db, value) =>
  views(db).where("c.id", "=", value.id).where("c.tenantId", "=", value.tenantId)
)

type Filter = "phoneId" | "status"
type Filtered = Pick<Conversation, "tenantId"> & { readonly [F in Filter]: Conversation[F] | null }

const matching = (
  eb: ExpressionBuilder<Database & { c: Conversation }, "c">,
  value: Filtered,
  asked: ReadonlyArray<Filter>
) =>
  eb.and([
    eb("c.tenantId", "=", value.tenantId),
    ...asked.map((filter) => eb(`c.${filter}`, "=", value[filter] as never))
  ])

const shapes = byFilters<Filter>(["phoneId", "status"])

const listOf = shapes((asked, suffix) =>
  page<Filtered & Paging>(`conversations.list${suffix}`)((db, value) =>
    views(db)
      .where((eb) => matching(eb, value, asked))
      .orderBy("c.lastMessageAt", "desc")
      .orderBy("c.id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const countOf = shapes((asked, suffix) =>
  statement<Filtered>(`conversations.count${suffix}`)((db, value) =>
    db
      .selectFrom("conversations as c")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked))
  )
)

/** A conversation's messages are found among its customer's: an index of their own would be written at every message. */
const isOfConversation = (eb: ExpressionBuilder<Database, "chatMessages">, { conversationId }: OfConversation) =>
  eb.and([
    eb(
      "customerId",
      "=",
      eb.selectFrom("conversations").select("conversations.customerId").where("conversations.id", "=", conversationId)
    ),
    eb("conversationId", "=", conversationId)
  ])

const ofConversation = page<OfConversation & Paging>("conversations.messages")((db, value) =>
  db
    .selectFrom("chatMessages")
    .select(fieldsOf("chatMessages"))
    .where((eb) => isOfConversation(eb, value))
    .orderBy(sql`position`, "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countMessages = statement<OfConversation>("conversations.countMessages")((db, value) =>
  db
    .selectFrom("chatMessages")
    .select((eb) => eb.fn.countAll().as("n"))
    .where((eb) => isOfConversation(eb, value))
)

const newestOfNumber = statement<Pick<Conversation, "tenantId"> & { readonly phone: string }>(
  "conversations.newestOfNumber"
)((db, value) =>
  db
    .selectFrom("connectedNumbers as n")
    .innerJoin("chatCustomers as u", (join) => join.onRef("u.phoneId", "=", "n.id").on("u.phone", "=", value.phone))
    .innerJoin("conversations as c", "c.customerId", "u.id")
    .select("c.id")
    .where("n.tenantId", "=", value.tenantId)
    .orderBy("c.lastMessageAt", "desc")
    .orderBy("c.id", "desc")
    .limit(1)
)

export const layer = Layer.succeed(ConversationStore, {
  add: (added) => insert("conversations", [added]),
  byId: (id) => row(byId, { id }),
  save: (changes) => Effect.asVoid(write(save, changes)),
  absorb: (joined) => Effect.asVoid(write(absorb, joined)),
  view: (tenantId, id) => row(view, { tenantId, id }),
  newestOfNumber: (tenantId, phone) =>
    Effect.map(row(newestOfNumber, { tenantId, phone }), (found) => found?.id ?? null),
  list: (tenantId, filter, page) => {
    const value = { tenantId, ...filter, ...page }
    return rows(listOf(value), value)
  },
  count: (tenantId, filter) => {
    const value = { tenantId, ...filter }
    return count(countOf(value), value)
  },
  messages: (conversationId, page) => rows(ofConversation, { conversationId, ...page }),
  countMessages: (conversationId) => count(countMessages, { conversationId })
})
