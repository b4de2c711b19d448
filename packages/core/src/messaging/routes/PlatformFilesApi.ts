/** The contracts of files and templates, which the channel stores. */
import * as Multipart from "effect/http/Multipart"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { IsCollection } from "../../platform/http/index.ts"
import { ActsOutside } from "../../platform/http/KeyedWrites.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { JsonObject, maxContentKib } from "../messages/JsonObject.ts"
import { MediaId, ofNumber, ofPlatform, PlatformId, templatesQuery } from "./MessagingApi.ts"

// The form's schema is for readers of the contract: the form itself is read part by part by platform/http/Form.ts.
const MediaForm = Schema.Struct({ phone_number_id: PlatformId, file: Multipart.SingleFileSchema }).pipe(
  HttpApiSchema.asMultipartStream()
)

export const mediaGroup = ({ channel }: Brand) =>
  HttpApiGroup.make("chatMedia")
    .add(
      HttpApiEndpoint.post("upload", "/", {
        payload: MediaForm,
        success: Schema.Struct({ id: Schema.String }).annotate({ identifier: "UploadedMedia" }),
        error: [...ofPlatform, Unprocessable]
      })
        .annotate(NeedsScope, "channel:send")
        .annotate(ActsOutside, true)
        .annotateMerge(
          OpenApi.annotations({
            summary: "Upload a file",
            description: "Uploads a file to the chat platform and returns the id that messages name it by."
          })
        ),
      HttpApiEndpoint.get("get", "/:media_id", {
        params: { media_id: MediaId },
        query: ofNumber,
        success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "*/*" })),
        error: ofPlatform
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          OpenApi.annotations({ summary: "Download a file", description: "Returns a file that a message names." })
        )
    )
    .prefix(`/api/v1/${channel}/media`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Files of messages")
    .annotate(FieldTexts, {
      "query.phone_number_id": "The chat platform's id of the connected number",
      phone_number_id: "The chat platform's id of the number",
      file: "The file",
      "UploadedMedia.id": "The chat platform's id of the file"
    })

const templateTexts = {
  "query.phone_number_id": "The chat platform's id of the connected number",
  "query.fields": "Fields to return, in the chat platform's words",
  "query.name": "Returns only items with this name",
  "query.language": "Returns only items in this language",
  "query.status": "Returns only items with this status",
  "query.category": "Returns only items of this category",
  "query.after": "Returns what follows this cursor of the chat platform",
  "query.before": "Returns what precedes this cursor of the chat platform"
}

const templateExample = {
  phone_number_id: "106540352242922",
  name: "order_sent",
  language: "en",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Your order {{1}} is on its way.", example: { body_text: [["4711"]] } }]
}

export const templatesGroup = ({ channel }: Brand) =>
  HttpApiGroup.make("chatTemplates")
    .add(
      HttpApiEndpoint.get("list", "/", {
        query: { ...ofNumber, ...templatesQuery },
        success: JsonObject.annotate({ identifier: "PlatformTemplates" }),
        error: ofPlatform
      })
        .annotate(NeedsScope, "channel:read")
        .annotate(IsCollection, true)
        .annotateMerge(
          OpenApi.annotations({
            summary: "List templates",
            description: "Returns the templates of a number's business account, as the chat platform has them."
          })
        ),
      HttpApiEndpoint.post("create", "/", {
        query: ofNumber,
        payload: Fields.json(JsonObject, maxContentKib).annotate({ identifier: "NewPlatformTemplate" }),
        success: JsonObject.annotate({ identifier: "PlatformTemplate" }),
        error: [...ofPlatform, Unprocessable]
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(
          OpenApi.annotations({
            summary: "Create a template",
            description: "Creates a template and submits it to the chat platform for approval."
          })
        )
    )
    .prefix(`/api/v1/${channel}/templates`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Templates, which may be sent at any time once the chat platform has approved them")
    .annotate(BodyExamples, { create: templateExample })
    .annotate(FieldTexts, templateTexts)
