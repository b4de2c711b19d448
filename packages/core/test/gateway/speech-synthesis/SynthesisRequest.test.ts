/** What the gateway reads of a request for speech: docs/reference/speech-synthesis.md#fields. */
import { describe, expect, it } from "vitest"
import {
  contentTypeOf,
  readSynthesisRequest,
  type SynthesisBody,
  speakRequest,
  synthesisFingerprint
} from "../../../src/gateway/speech-synthesis/SynthesisRequest.ts"
import { audioFormats } from "../../../src/gateway/upstreams/index.ts"

const body: SynthesisBody = { model: "tts-1", input: "Hello" }
const read = (more: Partial<SynthesisBody> = {}) => readSynthesisRequest({ ...body, ...more }, 100)

describe("a request for speech", () => {
  // Verifies: G-883, G-884.
  it("has the content type of its format, or that of events", () => {
    const types = audioFormats.map((format) => contentTypeOf(read(), format))
    expect(types).toEqual(["audio/mpeg", "audio/ogg", "audio/aac", "audio/flac", "audio/wav", "audio/pcm"])
    expect(speakRequest(read(), "m").format).toBe("mp3")
    expect(speakRequest(read(), "m", "wav").format).toBe("wav")
    expect(speakRequest(read({ response_format: "aac" }), "m", "wav").format).toBe("aac")
    expect(contentTypeOf(read({ stream_format: "sse" }), "wav")).toBe("text/event-stream")
  })

  // Verifies: G-907.
  it.each([
    ["Hello", 5],
    ["😀", 1],
    ["नमस्ते", 6],
    ["e\u0301", 2],
    [" \n", 2],
    ["\ud83d", 1]
  ])("counts the code points of %j: %d", (input, characters) => {
    expect(read({ input }).characters).toBe(characters)
  })

  // Verifies: G-882.
  it("has a voice by its name, by its id, or none", () => {
    const voices = ["a", { id: "a" }, "", { id: "" }, null, undefined] as const
    expect(voices.map((voice) => read(voice === undefined ? {} : { voice }).speech.voice)).toEqual([
      ...["a", "a", null, null, null, null]
    ])
  })

  // Verifies: G-890, G-897.
  it("keeps every field for the upstream but its own and those that are null", () => {
    const request = read({ stream_format: "audio", voice: { id: "v", more: [1] } as never, seed: 7, nothing: null })
    expect(speakRequest(request, "there").fields).toEqual({
      ...{ model: "there", input: "Hello", voice: { id: "v", more: [1] }, seed: 7 }
    })
  })

  // Verifies: G-905.
  it("is the same however its JSON is written, and another one with any other value", () => {
    const print = (given: object) => synthesisFingerprint(readSynthesisRequest({ ...given } as SynthesisBody, 1))
    const first = print({ model: "m", input: "i", voice: { id: "v", a: 1 } })
    expect(print({ voice: { a: 1, id: "v" }, speed: null, input: "i", model: "m" })).toBe(first)
    const others = [
      { model: "n", input: "i", voice: { id: "v", a: 1 } },
      { model: "m", input: "i", voice: { id: "v", a: 2 } },
      { model: "m", input: "i", voice: { id: "v", a: 1 }, stream_format: "sse" },
      { model: "m", input: "i", voice: { id: "v", a: 1 }, seed: 1 }
    ]
    expect(new Set([first, ...others.map(print)]).size).toBe(5)
  })
})
