/** Requests to `/images/generations`, and their answers. Source: docs/reference/upstreams.md#images. */
import { type ImageAnswer, type ImageWork, isObject, type Json, type Run, tracedFn } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { type BoundedHttp, jsonBody } from "../http/index.ts"
import { fetchImage, type ImageSource } from "../upstream/ImageFetch.ts"
import type { UpstreamSettings } from "../upstream/UpstreamOptions.ts"
import { makeWire, wholeLimits } from "../upstream/UpstreamWire.ts"

/** Ten images in Base64. */
const maxImagesBytes = 128 * 1024 * 1024

export interface ImageGeneration {
  readonly generateImages: Run<"generateImages">
  /** Maximum duration of it, in milliseconds: of the answer, and of fetching its images. */
  readonly maxMs: number
}

export const makeImageGeneration = (
  settings: UpstreamSettings,
  headers: Readonly<Record<string, string>>,
  http: BoundedHttp
): ImageGeneration => {
  const limits = wholeLimits(settings, maxImagesBytes)
  const wire = makeWire(settings, http, limits)

  const generateImages = tracedFn("OpenAi.generateImages")(function* (work: ImageWork) {
    const request = { path: "/images/generations", headers, body: jsonBody(work.body), namesParam: true }
    const answer = yield* wire.ask(request, imageAnswerOf(work))
    if (!work.asData) return answer
    const { baseUrl } = settings
    const source = { baseUrl, headers, exemptNetworks: work.exemptNetworks, maxMs: limits.bodyMs }
    const images = yield* Effect.forEach(answer.images, (image) => asData(image, source, http), {
      concurrency: "unbounded"
    })
    return { ...answer, images }
  })

  return { generateImages, maxMs: wire.maxMs + limits.bodyMs }
}

const isFilled = (value: unknown): boolean => typeof value === "string" && value !== ""

const isImage = (value: unknown): value is Json => isObject(value) && (isFilled(value.b64_json) || isFilled(value.url))

/** The images, at most as many as were asked for; undefined where there is none. */
const imageAnswerOf =
  ({ maxImages }: ImageWork) =>
  (json: unknown): ImageAnswer | undefined => {
    if (!isObject(json) || !Array.isArray(json.data)) return undefined
    const { data, ...fields } = json
    const images = data.filter(isImage).slice(0, maxImages)
    return images.length === 0 ? undefined : { images, fields }
  }

const asData = (image: Json, source: ImageSource, http: BoundedHttp) => {
  const { url, ...fields } = image
  return isFilled(image.b64_json)
    ? Effect.succeed(image)
    : Effect.map(fetchImage(String(url), source, http), (bytes): Json => {
        const b64_json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
        return { ...fields, b64_json }
      })
}
