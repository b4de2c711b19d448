/** The table of `platform/idempotency`. */
import type * as Core from "@trunkline/core/storage"
import { bool, json, nullable, text } from "../Columns.ts"
import { due, moment, rowsBy, table, tenantId } from "../Table.ts"

export const idempotencyTables = {
  idempotencyKeys: table(
    {
      tenantId,
      key: text(),
      fingerprint: text(),
      claim: nullable(text()),
      leaseUntil: nullable(moment),
      hasActed: bool(),
      answer: nullable(json<Core.StoredResponse>()),
      expiresAt: moment
    },
    rowsBy("tenantId key", { accountKey: ["key"], ...due("expiresAt", "leaseUntil") })
  )
}
