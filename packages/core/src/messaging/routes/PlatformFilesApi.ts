/** The contract of files, which the channel stores. */
import * as Multipart from "effect/http/Multipart"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import { ActsOutside } from "../../platform/http/KeyedWrites.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { MediaId, ofNumber, ofPlatform, PlatformId } from "./MessagingApi.ts"

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
