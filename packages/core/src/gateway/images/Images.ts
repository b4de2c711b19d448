/** The route of images: from a prompt to images, each at its price. Source: docs/reference/images.md. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { storedJson } from "../../platform/idempotency/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type * as Models from "../catalogue/Model.ts"
import type { JsonRoute } from "../routes/JsonRoute.ts"
import { imageFailureCodes } from "../run/InferenceRefusals.ts"
import type { Candidate } from "../run/RunAttempt.ts"
import { imageBodyOf } from "./ImageAnswer.ts"
import { type ImageRequest, imageRefusal, imagesAmount, readImageRequest, upstreamBody } from "./ImageRequest.ts"

const candidateOf = (
  request: ImageRequest,
  model: Models.Model,
  exemptNetworks: ReadonlyArray<string>
): Candidate<"generateImages"> => ({
  model,
  work: (route) =>
    Result.succeed({
      body: upstreamBody(request, route.model),
      maxImages: request.images,
      asData: request.format === "b64_json",
      exemptNetworks
    }),
  run: ({ run }, work) => run(work),
  maxAmount: imagesAmount(request.images, request),
  amountOf: ({ images }) => imagesAmount(images.length, request)
})

/** `exemptNetworks`: those that images may be fetched from although they are not public. */
export const imageRoute = (exemptNetworks: ReadonlyArray<string>): JsonRoute<"generateImages", ImageRequest> => ({
  name: "images",
  capability: "generateImages",
  failureCodes: imageFailureCodes,
  inputFaults: {
    param: "prompt",
    refused: "The model refused the request as it is. Check its fields.",
    tooLarge: "The request is too large for this model."
  },
  read: readImageRequest,
  refusal: imageRefusal,
  prepare: (request, model, { startedAt }) =>
    Effect.succeed({
      candidate: candidateOf(request, model, exemptNetworks),
      encode: ({ answer }) => storedJson(imageBodyOf(request, answer, Math.floor(startedAt / Instant.second)))
    })
})
