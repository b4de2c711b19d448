/**
 * Bounds of ids for tables with monthly partitions: partitions outside are not looked at. Where the rows begin that a worker may
 * still look for is stored for each table, and raised as months end. Source: docs/reference/storage.md#growth.
 */
import { Ids, Instant } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import { SqlSession } from "../Session.ts"
import { statement } from "../Statement.ts"

/** The first and the last id, both included. */
export interface Span<Id extends string> {
  readonly first: Id
  readonly last: Id
}

/** Before every id, and after every id. */
const firstId: string = Ids.first()
const lastId: string = Ids.last()

/** All rows, those too that no worker looks for any more. */
export const allRows = <Id extends string>(): Span<Id> => ({ first: firstId as Id, last: lastId as Id })

export const spanOf = <Id extends string>(ids: ReadonlyArray<Id>): Span<Id> => {
  const sorted = [...ids].sort()
  return { first: sorted[0] ?? (firstId as Id), last: sorted.at(-1) ?? (firstId as Id) }
}

/** How far the clock of a process may be behind another's, and its rows are found all the same: no floor is closer to now. */
export const clockSlackMs = 7 * Instant.day

export type Queue = "webhook_deliveries" | "calls" | "chat_messages"

const floor = statement<{ readonly queue: Queue }>("queues.floor")((db, value) =>
  db.selectFrom("queueFloors").select("floor").where("name", "=", value.queue)
)

/** A floor that is known is right for ever: only new rows become pending. It is read again after this time. */
const floorKeptMs = Instant.minute

/** Rows of a table that may be pending. */
export const makePending = <Id extends string>(queue: Queue) => {
  let [known, readAt] = [firstId, Number.NEGATIVE_INFINITY]
  return Effect.gen(function* () {
    const at = yield* Instant.now
    if (at - readAt > floorKeptMs || at < readAt) {
      // In a read as in a transaction: whatever asks for rows has one of them.
      const [found] = yield* SqlSession.use((session) => session.rows(floor, { queue }))
      known = found?.floor ?? firstId
      readAt = at
    }
    const own = Ids.firstOf(Instant.plus(at, -clockSlackMs))
    return { first: (known < own ? known : own) as Id, last: lastId as Id } satisfies Span<Id>
  })
}
