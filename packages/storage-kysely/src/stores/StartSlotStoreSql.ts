/** The carriers' start slots in SQL. */
import { StartSlotStore } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { row, write } from "../Session.ts"
import { valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type StartSlot = Database["carrierSlots"]

const next = statement<Pick<StartSlot, "carrier">>("carrierSlots.find")((db, value) =>
  db.selectFrom("carrierSlots").select("nextStartAt").where("carrier", "=", value.carrier)
)

const setNext = statement<StartSlot>("carrierSlots.set")((db, slot) =>
  db
    .insertInto("carrierSlots")
    .values(valuesOf("carrierSlots", slot))
    .onConflict((on) => on.column("carrier").doUpdateSet((eb) => ({ nextStartAt: eb.ref("excluded.nextStartAt") })))
)

export const layer = Layer.succeed(StartSlotStore, {
  next: (carrier) => Effect.map(row(next, { carrier }), (found) => found?.nextStartAt ?? null),
  setNext: (carrier, nextStartAt) => Effect.asVoid(write(setNext, { carrier, nextStartAt }))
})
