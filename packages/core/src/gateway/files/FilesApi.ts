/** The contract of files. */
import * as Multipart from "effect/http/Multipart"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { FieldTexts, FormFields } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsPermission } from "../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../platform/http/PlatformEnvelope.ts"
import { InferenceAuth } from "../admission/InferenceAuth.ts"
import { inferenceErrors, refusedBy } from "../errors/InferenceAnswers.ts"
import { inferenceEnvelope } from "../errors/InferenceEnvelope.ts"
import { InferenceRequestErrors } from "../errors/InferenceFaults.ts"
import { filePurposes } from "./StoredFile.ts"

const text = Schema.optionalKey(Schema.String)

/** For readers of the contract: the form itself is read part by part by UploadForm.ts. */
const UploadPayload = Schema.Struct({
  file: Multipart.SingleFileSchema,
  purpose: text,
  "expires_after[anchor]": text,
  "expires_after[seconds]": text
}).pipe(HttpApiSchema.asMultipartStream())

const FileObject = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("file"),
  bytes: Schema.Int,
  created_at: Schema.Int,
  expires_at: Schema.NullOr(Schema.Int),
  filename: Schema.String,
  purpose: Schema.Literals(filePurposes),
  status: Schema.Literal("processed"),
  status_details: Schema.Null
}).annotate({ identifier: "File" })

const FileObjects = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(FileObject),
  first_id: Schema.NullOr(Schema.String),
  last_id: Schema.NullOr(Schema.String),
  has_more: Schema.Boolean
}).annotate({ identifier: "FileList" })

const DeletedFile = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("file"),
  deleted: Schema.Literal(true)
}).annotate({ identifier: "DeletedFile" })

const params = { file_id: Schema.String }
const standardLimit = 100

export const filesGroup = HttpApiGroup.make("files")
  .add(
    HttpApiEndpoint.post("upload", "/", {
      payload: UploadPayload,
      success: FileObject,
      error: inferenceErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Upload a file",
        description: "Stores the requests of a batch, one line of JSON for each."
      })
    ),
    HttpApiEndpoint.get("list", "/", {
      query: {
        limit: Schema.optionalKey(Fields.integer(1, 1000).annotate({ default: standardLimit } as never)),
        after: Schema.optionalKey(Schema.String),
        order: Schema.optionalKey(Schema.Literals(["asc", "desc"])),
        purpose: Schema.optionalKey(Schema.String)
      },
      success: FileObjects
    }).annotateMerge(
      OpenApi.annotations({ summary: "List files", description: "Returns the account's files, newest first." })
    ),
    HttpApiEndpoint.get("get", "/:file_id", { params, success: FileObject, error: refusedBy(404) }).annotateMerge(
      OpenApi.annotations({ summary: "Get a file", description: "Returns what is known about a file." })
    ),
    HttpApiEndpoint.get("content", "/:file_id/content", {
      params,
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "application/jsonl" })),
      error: refusedBy(404)
    }).annotateMerge(
      OpenApi.annotations({ summary: "Get the content of a file", description: "Returns the bytes of a file." })
    ),
    HttpApiEndpoint.delete("remove", "/:file_id", {
      params,
      success: DeletedFile,
      error: refusedBy(404, 409)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a file",
        description: "Deletes a file and frees its bytes at once; refused while a batch that has not ended reads it."
      })
    )
  )
  .prefix("/v1/files")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsPermission, "llm")
  .annotate(OpenApi.Description, "Files of batches")
  .annotate(FormFields, {
    "expires_after[anchor]": { type: "string", enum: ["created_at"] },
    "expires_after[seconds]": { type: "integer", minimum: 3600, maximum: 2_592_000 }
  })
  .annotate(FieldTexts, {
    file: "File, with one request in JSON on each line",
    purpose: "Purpose of the file: `batch`; results have `batch_output`",
    "expires_after[anchor]": "Instant from which the seconds count: `created_at`",
    "expires_after[seconds]": "Seconds after which the file is gone; default: never",
    "query.limit": "Number of files to return; default 100",
    "query.after": "Id of the file after which the page begins",
    "query.order": "Order of creation; default `desc`, newest first",
    "query.purpose": "Returns only files with this purpose",
    id: "Id of the file",
    object: "Kind of object",
    bytes: "Size in bytes",
    created_at: "Time of creation in Unix seconds",
    expires_at: "Time from which on the file is gone, in Unix seconds; null for never",
    filename: "Name of the file",
    status: "Always `processed`",
    status_details: "Always null",
    data: "Files of the page",
    first_id: "Id of the first file of the page; null for an empty page",
    last_id: "Id of the last file of the page; null for an empty page",
    has_more: "True when there are files after the page",
    deleted: "True"
  })

export const defaultFileLimit = standardLimit
