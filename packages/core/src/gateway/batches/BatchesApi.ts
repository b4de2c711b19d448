/** The contract of batches. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsPermission } from "../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../platform/http/PlatformEnvelope.ts"
import { isLonger } from "../../platform/kernel/index.ts"
import { InferenceAuth } from "../admission/InferenceAuth.ts"
import { inferenceErrors, refusedBy } from "../errors/InferenceAnswers.ts"
import { inferenceEnvelope } from "../errors/InferenceEnvelope.ts"
import { InferenceRequestErrors } from "../errors/InferenceFaults.ts"
import { BatchStatus } from "./Batch.ts"

/** What the lines of a batch are requests of. */
export const batchEndpoints = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  embeddings: "/v1/embeddings"
} as const

const maxLabels = 16
const maxLabelName = 64

/** Up to 16 texts of up to 512 characters, under names of up to 64. */
const Labels = Schema.Record(Schema.String, Fields.text(0, 512)).check(
  Schema.isMaxProperties(maxLabels, { message: `Expected at most ${maxLabels} texts` }),
  Schema.makeFilter(
    (labels: Readonly<Record<string, string>>) =>
      !Object.keys(labels).some((name) => isLonger(name, maxLabelName)) ||
      `Expected names of at most ${maxLabelName} characters`,
    { toJsonSchema: () => ({ propertyNames: { maxLength: maxLabelName } }) }
  )
)

/** No literal: by that the payload would be taken for another one, and the refusal would not name the field. */
const Window = Schema.String.check(
  Schema.makeFilter((value: string) => value === "24h" || 'Expected "24h"', { toJsonSchema: () => ({ enum: ["24h"] }) })
)

/** Other fields are passed over, and belong to the request as an Idempotency-Key stands for it. */
const NewBatch = Schema.StructWithRest(
  Schema.Struct({
    input_file_id: Fields.text(0, 128),
    endpoint: Fields.text(0, 255),
    completion_window: Window,
    metadata: Fields.optional(Labels)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
).annotate({ identifier: "NewBatch" })

const moment = Schema.NullOr(Schema.Int)
const id = Schema.NullOr(Schema.String)

const BatchFaults = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      message: Schema.String,
      line: Schema.NullOr(Schema.Int),
      param: Schema.NullOr(Schema.String)
    })
  )
})

const BatchUsage = Schema.Struct({
  input_tokens: Schema.Int,
  input_tokens_details: Schema.Struct({ cached_tokens: Schema.Int }),
  output_tokens: Schema.Int,
  output_tokens_details: Schema.Struct({ reasoning_tokens: Schema.Int }),
  total_tokens: Schema.Int
})

const BatchObject = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("batch"),
  endpoint: Schema.String,
  errors: Schema.NullOr(BatchFaults),
  input_file_id: Schema.String,
  completion_window: Schema.String,
  status: BatchStatus,
  output_file_id: id,
  error_file_id: id,
  created_at: Schema.Int,
  in_progress_at: moment,
  expires_at: moment,
  finalizing_at: moment,
  completed_at: moment,
  failed_at: moment,
  expired_at: moment,
  cancelling_at: moment,
  cancelled_at: moment,
  request_counts: Schema.Struct({ total: Schema.Int, completed: Schema.Int, failed: Schema.Int }),
  metadata: Schema.NullOr(Schema.Record(Schema.String, Schema.String)),
  usage: Schema.NullOr(BatchUsage)
}).annotate({ identifier: "Batch" })

const BatchObjects = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(BatchObject),
  first_id: id,
  last_id: id,
  has_more: Schema.Boolean
}).annotate({ identifier: "BatchList" })

const params = { batch_id: Schema.String }

export const defaultBatchLimit = 20

export const batchesGroup = HttpApiGroup.make("batches")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewBatch,
      success: BatchObject,
      error: inferenceErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a batch",
        description: "Runs the requests of an uploaded file in the background; the results are files again."
      })
    ),
    HttpApiEndpoint.get("list", "/", {
      query: {
        limit: Schema.optionalKey(Fields.integer(1, 100).annotate({ default: defaultBatchLimit } as never)),
        after: Schema.optionalKey(Schema.String)
      },
      success: BatchObjects
    }).annotateMerge(
      OpenApi.annotations({ summary: "List batches", description: "Returns the account's batches, newest first." })
    ),
    HttpApiEndpoint.get("get", "/:batch_id", { params, success: BatchObject, error: refusedBy(404) }).annotateMerge(
      OpenApi.annotations({ summary: "Get a batch", description: "Returns one batch as it is now." })
    ),
    HttpApiEndpoint.post("cancel", "/:batch_id/cancel", {
      params,
      success: BatchObject,
      error: refusedBy(400, 404, 409)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel a batch",
        description: "Starts no further request of a batch; those that run end and are billed."
      })
    )
  )
  .prefix("/v1/batches")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsPermission, "llm")
  .annotate(OpenApi.Description, "Requests that run in the background")
  .annotate(BodyExamples, {
    create: {
      input_file_id: "file-01936f00-0000-7000-8000-000000000003",
      endpoint: "/v1/chat/completions",
      completion_window: "24h"
    }
  })
  .annotate(FieldTexts, {
    input_file_id: "Id of the file with the requests",
    endpoint: "Route that every request is for",
    completion_window: "Always `24h`",
    metadata: "Up to 16 texts of the caller's own",
    "query.limit": "Number of batches to return; default 20",
    "query.after": "Id of the batch after which the page begins",
    id: "Id of the batch",
    object: "Kind of object",
    errors: "Faults of the input, the first 100; null where it has none",
    code: "Code of the fault, for programs",
    message: "What is wrong, in a sentence",
    line: "Line of the input, from 1; null for the whole file",
    param: "Field of the line that is at fault; null for the whole line",
    status: "Status of the batch",
    output_file_id: "Id of the file with the answers; null where there is none",
    error_file_id: "Id of the file with requests that failed or never ran; null where there is none",
    created_at: "Time of creation in Unix seconds",
    in_progress_at: "Time from which its requests run",
    expires_at: "Time from which no further request begins",
    finalizing_at: "Time from which its files are written",
    completed_at: "Time at which it was completed",
    failed_at: "Time at which its input was found to be faulty",
    expired_at: "Time at which it ended because its window was over",
    cancelling_at: "Time at which it was asked to be cancelled",
    cancelled_at: "Time at which it ended because it was cancelled",
    request_counts: "Requests in all, and those that have results",
    total: "Requests of the input",
    completed: "Requests that were answered",
    failed: "Requests that were refused or failed",
    usage: "Tokens of all requests; null before the batch has ended",
    input_tokens: "Tokens of the inputs",
    input_tokens_details: "Parts of them",
    cached_tokens: "Tokens that were read from a cache",
    output_tokens: "Tokens of the answers",
    output_tokens_details: "Parts of them",
    reasoning_tokens: "Tokens of reasoning",
    total_tokens: "Tokens in all",
    data: "The items",
    first_id: "Id of the first batch of the page; null for an empty page",
    last_id: "Id of the last batch of the page; null for an empty page",
    has_more: "True when there are batches after the page"
  })
