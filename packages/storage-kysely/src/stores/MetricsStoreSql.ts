/** What is under way, counted in the indexes that hold nothing else. */
import { MetricsStore, maxCounted } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { count, row, rows } from "../Session.ts"
import { statement } from "../Statement.ts"

const calls = statement("metrics.calls")((db) =>
  db
    .selectFrom("calls")
    .select((eb) => ["status", eb.fn.countAll<number>().as("n")])
    .where("endedAt", "is", null)
    .groupBy("status")
)

const deliveries = statement<{ limit: number }>("metrics.deliveries")((db, value) =>
  db
    .selectFrom((eb) =>
      eb.selectFrom("webhookDeliveries").select("id").where("nextAt", "is not", null).limit(value.limit).as("waiting")
    )
    .select((eb) => eb.fn.countAll().as("n"))
)

const replies = statement<{ limit: number }>("metrics.replies")((db, value) =>
  db
    .selectFrom((eb) =>
      eb.selectFrom("replyJobs").select("customerId").where("dueAt", "is not", null).limit(value.limit).as("waiting")
    )
    .select((eb) => eb.fn.countAll().as("n"))
)

const inference = statement("metrics.inference")((db) =>
  db
    .selectFrom("usageHolds")
    .select((eb) => ["service", eb.fn.countAll<number>().as("n"), eb.fn.sum<bigint>("reserved").as("reserved")])
    .where("lapsed", "=", sql<boolean>`false`)
    .groupBy("service")
)

const held = statement("metrics.held")((db) =>
  db.selectFrom("creditHolds").select((eb) => eb.fn.sum<bigint>("amount").as("amount"))
)

export const layer = Layer.succeed(MetricsStore, {
  underWay: Effect.gen(function* () {
    return {
      calls: yield* rows(calls, {}),
      deliveries: yield* count(deliveries, { limit: maxCounted }),
      replies: yield* count(replies, { limit: maxCounted }),
      inference: yield* rows(inference, {}),
      reservedByCalls: (yield* row(held, {}))?.amount ?? 0n
    }
  })
})
