/** Official client libraries, unchanged, against a running server: what they get, and how often they ask. */
import { writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { installModels } from "@trunkline/providers/embedded"
import Groq from "groq-sdk"
import OpenAI, { toFile } from "openai"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { json } from "./Command.ts"
import { cleanUp, folder, type Server, serve } from "./Spawned.ts"

/** Why this machine has no weights; null where it has them. */
const noWeights = await installModels().then(
  () => null,
  (error: Error) => error.message
)

/** Half a second of a tone. */
const speech = (() => {
  const samples = 8000
  const wav = Buffer.alloc(44 + samples * 2)
  wav.write("RIFF", 0, "latin1")
  wav.writeUInt32LE(36 + samples * 2, 4)
  wav.write("WAVEfmt ", 8, "latin1")
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(16_000, 24)
  wav.writeUInt32LE(32_000, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write("data", 36, "latin1")
  wav.writeUInt32LE(samples * 2, 40)
  for (let n = 0; n < samples; n++) wav.writeInt16LE(Math.round(8000 * Math.sin(n / 6)), 44 + n * 2)
  return wav
})()

type Mood = (request: IncomingMessage, response: ServerResponse) => void

const answers: Mood = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: "hello there" }))
}
const fails =
  (status: number, body: object = {}, headers: Record<string, string> = {}): Mood =>
  (_, response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))

let mood: Mood = answers
let ran = 0
const upstream = createServer((request, response) => {
  request.resume()
  request.on("end", () => {
    ran += 1
    mood(request, response)
  })
})

let server: Server
let cwd: string
let account: string

const keyWith = async (...words: ReadonlyArray<string>): Promise<string> =>
  (await json(cwd, "key", "create", "--account", account, ...words)).key

/** A client and the requests that it makes. */
const clientOf = (apiKey: string, options: { readonly maxRetries?: number } = {}) => {
  const asked: Array<number> = []
  const client = new OpenAI({
    apiKey,
    baseURL: `${server.url}/v1`,
    ...options,
    fetch: async (url, init) => {
      const answer = await fetch(url, init)
      // It also tries out what this fetch can do, on a URL of data.
      if (String(url).startsWith(server.url)) asked.push(answer.status)
      return answer
    }
  })
  return { client, asked }
}

const model = "whisper-large-v3-turbo"
const file = () => toFile(speech, "speech.wav")

const refused = async (promise: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> => {
  const error = await promise.then(
    () => undefined,
    (reason) => reason
  )
  expect(error).toBeInstanceOf(OpenAI.APIError)
  return error
}

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve))
  const { port } = upstream.address() as AddressInfo
  cwd = folder(200, {
    models: {
      catalogue: "models.json",
      upstreams: { local: { kind: "openai", base_url: `http://127.0.0.1:${port}/v1`, api_key: "upstream-secret" } },
      routes: { "*": { upstream: "local" } }
    }
  })
  const resting = { id: "org/Resting", category: "stt", status: "maintenance" }
  writeFileSync(join(cwd, "models.json"), JSON.stringify({ models: [resting] }))
  server = await serve(cwd)
  account = (await json(cwd, "account", "create", "--name", "Client", "--plan", "pro")).id
})

afterAll(() => {
  upstream.close()
  cleanUp()
})

describe("the openai client", () => {
  // Verifies: H-150.
  it("transcribes in every format", async () => {
    const { client, asked } = clientOf(await keyWith())
    const create = client.audio.transcriptions
    expect((await create.create({ model, file: await file() })).text).toBe("hello there")
    expect(await create.create({ model, file: await file(), response_format: "text" })).toBe("hello there")
    expect(await create.create({ model, file: await file(), response_format: "verbose_json", language: "en" })).toEqual(
      expect.objectContaining({ task: "transcribe", language: "en", duration: 1, text: "hello there", words: [] })
    )
    expect(await create.create({ model, file: await file(), response_format: "diarized_json" })).toEqual(
      expect.objectContaining({ task: "transcribe", duration: 1, text: "hello there", segments: [] })
    )
    expect(asked).toEqual([200, 200, 200, 200])
  })

  // Verifies: H-150.
  it("translates", async () => {
    const { client } = clientOf(await keyWith())
    const answer = await client.audio.translations.create({
      model,
      file: await file(),
      response_format: "verbose_json"
    })
    expect(answer).toMatchObject({ task: "translate", language: "en", text: "hello there" })
  })

  // Verifies: G-914.
  it("speaks, as a file and as events", async () => {
    const { asked, client } = clientOf(await keyWith())
    mood = (_, response) => {
      response.writeHead(200, { "content-type": "audio/wav" }).write(speech.subarray(0, 1000))
      setImmediate(() => response.end(speech.subarray(1000)))
    }
    const request = { model: "tts-1", input: "Good day", voice: "alloy", response_format: "wav" } as const
    const spoken = await client.audio.speech.create(request)
    expect(spoken.headers.get("content-type")).toBe("audio/wav")
    expect(Buffer.from(await spoken.arrayBuffer()).equals(speech)).toBe(true)
    const events = await (await client.audio.speech.create({ ...request, stream_format: "sse" })).text()
    expect(events).toMatch(/"speech.audio.done","usage":\{"characters":8\}\}\n\n$/)
    mood = answers
    const error = await refused(client.audio.speech.create({ ...request, speed: 5 }))
    expect([error.constructor.name, error.param]).toEqual(["UnprocessableEntityError", "speed"])
    expect(asked).toEqual([200, 200, 422])
  })

  // Verifies: G-918, G-919.
  it("gets speech of this machine, whatever takes all other models", async () => {
    const { client } = clientOf(await keyWith())
    const before = ran
    const spoken = await client.audio.speech.create({ model: "flite", input: "Good day", voice: "alloy" })
    expect(spoken.headers.get("content-type")).toBe("audio/wav")
    expect(spoken.headers.get("x-service-served-by")).toBe("embedded; model=flite")
    const wav = Buffer.from(await spoken.arrayBuffer())
    expect([wav.toString("latin1", 0, 4), wav.length > 8000]).toEqual(["RIFF", true])
    const error = await refused(client.audio.speech.create({ model: "flite", input: "Good day", voice: "nobody" }))
    expect([error.status, error.param, error.message]).toEqual([400, "voice", expect.stringContaining("kal16")])
    expect(ran).toBe(before)
  })

  // Verifies: H-820, H-822.
  it.skipIf(noWeights !== null)(
    `gets embeddings of this machine, whatever takes all other models${noWeights === null ? "" : ` [skipped: ${noWeights}]`}`,
    async () => {
      const key = await keyWith()
      const { client } = clientOf(key)
      const before = ran
      const model = "universal-sentence-encoder-lite"
      const input = ["How old are you?", "The mangoes are ripe.", "What is your age?"]
      // Of itself the client asks for Base64.
      const made = await client.embeddings.create({ model, input }).withResponse()
      expect(made.response.headers.get("x-service-served-by")).toBe(`embedded; model=${model}`)
      expect(made.data.usage).toEqual({ prompt_tokens: 14, total_tokens: 14 })
      const [asked, other, same] = made.data.data.map(({ embedding }) => embedding)
      const cosine = (one: ReadonlyArray<number> = [], two: ReadonlyArray<number> = []) =>
        one.reduce((sum, value, at) => sum + value * two[at]!, 0)
      expect([asked?.length, cosine(asked, asked)]).toEqual([512, expect.closeTo(1, 5)])
      expect(cosine(asked, same)).toBeGreaterThan(cosine(asked, other) + 0.3)
      const floats = await client.embeddings.create({ model, input, encoding_format: "float" })
      expect(floats.data.map(({ embedding }) => embedding)).toEqual([asked, other, same])
      const error = await refused(client.embeddings.create({ model, input: "the ".repeat(200) }))
      expect([error.status, error.code, error.param]).toEqual([400, "context_length_exceeded", "input"])
      expect(error.message).toContain("up to 128 tokens")
      const rows = await fetch(`${server.url}/v1/usage/logs?limit=3`, { headers: { authorization: `Bearer ${key}` } })
      expect(await rows.json()).toMatchObject([
        { status: 400, credits: 0, units: 0 },
        { service: "embedding", model, status: 200, credits: 0, units: 14 },
        { status: 200 }
      ])
      expect(ran).toBe(before)
    }
  )

  // Verifies: H-153.
  it("streams a transcript, with the billed seconds in the last event", async () => {
    const { asked, client } = clientOf(await keyWith())
    for (const name of [model, "gpt-4o-transcribe", "whisper-1"]) {
      const stream = await client.audio.transcriptions.create({ model: name, file: await file(), stream: true })
      const events = []
      for await (const event of stream) events.push(event)
      expect(events, name).toEqual([
        { type: "transcript.text.delta", delta: "hello there" },
        { type: "transcript.text.done", text: "hello there", usage: { type: "duration", seconds: 1 } }
      ])
    }
    expect(asked).toEqual([200, 200, 200])
  })

  // Verifies: H-154.
  it("throws a typed error when a stream request fails", async () => {
    const { client } = clientOf(await keyWith(), { maxRetries: 0 })
    const error = await refused(
      client.audio.transcriptions.create({ model: "nobody", file: await file(), stream: true })
    )
    expect([error.constructor.name, error.code]).toEqual(["NotFoundError", "model_not_found"])
  })

  // Verifies: H-158.
  it("throws BadRequestError for options that no model can serve, without a retry", async () => {
    const { asked, client } = clientOf(await keyWith())
    const wanted = [
      { response_format: "verbose_json", timestamp_granularities: ["word"] },
      { include: ["logprobs"] },
      { chunking_strategy: { type: "server_vad", threshold: 0.5 } }
    ] as const
    for (const one of wanted) {
      const params = { model, file: await file(), ...one } as OpenAI.Audio.TranscriptionCreateParams
      const error = await refused(client.audio.transcriptions.create(params))
      const option = Object.keys(one).at(-1)
      expect([error.constructor.name, error.code, error.param]).toEqual(["BadRequestError", "invalid_request", option])
    }
    expect(asked).toEqual([400, 400, 400])
  })

  // Verifies: H-155.
  it("retrieves a model by an id with any characters", async () => {
    const { asked, client } = clientOf(await keyWith())
    expect(await client.models.retrieve("saaras:v3")).toMatchObject({ id: "saaras:v3", available: true })
    expect(await client.models.retrieve("org/Resting")).toMatchObject({ id: "org/Resting", available: false })
    const error = await refused(client.models.retrieve("nobody"))
    expect([error.constructor.name, error.code]).toEqual(["NotFoundError", "model_not_found"])
    expect(asked).toEqual([200, 200, 404])
  })

  // Verifies: G-199.
  it("retries a model under maintenance", async () => {
    const { asked, client } = clientOf(await keyWith())
    const error = await refused(client.audio.transcriptions.create({ model: "org/Resting", file: await file() }))
    expect([error.constructor.name, error.code]).toEqual(["InternalServerError", "model_under_maintenance"])
    expect(asked).toEqual([503, 503, 503])
  })

  // Verifies: H-100.
  it("lists models", async () => {
    const { client } = clientOf(await keyWith())
    const ids: Array<string> = []
    for await (const { id } of client.models.list()) ids.push(id)
    expect(ids).toContain("saaras:v3")
    expect(ids.length).toBeGreaterThan(45)
  })

  // Verifies: G-33, G-139, G-143, G-151, G-161, G-178, G-202, H-81.
  it("gets each refusal as its own class, at the first request", async () => {
    const wrong = async (
      key: string,
      fields: { readonly model?: string; readonly file?: Buffer; readonly temperature?: number } = {}
    ) => {
      const { asked, client } = clientOf(key)
      const upload = await toFile(fields.file ?? speech, "speech.wav")
      const error = await refused(
        client.audio.transcriptions.create({
          model: fields.model ?? model,
          file: upload,
          ...(fields.temperature === undefined ? {} : { temperature: fields.temperature })
        })
      )
      return { name: error.constructor.name, status: error.status, code: error.code, asked: asked.length }
    }
    const key = await keyWith()
    const free = (await json(cwd, "account", "create", "--name", "Free")).id
    const freeKey = (await json(cwd, "key", "create", "--account", free)).key
    const poor = (await json(cwd, "account", "create", "--name", "Poor")).id
    await json(cwd, "account", "set", "--account", poor, "--payment", "missing")
    const poorKey = (await json(cwd, "key", "create", "--account", poor)).key
    expect(await wrong("svc_nobody")).toEqual({
      name: "AuthenticationError",
      status: 401,
      code: "invalid_api_key",
      asked: 1
    })
    expect(await wrong(poorKey)).toMatchObject({ status: 402, code: "payment_method_required", asked: 1 })
    expect(await wrong(await keyWith("--permissions", "llm"))).toEqual({
      name: "PermissionDeniedError",
      status: 403,
      code: "permission_denied",
      asked: 1
    })
    expect(await wrong(await keyWith("--models", "saaras:v3"))).toMatchObject({ code: "model_not_allowed", asked: 1 })
    expect(await wrong(freeKey, { model: "ink-whisper" })).toMatchObject({ code: "model_not_available", asked: 1 })
    expect(await wrong(key, { model: "nobody" })).toEqual({
      name: "NotFoundError",
      status: 404,
      code: "model_not_found",
      asked: 1
    })
    expect(await wrong(key, { file: Buffer.alloc(0) })).toEqual({
      name: "BadRequestError",
      status: 400,
      code: "invalid_request",
      asked: 1
    })
    expect(await wrong(key, { temperature: 3 })).toEqual({
      name: "UnprocessableEntityError",
      status: 422,
      code: "invalid_request",
      asked: 1
    })
    expect(await wrong(await keyWith("--budget", "0.000000001"))).toMatchObject({
      status: 402,
      code: "budget_exceeded"
    })
  })

  // Verifies: H-82, H-118.
  it("does not repeat what a repetition cannot help: a used-up quota, a key that was used for something else", async () => {
    const none = (await json(cwd, "account", "create", "--name", "None", "--plan", "free")).id
    await json(cwd, "account", "set", "--account", none, "--monthly-budget", "0.000000001")
    const { client, asked } = clientOf((await json(cwd, "key", "create", "--account", none)).key)
    const error = await refused(client.audio.transcriptions.create({ model, file: await file() }))
    expect([error.constructor.name, error.code, asked]).toEqual(["RateLimitError", "quota_exceeded", [429]])

    const other = clientOf(await keyWith())
    const headers = { "Idempotency-Key": "once" }
    await other.client.audio.transcriptions.create({ model, file: await file() }, { headers })
    const reused = await refused(
      other.client.audio.transcriptions.create({ model, file: await file(), language: "en" }, { headers })
    )
    expect([reused.constructor.name, reused.code, other.asked]).toEqual([
      "ConflictError",
      "idempotency_key_reused",
      [200, 409]
    ])
  })

  it("waits while the first request with its key still runs, and gets that one's answer", async () => {
    let begun = () => {}
    const first = new Promise<void>((resolve) => {
      begun = resolve
    })
    mood = (_, response) => {
      begun()
      setTimeout(() => answers(_, response), 1500)
    }
    const before = ran
    const { asked, client } = clientOf(await keyWith())
    const headers = { "Idempotency-Key": "slow" }
    const one = client.audio.transcriptions.create({ model, file: await file() }, { headers })
    await first
    mood = answers
    const two = await client.audio.transcriptions.create({ model, file: await file() }, { headers })
    expect((await one).text).toBe("hello there")
    expect(two.text).toBe("hello there")
    expect(asked).toContain(409)
    expect(ran - before).toBe(1)
  })

  // Verifies: G-168, G-199.
  it("repeats what may succeed: an upstream that fails twice is asked three times, and billed once", async () => {
    let left = 2
    mood = (request, response) => (left-- > 0 ? fails(500)(request, response) : answers(request, response))
    const { asked, client } = clientOf(await keyWith())
    expect((await client.audio.transcriptions.create({ model, file: await file() })).text).toBe("hello there")
    expect(asked).toEqual([502, 502, 200])
    mood = fails(500, { error: { message: "secret of the upstream", code: "x" } })
    const error = await refused(client.audio.transcriptions.create({ model, file: await file() }))
    expect([error.constructor.name, error.code]).toEqual(["InternalServerError", "service_unavailable"])
    expect(JSON.stringify(error.error)).not.toContain("secret of the upstream")
    expect(asked.slice(3)).toEqual([502, 502, 502])
    mood = answers
  })

  // Verifies: G-197.
  it("waits as long as Retry-After says where an upstream throttles", async () => {
    let left = 1
    mood = (request, response) =>
      left-- > 0 ? fails(429, {}, { "retry-after": "1" })(request, response) : answers(request, response)
    const { asked, client } = clientOf(await keyWith())
    const began = performance.now()
    expect((await client.audio.transcriptions.create({ model, file: await file() })).text).toBe("hello there")
    expect(asked).toEqual([429, 200])
    expect(performance.now() - began).toBeGreaterThan(900)
    mood = answers
  })

  it("gets the seconds to wait from a key that has asked too often", async () => {
    const { asked, client } = clientOf(await keyWith("--rpm", "1"), { maxRetries: 0 })
    await client.audio.transcriptions.create({ model, file: await file() })
    const error = await refused(client.audio.transcriptions.create({ model, file: await file() }))
    expect([error.constructor.name, error.code, asked]).toEqual(["RateLimitError", "rate_limit_exceeded", [200, 429]])
    expect(Number(error.headers?.get("retry-after"))).toBeGreaterThan(50)
  })
})

describe("the groq client", () => {
  const groqOf = (apiKey: string) => new Groq({ apiKey, baseURL: server.url, maxRetries: 0 })

  // Verifies: H-157.
  it("transcribes, translates and lists models at its own paths", async () => {
    const groq = groqOf(await keyWith())
    expect((await groq.audio.transcriptions.create({ model, file: await file() })).text).toBe("hello there")
    expect((await groq.audio.translations.create({ model, file: await file() })).text).toBe("hello there")
    const { data } = await groq.models.list()
    expect(data.map(({ id }) => id)).toContain(model)
    expect(await groq.models.retrieve("org/Resting")).toMatchObject({ id: "org/Resting" })
  })

  it("throws its own error classes, with our codes", async () => {
    const groq = groqOf(await keyWith())
    const errorOf = async (promise: Promise<unknown>) => {
      const error = await promise.then(
        () => undefined,
        (reason) => reason
      )
      expect(error).toBeInstanceOf(Groq.APIError)
      return [error.constructor.name, error.error.error.code]
    }
    const nobody = groq.audio.transcriptions.create({ model: "nobody", file: await file() })
    expect(await errorOf(nobody)).toEqual(["NotFoundError", "model_not_found"])
    expect(await errorOf(groq.models.delete(model))).toEqual(["APIError", "method_not_allowed"])
    const chat = groq.chat.completions.create({ model: "oss-120b", messages: [] })
    expect(await errorOf(chat)).toEqual(["UnprocessableEntityError", "invalid_request"])
    expect(await errorOf(groqOf("svc_nobody").models.list())).toEqual(["AuthenticationError", "invalid_api_key"])
  })
})
