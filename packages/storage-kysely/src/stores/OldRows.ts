/** Removes old rows one by one, for a database without partitions. Source: docs/reference/storage.md#growth. */
import { Ids, type Instant, type RetentionKind, type StorageError, type Tx } from "@trunkline/core/storage"
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

/** The oldest rows of a table whose ids have their order, but for those that are needed. */
const oldest = (kind: RetentionKind, table: string, isDone: string) =>
  statement<Old>(`retention.${kind}`)(
    plain<Old>(
      ({ id, limit }) => sql`
      delete from ${sql.raw(table)} where id in (
        select old.id from ${sql.raw(table)} as old where old.id < ${id} and ${sql.raw(isDone)} order by old.id limit ${limit})`
    )
  )

const usage = oldest("usage", "usage_log", "true")
const deliveries = oldest("deliveries", "webhook_deliveries", "old.next_at is null")
const calls = oldest("calls", "calls", "old.ended_at is not null")
const messages = oldest("messages", "chat_messages", "old.status not in ('queued', 'sending')")

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
