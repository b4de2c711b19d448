/** The work under way, counted in the indexes that hold nothing else. */
import { MetricsStore, maxCounted } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { count, row, rows } from "../Session.ts"
import { statement } from "../Statement.ts"
import { nextDue as nextAnalysis } from "./AnalysisStoreSql.ts"
import { nextDue as nextBatch } from "./BatchQueueStoreSql.ts"
import { nextCheck } from "./CallSupervisionStoreSql.ts"
import { nextDue as nextCampaign } from "./CampaignStoreSql.ts"
import { nextDue as nextDelivery } from "./DeliveryStoreSql.ts"
import { allRows } from "./QueueFloor.ts"
import { nextDue as nextReply } from "./ReplyQueueStoreSql.ts"

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

const templateCampaigns = statement<{ limit: number }>("metrics.templateCampaigns")((db, value) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom("templateCampaigns")
        .select("id")
        .where("status", "=", sql.lit("running" as const))
        .limit(value.limit)
        .as("running")
    )
    .select((eb) => eb.fn.countAll().as("n"))
)

const inference = statement("metrics.inference")((db) =>
  db
    .selectFrom("processHolds")
    .select((eb) => ["service", eb.fn.sum<number>("running").as("n"), eb.fn.sum<bigint>("reserved").as("reserved")])
    .where("running", ">", 0)
    .groupBy("service")
)

const held = statement("metrics.held")((db) =>
  db.selectFrom("creditHolds").select((eb) => eb.fn.sum<bigint>("amount").as("amount"))
)

/** The same looks as those of the workers, but of all that is due, not only of what this process could claim now. */
const due = Effect.gen(function* () {
  return {
    campaigns: (yield* row(nextCampaign, {}))?.nextDialAt ?? null,
    calls: (yield* row(nextCheck, allRows()))?.checkAt ?? null,
    deliveries: (yield* row(nextDelivery, { full: [], ...allRows() }))?.nextAt ?? null,
    replies: (yield* row(nextReply, {}))?.dueAt ?? null,
    batches: (yield* row(nextBatch, {}))?.dueAt ?? null,
    analyses: (yield* row(nextAnalysis, {}))?.dueAt ?? null
  }
})

export const layer = Layer.succeed(MetricsStore, {
  underWay: Effect.gen(function* () {
    return {
      calls: yield* rows(calls, {}),
      deliveries: yield* count(deliveries, { limit: maxCounted }),
      replies: yield* count(replies, { limit: maxCounted }),
      templateCampaigns: yield* count(templateCampaigns, { limit: maxCounted }),
      inference: yield* rows(inference, {}),
      reservedByCalls: (yield* row(held, {}))?.amount ?? 0n,
      due: yield* due
    }
  })
})
