/** The contract of what was used. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Plan, Service, usageGroups } from "../../platform/billing/index.ts"
import { CsvText } from "../../platform/http/CsvFile.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsScope } from "../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../platform/http/PlatformEnvelope.ts"
import { Ids, Instant, intervalUnits } from "../../platform/kernel/index.ts"
import { InferenceAuth, SignedInAccess } from "../admission/InferenceAuth.ts"
import { inferenceEnvelope } from "../errors/InferenceEnvelope.ts"
import { InferenceRequestErrors } from "../errors/InferenceFaults.ts"

/** Source: docs/reference/usage.md#rows. */
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

const PlanCounter = Schema.Struct({
  used: Schema.NullOr(Schema.Int),
  limit: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "PlanCounter" })

const PlanUsage = Schema.Struct({
  plan: Plan,
  period: Schema.Struct({ from: Instant.Iso, to: Instant.Iso }),
  counters: Schema.Struct({
    llm_calls: PlanCounter,
    stt_calls: PlanCounter,
    tts_calls: PlanCounter,
    images: PlanCounter,
    conversations: PlanCounter,
    storage_bytes: PlanCounter,
    team_members: PlanCounter
  })
}).annotate({ identifier: "PlanUsage" })

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

const Sums = Schema.Struct({
  start: Instant.Iso,
  group: Schema.NullOr(Schema.String),
  calls: Schema.Int,
  credits: Schema.Number,
  cost_usd: Schema.Number,
  input_tokens: Schema.Int,
  output_tokens: Schema.Int,
  audio_seconds: Schema.Int
}).annotate({ identifier: "UsageInterval" })

export const usageGroup = HttpApiGroup.make("usage")
  .add(
    HttpApiEndpoint.get("summary", "/summary", { query: filter, success: Summary }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a summary of usage",
        description: "Returns what was used and what it cost, in total and by service."
      })
    ),
    HttpApiEndpoint.get("series", "/series", {
      query: {
        ...filter,
        interval: Schema.optionalKey(Schema.Literals(intervalUnits)),
        timezone: Schema.optionalKey(Fields.zone),
        by: Schema.optionalKey(Schema.Literals(usageGroups))
      },
      success: Schema.Array(Sums)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get usage over time",
        description:
          "Returns sums by hour, day or month of a time zone, oldest first, for the last 30 days unless the query says otherwise."
      })
    ),
    HttpApiEndpoint.get("listLogs", "/logs", {
      query: { ...filter, ...Fields.page({ limit: 1000, standard: 100, offset: 1_000_000 }) },
      success: Schema.Array(Row)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the usage log",
        description: "Returns one row for each request with its units, cost and duration, newest first."
      })
    ),
    HttpApiEndpoint.get("exportLogs", "/logs.csv", {
      query: filter,
      success: CsvText
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Export the usage log",
        description: "Returns all rows of the usage log as a CSV file."
      })
    ),
    HttpApiEndpoint.get("plan", "/plan", { success: PlanUsage }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the usage of the plan",
        description: "Returns what was used of the plan in the calendar month, with what runs, and the plan's limits."
      })
    )
  )
  .prefix("/v1/usage")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsScope, "usage:read")
  .annotateEndpoints(SignedInAccess, "managers")
  .annotate(OpenApi.Description, "What the account has used, and what it cost")
  .annotate(FieldTexts, {
    "query.service": "Counts only this service",
    "query.model": "Counts only this model",
    "query.key": "Counts only the key with this id",
    "query.session_id": "Counts only requests with this X-Session-Id",
    "query.trace_id": "Counts only requests with this X-Trace-Id",
    "query.from": "Start of the period; at most 90 days ago",
    "query.to": "End of the period, exclusive",
    "query.interval": "`hour`, `day` or `month` of the time zone; `day` by default",
    "query.timezone": "IANA name of the time zone; `UTC` by default",
    "query.by": "Divides each interval by `service`, `model` or `key`; one without usage is left out then",
    start: "First instant of the interval",
    group: "Service, model or id of the key; null where nothing is divided, and for what no key was used for",
    total_calls: "Number of requests",
    total_input_tokens: "Tokens of input that were not cached",
    total_output_tokens: "Tokens of output",
    total_cache_read_tokens: "Tokens of input that were read from a cache",
    total_cache_creation_tokens: "Tokens of input that were written to a cache",
    total_audio_seconds: "Seconds of audio",
    total_credits: "Credits that were charged",
    total_cost_usd: "The same in US dollars",
    services: "Sums by service; a service that was not used is absent",
    llm: "Language models",
    stt: "Speech to text",
    tts: "Text to speech",
    image: "Images",
    embedding: "Embeddings",
    search: "Searches",
    calls: "Number of requests",
    input_tokens: "Tokens of input that were not cached",
    output_tokens: "Tokens of output",
    cache_read_tokens: "Tokens of input that were read from a cache",
    cache_creation_tokens: "Tokens of input that were written to a cache",
    audio_seconds: "Seconds of audio",
    credits: "Credits that were charged",
    cost_usd: "The same in US dollars",
    request_id: "`X-Request-Id` of the answer",
    key_id: "Id of the API key; null where no key was used",
    service: "Service that was used",
    model: "Model that was used",
    status: "HTTP status of the answer",
    units: "Number of units that were used",
    unit: "Kind of unit",
    latency_ms: "Milliseconds from the request to its answer",
    session_id: "`X-Session-Id` of the request",
    trace_id: "`X-Trace-Id` of the request",
    plan: "Plan of the account",
    period: "The calendar month, in UTC",
    from: "Start of the month",
    to: "Start of the next month",
    counters: "What the plan limits",
    llm_calls: "Calls of language models",
    stt_calls: "Calls of speech to text",
    tts_calls: "Calls of text to speech",
    images: "Images that were made",
    conversations: "Voice sessions, and chats in which an agent replied",
    storage_bytes: "Bytes of files, knowledge and kept responses that are stored now",
    team_members: "Members of the account now, invited ones included; not counted where its people are the host's",
    used: "What was used, with what runs; null where it is not counted",
    limit: "What the plan includes; null for unlimited"
  })
