/** Customers, conversations and messages in SQL. */
import {
  ConversationStore,
  type Customer,
  type CustomerLane,
  type CustomerNames,
  type Instant,
  type Message
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, type Kysely, sql } from "kysely"
import { changed, count, insert, row, rows, write, writeRow, writeRows } from "../Session.ts"
import { changesOf, fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Conversation = Database["conversations"]
type Early = Database["earlyStatuses"]
type OfCustomer<K extends keyof Customer> = Pick<Customer, K>
type OfMessage<K extends keyof Message> = Pick<Message, K>
interface Paging {
  readonly limit: number
  readonly offset: number
}

const customers = (db: Kysely<Database>) => db.selectFrom("chatCustomers").select(fieldsOf("chatCustomers"))

const customerById = statement<OfCustomer<"id">>("customers.byId")((db, value) =>
  customers(db).where("id", "=", value.id)
)

const customerByPhone = statement<OfCustomer<"phoneId" | "phone">>("customers.byPhone")((db, value) =>
  customers(db).where("phoneId", "=", value.phoneId).where("phone", "=", value.phone)
)

const customerByRef = statement<OfCustomer<"phoneId" | "userRef">>("customers.byRef")((db, value) =>
  customers(db).where("phoneId", "=", value.phoneId).where("userRef", "=", value.userRef)
)

const saveNames = statement<CustomerNames>("customers.saveNames")((db, { id, name, phone, userRef }) =>
  db.updateTable("chatCustomers").set({ name, phone, userRef }).where("id", "=", id)
)

const saveLane = statement<CustomerLane>("customers.saveLane")((db, lane) =>
  db
    .updateTable("chatCustomers")
    .set({
      conversationId: lane.conversationId,
      windowExpiresAt: lane.windowExpiresAt,
      lastMessageAt: lane.lastMessageAt,
      dueAt: lane.dueAt,
      handledUpTo: lane.handledUpTo,
      waitingSince: lane.waitingSince,
      failures: lane.failures
    })
    .where("id", "=", lane.id)
)

interface Merge {
  readonly from: Customer["id"]
  readonly into: Customer["id"]
}

const mergeOf = (table: "conversations" | "chatMessages") =>
  statement<Merge>(`customers.merge.${table}`)((db, value) =>
    db.updateTable(table).set({ customerId: value.into }).where("customerId", "=", value.from)
  )
const merges = [mergeOf("conversations"), mergeOf("chatMessages")]

const removeCustomer = statement<OfCustomer<"id">>("customers.remove")((db, value) =>
  db.deleteFrom("chatCustomers").where("id", "=", value.id)
)

/** From when on a lane that is due may be claimed: an expression that an index holds, so it stands here as it stands there. */
const claimableAt = sql<Instant.Instant>`case when claimed_until > due_at then claimed_until else due_at end`

interface Claim {
  readonly at: Instant.Instant
  readonly until: Instant.Instant
  readonly claim: string
  readonly limit: number
}

const claimDue = statement<Claim>("customers.claimDue")((db, value, dialect) =>
  db
    .with("due", (of) => {
      const found = of
        .selectFrom("chatCustomers")
        .select("id")
        .where("dueAt", "is not", null)
        .where(claimableAt, "<=", value.at)
        .orderBy(claimableAt)
        .orderBy("id")
        .limit(value.limit)
      return dialect.forUpdateSkipLocked(found)
    })
    .updateTable("chatCustomers")
    .set({ claim: value.claim, claimedUntil: value.until })
    .where(dialect.isAmong(sql`id`, sql`select id from due`))
    .returning(fieldsOf("chatCustomers"))
)

const keepClaim = statement<OfCustomer<"id" | "claim"> & Pick<Claim, "until">>("customers.keepClaim")((db, value) =>
  db
    .updateTable("chatCustomers")
    .set({ claimedUntil: value.until })
    .where("id", "=", value.id)
    .where("claim", "=", value.claim)
)

const endClaim = statement<OfCustomer<"id" | "claim">>("customers.endClaim")((db, value) =>
  db
    .updateTable("chatCustomers")
    .set({ claim: null, claimedUntil: null })
    .where("id", "=", value.id)
    .where("claim", "=", value.claim)
)

const nextDue = statement("customers.nextDue")((db) =>
  db
    .selectFrom("chatCustomers")
    .select(claimableAt.as("dueAt"))
    .where("dueAt", "is not", null)
    // Says nothing new, but SQLite seeks in an index only where something is compared.
    .where(claimableAt, ">=", sql<Instant.Instant>`0`)
    .orderBy(claimableAt)
    .orderBy("id")
    .limit(1)
)

const conversation = statement<Pick<Conversation, "id">>("conversations.byId")((db, value) =>
  db.selectFrom("conversations").select(fieldsOf("conversations")).where("id", "=", value.id)
)

const saveConversation = statement<Conversation>("conversations.save")((db, value) =>
  db
    .updateTable("conversations")
    .set(changesOf("conversations", value, ["id", "tenantId", "phoneId", "customerId", "createdAt"]))
    .where("id", "=", value.id)
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

/** Every set of filters that may be asked for has statements of its own. */
const filters = ["phoneId", "status"] as const
type Filter = (typeof filters)[number]
type Filtered = Pick<Conversation, "tenantId"> & { readonly [F in Filter]: Conversation[F] | null }

const byFilters = <S>(make: (asked: ReadonlyArray<Filter>, suffix: string) => S) => {
  const made = Array.from({ length: 1 << filters.length }, (_, shape) => {
    const asked = filters.filter((_, bit) => (shape & (1 << bit)) !== 0)
    return make(asked, asked.map((filter) => `.${filter}`).join(""))
  })
  return (value: Filtered): S =>
    made[filters.reduce((shape, filter, bit) => (value[filter] === null ? shape : shape | (1 << bit)), 0)]!
}

const matching = (
  eb: ExpressionBuilder<Database & { c: Conversation }, "c">,
  value: Filtered,
  asked: ReadonlyArray<Filter>
) =>
  eb.and([
    eb("c.tenantId", "=", value.tenantId),
    ...asked.map((filter) => eb(`c.${filter}`, "=", value[filter] as never))
  ])

const listOf = byFilters((asked, suffix) =>
  statement<Filtered & Paging>(`conversations.list${suffix}`)((db, value) =>
    views(db)
      .where((eb) => matching(eb, value, asked))
      .orderBy("c.lastMessageAt", "desc")
      .orderBy("c.id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const countOf = byFilters((asked, suffix) =>
  statement<Filtered>(`conversations.count${suffix}`)((db, value) =>
    db
      .selectFrom("conversations as c")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked))
  )
)

const addMessage = statement<Message>("messages.add")((db, message) =>
  db
    .insertInto("chatMessages")
    .values(valuesOf("chatMessages", message))
    .onConflict((on) => on.columns(["phoneId", "msgid"]).where("msgid", "is not", null).doNothing())
)

const messages = (db: Kysely<Database>) => db.selectFrom("chatMessages").select(fieldsOf("chatMessages"))

/** Given by the database as messages are added, and told to nobody. */
const position = sql<number>`position`

const messageById = statement<OfMessage<"id">>("messages.byId")((db, value) => messages(db).where("id", "=", value.id))

const messageByMsgid = statement<OfMessage<"phoneId" | "msgid">>("messages.byMsgid")((db, value) =>
  messages(db).where("phoneId", "=", value.phoneId).where("msgid", "=", value.msgid)
)

const knownMsgids = statement<OfMessage<"phoneId"> & { readonly msgids: ReadonlyArray<string> }>("messages.known")(
  (db, value, dialect) =>
    db
      .selectFrom("chatMessages")
      .select("msgid")
      .where("phoneId", "=", value.phoneId)
      .where("msgid", "in", dialect.list(value.msgids, "text"))
)

const saveMessage = statement<OfMessage<"id" | "msgid" | "status" | "fault">>("messages.save")((db, value) =>
  db
    .updateTable("chatMessages")
    .set({ msgid: value.msgid, status: value.status, fault: value.fault })
    .where("id", "=", value.id)
)

const sendingWasTaken = statement<OfMessage<"id" | "msgid">>("messages.taken")((db, value) =>
  db
    .updateTable("chatMessages as m")
    .set({ msgid: value.msgid, status: sql<"sent">`'sent'` })
    .where("m.id", "=", value.id)
    .where("m.status", "=", sql<"sending">`'sending'`)
    .where("m.msgid", "is", null)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("chatMessages as other")
            .select("other.id")
            .whereRef("other.phoneId", "=", "m.phoneId")
            .where("other.msgid", "=", value.msgid)
        )
      )
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("earlyStatuses as early")
            .select("early.id")
            .whereRef("early.phoneId", "=", "m.phoneId")
            .where("early.msgid", "=", value.msgid!)
        )
      )
    )
)

/** A conversation's messages are found among its customer's: an index of their own would be written at every message. */
const isOfConversation = (
  eb: ExpressionBuilder<Database, "chatMessages">,
  { conversationId }: OfMessage<"conversationId">
) =>
  eb.and([
    eb(
      "customerId",
      "=",
      eb.selectFrom("conversations").select("conversations.customerId").where("conversations.id", "=", conversationId)
    ),
    eb("conversationId", "=", conversationId)
  ])

const ofConversation = statement<OfMessage<"conversationId"> & Paging>("messages.list")((db, value) =>
  messages(db)
    .where((eb) => isOfConversation(eb, value))
    .orderBy(position, "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countMessages = statement<OfMessage<"conversationId">>("messages.count")((db, value) =>
  db
    .selectFrom("chatMessages")
    .select((eb) => eb.fn.countAll().as("n"))
    .where((eb) => isOfConversation(eb, value))
)

type Newest = OfMessage<"customerId"> & { readonly limit: number }

const newest = statement<Newest>("messages.history")((db, value) =>
  messages(db).where("customerId", "=", value.customerId).orderBy(position, "desc").limit(value.limit)
)

const inboundAfter = statement<Newest & { readonly after: Message["id"] | null }>("messages.inboundAfter")(
  (db, value) =>
    messages(db)
      .where("customerId", "=", value.customerId)
      .where(
        sql<boolean>`position > coalesce((select seen.position from chat_messages as seen where seen.id = ${value.after}), 0)`
      )
      .where("direction", "=", sql<"inbound">`'inbound'`)
      .orderBy(position)
      .limit(value.limit)
)

interface Waiting extends OfMessage<"customerId"> {
  readonly one: Message["id"] | null
  readonly other: Message["id"] | null
}

/** The last message before both of these; without either, the last of all. */
const lastBefore = statement<Waiting>("messages.lastBefore")((db, value) =>
  db
    .selectFrom("chatMessages")
    .select("id")
    .where("customerId", "=", value.customerId)
    .where(
      sql<boolean>`position < coalesce((select min(waiting.position) from chat_messages as waiting
        where waiting.id in (${value.one}, ${value.other})), 9223372036854775807)`
    )
    .orderBy(position, "desc")
    .limit(1)
)

/** The conditions of these three stand in the text, as in their indexes, which hold these messages alone. */
const openParts = statement<OfMessage<"customerId">>("messages.openParts")((db, value) =>
  messages(db)
    .where("customerId", "=", value.customerId)
    .where("turnId", "is not", null)
    .where(sql<boolean>`status in ('queued', 'sending')`)
    .orderBy(position)
)

const turnsSince = statement<OfMessage<"customerId"> & { readonly since: Instant.Instant }>("messages.turnsSince")(
  (db, value) =>
    db
      .selectFrom("chatMessages")
      .select((eb) => eb.fn.countAll().as("n"))
      .where("customerId", "=", value.customerId)
      .where("part", "=", sql<number>`0`)
      .where("createdAt", ">=", value.since)
)

interface Before {
  readonly before: Instant.Instant
  readonly limit: number
}

const loseSends = statement<Before>("messages.loseSends")((db, value) =>
  db
    .updateTable("chatMessages")
    .set({ status: sql<"unknown">`'unknown'` })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("chatMessages as lost")
        .select("lost.id")
        .where("lost.turnId", "is", null)
        .where("lost.status", "=", sql<"sending">`'sending'`)
        .where("lost.createdAt", "<", value.before)
        .orderBy("lost.createdAt")
        .orderBy("lost.id")
        .limit(value.limit)
    )
    // Its answer may be written while this waits for the row.
    .where("status", "=", sql<"sending">`'sending'`)
)

const takeEarly = statement<Pick<Early, "phoneId" | "msgid">>("early.take")((db, value) =>
  db
    .deleteFrom("earlyStatuses")
    .where("phoneId", "=", value.phoneId)
    .where("msgid", "=", value.msgid)
    .returning(fieldsOf("earlyStatuses"))
)

const sweepEarly = statement<Before>("early.sweep")((db, value) =>
  db
    .deleteFrom("earlyStatuses")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("earlyStatuses as old")
        .select("old.id")
        .where("old.at", "<", value.before)
        .orderBy("old.at")
        .orderBy("old.id")
        .limit(value.limit)
    )
)

/** Rows that a writing statement answers with come in no order. */
const inOrder = <A extends { readonly id: string }>(
  found: ReadonlyArray<A>,
  instant: (row: A) => number
): ReadonlyArray<A> => found.toSorted((a, b) => instant(a) - instant(b) || (a.id < b.id ? -1 : 1))

export const layer = Layer.succeed(ConversationStore, {
  addCustomer: (customer) => insert("chatCustomers", [customer]),
  customerById: (id) => row(customerById, { id }),
  customerByPhone: (phoneId, phone) => row(customerByPhone, { phoneId, phone }),
  customerByRef: (phoneId, userRef) => row(customerByRef, { phoneId, userRef }),
  saveNames: (names) => Effect.asVoid(write(saveNames, names)),
  saveLane: (lane) => Effect.asVoid(write(saveLane, lane)),
  mergeCustomers: Effect.fnUntraced(function* (from, into) {
    const waiting = Effect.fnUntraced(function* (customerId: Customer["id"]) {
      const customer = yield* writeRow(customerById, { id: customerId })
      const first = yield* writeRow(inboundAfter, { customerId, after: customer?.handledUpTo ?? null, limit: 1 })
      return first?.id ?? null
    })
    const [one, other] = [yield* waiting(from), yield* waiting(into)]
    for (const merge of merges) yield* write(merge, { from, into })
    yield* write(removeCustomer, { id: from })
    return (yield* writeRow(lastBefore, { customerId: into, one, other }))?.id ?? null
  }),
  claimDue: (wanted) => Effect.map(writeRows(claimDue, wanted), (taken) => inOrder(taken, ({ dueAt }) => dueAt ?? 0)),
  keepClaim: (id, claim, until) => changed(keepClaim, { id, claim, until }),
  endClaim: (id, claim) => changed(endClaim, { id, claim }),
  nextDue: () => Effect.map(row(nextDue, {}), (found) => found?.dueAt ?? null),
  addConversation: (added) => insert("conversations", [added]),
  conversation: (id) => row(conversation, { id }),
  saveConversation: (changes) => Effect.asVoid(write(saveConversation, changes)),
  view: (tenantId, id) => row(view, { tenantId, id }),
  list: (tenantId, filter, page) => {
    const value = { tenantId, ...filter, ...page }
    return rows(listOf(value), value)
  },
  count: (tenantId, filter) => {
    const value = { tenantId, ...filter }
    return count(countOf(value), value)
  },
  addMessage: (message) => changed(addMessage, message),
  messageById: (id) => row(messageById, { id }),
  messageByMsgid: (phoneId, msgid) => row(messageByMsgid, { phoneId, msgid }),
  knownMsgids: (phoneId, msgids) =>
    msgids.length === 0
      ? Effect.succeed([])
      : Effect.map(rows(knownMsgids, { phoneId, msgids }), (found) => found.map(({ msgid }) => msgid!)),
  saveMessage: (id, change) => Effect.asVoid(write(saveMessage, { id, ...change })),
  sendingWasTaken: (id, msgid) => changed(sendingWasTaken, { id, msgid }),
  messages: (conversationId, page) => rows(ofConversation, { conversationId, ...page }),
  countMessages: (conversationId) => count(countMessages, { conversationId }),
  history: (customerId, limit) => Effect.map(rows(newest, { customerId, limit }), (found) => found.toReversed()),
  inboundAfter: (customerId, after, limit) => rows(inboundAfter, { customerId, after, limit }),
  openParts: (customerId) => rows(openParts, { customerId }),
  turnsSince: (customerId, since) => count(turnsSince, { customerId, since }),
  loseSends: (before, limit) => write(loseSends, { before, limit }),
  addEarly: (status) => insert("earlyStatuses", [status]),
  takeEarly: (phoneId, msgid) =>
    Effect.map(writeRows(takeEarly, { phoneId, msgid }), (taken) => inOrder(taken, ({ at }) => at)),
  sweepEarly: (before, limit) => write(sweepEarly, { before, limit })
})
