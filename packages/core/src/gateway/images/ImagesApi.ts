/** The contract of the route of images: the fields that the gateway reads. All others are passed to the upstream. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsPermission } from "../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../platform/http/PlatformEnvelope.ts"
import { InferenceAuth } from "../admission/InferenceAuth.ts"
import { inferenceErrors } from "../errors/InferenceAnswers.ts"
import { inferenceEnvelope } from "../errors/InferenceEnvelope.ts"
import { InferenceRequestErrors } from "../errors/InferenceFaults.ts"
import { responseFormats, sizePattern } from "./ImageRequest.ts"

const ImagesRequest = Schema.StructWithRest(
  Schema.Struct({
    model: Fields.text(1, 255),
    prompt: Fields.text(1, 32_000),
    n: Fields.optional(Fields.integer(1, 10)),
    size: Fields.optional(
      Fields.text(1, 32).check(
        Schema.isPattern(sizePattern, { message: "Expected a width and a height, 1024x1024 for example, or auto" })
      )
    ),
    response_format: Fields.optional(Schema.Literals(responseFormats)),
    stream: Fields.optional(Schema.Boolean),
    partial_images: Fields.optional(Fields.integer(0, 1000))
  }),
  Fields.others
).annotate({ identifier: "ImagesRequest" })

const ImageList = Schema.StructWithRest(
  Schema.Struct({
    created: Schema.Int,
    data: Schema.Array(
      Schema.StructWithRest(
        Schema.Struct({
          b64_json: Schema.optionalKey(Schema.String),
          url: Schema.optionalKey(Schema.String)
        }),
        Fields.others
      )
    )
  }),
  Fields.others
).annotate({ identifier: "ImageList" })

export const imagesGroup = HttpApiGroup.make("images")
  .add(
    HttpApiEndpoint.post("generate", "/images/generations", {
      payload: ImagesRequest,
      success: ImageList,
      error: inferenceErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create images",
        description: "Makes images from a prompt, in the form of OpenAI's images API."
      })
    )
  )
  .prefix("/v1")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsPermission, "image")
  .annotate(OpenApi.Description, "Images from prompts")
  .annotate(BodyExamples, {
    generate: { model: "gpt-image-1", prompt: "A linden tree in front of a small hotel", size: "1024x1024" }
  })
  .annotate(FieldTexts, {
    model: "Model to use",
    prompt: "What the images show",
    n: "Number of images; default 1",
    size: "Width and height in pixels, or `auto`",
    response_format: "Addresses, or data in Base64; default: as the upstream sends them",
    stream: "Only false: images are not streamed",
    partial_images: "Only 0: images are not streamed",
    created: "When they were made, in Unix seconds",
    data: "The images",
    b64_json: "An image in Base64",
    url: "Where an image is"
  })
