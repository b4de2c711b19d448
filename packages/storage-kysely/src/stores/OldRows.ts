/** Removes old rows one by one, for a database without partitions. Source: docs/storage.md#growth. */
import { Ids, type Instant, type RetentionKind, type StorageError, type Tx } from "@trunkline/core/effect"
import type * as Effect from "effect/Effect"
import { sql } from "kysely"
import { write } from "../Session.ts"
import { plain, statement } from "../Statement.ts"

interface Old {
  readonly before: Instant.Instant
  /** Before every id of that instant. */
  readonly id: string
  readonly limit: number
}

const usage = statement<Old>("retention.usage")((db, value) =>
  db
    .deleteFrom("usageLog")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("usageLog as old")
        .select("old.id")
        .where("old.id", "<", Ids.as<"Usage">(value.id))
        .orderBy("old.id")
        .limit(value.limit)
    )
)

const deliveries = statement<Old>("retention.deliveries")((db, value) =>
  db
    .deleteFrom("webhookDeliveries")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("webhookDeliveries as old")
        .select("old.id")
        .where("old.id", "<", Ids.as<"Delivery">(value.id))
        .where("old.nextAt", "is", null)
        .orderBy("old.id")
        .limit(value.limit)
    )
)

const calls = statement<Old>("retention.calls")((db, value) =>
  db
    .deleteFrom("calls")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("calls as old")
        .select("old.id")
        .where("old.id", "<", Ids.as<"Call">(value.id))
        .where("old.endedAt", "is not", null)
        .orderBy("old.id")
        .limit(value.limit)
    )
)

const messages = statement<Old>("retention.messages")((db, value) =>
  db
    .deleteFrom("chatMessages")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("chatMessages as old")
        .select("old.id")
        .where("old.id", "<", Ids.as<"Message">(value.id))
        .where(sql<boolean>`status not in ('queued', 'sending')`)
        .orderBy("old.id")
        .limit(value.limit)
    )
)

/** Events are stored in the order of their commits: the first ones are the oldest. */
const events = statement<Old>("retention.events")(
  plain<Old>(
    ({ before, limit }, { outbox: { order } }) => sql`
    delete from outbox where (${order}) in (
      select ${order} from (select ${order}, at from outbox order by ${order} limit ${limit}) as old where at < ${before})`
  )
)

const statements = { usage, deliveries, events, calls, messages } satisfies Record<RetentionKind, unknown>

/** How many of the oldest rows were removed. */
export const removeOld = (
  kind: RetentionKind,
  { before, limit }: { readonly before: Instant.Instant; readonly limit: number }
): Effect.Effect<number, StorageError, Tx> => write(statements[kind], { before, id: Ids.firstOf(before), limit })
