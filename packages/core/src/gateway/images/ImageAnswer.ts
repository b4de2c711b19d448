/** The answer to a request for images. Pure. Source: docs/reference/images.md#answer. */

import type { Json } from "../upstreams/GenerateWork.ts"
import type { ImageAnswer } from "../upstreams/ImageWork.ts"
import type { ImageRequest, ResponseFormat } from "./ImageRequest.ts"

/** `createdAt`: in Unix seconds, for an upstream that names no instant. */
export const imageBodyOf = (
  { format, model }: Pick<ImageRequest, "format" | "model">,
  { fields, images }: ImageAnswer,
  createdAt: number
): Json => {
  const { id: _, ...others } = fields
  return {
    ...others,
    created: Number.isSafeInteger(others.created) ? others.created : createdAt,
    ...(others.model === undefined ? {} : { model }),
    data: images.map((image) => imageOf(image, format))
  }
}

/** In one form: that which was asked for, where the image has it. */
const imageOf = (image: Json, format: ResponseFormat | null): Json => {
  const { b64_json, url, ...others } = image
  const data = typeof b64_json === "string" && b64_json !== "" ? { b64_json } : null
  const address = typeof url === "string" && url !== "" ? { url } : null
  return { ...(format === "url" ? (address ?? data) : (data ?? address)), ...others }
}
