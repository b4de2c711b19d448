/** The carriers' start slots in SQL. */
import { StartSlotStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { row, write } from "../Session.ts"
import { valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type StartSlot = Database["carrierSlots"]

const find = statement<Pick<StartSlot, "carrier">>("carrierSlots.find")((db, value) =>
  db.selectFrom("carrierSlots").select(["nextStartAt", "storedAt"]).where("carrier", "=", value.carrier)
)

const save = statement<StartSlot>("carrierSlots.save")((db, slot) =>
  db
    .insertInto("carrierSlots")
    .values(valuesOf("carrierSlots", slot))
    .onConflict((on) =>
      on.column("carrier").doUpdateSet((eb) => ({
        nextStartAt: eb.ref("excluded.nextStartAt"),
        storedAt: eb.ref("excluded.storedAt")
      }))
    )
)

export const layer = Layer.succeed(StartSlotStore, {
  find: (carrier) => row(find, { carrier }),
  save: (carrier, slot) => Effect.asVoid(write(save, { carrier, ...slot }))
})
