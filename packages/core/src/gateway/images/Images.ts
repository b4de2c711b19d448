/** The route of images: from a prompt to images, each at its price. Source: docs/reference/images.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { storedJson } from "../../platform/idempotency/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { OutboundSettings } from "../../platform/outbound/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type * as Models from "../catalogue/Model.ts"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import { type InferenceCaller, type InferenceRoute, InferenceRoutes } from "../routes/InferenceRoutes.ts"
import { jsonFingerprint } from "../routes/JsonRequest.ts"
import type { JsonInput } from "../routes/JsonRequestHttp.ts"
import { imageFailureCodes } from "../run/InferenceRefusals.ts"
import type { Candidate } from "../run/RunAttempt.ts"
import type { RouteResult } from "../run/RunOnce.ts"
import { imageBodyOf } from "./ImageAnswer.ts"
import { type ImageRequest, imageRefusal, imagesAmount, readImageRequest, upstreamBody } from "./ImageRequest.ts"

export class Images extends Context.Service<
  Images,
  {
    /** Answers a request of a caller that has been admitted. */
    readonly run: (
      caller: InferenceCaller,
      input: JsonInput
    ) => Effect.Effect<RouteResult, InferenceRefused | StorageError>
  }
>()("@trunkline/core/gateway/images/Images") {
  static readonly layer = Layer.effect(
    Images,
    Effect.gen(function* () {
      const routes = yield* InferenceRoutes
      const { exempt } = yield* OutboundSettings
      const exemptNetworks = exempt.map(({ text }) => text)

      const run = tracedFn("Images.run")(function* (caller: InferenceCaller, { idempotencyKey, json }: JsonInput) {
        const request = readImageRequest(json)
        return yield* routes.run(routeOf(caller.startedAt, exemptNetworks), caller, {
          request,
          model: request.model,
          idempotency:
            idempotencyKey === null
              ? null
              : { key: idempotencyKey, fingerprint: yield* jsonFingerprint("images", json) }
        })
      })

      return Images.of({ run })
    })
  )
}

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
  maxAmount: imagesAmount(request.images, request),
  amountOf: ({ images }) => imagesAmount(images.length, request)
})

const routeOf = (
  startedAt: Instant.Instant,
  exemptNetworks: ReadonlyArray<string>
): InferenceRoute<"generateImages", ImageRequest> => ({
  capability: "generateImages",
  failureCodes: imageFailureCodes,
  inputFaults: {
    param: "prompt",
    refused: "The model refused the request as it is. Check its fields.",
    tooLarge: "The request is too large for this model."
  },
  prepare: (request, model) => {
    const refused = imageRefusal(request, model)
    return refused === null ? Effect.succeed(candidateOf(request, model, exemptNetworks)) : Effect.fail(refused)
  },
  encode: (request, { answer }) => storedJson(imageBodyOf(request, answer, Math.floor(startedAt / Instant.second)))
})
