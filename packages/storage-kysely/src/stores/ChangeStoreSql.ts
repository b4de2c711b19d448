/** What processes on one database let each other know of changes, in SQL. */
import { ChangeStore, type Instant } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { insert, put, rows, write } from "../Session.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Watch = Database["changeWatches"]
type Note = Database["changeNotes"]

const watching = statement<{
  tenantIds: ReadonlyArray<Watch["tenantId"]>
  at: Instant.Instant
  except: Watch["processId"]
}>("changes.watching")((db, value, dialect) =>
  db
    .selectFrom("changeWatches")
    .select(["tenantId", "processId"])
    .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
    .where("until", ">", value.at)
    .where("processId", "!=", value.except)
)

const notes = statement<Pick<Note, "processId"> & { limit: number }>("changes.notes")((db, value) =>
  db.selectFrom("changeNotes").select(["id", "changes"]).where("processId", "=", value.processId).limit(value.limit)
)

const remove = statement<{ ids: ReadonlyArray<Note["id"]> }>("changes.remove")((db, value, dialect) =>
  db.deleteFrom("changeNotes").where("id", "in", dialect.list(value.ids, "uuid"))
)

type Sweep = { readonly before: Instant.Instant; readonly limit: number }

const sweepNotes = statement<Sweep>("changes.sweepNotes")((db, value) =>
  db
    .deleteFrom("changeNotes")
    .where("id", "in", (eb) =>
      eb.selectFrom("changeNotes").select("id").where("at", "<", value.before).orderBy("at").limit(value.limit)
    )
)

const sweepWatches = statement<Sweep>("changes.sweepWatches")((db, value) =>
  db
    .deleteFrom("changeWatches")
    .where((eb) =>
      eb(eb.refTuple("tenantId", "processId"), "in", (of) =>
        of
          .selectFrom("changeWatches")
          .select(["tenantId", "processId"])
          .where("until", "<", value.before)
          .orderBy("until")
          .limit(value.limit)
          .$asTuple("tenantId", "processId")
      )
    )
)

export const layer = Layer.succeed(ChangeStore, {
  watch: (watches) => put("changeWatches", ["tenantId", "processId"], watches),
  watching: (tenantIds, at, except) => rows(watching, { tenantIds, at, except }),
  send: (notes) => insert("changeNotes", notes),
  notes: (processId, limit) => rows(notes, { processId, limit }),
  remove: (ids) => Effect.asVoid(write(remove, { ids })),
  sweepNotes: (before, limit) => write(sweepNotes, { before, limit }),
  sweepWatches: (before, limit) => write(sweepWatches, { before, limit })
})
