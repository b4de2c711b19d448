/** Handlers of what was used. */
import * as Effect from "effect/Effect"
import {
  maxIntervals,
  PlanUsage,
  type Service,
  type UsageFilter,
  UsageLog,
  type UsageRow
} from "../../platform/billing/index.ts"
import { csvFile } from "../../platform/http/CsvFile.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf, restOf } from "../../platform/http/Lists.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { type Instant, Wire } from "../../platform/kernel/index.ts"
import { CurrentCaller } from "../admission/InferenceAuth.ts"
import { ModelCatalogue } from "../catalogue/ModelCatalogue.ts"
import { answerInference } from "../errors/InferenceAnswers.ts"
import { refuseFields } from "../errors/InferenceErrors.ts"
import type * as Ids from "../GatewayIds.ts"
import { usageGroup } from "./UsageApi.ts"
import { cellsOf, header } from "./UsageCsv.ts"
import { intervalOf, recordOf, summaryOf, type UsageSum } from "./UsageRecord.ts"

/** Rows that are in memory at a time while a file is written. */
const batchSize = 1000

const api = contract.add(usageGroup)

export const layer = () =>
  RouteHandlers.group(
    api,
    "usage",
    Effect.fnUntraced(function* (handlers) {
      const log = yield* UsageLog
      const plans = yield* PlanUsage
      const { usdToCredits } = yield* ModelCatalogue
      const record = (row: UsageRow) => recordOf(row, usdToCredits)

      const file = (tenantId: Ids.AccountId, filter: UsageFilter) =>
        csvFile({
          name: "usage-logs",
          header,
          page: (after: Ids.UsageId | null) =>
            Effect.map(log.after(tenantId, filter, after, batchSize), (rows) => ({
              rows: rows.map((row) => cellsOf(record(row))),
              next: rows.length < batchSize ? null : rows.at(-1)!.id
            }))
        })

      return handlers.handleAll({
        summary: Effect.fnUntraced(function* ({ query }) {
          const { principal } = yield* CurrentCaller
          return yield* answerInference(
            Effect.map(log.summary(principal.tenantId, filterOf(query)), (totals) => {
              const { services, total } = summaryOf(totals, usdToCredits)
              return { ...totalOf(total), services: servicesOf(services) }
            })
          )
        }),
        plan: Effect.fnUntraced(function* () {
          const { account, tenantId } = (yield* CurrentCaller).principal
          return yield* answerInference(
            Effect.map(plans.read(tenantId, account.plan), (used) => ({
              ...used,
              counters: Wire.toWire(used.counters)
            }))
          )
        }),
        series: Effect.fnUntraced(function* ({ query }) {
          const { principal } = yield* CurrentCaller
          const { by = null, interval = "day", timezone = "UTC" } = query
          const asked = { filter: filterOf(query), unit: interval, timezone, by }
          return yield* answerInference(
            Effect.flatMap(log.series(principal.tenantId, asked), (found) =>
              found === null
                ? Effect.fail(tooManyIntervals)
                : list(restOf(found), (totals) => Wire.toWire(intervalOf(totals, usdToCredits)))
            )
          )
        }),
        listLogs: Effect.fnUntraced(function* ({ query }) {
          const { principal } = yield* CurrentCaller
          return yield* answerInference(
            Effect.flatMap(log.list(principal.tenantId, filterOf(query), pageOf(query, 100)), (paged) =>
              list(paged, (row) => Wire.toWire(record(row)))
            )
          )
        }),
        exportLogs: Effect.fnUntraced(function* ({ query }) {
          const { principal } = yield* CurrentCaller
          return yield* answerInference(file(principal.tenantId, filterOf(query)))
        })
      })
    })
  )

const tooManyIntervals = refuseFields([
  {
    field: "interval",
    message: `A series has at most ${maxIntervals} intervals. Ask for longer ones, or for a shorter period with from and to`
  }
])

interface Query {
  readonly service?: Service
  readonly model?: string
  readonly key?: Ids.KeyId
  readonly session_id?: string
  readonly trace_id?: string
  readonly from?: Instant.Instant
  readonly to?: Instant.Instant
}

const filterOf = ({ from, key, model, service, session_id, to, trace_id }: Query): UsageFilter => ({
  service: service ?? null,
  model: model ?? null,
  keyId: key ?? null,
  sessionId: session_id ?? null,
  traceId: trace_id ?? null,
  from: from ?? null,
  to: to ?? null
})

const totalOf = (sum: UsageSum) => ({
  total_calls: sum.calls,
  total_input_tokens: sum.inputTokens,
  total_output_tokens: sum.outputTokens,
  total_cache_read_tokens: sum.cacheReadTokens,
  total_cache_creation_tokens: sum.cacheCreationTokens,
  total_audio_seconds: sum.audioSeconds,
  total_credits: sum.credits,
  total_cost_usd: sum.costUsd
})

const servicesOf = (services: Readonly<Partial<Record<Service, UsageSum>>>) =>
  Object.fromEntries(Object.entries(services).map(([service, sum]) => [service, Wire.toWire(sum)]))
