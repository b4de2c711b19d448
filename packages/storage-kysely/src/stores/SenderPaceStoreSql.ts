/** How fast numbers send, and whom business accounts have written to, in SQL. */
import {
  type Ids,
  type Instant,
  type SenderPace,
  SenderPaceStore,
  type TemplateRecipient
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { count, put, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"

const find = statement<{ readonly phoneId: Ids.PhoneId }>("senderPaces.find")((db, value) =>
  db.selectFrom("senderPaces").select(fieldsOf("senderPaces")).where("phoneId", "=", value.phoneId)
)

const save = statement<SenderPace>("senderPaces.save")((db, pace) =>
  db
    .insertInto("senderPaces")
    .values(valuesOf("senderPaces", pace))
    .onConflict((on) => on.column("phoneId").doUpdateSet(changesOf("senderPaces", pace, ["phoneId", "tenantId"])))
)

const key = ["businessAccountId", "channel", "person", "tenantId"] as const

const keyOf = (recipient: TemplateRecipient): string => JSON.stringify(key.map((column) => recipient[column]))

/** Each once, and in one order, in which two transactions never wait for each other. */
const inOrder = (recipients: ReadonlyArray<TemplateRecipient>): ReadonlyArray<TemplateRecipient> =>
  [...new Map(recipients.map((recipient) => [keyOf(recipient), recipient] as const))]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, recipient]) => recipient)

interface Business {
  readonly channel: string
  readonly businessAccountId: string
  readonly since: Instant.Instant
}

/** A person whom two accounts have written to has two rows. */
const recipientsSince = statement<Business & { readonly max: number }>("templateRecipients.since")((db, value) =>
  db
    .selectFrom((of) =>
      of
        .selectFrom("templateRecipients")
        .select("person")
        .distinct()
        .where("businessAccountId", "=", value.businessAccountId)
        .where("channel", "=", value.channel)
        .where("at", ">=", value.since)
        .limit(value.max)
        .as("people")
    )
    .select((eb) => eb.fn.countAll().as("n"))
)

/** A person whom another account has written to later leaves the count later. */
const oldestRecipient = statement<Business>("templateRecipients.oldest")((db, value) =>
  db
    .selectFrom("templateRecipients as oldest")
    .select("oldest.at")
    .where("oldest.businessAccountId", "=", value.businessAccountId)
    .where("oldest.channel", "=", value.channel)
    .where("oldest.at", ">=", value.since)
    .where(
      sql<boolean>`not exists (select 1 from template_recipients as later
        where later.business_account_id = oldest.business_account_id and later.channel = oldest.channel
          and later.person = oldest.person and later.at > oldest.at)`
    )
    .orderBy("oldest.at")
    .limit(1)
)

const countedAmong = statement<Business & { readonly people: ReadonlyArray<string> }>("templateRecipients.among")(
  (db, value, dialect) =>
    db
      .selectFrom("templateRecipients")
      .select("person")
      .where("businessAccountId", "=", value.businessAccountId)
      .where("channel", "=", value.channel)
      .where("person", "in", dialect.list(value.people, "text"))
      .where("at", ">=", value.since)
)

/** As its index has it. */
const sought = sql<number>`(at + 0)`

const sweep = statement<{ readonly before: Instant.Instant; readonly limit: number }>("templateRecipients.sweep")(
  (db, value, dialect) =>
    db
      .with("old", (of) => {
        const found = of
          .selectFrom("templateRecipients")
          .select(key)
          .where(sought, "<", value.before)
          .orderBy(sought)
          .limit(value.limit)
        return dialect.forUpdateSkipLocked(found)
      })
      .deleteFrom("templateRecipients")
      .where(
        sql<boolean>`(business_account_id, channel, person, tenant_id) in (select business_account_id, channel, person, tenant_id from old)`
      )
)

export const layer = Layer.succeed(SenderPaceStore, {
  find: (phoneId) => row(find, { phoneId }),
  save: (pace) => Effect.asVoid(write(save, pace)),
  countRecipients: (recipients) => put("templateRecipients", key, inOrder(recipients)),
  recipientsSince: ({ businessAccountId, channel }, since, max) =>
    count(recipientsSince, { businessAccountId, channel, since, max }),
  oldestRecipient: ({ businessAccountId, channel }, since) =>
    Effect.map(row(oldestRecipient, { businessAccountId, channel, since }), (found) => found?.at ?? null),
  countedAmong: ({ businessAccountId, channel }, people, since) =>
    people.length === 0
      ? Effect.succeed([])
      : Effect.map(rows(countedAmong, { businessAccountId, channel, people, since }), (found) => [
          ...new Set(found.map(({ person }) => person))
        ]),
  sweepRecipients: (before, limit) => write(sweep, { before, limit })
})
