/** The speech routes as a caller of the API meets them: docs/reference/gateway.md. Verifies: INFE-1, INFE-2, INFE-3, INFE-5. */
import { createHash } from "node:crypto"
import type { KeyOptions, StorageProvider } from "@trunkline/core"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { FakeSpeech, leak, noise, wav, wavOf } from "../inference/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type Start, unheld, until } from "./HttpWorld.ts"
import { type UploadForm, upload } from "./Upload.ts"

export const transcriptions = "/v1/audio/transcriptions"
export const translations = "/v1/audio/translations"

const maxBytes = 26_214_400

/** The model's own limits aside: one that has none. */
const unlimited = ["model", "nova-3"] as const

const segments = [
  { id: "0", speaker: "A", start: 0, end: 1, text: "hello" },
  { id: "1", speaker: "B", start: 1, end: 2.5, text: "world" }
]

type Refusal = [what: string, form: Partial<UploadForm>, status: number, code: string, param: string]

/** What is refused before any upstream hears of it, with the field that it is about. */
const refusals: ReadonlyArray<Refusal> = [
  ["a mode that there is none of", { fields: [["mode", "x"]] }, 422, "invalid_request", "mode"],
  ["a temperature of 2.1", { fields: [["temperature", "2.1"]] }, 422, "invalid_request", "temperature"],
  ["no file", { file: null }, 422, "invalid_request", "file"],
  ["an unknown model", { fields: [["model", "none"]] }, 404, "model_not_found", "model"],
  ["a model for streams", { fields: [["model", "ink-2"]] }, 400, "invalid_request", "model"],
  ["a model that writes", { fields: [["model", "kimi-k2.5"]] }, 400, "invalid_request", "model"],
  ["an empty file", { file: new Uint8Array(0) }, 400, "invalid_request", "file"],
  ["random bytes that are called .wav", { file: noise(100_000) }, 400, "invalid_request", "file"],
  ["samples without a header", { file: wav(1).subarray(44) }, 400, "invalid_request", "file"],
  ["a header with an impossible rate", { file: wav(3, { rate: 1_600_000 }) }, 400, "invalid_request", "file"],
  ["a minute for a model of half a minute", { file: wav(60) }, 400, "audio_too_long", "file"],
  ["a minute under a header of a second", { file: wav(60, { claims: 32_000 }) }, 400, "audio_too_long", "file"],
  [
    "25,000,001 bytes for Whisper",
    { fields: [["model", "whisper-1"]], file: wavOf(new Uint8Array(24_999_957)) },
    413,
    "file_too_large",
    "file"
  ]
]

/** The events of a stream. */
const eventsOf = ({ text }: Answer): ReadonlyArray<unknown> =>
  text
    .trim()
    .split("\n\n")
    .map((event) => JSON.parse(event.slice("data: ".length)))

const error = ({ body }: Answer): Fields => body.error as Fields

export const speechSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`speech through ${name}`, () => {
    const speech = new FakeSpeech("hello world", "a fake")
    const routes = { "*": { upstream: "fake" } }
    let world: HttpWorld

    const opened = (core: Parameters<typeof openWorld>[2] = {}) =>
      openWorld(start, storage, {
        ...core,
        core: { models: { upstreams: { fake: speech.provider }, routes }, ...core.core }
      })

    beforeAll(async () => {
      world = await opened()
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
    })
    afterAll(() => world.close())
    beforeEach(() => {
      speech.works.length = 0
      speech.says({ text: "hello world", segments })
    })

    const ask = (
      form: Partial<UploadForm> = {},
      {
        at = world,
        headers,
        path = transcriptions,
        ...sent
      }: Sent & { readonly path?: string; readonly at?: HttpWorld } = {}
    ) => {
      const { body, headers: own } = upload({ file: wav(2.2), ...form })
      return at.send("POST", path, { key: world.key, body, headers: { ...own, ...headers }, ...sent })
    }

    const logs = async (): Promise<ReadonlyArray<Fields>> =>
      (await world.send("GET", "/v1/usage/logs?limit=1000", { key: world.key })).items

    const digestOf = (chunks: ReadonlyArray<Uint8Array>) => {
      const hash = createHash("sha256")
      for (const chunk of chunks) hash.update(chunk)
      return hash.digest("hex")
    }

    describe("transcriptions", () => {
      it("passes the file on as it is, with the fields that the model supports", async () => {
        const file = noise(1_000_000)
        file.set(wav(0).subarray(0, 44))
        const fields = [unlimited, ["language", "fr"], ["prompt", "spell it"], ["temperature", "0.5"]] as const
        for (const sent of [{}, { fileFirst: true }]) {
          speech.works.length = 0
          expect((await ask({ file, fields, fileName: "ä b.wav", ...sent })).status).toBe(200)
          expect(speech.works).toMatchObject([
            {
              task: "transcribe",
              model: "nova-3",
              requestedModel: "nova-3",
              language: "fr",
              mode: null,
              features: [],
              diarize: false
            }
          ])
          const { chunks, size } = speech.works[0]!.audio
          expect({ size, digest: digestOf(chunks) }).toEqual({ size: file.byteLength, digest: digestOf([file]) })
        }
      })

      // Verifies: G-1, G-11, G-12, G-13, G-14, G-17, G-19, G-158, H-58.
      it("answers in every format, and bills each alike", async () => {
        const before = (await logs()).length
        const diarizing = ["model", "gpt-4o-transcribe-diarize"] as const
        const format = (value: string) => ask({ fields: [diarizing, ["language", "en"], ["response_format", value]] })
        expect((await format("json")).body).toEqual({ text: "hello world" })
        expect((await format("srt")).body).toEqual({ text: "hello world" })
        const text = await format("text")
        expect(text.text).toBe("hello world")
        expect(text.headers["content-type"]).toMatch(/^text\/plain\b/)
        expect((await format("verbose_json")).body).toEqual({
          task: "transcribe",
          language: "en",
          duration: 3,
          text: "hello world",
          segments,
          words: []
        })
        expect((await format("diarized_json")).body).toEqual({
          task: "transcribe",
          duration: 3,
          text: "hello world",
          segments: segments.map((segment) => ({ type: "transcript.text.segment", ...segment }))
        })
        const rows = (await logs()).slice(0, -before || undefined)
        expect(
          rows.map(({ credits, model, service, status, unit, units }) => ({
            credits,
            model,
            service,
            status,
            unit,
            units
          }))
        ).toEqual(
          Array.from({ length: 5 }, () => ({
            credits: 0.0288,
            model: "gpt-4o-transcribe-diarize",
            service: "stt",
            status: 200,
            unit: "seconds",
            units: 3
          }))
        )
      })

      // Verifies: H-153.
      it("streams a transcript as events, billed and replayed under an Idempotency-Key like any other answer", async () => {
        const fields = [
          ["model", "gpt-4o-transcribe-diarize"],
          ["response_format", "diarized_json"],
          ["stream", "true"]
        ] as const
        const before = (await logs()).length
        const headers = { "idempotency-key": "one stream" }
        const streamed = await ask({ fields }, { headers })
        expect(streamed.status).toBe(200)
        expect(streamed.headers).toMatchObject({ "content-type": "text/event-stream", ...unheld })
        expect(eventsOf(streamed)).toEqual([
          { type: "transcript.text.delta", delta: "hello world" },
          ...segments.map((segment) => ({ type: "transcript.text.segment", ...segment })),
          { type: "transcript.text.done", text: "hello world", usage: { type: "duration", seconds: 3 } }
        ])
        speech.says({ text: "another answer" })
        const again = await ask({ fields }, { headers })
        expect(again.text).toBe(streamed.text)
        expect(again.headers).toMatchObject({ "content-type": "text/event-stream", "idempotent-replayed": "true" })
        const whole = await ask({ fields: fields.slice(0, 2) }, { headers })
        expect({ status: whole.status, ...error(whole) }).toMatchObject({ status: 409, code: "idempotency_key_reused" })
        expect((await logs()).slice(0, -before || undefined)).toMatchObject([
          { model: "gpt-4o-transcribe-diarize", units: 3, credits: 0.0288, status: 200 }
        ])
      })

      // Verifies: H-154.
      it("answers a stream request that fails with an ordinary error", async () => {
        const stream = ["stream", "true"] as const
        speech.fails("failed")
        const failed = await ask({ fields: [stream] })
        expect([failed.status, error(failed).code]).toEqual([502, "service_unavailable"])
        expect(failed.headers["content-type"]).toMatch(/^application\/json/)
        speech.says({ text: "hello" })
        const unknown = await ask({ fields: [stream, ["model", "none"]] })
        expect([unknown.status, error(unknown).code]).toEqual([404, "model_not_found"])
        const wrong = await ask({ fields: [["stream", "maybe"]] })
        expect([wrong.status, error(wrong).param]).toEqual([422, "stream"])
        expect((await ask({ fields: [["stream", "false"]] })).body).toEqual({ text: "hello" })
        expect((await ask({ fields: [stream] }, { path: translations })).body).toEqual({ text: "hello" })
      })

      // Verifies: G-15, G-16, H-56.
      it("has no segments of a model that does not separate speakers", async () => {
        speech.says({ text: "hello", segments: [{ id: "0", speaker: "A", start: 0, end: 1, text: "hello" }] })
        for (const format of ["verbose_json", "diarized_json"]) {
          expect((await ask({ fields: [["response_format", format]] })).body).toMatchObject({
            segments: [],
            duration: 3
          })
        }
        expect((await ask({ fields: [["response_format", "verbose_json"]] })).body.language).toBe("unknown")
      })

      it("reads a body of unknown length", async () => {
        expect((await ask({ file: wav(29.5) }, { chunked: true })).body).toEqual({ text: "hello world" })
      })

      // Verifies: H-67, H-95, H-124.
      it("names the upstream that served it, with the request's id and the key's limits", async () => {
        const { headers } = await ask({}, { headers: { "x-request-id": "of-the-host", "x-trace-id": "trace-7" } })
        expect(headers).toMatchObject({ "x-service-served-by": "a fake", "x-request-id": "of-the-host" })
        expect((await logs())[0]).toMatchObject({ request_id: "of-the-host", trace_id: "trace-7" })
      })
    })

    describe("translations", () => {
      // Verifies: G-5, G-18, G-96, G-100, G-103, H-57.
      it("translates into English, in the formats of that route", async () => {
        const format = (value: string) =>
          ask(
            {
              fields: [
                ["response_format", value],
                ["mode", "x"]
              ]
            },
            { path: translations }
          )
        expect((await format("json")).body).toEqual({ text: "hello world" })
        expect((await format("diarized_json")).body).toEqual({ text: "hello world" })
        expect((await format("text")).text).toBe("hello world")
        expect((await format("verbose_json")).body).toEqual({
          task: "translate",
          language: "en",
          duration: 3,
          text: "hello world",
          segments: [],
          words: []
        })
        expect(speech.works.at(-1)).toMatchObject({ task: "translate", mode: "translate", language: null })
      })

      // The translation route has no modes, and takes what a transcription would refuse for one.
      // Verifies: G-99, G-107.
      it.each(refusals.filter(([, , , , param]) => param !== "mode"))(
        "refuses %s on the translation route as well, in the same words",
        async (_, form, status, code) => {
          const answer = await ask(form, { path: translations })
          expect({ status: answer.status, code: error(answer).code }).toEqual({ status, code })
          expect(error(answer)).toEqual(error(await ask(form)))
          expect(speech.works).toEqual([])
        }
      )

      // Verifies: G-99.
      it("keeps to each model's limits on the translation route: seconds, and bytes to the last", async () => {
        const translated = (model: string, file: Uint8Array) =>
          ask({ fields: [["model", model]], file }, { path: translations })
        for (const [model, seconds] of [
          ["saaras:v3", 30],
          ["saaras:v4", 30],
          ["gnani-prisma-v2.5", 60]
        ] as const) {
          expect((await translated(model, wav(seconds))).status, model).toBe(200)
          const long = await translated(model, wav(seconds + 0.1))
          expect({ status: long.status, code: error(long).code }, model).toEqual({
            status: 400,
            code: "audio_too_long"
          })
        }
        for (const [model, bytes] of [
          ["whisper-large-v3-turbo", 25_000_000],
          ["nova-3", maxBytes]
        ] as const) {
          expect((await translated(model, wavOf(new Uint8Array(bytes - 44)))).status, model).toBe(200)
          const large = await translated(model, wavOf(new Uint8Array(bytes - 43)))
          expect({ status: large.status, code: error(large).code }, model).toEqual({
            status: 413,
            code: "file_too_large"
          })
        }
        expect(speech.works).toHaveLength(5)
      })

      // Verifies: G-105.
      it("accepts a prompt and a temperature on the translation route, and passes on neither", async () => {
        const fields = [
          ["prompt", "spell it"],
          ["temperature", "0.5"]
        ] as const
        expect((await ask({ fields }, { path: translations })).body).toEqual({ text: "hello world" })
        const [{ audio: _, ...work } = {}, ...more] = speech.works
        expect(work).toEqual({
          ...{ task: "translate", model: "saaras:v3", requestedModel: "saaras:v3" },
          ...{ language: null, mode: "translate", features: [], diarize: false }
        })
        expect(more).toEqual([])
      })

      // Verifies: G-107.
      it("refuses alike on both routes, for authentication, permissions, bodies and upstreams", async () => {
        const { admin } = world.core
        const keyWith = async (options: KeyOptions) => (await admin.createKey(world.account, options)).text
        const poor = await admin.createAccount({ name: "Poor" })
        const poorKey = (await admin.createKey(poor.id, { budget: "0.000000001" })).text
        const [mute, narrow] = [await keyWith({ permissions: ["llm"] }), await keyWith({ models: ["saaras:v4"] })]
        const headers = { "x-request-id": "one-of-two" }
        const both = async (form: Partial<UploadForm>, sent: Sent) => {
          const answers = []
          for (const path of [transcriptions, translations]) {
            const answer = await ask(form, { ...sent, path, headers: { ...headers, ...sent.headers } })
            answers.push({ status: answer.status, error: error(answer), retryAfter: answer.headers["retry-after"] })
          }
          expect(answers[1]).toEqual(answers[0])
          return [answers[1]!.status, answers[1]!.error.code]
        }
        expect(await both({}, { key: "svc_unknown" })).toEqual([401, "invalid_api_key"])
        expect(await both({}, { key: mute })).toEqual([403, "permission_denied"])
        expect(await both({}, { key: narrow })).toEqual([403, "model_not_allowed"])
        expect(await both({ fields: [["model", "whisper-1"]] }, { key: poorKey })).toEqual([403, "model_not_available"])
        expect(await both({}, { key: poorKey })).toEqual([402, "budget_exceeded"])
        expect(await both({}, { headers: { "content-type": "application/json" } })).toEqual([415, "invalid_request"])
        expect(await both({}, { body: "no form" })).toEqual([400, "invalid_request"])
        for (const [why, status, code] of [
          ["refused_input", 400, "invalid_request"],
          ["too_large", 413, "file_too_large"],
          ["throttled", 429, "rate_limit_exceeded"],
          ["failed", 502, "service_unavailable"],
          ["timeout", 502, "service_unavailable"],
          ["operator", 502, "provider_error"]
        ] as const) {
          speech.fails(why, why === "throttled" ? { retryAfterSeconds: 9 } : {})
          expect(await both({}, {}), why).toEqual([status, code])
        }
        expect((await logs()).slice(0, 2).map(({ credits, status }) => [credits, status])).toEqual([
          [0, 502],
          [0, 502]
        ])
      })

      // Verifies: G-194, H-40, H-41.
      it("answers 503 for a model that is out of service on both routes, and names what to use instead of a retired one", async () => {
        const saaras = { category: "stt", price: { usd_per_hour: 0.5 }, tiers: ["free"] }
        const models = [
          { ...saaras, id: "saaras:v3", status: "maintenance" },
          { ...saaras, id: "old", status: "retired", successor: "saaras:v4" }
        ]
        const providers = { upstreams: { fake: speech.provider }, routes }
        const other = await opened({ core: { models: { ...providers, catalogue: { models } } } })
        try {
          for (const path of [transcriptions, translations]) {
            for (const [model, words] of [
              ["saaras:v3", /out of service/],
              ["old", /Use saaras:v4/]
            ] as const) {
              const answer = await ask({ fields: [["model", model]] }, { path, key: other.key, at: other })
              expect({ status: answer.status, ...error(answer) }, `${path} ${model}`).toEqual({
                ...{ status: 503, code: "model_under_maintenance", type: "api_error", param: "model" },
                message: expect.stringMatching(words)
              })
            }
          }
          expect(speech.works).toEqual([])
          // Which of its own keys and plans may use it is said first.
          const { text: key } = await other.core.admin.createKey(other.account, { models: ["saaras:v4"] })
          expect(error(await ask({}, { key, at: other })).code).toBe("model_not_allowed")
          const { items } = await other.send("GET", "/v1/usage/logs", { key: other.key })
          expect(items).toEqual([])
        } finally {
          await other.close()
        }
      })
    })

    describe("refused requests", () => {
      // Verifies: H-158.
      it("refuses options that no model can serve with 400, and names the field", async () => {
        for (const [field, value] of [
          ["timestamp_granularities[]", "word"],
          ["include[]", "logprobs"],
          ["chunking_strategy[type]", "server_vad"]
        ] as const) {
          const refused = await ask({ fields: [[field, value]] })
          expect({ status: refused.status, ...error(refused) }, field).toMatchObject({
            ...{ status: 400, code: "invalid_request", param: field.replace(/\[.*/, "") }
          })
        }
        expect(speech.works).toEqual([])
        const plain = [
          ["timestamp_granularities[]", "segment"],
          ["chunking_strategy", "auto"]
        ] as const
        expect((await ask({ fields: plain })).status).toBe(200)
      })

      // Verifies: G-43, G-46, G-47, G-49, G-51, G-55, G-57, G-173, G-186, G-196, H-47.
      it.each(refusals)("refuses %s, and asks no upstream", async (_, form, status, code, param) => {
        const answer = await ask(form)
        expect({ status: answer.status, code: error(answer).code }).toEqual({ status, code })
        expect(error(answer)).toEqual({
          message: expect.stringMatching(/\w.*\.?$/),
          type: "invalid_request_error",
          code,
          param
        })
        expect(speech.works).toEqual([])
      })

      // Verifies: G-42.
      it("accepts forms alone: 415 for JSON, 400 for an invalid form", async () => {
        const json = await world.send("POST", transcriptions, { key: world.key, json: { file: "x" } })
        expect({ status: json.status, ...error(json) }).toMatchObject({ status: 415, code: "invalid_request" })
        const { headers } = upload({ file: null })
        const broken = await world.send("POST", transcriptions, { key: world.key, body: "no form", headers })
        expect({ status: broken.status, ...error(broken) }).toMatchObject({ status: 400, code: "invalid_request" })
      })

      // Verifies: G-139, G-180, H-7.
      it("requires a key with the permission for speech", async () => {
        const { text: key } = await world.core.admin.createKey(world.account, { permissions: ["llm"] })
        const refused = await ask({ fields: [["mode", "x"]] }, { key })
        expect({ status: refused.status, ...error(refused) }).toMatchObject({ status: 403, code: "permission_denied" })
        const { headers } = upload({ file: null })
        expect((await world.send("POST", transcriptions, { body: "", headers })).status).toBe(401)
      })

      // Verifies: G-34, G-140, G-181.
      it("serves only the models of the key and of the plan", async () => {
        const { text: key } = await world.core.admin.createKey(world.account, { models: ["saaras:v3"] })
        expect(error(await ask({ fields: [unlimited] }, { key }))).toMatchObject({ code: "model_not_allowed" })
        expect((await ask({}, { key })).status).toBe(200)
        const stranger = await ask({ fields: [["model", "whisper-1"]] }, { key: world.stranger })
        expect({ status: stranger.status, ...error(stranger) }).toMatchObject({
          status: 403,
          code: "model_not_available"
        })
      })
    })

    describe("failures and repeated requests", () => {
      // Verifies: G-199.
      it("can be retried with the same Idempotency-Key after 500 and 502, and is billed once", async () => {
        const before = (await logs()).length
        const headers = { "idempotency-key": "after failures" }
        speech.does(() => Effect.die(new Error("a mistake")))
        // Past the suite's client, which takes no 500.
        const { body, headers: form } = upload({ file: wav(2.2) })
        const broken = await world.host("POST", transcriptions, {
          ...{ key: world.key, body },
          headers: { ...form, ...headers }
        })
        speech.fails("failed")
        const failed = await ask({}, { headers })
        speech.says({ text: "at last" })
        const done = await ask({}, { headers })
        expect([broken.status, failed.status, done.status]).toEqual([500, 502, 200])
        for (const answer of [broken, failed]) expect(answer.headers).not.toHaveProperty("x-should-retry")
        expect((await ask({}, { headers })).headers["idempotent-replayed"]).toBe("true")
        const rows = (await logs()).slice(0, -before || undefined)
        expect(rows.map(({ credits, status }) => [status, credits])).toEqual([
          [200, 0.0424],
          [502, 0],
          [500, 0]
        ])
      })

      // Verifies: H-159.
      it("shows the caller what is not offered and that a retry cannot help, and logs what to configure", async () => {
        speech.fails("unsupported", { advice: "This language is not offered here." })
        const unsupported = await ask({ fields: [["language", "hi-IN"]] })
        expect({ status: unsupported.status, ...error(unsupported) }).toMatchObject({
          ...{ status: 502, code: "service_unavailable", message: "This language is not offered here." }
        })
        expect(unsupported.headers["x-should-retry"]).toBe("false")
        expect(world.log.at(-1)?.message).toContain(leak)
        const routed = await opened({ core: { models: { upstreams: { fake: speech.provider }, routes: {} } } })
        try {
          const nobody = await ask({}, { key: routed.key, at: routed })
          expect({ status: nobody.status, ...error(nobody) }).toMatchObject({
            ...{ status: 502, code: "service_unavailable", message: expect.stringContaining("saaras:v3") }
          })
          expect(error(nobody).message).not.toMatch(/upstream|configur|operator/i)
          expect(nobody.headers["x-should-retry"]).toBe("false")
          expect(routed.log.at(-1)).toMatchObject({
            level: "warn",
            message: expect.stringMatching(/saaras:v3.*models\.routes/)
          })
        } finally {
          await routed.close()
        }
      })

      // Verifies: G-153, G-157, H-29.
      it("reports an upstream's failure in our own words, with the request's id", async () => {
        speech.fails("failed")
        const failed = await ask({}, { headers: { "x-request-id": "failing" } })
        expect(failed.status).toBe(502)
        expect(error(failed)).toEqual({
          message: expect.any(String),
          type: "api_error",
          code: "service_unavailable",
          param: null,
          request_id: "failing"
        })
        speech.fails("throttled", { retryAfterSeconds: 9 })
        const throttled = await ask()
        expect(throttled.status).toBe(429)
        expect(throttled.headers["retry-after"]).toBe("9")
        speech.fails("refused_input")
        const unheard = await ask()
        expect({ status: unheard.status, ...error(unheard) }).toMatchObject({ status: 400, code: "invalid_request" })
        expect(error(unheard)).not.toHaveProperty("request_id")
        for (const answer of [failed, throttled, unheard]) {
          for (const word of leak.split(" ").filter((one) => /[.\d-]/.test(one))) {
            expect(answer.text + JSON.stringify(answer.headers)).not.toContain(word)
          }
        }
        const rows = (await logs()).slice(0, 3)
        expect(rows.map(({ credits, status }) => ({ credits, status }))).toEqual(
          [400, 429, 502].map((status) => ({ credits: 0, status }))
        )
      })

      // Verifies: G-200, H-112, H-113.
      it("runs and bills a request once that is repeated under its Idempotency-Key, however the form is chunked", async () => {
        const before = (await logs()).length
        const headers = { "idempotency-key": "one and the same" }
        const fields = [unlimited, ["response_format", "verbose_json"]] as const
        const first = await ask({ fields }, { headers })
        expect(first.headers).not.toHaveProperty("idempotent-replayed")
        speech.says({ text: "another answer" })
        const again = await ask(
          { fields, boundary: "another-boundary", fileFirst: true, fileName: "b.wav" },
          { headers, chunked: true }
        )
        expect(again.text).toBe(first.text)
        expect(again.headers).toMatchObject({
          "idempotent-replayed": "true",
          "content-type": first.headers["content-type"],
          "x-service-served-by": "a fake"
        })
        const other = await ask({ fields: [unlimited] }, { headers })
        expect({ status: other.status, ...error(other) }).toMatchObject({ status: 409, code: "idempotency_key_reused" })
        expect(other.headers["x-should-retry"]).toBe("false")
        expect(speech.works).toHaveLength(1)
        expect(await logs()).toHaveLength(before + 1)
      })

      // Verifies: H-120.
      it("releases credit and slots when its client disconnects, while it sends or while it waits", async () => {
        const { text: key } = await world.core.admin.createKey(world.account, { concurrency: 1 })
        const { body, headers } = upload({ file: wav(20) })
        await world.abandon("POST", transcriptions, {
          key,
          headers,
          written: body.subarray(0, 5000).toString("latin1")
        })
        const door = speech.waits()
        void door
        const gone = new AbortController()
        const waiting = fetch(world.served.origin + transcriptions, {
          method: "POST",
          headers: {
            authorization: `Bearer ${await until(async () => ((await isFree(key)) ? key : undefined))}`,
            ...headers
          },
          body,
          signal: gone.signal
        }).catch(() => null)
        await until(async () => (speech.works.length > 0 ? true : undefined))
        gone.abort()
        await waiting
        await until(async () => (speech.interrupted > 0 ? true : undefined))
        speech.says({ text: "hello" })
        expect(await until(async () => ((await isFree(key)) ? true : undefined))).toBe(true)
        expect((await logs()).some(({ status }) => status === 499)).toBe(true)
      })

      /** Whether a key with one place has it free. */
      const isFree = async (key: string): Promise<boolean> => {
        const { status } = await ask({ fields: [["mode", "x"]] }, { key })
        return status === 422
      }
    })

    describe("settings of the host", () => {
      // Verifies: H-135.
      it("uses the brand's own names", async () => {
        const branded = await opened({ core: { brand: { headerPrefix: "X-Acme-", keyPrefix: "acme_" } } })
        try {
          const { body, headers } = upload({ file: wav(1) })
          const answer = await branded.send("POST", transcriptions, { key: branded.key, body, headers })
          expect(answer.headers).toMatchObject({ "x-acme-served-by": "a fake" })
          expect(JSON.stringify(answer.headers)).not.toContain("service")
        } finally {
          await branded.close()
        }
      })

      // Verifies: H-63.
      it("is answered by the fallback at the price of the requested model, and every answer names the fallback", async () => {
        const engine = new FakeSpeech("hello world", "embedded; model=moonshine-tiny")
        const alone = await openWorld(start, storage, { core: { models: { fallback: engine.provider } } })
        try {
          const send = (model: string) =>
            ask({ fields: [["model", model]], file: wav(60) }, { at: alone, key: alone.key })
          for (const model of ["whisper-large-v3-turbo", "moonshine-tiny"]) {
            const { headers, status } = await send(model)
            expect([status, headers["x-service-served-by"]], model).toEqual([200, "embedded; model=moonshine-tiny"])
          }
          const { items } = await alone.send("GET", "/v1/usage/logs", { key: alone.key })
          expect(items.map(({ credits, model, units }) => [model, units, credits])).toEqual([
            ["moonshine-tiny", 60, 0],
            ["whisper-large-v3-turbo", 60, 0.096]
          ])
        } finally {
          await alone.close()
        }
      })

      // Verifies: G-191, H-28.
      it("answers 502 where no upstream is configured", async () => {
        const bare = await openWorld(start, storage)
        try {
          const { body, headers } = upload({ file: wav(1) })
          const answer = await bare.send("POST", transcriptions, { key: bare.key, body, headers })
          expect({ status: answer.status, ...error(answer) }).toMatchObject({
            status: 502,
            code: "service_unavailable",
            request_id: answer.headers["x-request-id"]
          })
        } finally {
          await bare.close()
        }
      })
    })
  })
