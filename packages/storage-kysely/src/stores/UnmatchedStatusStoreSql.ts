/** Statuses that came before their message, in SQL. */
import { type Instant, UnmatchedStatusStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { insert, rows, write, writeRows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Unmatched = Database["unmatchedStatuses"]

const claim = statement<Pick<Unmatched, "phoneId" | "msgid">>("unmatchedStatuses.claim")((db, value) =>
  db
    .deleteFrom("unmatchedStatuses")
    .where("phoneId", "=", value.phoneId)
    .where("msgid", "=", value.msgid)
    .returning(fieldsOf("unmatchedStatuses"))
)

const among = statement<Pick<Unmatched, "phoneId"> & { readonly msgids: ReadonlyArray<string> }>(
  "unmatchedStatuses.among"
)((db, value, dialect) =>
  db
    .selectFrom("unmatchedStatuses")
    .select("msgid")
    .distinct()
    .where("phoneId", "=", value.phoneId)
    .where("msgid", "in", dialect.list(value.msgids, "text"))
)

const sweep = statement<{ readonly before: Instant.Instant; readonly limit: number }>("unmatchedStatuses.sweep")(
  (db, value) =>
    db
      .deleteFrom("unmatchedStatuses")
      .where("id", "in", (eb) =>
        eb
          .selectFrom("unmatchedStatuses as old")
          .select("old.id")
          .where("old.at", "<", value.before)
          .orderBy("old.at")
          .orderBy("old.id")
          .limit(value.limit)
      )
)

/** Rows that a writing statement returns come in no order. */
const inOrder = (statuses: ReadonlyArray<Unmatched>): ReadonlyArray<Unmatched> =>
  statuses.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))

export const layer = Layer.succeed(UnmatchedStatusStore, {
  add: (status) => insert("unmatchedStatuses", [status]),
  among: (phoneId, msgids) =>
    msgids.length === 0
      ? Effect.succeed([])
      : Effect.map(rows(among, { phoneId, msgids }), (found) => found.map(({ msgid }) => msgid)),
  claim: (phoneId, msgid) => Effect.map(writeRows(claim, { phoneId, msgid }), inOrder),
  sweep: (before, limit) => write(sweep, { before, limit })
})
