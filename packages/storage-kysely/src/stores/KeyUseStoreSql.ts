/** Last uses of keys in SQL. */
import { KeyUseStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { put, row } from "../Session.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

const ofAccount = statement<Pick<Database["keyUses"], "tenantId">>("keyUses.ofAccount")((db, value) =>
  db.selectFrom("keyUses").select("keyId").where("tenantId", "=", value.tenantId).limit(1)
)

export const layer = Layer.succeed(KeyUseStore, {
  note: (uses) => put("keyUses", ["keyId"], uses),
  hasAny: (tenantId) => Effect.map(row(ofAccount, { tenantId }), (found) => found !== null)
})
