/** Messages in SQL. */
import { type Instant, type Message, MessageStore, type ReplyJob, type ReplyQueueStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Kysely, sql } from "kysely"
import { changed, count, row, rows, write, writeRows } from "../Session.ts"
import { fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"
import { makePending, type Span } from "./QueueFloor.ts"

type Messages = Span<Message["id"]>
type OfMessage<K extends keyof Message> = Pick<Message, K>

/** Names no index: on Postgres a trigger finds that the number has a message of this id. */
const add = statement<Message>("messages.add")((db, message) =>
  db
    .insertInto("chatMessages")
    .values(valuesOf("chatMessages", message))
    .onConflict((on) => on.doNothing())
)

const messages = (db: Kysely<Database>) => db.selectFrom("chatMessages").select(fieldsOf("chatMessages"))

/** Given by the database as messages are added, and in no message of the core. */
const position = sql<number>`position`

const byId = statement<OfMessage<"id">>("messages.byId")((db, value) => messages(db).where("id", "=", value.id))

const byMsgid = statement<OfMessage<"phoneId" | "msgid">>("messages.byMsgid")((db, value) =>
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

const save = statement<OfMessage<"id" | "msgid" | "status" | "fault">>("messages.save")((db, value) =>
  db
    .updateTable("chatMessages")
    .set({ msgid: value.msgid, status: value.status, fault: value.fault })
    .where("id", "=", value.id)
)

type Changed = "text" | "body" | "original" | "editedAt" | "deletedAt"

const change = statement<OfMessage<"id" | Changed>>("messages.change")((db, value) =>
  db
    .updateTable("chatMessages")
    .set({
      text: value.text,
      body: value.body,
      original: value.original,
      editedAt: value.editedAt,
      deletedAt: value.deletedAt
    })
    .where("id", "=", value.id)
)

const markSent = statement<OfMessage<"id" | "msgid">>("messages.markSent")((db, value) =>
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
          selectFrom("unmatchedStatuses as unmatched")
            .select("unmatched.id")
            .whereRef("unmatched.phoneId", "=", "m.phoneId")
            .where("unmatched.msgid", "=", value.msgid!)
        )
      )
    )
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
        // Where retention has removed the message itself, the last one before it stands for it.
        sql<boolean>`position > coalesce(
          (select seen.position from chat_messages as seen where seen.id = ${value.after}),
          (select seen.position from chat_messages as seen where seen.customer_id = ${value.customerId}
            and seen.id < ${value.after} order by seen.position desc limit 1), 0)`
      )
      .where("direction", "=", sql<"inbound">`'inbound'`)
      .orderBy(position)
      .limit(value.limit)
)

interface Unhandled extends OfMessage<"customerId"> {
  readonly one: Message["id"] | null
  readonly other: Message["id"] | null
}

/** The last message before both of these; without either, the last of all. */
const lastBefore = statement<Unhandled>("messages.lastBefore")((db, value) =>
  db
    .selectFrom("chatMessages")
    .select(["id", position.as("position")])
    .where("customerId", "=", value.customerId)
    .where(
      sql<boolean>`position < coalesce((select min(unhandled.position) from chat_messages as unhandled
        where unhandled.id in (${value.one}, ${value.other})), 9223372036854775807)`
    )
    .orderBy(position, "desc")
    .limit(1)
)

/** The conditions of these three stand in the text, as in their indexes, which hold these messages alone. */
const openParts = statement<Messages & OfMessage<"customerId">>("messages.openParts")((db, value, dialect) =>
  messages(db)
    .where("customerId", "=", value.customerId)
    .where(dialect.idsBetween("id", value.first, value.last))
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

const expireStaleSends = statement<Messages & { readonly before: Instant.Instant; readonly limit: number }>(
  "messages.expireStaleSends"
)((db, value, dialect) =>
  db
    .updateTable("chatMessages")
    .set({ status: sql<"unknown">`'unknown'` })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("chatMessages as stale")
        .select("stale.id")
        .where("stale.turnId", "is", null)
        .where("stale.status", "=", sql<"sending">`'sending'`)
        // What a campaign has sent is settled with its contact.
        .where("stale.contactId", "is", null)
        .where("stale.createdAt", "<", value.before)
        .where(dialect.idsBetween("stale.id", value.first, value.last))
        .orderBy("stale.createdAt")
        .orderBy("stale.id")
        .limit(value.limit)
    )
    // Its outcome may be written while this waits for the row.
    .where("status", "=", sql<"sending">`'sending'`)
    .returning(["id", "tenantId", "conversationId"])
)

type HandledUpTo = Pick<ReplyJob, "customerId" | "handledUpTo">

/** The first message that a job has not handled. */
const firstUnhandled = ({ customerId, handledUpTo }: HandledUpTo) =>
  Effect.map(row(inboundAfter, { customerId, after: handledUpTo, limit: 1 }), (found) => found?.id ?? null)

/** Marks what a job has handled behind a message, or all that it has handled. */
const markHandled = statement<HandledUpTo & { readonly after: Message["id"] | null }>("messages.markHandled")(
  (db, value) =>
    db
      .updateTable("chatMessages")
      .set({ isHandled: true })
      .where("customerId", "=", value.customerId)
      .where("direction", "=", sql<"inbound">`'inbound'`)
      .where(
        sql<boolean>`position > coalesce((select last.position from chat_messages as last where last.id = ${value.after}), 0)
          and position <= (select seen.position from chat_messages as seen where seen.id = ${value.handledUpTo})`
      )
)

export const joinHandled: ReplyQueueStore["Service"]["joinHandled"] = Effect.fnUntraced(function* (jobs) {
  const [one, other] = [yield* firstUnhandled(jobs[0]), yield* firstUnhandled(jobs[1])]
  const found = [
    yield* row(lastBefore, { customerId: jobs[0].customerId, one, other }),
    yield* row(lastBefore, { customerId: jobs[1].customerId, one, other })
  ].filter((last) => last !== null)
  const after = found.toSorted((a, b) => b.position - a.position)[0]?.id ?? null
  for (const { customerId, handledUpTo } of jobs) yield* write(markHandled, { customerId, handledUpTo, after })
  return after
})

const makeStore = (pending: ReturnType<typeof makePending<Message["id"]>>) =>
  MessageStore.of({
    add: (message) => changed(add, message),
    byId: (id) => row(byId, { id }),
    byMsgid: (phoneId, msgid) => row(byMsgid, { phoneId, msgid }),
    knownMsgids: (phoneId, msgids) =>
      msgids.length === 0
        ? Effect.succeed([])
        : Effect.map(rows(knownMsgids, { phoneId, msgids }), (found) => found.map(({ msgid }) => msgid!)),
    save: ({ id }, { fault, msgid, status }) => Effect.asVoid(write(save, { id, msgid, status, fault })),
    change: ({ id }, { body, deletedAt, editedAt, original, text }) =>
      Effect.asVoid(write(change, { id, text, body, original, editedAt, deletedAt })),
    markSent: ({ id }, msgid) => changed(markSent, { id, msgid }),
    expireStaleSends: (before, limit) =>
      Effect.flatMap(pending, (span) => writeRows(expireStaleSends, { before, limit, ...span })),
    history: (customerId, limit) => Effect.map(rows(newest, { customerId, limit }), (found) => found.toReversed()),
    inboundAfter: (customerId, after, limit) => rows(inboundAfter, { customerId, after, limit }),
    openParts: (customerId) => Effect.flatMap(pending, (span) => rows(openParts, { customerId, ...span })),
    turnsSince: (customerId, since) => count(turnsSince, { customerId, since })
  })

export const layer = Layer.sync(MessageStore, () => makeStore(makePending("chat_messages")))
