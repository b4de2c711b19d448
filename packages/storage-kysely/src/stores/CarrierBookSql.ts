/** The simulated carrier's own record in SQL. */
import { CarrierBook, type Instant } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { row, rows, write, writeRow } from "../Session.ts"
import { fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Booked = Database["carrierBook"]
type Mark = Pick<Booked, "callId"> & { at: Instant.Instant }

const accept = statement<Booked>("carrierBook.accept")((db, call) =>
  db
    .insertInto("carrierBook")
    .values(valuesOf("carrierBook", call))
    .onConflict((on) => on.column("callId").doNothing())
)

/** Sets an instant once: whoever comes later changes nothing and learns what stands. */
const mark = (column: "stoppedAt" | "messageAt" | "closedAt") =>
  statement<Mark>(`carrierBook.${column}`)((db, value) =>
    db
      .updateTable("carrierBook")
      .set((eb) => ({ [column]: eb.fn.coalesce(column, eb.val(value.at)) }))
      .where("callId", "=", value.callId)
      .returning(fieldsOf("carrierBook"))
  )

const stop = mark("stoppedAt")
const message = mark("messageAt")
const close = mark("closedAt")

const find = statement<Pick<Booked, "callId">>("carrierBook.find")((db, value) =>
  db.selectFrom("carrierBook").select(fieldsOf("carrierBook")).where("callId", "=", value.callId)
)

const open = statement("carrierBook.open")((db) =>
  db
    .selectFrom("carrierBook")
    .select(fieldsOf("carrierBook"))
    .where("closedAt", "is", null)
    .orderBy("acceptedAt")
    .orderBy("callId")
)

export const layer = Layer.succeed(CarrierBook, {
  accept: (call) => Effect.asVoid(write(accept, call)),
  stop: (callId, at) => writeRow(stop, { callId, at }),
  message: (callId, at) => writeRow(message, { callId, at }),
  close: (callId, at) => Effect.asVoid(writeRow(close, { callId, at })),
  find: (callId) => row(find, { callId }),
  open: rows(open, {})
})
