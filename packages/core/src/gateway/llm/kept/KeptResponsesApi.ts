/** The contract of kept responses. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { FieldTexts } from "../../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../../platform/http/Fields.ts"
import { NeedsPermission } from "../../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../../platform/http/PlatformEnvelope.ts"
import { InferenceAuth } from "../../admission/InferenceAuth.ts"
import { refusedBy } from "../../errors/InferenceAnswers.ts"
import { inferenceEnvelope } from "../../errors/InferenceEnvelope.ts"
import { InferenceRequestErrors } from "../../errors/InferenceFaults.ts"
import { ResponseBody } from "../LlmApi.ts"

/** Any text: one that is no id names no response. */
const params = { response_id: Schema.String }

const InputItem = Schema.StructWithRest(Schema.Struct({ id: Schema.String }), [
  Schema.Record(Schema.String, Schema.Unknown)
]).annotate({ identifier: "ResponseInputItem" })

const InputItems = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(InputItem),
  first_id: Schema.NullOr(Schema.String),
  last_id: Schema.NullOr(Schema.String),
  has_more: Schema.Boolean
}).annotate({ identifier: "ResponseInputItems" })

const DeletedResponse = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("response"),
  deleted: Schema.Literal(true)
}).annotate({ identifier: "DeletedResponse" })

export const keptResponsesGroup = HttpApiGroup.make("keptResponses")
  .add(
    HttpApiEndpoint.get("get", "/:response_id", {
      params,
      success: ResponseBody,
      error: refusedBy(404)
    }).annotateMerge(
      OpenApi.annotations({ summary: "Get a response", description: "Returns a kept response as it was answered." })
    ),
    HttpApiEndpoint.get("inputItems", "/:response_id/input_items", {
      params,
      query: {
        limit: Schema.optionalKey(Fields.integer(1, 100).annotate({ default: 20 } as never)),
        order: Schema.optionalKey(Schema.Literals(["asc", "desc"])),
        after: Schema.optionalKey(Schema.String)
      },
      success: InputItems,
      error: refusedBy(404)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the input of a response",
        description: "Returns the items of a kept response's own input, the last one first."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:response_id", {
      params,
      success: DeletedResponse,
      error: refusedBy(404)
    }).annotateMerge(
      OpenApi.annotations({ summary: "Delete a response", description: "Deletes a kept response with its items." })
    )
  )
  .prefix("/v1/responses")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsPermission, "llm")
  .annotate(OpenApi.Description, "Responses that are kept for their account")
  .annotate(FieldTexts, {
    id: "Id of the item, or of the response",
    object: "Kind of object, for client libraries",
    data: "Items of this page",
    first_id: "Id of the first item of the page",
    last_id: "Id of the last item of the page",
    has_more: "True when further items follow",
    deleted: "True",
    "query.limit": "Most items of the page, 1 to 100; default 20",
    "query.order": "`desc`, the default, begins with the last item of the input; `asc` with the first",
    "query.after": "Id of the item after which the page begins"
  })
