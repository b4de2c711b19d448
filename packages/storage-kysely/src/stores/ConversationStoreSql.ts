/** Conversations in SQL, and the lists of their messages. */
import {
  type ConversationFilter,
  ConversationStore,
  type ConversationView,
  type Doer,
  type Message,
  PhoneNumber
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { SearchedText } from "../SearchedText.ts"
import { count, insert, row, rows, write, writeRows } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
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
    .set(
      changesOf("conversations", value, [
        ...(["id", "tenantId", "phoneId", "customerId", "createdAt"] as const),
        ...(["assignedTo", "assignedName"] as const)
      ])
    )
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
)

type Assigned = Pick<Conversation, "id" | "tenantId" | "assignedTo" | "assignedName">

const assign = statement<Assigned>("conversations.assign")((db, value) =>
  db
    .updateTable("conversations")
    .set({ assignedTo: value.assignedTo, assignedName: value.assignedName })
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
)

const unassign = statement<Pick<Assigned, "tenantId" | "assignedTo">>("conversations.unassign")((db, value) =>
  db
    .updateTable("conversations")
    .set({ assignedTo: null, assignedName: null })
    .where("tenantId", "=", value.tenantId)
    .where("assignedTo", "=", value.assignedTo)
    .returning("id")
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

const unanswered = statement<Pick<Joined, "customerId" | "into">>("conversations.unanswered")((db, value) =>
  db
    .selectFrom("chatMessages")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("customerId", "=", value.customerId)
    .where("conversationId", "=", value.into)
    .where(
      sql<boolean>`position > coalesce((select last.position from chat_messages as last where last.customer_id = ${value.customerId}
        and last.conversation_id = ${value.into} and last.direction = 'outbound' order by last.position desc limit 1), 0)`
    )
)

/** White space as the core trims it. */
const whiteSpace =
  "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

/** What `answers` says of a number `n` and its agent `b`. */
const numberAnswers = sql<boolean>`coalesce(
  n.ai_autoreply_enabled and b.is_active and trim(b.system_prompt, ${whiteSpace}) <> '', false)`

/** Numbers of the account whose agents answer. */
const answeringNumbers = (tenantId: Conversation["tenantId"]) => sql<Conversation["phoneId"]>`(select n.id
  from connected_numbers as n join bots as b on b.id = n.bot_id and b.tenant_id = n.tenant_id
  where n.tenant_id = ${tenantId} and ${numberAnswers})`

/** What `needsPerson` says. The first condition stands in the index word for word. */
const needsPerson = (tenantId: Conversation["tenantId"]) => sql<boolean>`(c.awaits <> 'nobody'
  and (c.awaits = 'person' or not (c.ai_autoreply_enabled and c.phone_id in ${answeringNumbers(tenantId)})))`

/**
 * No page has more. It stands in the statement, for a database that plans it before it knows the page: it would join all rows of the
 * other tables.
 */
const maxPage = sql.lit(500)

/** Characters of the newest message that are shown. */
const shownText = sql.raw("200")

interface FlatView extends Omit<ConversationView, "lastMessage"> {
  readonly lastDirection: Message["direction"] | null
  readonly lastRole: Message["role"] | null
  readonly lastType: string | null
  readonly lastText: string | null
  readonly lastStatus: Message["status"] | null
  readonly lastCreatedAt: Message["createdAt"] | null
}

/** Conversations that were found, with what is shown of others. */
const shown = (
  db: Kysely<Database>,
  find: (db: ExpressionBuilder<Database, never>) => ReturnType<typeof conversationsOf>
) =>
  db
    .selectFrom((eb) => eb.selectFrom(find(eb).as("page")).selectAll("page").limit(maxPage).as("found"))
    .innerJoin("chatCustomers as u", "u.id", "found.customerId")
    .innerJoin("connectedNumbers as n", "n.id", "found.phoneId")
    .leftJoin("bots as b", (join) => join.onRef("b.id", "=", "n.botId").onRef("b.tenantId", "=", "n.tenantId"))
    .leftJoin("chatMessages as m", "m.id", "found.lastMessageId")
    .select(fieldsOf("conversations").map((field) => `found.${field}` as const))
    .select(["n.phoneNumberId", "n.botId", "u.phone", "u.userRef", "u.name", "u.windowExpiresAt"])
    .select([
      numberAnswers.as("numberAnswers"),
      "m.direction as lastDirection",
      "m.role as lastRole",
      "m.type as lastType",
      sql<string | null>`substr(m.text, 1, ${shownText})`.as("lastText"),
      "m.status as lastStatus",
      "m.createdAt as lastCreatedAt"
    ])

const conversationsOf = (db: ExpressionBuilder<Database, never> | Kysely<Database>) =>
  (db as Kysely<Database>)
    .selectFrom("conversations as c")
    .select(fieldsOf("conversations").map((field) => `c.${field}` as const))

const view = statement<Pick<Conversation, "id" | "tenantId">>("conversations.view")((db, value) =>
  shown(db, (eb) => conversationsOf(eb).where("c.id", "=", value.id).where("c.tenantId", "=", value.tenantId))
)

const viewOf = (flat: FlatView): ConversationView => {
  const { lastCreatedAt, lastDirection, lastRole, lastStatus, lastText, lastType, ...rest } = flat
  // A message has all of these, and what is none has none.
  const isKept = lastDirection !== null
  return {
    ...rest,
    lastMessage: isKept
      ? {
          direction: lastDirection,
          role: lastRole!,
          type: lastType!,
          text: lastText,
          status: lastStatus!,
          createdAt: lastCreatedAt!
        }
      : null
  }
}

/** Filters that find few conversations have an index, and statements that begin at it; the first of them that is asked for leads. */
const leading = ["customer", "needsPerson", "isUnread", "assignedTo", "phoneId", "status"] as const
type Lead = (typeof leading)[number] | null

const leadOf = (filter: ConversationFilter): Lead =>
  leading.find((lead) => {
    if (lead === "assignedTo") return filter.assignedTo?._tag === "Subject"
    if (lead === "needsPerson" || lead === "isUnread") return filter[lead] === true
    return filter[lead] !== null
  }) ?? null

interface Asked extends Pick<Conversation, "tenantId" | "assignedTo"> {
  readonly phoneId: Conversation["phoneId"] | null
  readonly status: Conversation["status"] | null
  readonly isUnread: boolean | null
  readonly needsPerson: boolean | null
  readonly isUnassigned: boolean | null
  /** How the customer's number ends, see `PhoneNumber.sameKeys`. */
  readonly lastDigits: string
  readonly end: string
  readonly shorter: ReadonlyArray<string>
  readonly search: SearchedText
  readonly digits: string
}

const reversed = (digits: string): string => [...digits].reverse().join("")

const valuesOf = (tenantId: Conversation["tenantId"], filter: ConversationFilter): Asked => {
  const { assignedTo, customer, isUnread, needsPerson, phoneId, search, status } = filter
  const key = customer ?? PhoneNumber.as("")
  return {
    tenantId,
    phoneId,
    status,
    isUnread,
    needsPerson,
    assignedTo: assignedTo?._tag === "Subject" ? assignedTo.subject : null,
    isUnassigned: assignedTo?._tag === "Nobody" ? true : null,
    lastDigits: reversed(PhoneNumber.lockKey(key)),
    end: `%${reversed(key)}`,
    shorter: PhoneNumber.sameKeys(key).shorter.map(reversed),
    search: new SearchedText(search?.text ?? ""),
    digits: search === null || search.digits === null ? "" : `%${search.digits}%`
  }
}

/** Of few people at most: how their numbers end stands in an index. */
const hasNumber = (
  value: Asked,
  dialect: SqlDialect
) => sql<boolean>`c.customer_id in (select u.id from chat_customers as u
  where u.tenant_id = ${value.tenantId} and substr(u.phone, length(u.phone) - 6) = ${value.lastDigits}
    and (u.phone like ${value.end} or u.phone in ${dialect.list(value.shorter, "text")}))`

const isFound = (
  value: Asked,
  dialect: SqlDialect
) => sql<boolean>`c.customer_id in (select u.id from chat_customers as u
  where u.tenant_id = ${value.tenantId} and (${dialect.hasPart("u.name", value.search)} or ${dialect.hasPart("u.user_ref", value.search)}
    or (${value.digits} <> '' and u.phone like ${value.digits})))`

const optional = (value: unknown, dialect: SqlDialect, condition: RawBuilder<boolean>) =>
  sql<boolean>`(${dialect.cast(value, "boolean")} is null or ${condition} = ${dialect.cast(value, "boolean")})`

/** Customers are the account's: without it here no database walks through its conversations, in place of those of the customers. */
const ofAccount = ({ tenantId }: Asked, { isSearched, lead }: Shape) =>
  lead === "customer" || (lead === null && isSearched) ? [] : [sql<boolean>`c.tenant_id = ${tenantId}`]

const leads = (value: Asked, lead: Lead, dialect: SqlDialect): ReadonlyArray<RawBuilder<boolean>> => {
  switch (lead) {
    case null:
      return []
    case "customer":
      return [hasNumber(value, dialect)]
    case "needsPerson":
      return [needsPerson(value.tenantId)]
    case "isUnread":
      return [sql<boolean>`c.unread_count > 0`]
    case "assignedTo":
      return [sql<boolean>`c.assigned_to = ${value.assignedTo}`]
    case "phoneId":
      return [sql<boolean>`c.phone_id = ${value.phoneId}`]
    case "status":
      return [sql<boolean>`c.status = ${value.status}`]
  }
}

/** What else is asked for. */
const others = (value: Asked, lead: Lead, dialect: SqlDialect): ReadonlyArray<RawBuilder<boolean>> => {
  const text = (column: string, asked: unknown) =>
    sql<boolean>`(${dialect.cast(asked, "text")} is null or ${sql.ref(column)} = ${asked})`
  const filters: ReadonlyArray<readonly [Lead, RawBuilder<boolean>]> = [
    ["needsPerson", optional(value.needsPerson, dialect, needsPerson(value.tenantId))],
    ["isUnread", optional(value.isUnread, dialect, sql<boolean>`(c.unread_count > 0)`)],
    ["assignedTo", text("c.assigned_to", value.assignedTo)],
    ["phoneId", sql<boolean>`(${dialect.cast(value.phoneId, "uuid")} is null or c.phone_id = ${value.phoneId})`],
    ["status", text("c.status", value.status)]
  ]
  return [
    ...filters.filter(([filter]) => filter !== lead).map(([, condition]) => condition),
    optional(value.isUnassigned, dialect, sql<boolean>`(c.assigned_to is null)`)
  ]
}

const matching = (value: Asked, shape: Shape, dialect: SqlDialect) => {
  const conditions = [
    ...ofAccount(value, shape),
    ...leads(value, shape.lead, dialect),
    ...(shape.others ? others(value, shape.lead, dialect) : []),
    ...(shape.isSearched ? [isFound(value, dialect)] : [])
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Which filters a statement has; what is in none of its conditions, a count need not read. */
interface Shape {
  readonly lead: Lead
  readonly others: boolean
  readonly isSearched: boolean
}

const either = [false, true] as const

const shapes = [null, ...leading].flatMap((lead) =>
  either.flatMap((others) => either.map((isSearched): Shape => ({ lead, others, isSearched })))
)

const suffixOf = ({ isSearched, lead, others }: Shape): string =>
  [lead === null ? "" : `.${lead}`, others ? ".others" : "", isSearched ? ".search" : ""].join("")

const shapeOf = (filter: ConversationFilter): Shape => {
  const { search, ...asked } = filter
  const lead = leadOf(filter)
  const others = Object.entries(asked).some(([name, value]) => value !== null && name !== lead)
  return { lead, others, isSearched: search !== null }
}

const byShape = <S>(make: (shape: Shape, suffix: string) => S) => {
  const made = new Map(shapes.map((shape) => [suffixOf(shape), make(shape, suffixOf(shape))]))
  return (filter: ConversationFilter): S => made.get(suffixOf(shapeOf(filter)))!
}

/** The page is found first, so that nothing is joined to conversations that stand before it. */
const listOf = byShape((shape, suffix) =>
  page<Asked & Paging>(`conversations.list${suffix}`)((db, value, dialect) =>
    shown(db, (eb) =>
      conversationsOf(eb)
        .where(matching(value, shape, dialect))
        .orderBy("c.lastMessageAt", "desc")
        .orderBy("c.id", "desc")
        .limit(value.limit)
        .offset(value.offset)
    )
      .orderBy("found.lastMessageAt", "desc")
      .orderBy("found.id", "desc")
  )
)

const countOf = byShape((shape, suffix) =>
  statement<Asked>(`conversations.count${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("conversations as c")
      .select((eb) => eb.fn.countAll().as("n"))
      .where(matching(value, shape, dialect))
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

const newestFirst = (db: Kysely<Database>, value: OfConversation & Paging) =>
  db
    .selectFrom("chatMessages")
    .select(fieldsOf("chatMessages"))
    .where((eb) => isOfConversation(eb, value))
    .orderBy(sql`position`, "desc")
    .limit(value.limit)
    .offset(value.offset)

const ofConversation = page<OfConversation & Paging>("conversations.messages")(newestFirst)

const messagesBefore = page<OfConversation & Paging & { readonly before: Message["id"] }>(
  "conversations.messagesBefore"
)((db, value) =>
  newestFirst(db, value).where(
    sql<boolean>`position < (select last.position from chat_messages as last where last.id = ${value.before})`
  )
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
  assign: ({ id, tenantId }, to: Doer | null) =>
    Effect.asVoid(write(assign, { id, tenantId, assignedTo: to?.subject ?? null, assignedName: to?.name ?? null })),
  unassign: Effect.fnUntraced(function* (tenantId, subject) {
    const all: Array<Conversation["id"]> = []
    for (;;) {
      const found = yield* writeRows(unassign, { tenantId, assignedTo: subject })
      if (found.length === 0) return all
      for (const { id } of found) all.push(id)
      // While it waited for a conversation, another transaction may have begun the next one of its customer.
    }
  }),
  absorb: Effect.fnUntraced(function* (joined) {
    yield* write(absorb, joined)
    const newest = yield* row(ofConversation, { conversationId: joined.into, limit: 1, offset: 0 })
    return { lastMessageId: newest?.id ?? null, unanswered: yield* count(unanswered, joined) }
  }),
  view: (tenantId, id) => Effect.map(row(view, { tenantId, id }), (found) => (found === null ? null : viewOf(found))),
  newestOfNumber: (tenantId, phone) =>
    Effect.map(row(newestOfNumber, { tenantId, phone }), (found) => found?.id ?? null),
  list: (tenantId, filter, page) =>
    Effect.map(rows(listOf(filter), { ...valuesOf(tenantId, filter), ...page }), (found) => found.map(viewOf)),
  count: (tenantId, filter) => count(countOf(filter), valuesOf(tenantId, filter)),
  messages: (conversationId, before, page) =>
    before === null
      ? rows(ofConversation, { conversationId, ...page })
      : rows(messagesBefore, { conversationId, before, ...page }),
  countMessages: (conversationId) => count(countMessages, { conversationId })
})
