/** The contract of templates, which the channel's network keeps. */
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
import { ofNumber, ofPlatform, PlatformDigits, PlatformId, passedPage, templatesQuery } from "../routes/MessagingApi.ts"

const mebibyte = 1024 * 1024

/** Bytes that an example of a type may have. Source: docs/reference/messaging.md#templates. */
const maxExampleBytes: Readonly<Record<string, number>> = {
  "image/jpeg": 16 * mebibyte,
  "image/png": 16 * mebibyte,
  "video/mp4": 16 * mebibyte,
  "application/pdf": 100 * mebibyte
}

export const exampleTypes: ReadonlyArray<string> = Object.keys(maxExampleBytes)

/** A file of another type is refused by what it is, and not by its size. */
export const maxExampleBytesOf = (contentType: string): number =>
  maxExampleBytes[contentType] ?? Math.max(...Object.values(maxExampleBytes))

/** What a template is called at the network. */
export const TemplateName = Fields.text(1, 512)

// The form's schema is for readers of the contract: the form itself is read part by part by platform/http/Form.ts.
const ExampleForm = Schema.Struct({ phone_number_id: PlatformId, file: Multipart.SingleFileSchema }).pipe(
  HttpApiSchema.asMultipartStream()
)

const PlatformTemplate = JsonObject.annotate({ identifier: "PlatformTemplate" })

const oneTemplate = { template_id: PlatformDigits }

const failures = [...ofPlatform, Unprocessable] as const

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const templateTexts = {
  "query.phone_number_id": "The chat platform's id of the connected number",
  "query.fields": "Fields to return, in the chat platform's words",
  "query.name": "Returns only items with this name",
  "query.language": "Returns only items in this language",
  "query.status": "Returns only items with this status",
  "query.category": "Returns only items of this category",
  "query.after": "Returns what follows this cursor of the chat platform",
  "query.before": "Returns what precedes this cursor of the chat platform",
  phone_number_id: "The chat platform's id of the number",
  file: "A picture (JPEG, PNG), a video (MP4) or a document (PDF)",
  "TemplateExample.handle": "Names the file in `example.header_handle` of a template"
}

const templateExample = {
  phone_number_id: "106540352242922",
  name: "order_sent",
  language: "en",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Your order {{1}} is on its way.", example: { body_text: [["4711"]] } }]
}

const groupOf = ({ channel }: Brand) =>
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
        success: PlatformTemplate,
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(
          OpenApi.annotations({
            summary: "Create a template",
            description: "Creates a template and submits it to the chat platform for approval."
          })
        ),
      HttpApiEndpoint.delete("removeNamed", "/", { query: { ...ofNumber, name: TemplateName }, error: failures })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(
          described("Delete a template in every language", "Deletes every language of a template at the chat platform.")
        ),
      HttpApiEndpoint.post("keepExample", "/media", {
        payload: ExampleForm,
        success: Schema.Struct({ handle: Schema.String }).annotate({ identifier: "TemplateExample" }),
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(
          described(
            "Upload an example for a header",
            "Uploads a file that shows what the header of a template looks like, and returns the handle that the template names it by."
          )
        ),
      HttpApiEndpoint.get("get", "/:template_id", {
        params: oneTemplate,
        query: { ...ofNumber, ...passedPage },
        success: PlatformTemplate,
        error: failures
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(described("Get a template", "Returns one template, as the chat platform has it.")),
      HttpApiEndpoint.patch("change", "/:template_id", {
        params: oneTemplate,
        query: ofNumber,
        payload: Fields.json(JsonObject, maxContentKib).annotate({ identifier: "PlatformTemplateChange" }),
        success: PlatformTemplate,
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(
          described(
            "Change a template",
            "Changes a template at the chat platform, which approves it anew; the body is in the chat platform's words."
          )
        ),
      HttpApiEndpoint.delete("remove", "/:template_id", {
        params: oneTemplate,
        query: { ...ofNumber, name: TemplateName },
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(
          described(
            "Delete a template",
            "Deletes a template in one language at the chat platform; its name is required."
          )
        ),
      HttpApiEndpoint.post("unpause", "/:template_id/unpause", {
        params: oneTemplate,
        query: ofNumber,
        success: PlatformTemplate,
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(
          described("Unpause a template", "Lets a template be sent again that the chat platform has paused.")
        )
    )
    .prefix(`/api/v1/${channel}/templates`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Templates, which may be sent at any time once the chat platform has approved them")
    .annotate(BodyExamples, {
      create: templateExample,
      change: { category: "UTILITY", components: templateExample.components }
    })
    .annotate(FieldTexts, templateTexts)

/** By its name: the type of the whole contract would be too long for the compiler, if it had this one written out in it. */
export interface TemplatesGroup extends ReturnType<typeof groupOf> {}

export const templatesGroup = (brand: Brand): TemplatesGroup => groupOf(brand)
