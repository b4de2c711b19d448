/** Customers in SQL. */
import { type Customer, type CustomerActivity, type CustomerIdentity, CustomerStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Kysely } from "kysely"
import { insert, row, rows, write } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type OfCustomer<K extends keyof Customer> = Pick<Customer, K>

const customers = (db: Kysely<Database>) => db.selectFrom("chatCustomers").select(fieldsOf("chatCustomers"))

const byId = statement<OfCustomer<"id">>("customers.byId")((db, value) => customers(db).where("id", "=", value.id))

const byPhone = statement<OfCustomer<"phoneId" | "phone">>("customers.byPhone")((db, value) =>
  customers(db)
    .where("phoneId", "=", value.phoneId)
    .where("phone", "=", value.phone)
    .unionAll(
      db
        .selectFrom("phoneForms as asked")
        .innerJoin("phoneForms as form", (join) =>
          join.onRef("form.phoneId", "=", "asked.phoneId").onRef("form.formOf", "=", "asked.formOf")
        )
        .innerJoin("chatCustomers as customer", (join) =>
          join.onRef("customer.phoneId", "=", "form.phoneId").onRef("customer.phone", "=", "form.phone")
        )
        .select(fieldsOf("chatCustomers").map((field) => `customer.${field}` as const))
        .where("asked.phoneId", "=", value.phoneId)
        .where("asked.phone", "=", value.phone!)
        .where("form.phone", "<>", value.phone!)
    )
)

type PhoneForm = Database["phoneForms"]

const formsAmong = statement<Pick<PhoneForm, "phoneId"> & { readonly phones: ReadonlyArray<string> }>(
  "customers.formsAmong"
)((db, value, dialect) =>
  db
    .selectFrom("phoneForms")
    .select(["phone", "formOf"])
    .where("phoneId", "=", value.phoneId)
    .where("phone", "in", dialect.list(value.phones, "text"))
)

const renameForm = statement<Pick<PhoneForm, "phoneId" | "formOf"> & { readonly into: string }>("customers.renameForm")(
  (db, value) =>
    db
      .updateTable("phoneForms")
      .set({ formOf: value.into })
      .where("phoneId", "=", value.phoneId)
      .where("formOf", "=", value.formOf)
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

/** Several names of one number become the first of them; phones that have none yet get it. */
const joinForms = Effect.fnUntraced(function* (
  { id: phoneId, tenantId }: { readonly id: PhoneForm["phoneId"]; readonly tenantId: PhoneForm["tenantId"] },
  phones: ReadonlyArray<string>
) {
  const known = yield* rows(formsAmong, { phoneId, phones })
  const [into = phones[0]!, ...others] = new Set(known.map(({ formOf }) => formOf))
  for (const formOf of others) yield* write(renameForm, { phoneId, formOf, into })
  const missing = phones.filter((phone) => !known.some((one) => one.phone === phone))
  yield* insert(
    "phoneForms",
    missing.map((phone) => ({ tenantId, phoneId, phone, formOf: into }))
  )
})

export const layer = Layer.succeed(CustomerStore, {
  add: (customer) => insert("chatCustomers", [customer]),
  byId: (id) => row(byId, { id }),
  byPhone: (phoneId, phone) =>
    Effect.map(rows(byPhone, { phoneId, phone }), (found) =>
      found.toSorted((one, other) => Number(other.phone === phone) - Number(one.phone === phone))
    ),
  joinForms,
  byRef: (phoneId, userRef) => row(byRef, { phoneId, userRef }),
  saveIdentity: (identity) => Effect.asVoid(write(saveIdentity, identity)),
  saveActivity: (activity) => Effect.asVoid(write(saveActivity, activity)),
  absorb: Effect.fnUntraced(function* ({ from, into }) {
    for (const move of moves) yield* write(move, { from, into })
    yield* write(remove, { id: from })
  })
})
