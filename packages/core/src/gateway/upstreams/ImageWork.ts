/** What an upstream is given to make images, and what it returns. Source: docs/reference/upstreams.md#images. */
import type { Json } from "./GenerateWork.ts"

export interface ImageWork {
  /** A request of OpenAI's images API, with the model's name at the upstream. */
  readonly body: Json
  /** How many images were asked for; more are dropped. */
  readonly maxImages: number
  /** True where each image must come as data: one that the upstream sends the address of is fetched. */
  readonly asData: boolean
  /** Networks from which an image may be fetched although they are not public: those of webhooks. */
  readonly exemptNetworks: ReadonlyArray<string>
}

export interface ImageAnswer {
  /** At least one. Each has `b64_json` or `url`, beside the upstream's other fields of it. */
  readonly images: ReadonlyArray<Json>
  /** The answer's other fields. */
  readonly fields: Json
}
