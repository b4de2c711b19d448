/** A request for images, as far as the gateway reads it. Pure. Source: docs/reference/images.md#fields. */
import type { Prices } from "../../platform/billing/index.ts"
import type * as Models from "../catalogue/Model.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import { bytesRefusal, type JsonRequest } from "../routes/JsonRequest.ts"
import { otherCategoryRefusal } from "../run/InferenceRefusals.ts"
import type { Json } from "../upstreams/GenerateWork.ts"

export const responseFormats = ["url", "b64_json"] as const
export type ResponseFormat = (typeof responseFormats)[number]

export interface ImageRequest extends JsonRequest {
  readonly model: string
  /** How many images are asked for. */
  readonly images: number
  /** Of each image; null where the caller leaves the size to the model. */
  readonly pixels: number | null
  /** Null where the caller accepts what the upstream sends. */
  readonly format: ResponseFormat | null
}

/** At most five digits: more than any model makes, and few enough for an exact product. */
export const sizePattern = /^(?:auto|[1-9]\d{0,4}x[1-9]\d{0,4})$/

interface ImageBody extends Json {
  readonly model: string
  readonly prompt: string
  readonly n?: number | null
  readonly size?: string | null
  readonly response_format?: ResponseFormat | null
  readonly stream?: boolean | null
  readonly partial_images?: number | null
}

/** Reads a body whose fields the contract has checked. */
export const readImageRequest = (json: JsonRequest): ImageRequest => {
  const { model, n, response_format, size } = json.body as ImageBody
  return { ...json, model, images: n ?? 1, pixels: pixelsOf(size ?? "auto"), format: response_format ?? null }
}

const pixelsOf = (size: string): number | null => {
  const [width, height] = size.split("x").map(Number)
  return height === undefined ? null : width! * height
}

/** The first reason not to run a request; null where there is none. */
export const imageRefusal = (request: ImageRequest, model: Models.Model): InferenceRefused | null =>
  otherCategoryRefusal(model, "image") ?? bytesRefusal(request, model) ?? optionRefusal(request)

/** Partial images are refused: no answer says what they cost. */
const optionRefusal = ({ body }: ImageRequest): InferenceRefused | null => {
  const { partial_images, stream } = body as ImageBody
  const param = stream === true ? "stream" : (partial_images ?? 0) > 0 ? "partial_images" : null
  return param === null
    ? null
    : refuse("invalid_request", { message: `${param}: this option is not available here. Leave it out.`, param })
}

/** The most that it can use is that of all images that it asks for. */
export const imagesAmount = (images: number, { pixels }: Pick<ImageRequest, "pixels">): Prices.Amount => ({
  unit: "images",
  images,
  ...(pixels === null ? {} : { pixels })
})

/** Models that always answer with data, and refuse to be asked for it. */
const ofDataAlone = /(^|\/)gpt-image/i

/** The body for an upstream that has this name for the model. */
export const upstreamBody = ({ body, model }: ImageRequest, name: string): Json => {
  const { response_format: _, ...others } = body
  const isKnown = !ofDataAlone.test(model) && !ofDataAlone.test(name)
  return { ...(isKnown ? body : others), model: name }
}
