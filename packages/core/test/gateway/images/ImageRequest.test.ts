/** A request for images and its answer: docs/reference/images.md. Verifies: IMGE-1, IMGE-2. */
import { describe, expect, it } from "vitest"
import { imageBodyOf } from "../../../src/gateway/images/ImageAnswer.ts"
import { imagesAmount, readImageRequest, sizePattern, upstreamBody } from "../../../src/gateway/images/ImageRequest.ts"

const read = (body: object) => readImageRequest({ body: { model: "m", prompt: "p", ...body }, bytes: 0 })

describe("a request for images", () => {
  it.each([
    ["1024x1024", 1_048_576],
    ["1x1", 1],
    ["99999x99999", 9_999_800_001],
    ["auto", null],
    [undefined, null]
  ])("of the size %s has %s pixels each", (size, pixels) => {
    expect(read({ size }).pixels).toBe(pixels)
    expect(size === undefined || sizePattern.test(size)).toBe(true)
  })

  it.each(["", "x", "1x", "x1", "0x1", "1x0", "01x1", "-1x1", "1X1", "1x1x1", "AUTO", "1e3x1", "100000x1", "1x1\n"])(
    "has no size %j",
    (size) => {
      expect(sizePattern.test(size)).toBe(false)
    }
  )

  it("is one image unless it says more, and its amount has the pixels where they are known", () => {
    expect(read({}).images).toBe(1)
    expect(imagesAmount(3, read({ size: "2x3" }))).toEqual({ unit: "images", images: 3, pixels: 6 })
    expect(imagesAmount(3, read({}))).toEqual({ unit: "images", images: 3 })
  })

  it.each([
    ["m", "there", true],
    ["gpt-image-1", "there", false],
    ["m", "gpt-image-1.5", false],
    ["m", "openai/GPT-Image-1-mini", false],
    ["my-gpt-image", "not-gpt-image", true]
  ])("for %s, which is %s there, names the form of the images: %s", (model, name, isNamed) => {
    const request = read({ model, response_format: "url" })
    expect(upstreamBody(request, name)).toEqual({
      model: name,
      prompt: "p",
      ...(isNamed ? { response_format: "url" } : {})
    })
  })
})

describe("an image in an answer", () => {
  const both = { b64_json: "AAAA", url: "https://x.example/1" }

  it.each([
    ["url", both, { url: both.url }],
    ["b64_json", both, { b64_json: both.b64_json }],
    [null, both, { b64_json: both.b64_json }],
    ["url", { ...both, url: null }, { b64_json: both.b64_json }],
    [null, { ...both, b64_json: "" }, { url: both.url }]
  ] as const)("asked for as %s has one form: %j", (format, image, expected) => {
    const { data } = imageBodyOf({ format, model: "m" }, { images: [{ ...image, seed: 1 }], fields: {} }, 7)
    expect(data).toEqual([{ ...expected, seed: 1 }])
  })

  it("stands beside the upstream's other fields, without its id and under the model that was asked for", () => {
    const fields = { id: "img_1", model: "there", created: 5, usage: { total_tokens: 1 } }
    expect(imageBodyOf({ format: null, model: "m" }, { images: [], fields }, 7)).toEqual({
      ...{ model: "m", created: 5, usage: { total_tokens: 1 }, data: [] }
    })
    expect(imageBodyOf({ format: null, model: "m" }, { images: [], fields: { created: "now" } }, 7)).toEqual({
      ...{ created: 7, data: [] }
    })
  })
})
