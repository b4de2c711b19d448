/** Speech synthesis as a caller of the API meets it: docs/reference/speech-synthesis.md. Verifies: SYNT-1, SYNT-2, SYNT-4, SYNT-5. */
import type { OutgoingHttpHeaders } from "node:http"
import type { KeyOptions, StorageProvider } from "@trunkline/core"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { FakeSynthesis, spokenBytes } from "../inference/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { gate, type HttpWorld, openWorld, type Start, unheld, until } from "./HttpWorld.ts"
import { openAnswer } from "./OpenedAnswer.ts"

const path = "/v1/audio/speech"
const asked = { model: "bulbul:v3", input: "Good day" }

const types = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm"
} as const

/** Bodies that are refused, each with the field that is named. */
const faults: ReadonlyArray<readonly [what: string, body: object, param: string]> = [
  ["no model", { input: "a" }, "model"],
  ["a model that is no text", { ...asked, model: 1 }, "model"],
  ["an empty model", { ...asked, model: "" }, "model"],
  ["no input", { model: "bulbul:v3" }, "input"],
  ["null for the input", { ...asked, input: null }, "input"],
  ["an empty input", { ...asked, input: "" }, "input"],
  ["a list of inputs", { ...asked, input: ["a"] }, "input"],
  ["a voice that is a number", { ...asked, voice: 1 }, "voice"],
  ["a voice without its id", { ...asked, voice: {} }, "voice.id"],
  ["another format", { ...asked, response_format: "ogg" }, "response_format"],
  ["a speed of 0.24", { ...asked, speed: 0.24 }, "speed"],
  ["a speed of 4.01", { ...asked, speed: 4.01 }, "speed"],
  ["a speed in a text", { ...asked, speed: "1" }, "speed"],
  ["instructions that are no text", { ...asked, instructions: {} }, "instructions"],
  ["a language that is no text", { ...asked, language: 1 }, "language"],
  ["another kind of stream", { ...asked, stream_format: "json" }, "stream_format"]
]

const bytes = (text: string) => new TextEncoder().encode(text)
const error = ({ body }: Answer): Fields => body.error as Fields

const openAt = (world: HttpWorld, json: object, headers: OutgoingHttpHeaders = {}) =>
  openAnswer(world, path, json, headers)

export const speechSynthesisSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`speech synthesis through ${name}`, () => {
    const voices = new FakeSynthesis("a fake")
    let world: HttpWorld

    beforeAll(async () => {
      const models = { upstreams: { fake: voices.provider }, routes: { "*": { upstream: "fake" } } }
      world = await openWorld(start, storage, { core: { models } })
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
    })
    afterAll(() => world.close())
    beforeEach(() => {
      voices.works.length = 0
      voices.says(spokenBytes)
    })

    const ask = (more: object = {}, sent: Sent = {}) =>
      world.send("POST", path, { key: world.key, json: { ...asked, ...more }, ...sent })
    const keyWith = async (options: KeyOptions) => (await world.core.admin.createKey(world.account, options)).text

    const statuses = async (count: number) => {
      const { items } = await world.send("GET", `/v1/usage/logs?limit=${count}`, { key: world.key })
      return items.map(({ service, status, units }) => ({ service, status, units }))
    }

    /** Audio whose second piece comes when the test opens the gate. */
    const inTwoPieces = () => {
      const door = gate()
      voices.does(({ onBytes }) =>
        Effect.gen(function* () {
          yield* onBytes(bytes("one"))
          yield* Effect.promise(door.wait)
          yield* onBytes(bytes("two"))
        })
      )
      return door
    }

    // Verifies: G-122, G-880, G-883, G-884.
    it("answers with the audio as it came, under the type of its format", async () => {
      for (const [format, type] of Object.entries(types)) {
        const answer = await ask({ response_format: format })
        expect({ status: answer.status, type: answer.headers["content-type"] }, format).toEqual({ status: 200, type })
        expect(new Uint8Array(answer.bytes), format).toEqual(spokenBytes)
      }
      const plain = await ask()
      expect(plain.headers).toMatchObject({
        ...{ "content-type": "audio/mpeg", "x-service-served-by": "a fake" },
        "x-request-id": expect.any(String)
      })
      expect(voices.works.map(({ format }) => format)).toEqual([...Object.keys(types), "mp3"])
      expect(await statuses(1)).toEqual([{ service: "tts", status: 200, units: 8 }])
    })

    it("is below the alias of the inference routes, too", async () => {
      const answer = await world.send("POST", `/openai${path}`, { key: world.key, json: asked })
      expect(new Uint8Array(answer.bytes)).toEqual(spokenBytes)
    })

    // Verifies: G-882, G-889, G-897.
    it("accepts a voice as a text or with its id, a language, and null for what is not there", async () => {
      for (const voice of ["anushka", { id: "anushka" }, { id: "anushka", more: 1 }]) {
        expect((await ask({ voice, language: "hi-IN", speed: 0.25, instructions: null })).status).toBe(200)
      }
      const nulls = { voice: null, response_format: null, speed: null, language: null, stream_format: null }
      expect((await ask(nulls)).status).toBe(200)
      expect(voices.works.map(({ language, speed, voice }) => ({ language, speed, voice }))).toEqual([
        ...Array.from({ length: 3 }, () => ({ language: "hi-IN", speed: 0.25, voice: "anushka" })),
        { language: null, speed: null, voice: null }
      ])
    })

    // Verifies: G-901.
    it("answers with events where the caller wants them", async () => {
      voices.says(bytes("one"), bytes("two"))
      const { headers, text } = await ask({ stream_format: "sse", response_format: "wav" })
      expect(headers).toMatchObject({ "content-type": "text/event-stream", ...unheld })
      const events = text
        .trimEnd()
        .split("\n\n")
        .map((one) => JSON.parse(one.slice("data: ".length)))
      expect(events).toEqual([
        { type: "speech.audio.delta", audio: Buffer.from("one").toString("base64") },
        { type: "speech.audio.delta", audio: Buffer.from("two").toString("base64") },
        { type: "speech.audio.done", usage: { characters: 8 } }
      ])
    })

    describe("refuses", () => {
      // Verifies: G-881, G-883.
      it.each(faults)("%s with 422, and names the field", async (_, body, param) => {
        const refused = await world.send("POST", path, { key: world.key, json: body })
        expect({ status: refused.status, ...error(refused) }).toMatchObject({
          ...{ status: 422, code: "invalid_request", type: "invalid_request_error", param },
          message: expect.stringContaining(param)
        })
        expect(voices.works).toEqual([])
      })

      // Verifies: G-881.
      it("every field that is wrong, all in one answer", async () => {
        const refused = await ask({ speed: 9, response_format: "x" })
        expect(error(refused).message).toMatch(/speed.*response_format|response_format.*speed/)
      })

      // Verifies: G-880, G-885, G-887, G-916.
      it("other bodies, keys without the permission, and models that do not speak", async () => {
        const deep = `{"model":"bulbul:v3","input":"a","more":${"[".repeat(5000)}${"]".repeat(5000)}}`
        const typed = (body: string, type = "application/json") => ({ body, headers: { "content-type": type } })
        const raw = (sent: Sent) => world.send("POST", path, { key: world.key, ...sent })
        for (const [answer, status, code, param] of [
          [await raw(typed("input=a", "application/x-www-form-urlencoded")), 415, "invalid_request", null],
          [await raw(typed("{")), 400, "invalid_request", null],
          [await raw(typed(deep)), 400, "invalid_request", null],
          [await ask({}, { key: "svc_unknown" }), 401, "invalid_api_key", null],
          [await ask({}, { key: await keyWith({ permissions: ["stt", "llm"] }) }), 403, "permission_denied", null],
          [await ask({}, { key: await keyWith({ models: ["tts-1"] }) }), 403, "model_not_allowed", "model"],
          [await ask({ model: "nobody's" }), 404, "model_not_found", "model"],
          [await ask({ model: "kimi-k2.5" }), 400, "invalid_request", "model"],
          [await ask({ input: "a".repeat(2501) }), 400, "invalid_request", "input"],
          [await ask({ input: "a".repeat(1_000_001) }), 400, "invalid_request", "input"]
        ] as const) {
          expect({ status: answer.status, ...error(answer) }).toMatchObject({ status, code, param })
        }
        expect(voices.works).toEqual([])
        expect((await ask({}, { key: await keyWith({ permissions: ["tts"] }) })).status).toBe(200)
      })
    })

    // Verifies: G-908.
    it("answers a failure before the first byte with its status, and says nothing of the upstream's", async () => {
      for (const [why, status, code] of [
        ["refused_input", 400, "invalid_request"],
        ["throttled", 429, "rate_limit_exceeded"],
        ["operator", 502, "provider_error"],
        ["timeout", 502, "service_unavailable"]
      ] as const) {
        voices.fails(why)
        const answer = await ask({ stream_format: "sse" })
        expect({ status: answer.status, code: error(answer).code }, why).toEqual({ status, code })
        expect(answer.text).not.toContain("leaky")
      }
    })

    describe("an answer that comes piece by piece", () => {
      // Verifies: G-902.
      it("ends with an error event where it comes as events", async () => {
        voices.fails("unreadable", bytes("half"))
        const { headers, text } = await ask({ stream_format: "sse" }, { headers: { "x-request-id": "of-this-test" } })
        const last = text.trimEnd().split("\n\n").at(-1)!
        expect(JSON.parse(last.slice("data: ".length))).toEqual({
          error: {
            ...{ type: "api_error", code: "service_unavailable", param: null, request_id: "of-this-test" },
            message: expect.any(String)
          }
        })
        expect(headers["x-request-id"]).toBe("of-this-test")
      })

      // Verifies: G-903.
      it("is billed in full when its client goes", async () => {
        const before = voices.interrupted
        inTwoPieces()
        const answer = await openAt(world, asked)
        await answer.read()
        answer.leave()
        const row = await until(async () => (await statuses(1)).find(({ status }) => status === 499))
        expect(row).toEqual({ service: "tts", status: 499, units: 8 })
        expect(voices.interrupted).toBe(before + 1)
      })

      // Verifies: G-903.
      it("keeps the place of its key until it has ended", async () => {
        const door = inTwoPieces()
        const key = await keyWith({ concurrency: 1 })
        const answer = await openAt(world, asked, { authorization: `Bearer ${key}` })
        await answer.read()
        const second = await ask({}, { key })
        expect({ status: second.status, code: error(second).code }).toEqual({
          ...{ status: 429, code: "too_many_concurrent_requests" }
        })
        door.open()
        while ((await answer.read()) !== null);
        voices.says(spokenBytes)
        expect((await ask({}, { key })).status).toBe(200)
      })
    })

    describe("an Idempotency-Key", () => {
      // Verifies: G-905.
      it("gets the same bytes under the same type again, and runs nothing", async () => {
        const headers = { "idempotency-key": "speech of a suite" }
        const first = await ask({ response_format: "wav" }, { headers })
        voices.says(bytes("something else"))
        const again = await ask({ response_format: "wav" }, { headers })
        expect(again.headers).toMatchObject({
          ...{ "content-type": "audio/wav", "idempotent-replayed": "true", "x-service-served-by": "a fake" },
          "content-length": String(spokenBytes.length)
        })
        expect(first.headers["idempotent-replayed"]).toBeUndefined()
        expect([...again.bytes]).toEqual([...first.bytes])
        expect(voices.works).toHaveLength(1)
        expect((await ask({ response_format: "mp3" }, { headers })).status).toBe(409)
      })

      // Verifies: G-904.
      it("lets the run go on when its client goes, for the retry", async () => {
        const headers = { "idempotency-key": "speech that is left" }
        const door = inTwoPieces()
        const answer = await openAt(world, asked, headers)
        await answer.read()
        answer.leave()
        const running = await ask({}, { headers })
        expect({ status: running.status, code: error(running).code }).toEqual({
          ...{ status: 409, code: "idempotency_in_progress" }
        })
        door.open()
        const kept = await until(async () => {
          const again = await ask({}, { headers })
          return again.status === 200 ? again : undefined
        })
        expect([kept.text, kept.headers["idempotent-replayed"]]).toEqual(["onetwo", "true"])
        expect(voices.works).toHaveLength(1)
      })
    })

    // Verifies: G-888, G-915.
    it("shows how many characters a model accepts, and that it can be used", async () => {
      for (const [id, characters] of [
        ["bulbul:v3", 2500],
        ["aura-2-es", 2000],
        ["tts-1", 4096]
      ] as const) {
        const { body } = await world.send("GET", `/v1/models/${id}`, { key: world.key })
        expect(body).toMatchObject({ available: true, limits: { characters } })
      }
    })
  })
