/** The contract of what was used. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Service } from "../billing/index.ts"
import * as Fields from "../http/Fields.ts"
import { InferenceAuth, TakesPeople } from "../http/InferenceAuth.ts"
import { InferenceRequestErrors } from "../http/InferenceFaults.ts"
import { NeedsScope } from "../http/PlatformAuth.ts"
import { IsCollection } from "../http/RouteTable.ts"
import { Ids, Instant } from "../kernel/index.ts"

/** Source: docs/usage.md#rows. */
const Row = Schema.Struct({
  id: Ids.schema<"Usage">(),
  created_at: Instant.Iso,
  request_id: Schema.String,
  key_id: Schema.NullOr(Ids.schema<"Key">()),
  service: Service,
  model: Schema.String,
  status: Schema.Int,
  units: Schema.Int,
  unit: Schema.Literals(["seconds", "tokens", "characters", "images", "queries"]),
  input_tokens: Schema.Int,
  output_tokens: Schema.Int,
  cache_read_tokens: Schema.Int,
  cache_creation_tokens: Schema.Int,
  credits: Schema.Number,
  cost_usd: Schema.Number,
  latency_ms: Schema.Int,
  session_id: Schema.NullOr(Schema.String),
  trace_id: Schema.NullOr(Schema.String)
}).annotate({ identifier: "UsageRow" })

const ServiceSum = Schema.Struct({
  calls: Schema.Int,
  input_tokens: Schema.Int,
  output_tokens: Schema.Int,
  cache_read_tokens: Schema.Int,
  cache_creation_tokens: Schema.Int,
  audio_seconds: Schema.Int,
  credits: Schema.Number,
  cost_usd: Schema.Number
}).annotate({ identifier: "UsageOfService" })

const Summary = Schema.Struct({
  total_calls: Schema.Int,
  total_input_tokens: Schema.Int,
  total_output_tokens: Schema.Int,
  total_cache_read_tokens: Schema.Int,
  total_cache_creation_tokens: Schema.Int,
  total_audio_seconds: Schema.Int,
  total_credits: Schema.Number,
  total_cost_usd: Schema.Number,
  services: Schema.Struct({
    llm: Schema.optionalKey(ServiceSum),
    stt: Schema.optionalKey(ServiceSum),
    tts: Schema.optionalKey(ServiceSum),
    image: Schema.optionalKey(ServiceSum),
    embedding: Schema.optionalKey(ServiceSum),
    search: Schema.optionalKey(ServiceSum)
  })
}).annotate({ identifier: "UsageSummary" })

const given = Schema.optionalKey(Fields.text(1, 256))

const filter = {
  service: Schema.optionalKey(Service),
  model: given,
  key: Schema.optionalKey(Ids.schema<"Key">()),
  session_id: given,
  trace_id: given,
  from: Schema.optionalKey(Instant.AnyIso),
  to: Schema.optionalKey(Instant.AnyIso)
}

export const usageGroup = HttpApiGroup.make("usage")
  .add(
    HttpApiEndpoint.get("summary", "/summary", { query: filter, success: Summary }),
    HttpApiEndpoint.get("listLogs", "/logs", {
      query: { ...filter, ...Fields.page({ limit: 1000, standard: 100, offset: 1_000_000 }) },
      success: Schema.Array(Row)
    }).annotate(IsCollection, true),
    HttpApiEndpoint.get("exportLogs", "/logs.csv", {
      query: filter,
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))
    })
  )
  .prefix("/v1/usage")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotateEndpoints(NeedsScope, "usage:read")
  .annotateEndpoints(TakesPeople, "managers")
