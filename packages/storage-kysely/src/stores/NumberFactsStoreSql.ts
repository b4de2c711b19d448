/** What is known of connected numbers, in SQL. */
import { type ConnectedNumber, type Instant, NumberFactsStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { row, rows, write, writeRows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"

type Of<K extends keyof ConnectedNumber> = Pick<ConnectedNumber, K>

const ofBusinessAccount = statement<Of<"channel" | "businessAccountId">>("numberFacts.ofBusinessAccount")((db, value) =>
  db
    .selectFrom("connectedNumbers")
    .select(fieldsOf("connectedNumbers"))
    .where("businessAccountId", "=", value.businessAccountId)
    .where("channel", "=", value.channel)
    .where("disconnectedAt", "is", null)
    .orderBy("id")
)

const save = statement<Of<"id" | "tenantId" | "platform" | "factsDueAt">>("numberFacts.save")((db, value) =>
  db
    .updateTable("connectedNumbers")
    .set({ platform: value.platform, factsDueAt: value.factsDueAt })
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
    .where("disconnectedAt", "is", null)
)

const nextDue = statement("numberFacts.nextDue")((db) =>
  db
    .selectFrom("connectedNumbers")
    .select("factsDueAt")
    .where("disconnectedAt", "is", null)
    .where("factsDueAt", "is not", null)
    .orderBy("factsDueAt")
    .orderBy("id")
    .limit(1)
)

interface Wanted {
  readonly at: Instant.Instant
  readonly until: Instant.Instant
  readonly limit: number
}

const claimDue = statement<Wanted>("numberFacts.claimDue")((db, value, dialect) =>
  db
    .with("due", (of) => {
      const found = of
        .selectFrom("connectedNumbers")
        .select("id")
        .where("disconnectedAt", "is", null)
        .where("factsDueAt", "is not", null)
        .where("factsDueAt", "<=", value.at)
        .orderBy("factsDueAt")
        .orderBy("id")
        .limit(value.limit)
      return dialect.forUpdateSkipLocked(found)
    })
    .updateTable("connectedNumbers")
    .set({ factsDueAt: value.until })
    .where(dialect.isAmong(sql`id`, sql`select id from due`))
    .returning(fieldsOf("connectedNumbers"))
)

export const layer = Layer.succeed(NumberFactsStore, {
  ofBusinessAccount: (channel, businessAccountId) => rows(ofBusinessAccount, { channel, businessAccountId }),
  save: ({ factsDueAt, id, platform, tenantId }) => Effect.asVoid(write(save, { id, tenantId, platform, factsDueAt })),
  nextDue: Effect.map(row(nextDue, {}), (found) => found?.factsDueAt ?? null),
  claimDue: (at, until, limit) => writeRows(claimDue, { at, until, limit })
})
