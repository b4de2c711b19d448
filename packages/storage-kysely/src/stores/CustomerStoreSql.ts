/** Customers in SQL. */
import { type Customer, type CustomerActivity, type CustomerIdentity, CustomerStore } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Kysely } from "kysely"
import { insert, row, write } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type OfCustomer<K extends keyof Customer> = Pick<Customer, K>

const customers = (db: Kysely<Database>) => db.selectFrom("chatCustomers").select(fieldsOf("chatCustomers"))

const byId = statement<OfCustomer<"id">>("customers.byId")((db, value) => customers(db).where("id", "=", value.id))

const byPhone = statement<OfCustomer<"phoneId" | "phone">>("customers.byPhone")((db, value) =>
  customers(db).where("phoneId", "=", value.phoneId).where("phone", "=", value.phone)
)

const byRef = statement<OfCustomer<"phoneId" | "userRef">>("customers.byRef")((db, value) =>
  customers(db).where("phoneId", "=", value.phoneId).where("userRef", "=", value.userRef)
)

const saveIdentity = statement<CustomerIdentity>("customers.saveIdentity")((db, { id, name, phone, userRef }) =>
  db.updateTable("chatCustomers").set({ name, phone, userRef }).where("id", "=", id)
)

const saveActivity = statement<CustomerActivity>("customers.saveActivity")(
  (db, { conversationId, id, lastMessageAt, windowExpiresAt }) =>
    db.updateTable("chatCustomers").set({ conversationId, lastMessageAt, windowExpiresAt }).where("id", "=", id)
)

interface Merge {
  readonly from: Customer["id"]
  readonly into: Customer["id"]
}

const moveOf = (table: "conversations" | "chatMessages") =>
  statement<Merge>(`customers.move.${table}`)((db, value) =>
    db.updateTable(table).set({ customerId: value.into }).where("customerId", "=", value.from)
  )
const moves = [moveOf("conversations"), moveOf("chatMessages")]

const remove = statement<OfCustomer<"id">>("customers.remove")((db, value) =>
  db.deleteFrom("chatCustomers").where("id", "=", value.id)
)

export const layer = Layer.succeed(CustomerStore, {
  add: (customer) => insert("chatCustomers", [customer]),
  byId: (id) => row(byId, { id }),
  byPhone: (phoneId, phone) => row(byPhone, { phoneId, phone }),
  byRef: (phoneId, userRef) => row(byRef, { phoneId, userRef }),
  saveIdentity: (identity) => Effect.asVoid(write(saveIdentity, identity)),
  saveActivity: (activity) => Effect.asVoid(write(saveActivity, activity)),
  absorb: Effect.fnUntraced(function* ({ from, into }) {
    for (const move of moves) yield* write(move, { from, into })
    yield* write(remove, { id: from })
  })
})
