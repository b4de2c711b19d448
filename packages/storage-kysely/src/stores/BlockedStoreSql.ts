/** Whom the networks have blocked on connected numbers, in SQL. */
import { BlockedStore, type Ids } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { put, rows, write } from "../Session.ts"
import { statement } from "../Statement.ts"

interface People {
  readonly phoneId: Ids.PhoneId
  readonly people: ReadonlyArray<string>
}

const remove = statement<People>("blockedPeople.remove")((db, value, dialect) =>
  db
    .deleteFrom("blockedPeople")
    .where("phoneId", "=", value.phoneId)
    .where("person", "in", dialect.list(value.people, "text"))
)

const among = statement<People>("blockedPeople.among")((db, value, dialect) =>
  db
    .selectFrom("blockedPeople")
    .select("person")
    .where("phoneId", "=", value.phoneId)
    .where("person", "in", dialect.list(value.people, "text"))
)

/** Each once, and in one order, in which two transactions never wait for each other. */
const inOrder = (people: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(people)].toSorted()

export const layer = Layer.succeed(BlockedStore, {
  add: (phoneId, tenantId, people) =>
    put(
      "blockedPeople",
      ["phoneId", "person"],
      inOrder(people).map((person) => ({ phoneId, tenantId, person }))
    ),
  remove: (phoneId, people) =>
    people.length === 0 ? Effect.void : Effect.asVoid(write(remove, { phoneId, people: inOrder(people) })),
  among: (phoneId, people) =>
    people.length === 0
      ? Effect.succeed(new Set<string>())
      : Effect.map(rows(among, { phoneId, people }), (found) => new Set(found.map(({ person }) => person)))
})
