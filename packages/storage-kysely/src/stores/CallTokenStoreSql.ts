/** The tokens of calls' media in SQL: a column of the calls that nothing else writes. */
import { CallTokenStore, type Ids } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { write } from "../Session.ts"
import { statement } from "../Statement.ts"

interface Token {
  readonly id: Ids.CallId
  readonly digest: string
}

const set = statement<Token>("callTokens.set")((db, value) =>
  db.updateTable("calls").set({ mediaToken: value.digest }).where("id", "=", value.id).where("endedAt", "is", null)
)

const use = statement<Token>("callTokens.use")((db, value) =>
  db
    .updateTable("calls")
    .set({ mediaToken: null })
    .where("id", "=", value.id)
    .where("endedAt", "is", null)
    .where("mediaToken", "=", value.digest)
)

export const layer = Layer.succeed(CallTokenStore, {
  set: (id, digest) => Effect.map(write(set, { id, digest }), (changed) => changed > 0),
  use: (id, digest) => Effect.map(write(use, { id, digest }), (changed) => changed > 0)
})
