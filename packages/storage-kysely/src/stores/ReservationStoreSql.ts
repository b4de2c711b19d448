/** Reservations of running requests in SQL. */
import { ReservationStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { rows, write, writeRow } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Reservation = Database["usageHolds"]

const renew = statement<Pick<Reservation, "id" | "expiresAt">>("reservations.renew")((db, value) =>
  db
    .updateTable("usageHolds")
    .set({ expiresAt: value.expiresAt })
    .where("id", "=", value.id)
    .where("lapsed", "=", sql<boolean>`false`)
)

interface ExpiredBy {
  readonly expiresAt: Reservation["expiresAt"]
  readonly limit: number
}

const findExpired = statement<ExpiredBy>("reservations.expired")((db, value) =>
  db
    .selectFrom("usageHolds")
    .select(["id", "tenantId"])
    .where("lapsed", "=", sql<boolean>`false`)
    .where("expiresAt", "<=", value.expiresAt)
    .orderBy("expiresAt")
    .orderBy("id")
    .limit(value.limit)
)

const findExpiredOf = statement<ExpiredBy & Pick<Reservation, "tenantId">>("reservations.expiredOf")((db, value) =>
  db
    .selectFrom("usageHolds")
    .select(["id", "tenantId"])
    .where("tenantId", "=", value.tenantId)
    .where("lapsed", "=", sql<boolean>`false`)
    .where("expiresAt", "<=", value.expiresAt)
    .orderBy("expiresAt")
    .orderBy("id")
    .limit(value.limit)
)

const lapse = statement<Pick<Reservation, "id" | "expiresAt"> & { removeAt: Reservation["expiresAt"] }>(
  "reservations.lapse"
)((db, value) =>
  db
    .updateTable("usageHolds")
    .set({ lapsed: sql<boolean>`true`, expiresAt: value.removeAt })
    .where("id", "=", value.id)
    .where("lapsed", "=", sql<boolean>`false`)
    .where("expiresAt", "<=", value.expiresAt)
    .returning(fieldsOf("usageHolds"))
)

const removeLapsed = statement<ExpiredBy>("reservations.removeLapsed")((db, value) =>
  db
    .deleteFrom("usageHolds")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("usageHolds as old")
        .select("old.id")
        .where("old.lapsed", "=", sql<boolean>`true`)
        .where("old.expiresAt", "<=", value.expiresAt)
        .orderBy("old.expiresAt")
        .orderBy("old.id")
        .limit(value.limit)
    )
)

export const layer = Layer.succeed(ReservationStore, {
  renew: (id, expiresAt) => Effect.asVoid(write(renew, { id, expiresAt })),
  findExpired: (tenantId, expiresAt, limit) =>
    tenantId === null ? rows(findExpired, { expiresAt, limit }) : rows(findExpiredOf, { tenantId, expiresAt, limit }),
  lapse: (id, { at, removeAt }) => writeRow(lapse, { id, expiresAt: at, removeAt }),
  removeLapsed: (expiresAt, limit) => write(removeLapsed, { expiresAt, limit })
})
