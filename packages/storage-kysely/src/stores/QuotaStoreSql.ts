/** Calls of a month in SQL. The statement that counts a call also compares it with the cap. */
import { QuotaStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, row, write } from "../Session.ts"
import { valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Count = Database["usageCounts"]

/** More calls than a month can have: the bound where there is no cap. */
const unbounded = 2_147_483_647

const begin = statement<Count & { maxBefore: number }>("quotas.begin")((db, value) =>
  db
    .insertInto("usageCounts")
    .values(valuesOf("usageCounts", value))
    .onConflict((on) =>
      on
        .columns(["tenantId", "service", "month"])
        .doUpdateSet((eb) => ({ pending: eb("usageCounts.pending", "+", value.pending) }))
        .where((eb) => eb(eb("usageCounts.used", "+", eb.ref("usageCounts.pending")), "<=", value.maxBefore))
    )
)

const end = statement<Count>("quotas.end")((db, value) =>
  db
    .updateTable("usageCounts")
    .set((eb) => ({ used: eb("used", "+", value.used), pending: eb("pending", "-", value.pending) }))
    .where("tenantId", "=", value.tenantId)
    .where("service", "=", value.service)
    .where("month", "=", value.month)
)

const counts = statement<Pick<Count, "tenantId" | "service" | "month">>("quotas.counts")((db, value) =>
  db
    .selectFrom("usageCounts")
    .select(["used", "pending"])
    .where("tenantId", "=", value.tenantId)
    .where("service", "=", value.service)
    .where("month", "=", value.month)
)

export const layer = Layer.succeed(QuotaStore, {
  // A row that does not exist yet has no conflict that could compare with the cap.
  begin: (period, { calls, cap }) => {
    const maxBefore = (cap ?? unbounded) - calls
    return maxBefore < 0 ? Effect.succeed(false) : changed(begin, { ...period, used: 0, pending: calls, maxBefore })
  },
  counts: (period) => Effect.map(row(counts, period), (found) => found ?? { used: 0, pending: 0 }),
  end: (period, ended) => Effect.asVoid(write(end, { ...period, ...ended }))
})
