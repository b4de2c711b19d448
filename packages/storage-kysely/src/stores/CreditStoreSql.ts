/** Balances, reservations and the ledger in SQL. The table's own check is the last guard: no balance below its reservations. */
import { CreditStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, insert, row, rows, write, writeRow } from "../Session.ts"
import { fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Credit = Database["creditAccounts"]
type Reservation = Database["creditHolds"]
type OfTenant = Pick<Credit, "tenantId">

/** The amount due of a reservation, and the amount that it has reserved. */
interface ReservationCharge {
  readonly charge: bigint
  readonly reserved: bigint
}

const open = statement<Credit>("credits.open")((db, account) =>
  db
    .insertInto("creditAccounts")
    .values(valuesOf("creditAccounts", account))
    .onConflict((on) => on.column("tenantId").doNothing())
)

const balance = statement<OfTenant>("credits.balance")((db, value) =>
  db.selectFrom("creditAccounts").select(fieldsOf("creditAccounts")).where("tenantId", "=", value.tenantId)
)

const balances = statement<{ readonly tenantIds: ReadonlyArray<Credit["tenantId"]> }>("credits.balances")(
  (db, value, dialect) =>
    db
      .selectFrom("creditAccounts")
      .select(fieldsOf("creditAccounts"))
      .where("tenantId", "in", dialect.list(value.tenantIds, "uuid"))
)

/** Changes nothing where less than the charge is free. */
const chargeWhole = statement<OfTenant & { held: bigint; charge: bigint; beyondHeld: bigint }>("credits.chargeWhole")(
  (db, value) =>
    db
      .updateTable("creditAccounts")
      .set((eb) => ({ balance: eb("balance", "-", value.charge), reserved: eb("reserved", "-", value.held) }))
      .where("tenantId", "=", value.tenantId)
      .where((eb) => eb(eb("balance", "-", eb.ref("reserved")), ">=", value.beyondHeld))
      .returning("balance")
)

/** Nobody else may reserve between this look and the change that follows it. */
const balanceForChange = statement<OfTenant>("credits.balanceForChange")((db, value, dialect) => {
  const found = db
    .selectFrom("creditAccounts")
    .select(fieldsOf("creditAccounts"))
    .where("tenantId", "=", value.tenantId)
  return dialect.forUpdate(found)
})

const reserve = statement<OfTenant & { amount: bigint }>("credits.reserve")((db, value) =>
  db
    .updateTable("creditAccounts")
    .set((eb) => ({ reserved: eb("reserved", "+", value.amount) }))
    .where("tenantId", "=", value.tenantId)
    .where((eb) => eb(eb("balance", "-", eb.ref("reserved")), ">=", value.amount))
)

const charge = statement<OfTenant & { held: bigint; charged: bigint }>("credits.charge")((db, value) =>
  db
    .updateTable("creditAccounts")
    .set((eb) => ({ balance: eb("balance", "-", value.charged), reserved: eb("reserved", "-", value.held) }))
    .where("tenantId", "=", value.tenantId)
)

const add = statement<Credit>("credits.add")((db, value) =>
  db
    .insertInto("creditAccounts")
    .values(valuesOf("creditAccounts", value))
    .onConflict((on) =>
      on
        .column("tenantId")
        .doUpdateSet((eb) => ({ balance: eb("creditAccounts.balance", "+", eb.ref("excluded.balance")) }))
    )
)

const ledgerSum = statement<OfTenant>("credits.ledgerSum")((db, value) =>
  db
    .selectFrom("creditLedger")
    .select((eb) => eb.fn.sum<bigint>("amount").as("amount"))
    .where("tenantId", "=", value.tenantId)
)

const addToReservation = statement<Reservation>("credits.addToReservation")((db, value) =>
  db
    .insertInto("creditHolds")
    .values(valuesOf("creditHolds", value))
    .onConflict((on) =>
      on.column("id").doUpdateSet((eb) => ({
        amount: eb("creditHolds.amount", "+", eb.ref("excluded.amount")),
        budgeted: eb("creditHolds.budgeted", "+", eb.ref("excluded.budgeted"))
      }))
    )
)

const findReservation = statement<Pick<Reservation, "id">>("credits.findReservation")((db, value) =>
  db.selectFrom("creditHolds").select(fieldsOf("creditHolds")).where("id", "=", value.id)
)

const removeReservation = statement<Pick<Reservation, "id">>("credits.removeReservation")((db, value) =>
  db.deleteFrom("creditHolds").where("id", "=", value.id).returning(fieldsOf("creditHolds"))
)

export const layer = Layer.succeed(CreditStore, {
  open: (tenantId) => Effect.asVoid(write(open, { tenantId, balance: 0n, reserved: 0n })),
  balance: (tenantId) => row(balance, { tenantId }),
  balances: (tenantIds) => rows(balances, { tenantIds }),
  reserve: (tenantId, amount) => changed(reserve, { tenantId, amount }),
  addToReservation: (added) => Effect.asVoid(write(addToReservation, added)),
  findReservation: (id) => row(findReservation, { id }),
  removeReservation: (id) => writeRow(removeReservation, { id }),
  settle: Effect.fnUntraced(function* (tenantId, { charge: due, reserved: held }: ReservationCharge) {
    const whole = yield* writeRow(chargeWhole, { tenantId, held, charge: due, beyondHeld: due - held })
    if (whole !== null) return { charged: due, balance: whole.balance }
    const now = yield* writeRow(balanceForChange, { tenantId })
    if (now === null) return { charged: 0n, balance: 0n }
    const free = now.balance - now.reserved + held
    // More may be free than at the first look; Math.min accepts no bigint.
    const charged = due < free ? due : free
    yield* write(charge, { tenantId, held, charged })
    return { charged, balance: now.balance - charged }
  }),
  add: (tenantId, amount) => Effect.asVoid(write(add, { tenantId, balance: amount, reserved: 0n })),
  ledgerSum: (tenantId) => Effect.map(row(ledgerSum, { tenantId }), (found) => found?.amount ?? 0n),
  log: (entry) => insert("creditLedger", [entry])
})
