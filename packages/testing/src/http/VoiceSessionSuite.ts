/** Voice sessions as a caller of the API sees them. Verifies: VOIC-1, VOIC-2, VOIC-4, VOIC-5. */
import type { KeyOptions, StorageProvider } from "@trunkline/core"
import { type Instant, Recordings } from "@trunkline/core/effect"
import { internalsOf, RecordingFiles, recordingsProvider } from "@trunkline/core/provider"
import { LiveSessions } from "@trunkline/core/testing"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Fields } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start, until } from "./HttpWorld.ts"
import { openWebhookWorld, utc, uuid, webhooks } from "./WebhookWorld.ts"

const sessions = "/v1/voice/sessions"
const token = /^vst_[0-9A-Za-z]{40}$/

/** Recordings of four bytes each. */
const inMemory = () => {
  const files = new Set<string>()
  const bytes = new TextEncoder().encode("RIFF")
  return Layer.succeed(RecordingFiles, {
    keepMs: 86_400_000,
    open: (id) =>
      Effect.sync(() => void files.add(id)).pipe(Effect.as({ append: () => undefined, finish: Effect.void })),
    read: (id) =>
      Effect.succeed(files.has(id) ? { bytes: bytes.length, content: Stream.make<[Uint8Array]>(bytes) } : null),
    remove: (id) => Effect.sync(() => void files.delete(id))
  })
}

const refused = ({ body, status }: Answer): Fields => ({ status, ...(body.error as Fields) })

/** The agent's greeting, and the caller's answer. */
const twoEntries = (startedAt: Instant.Instant) => {
  const none = { eouMs: null, sttMs: null, llmMs: null, ttsMs: null, totalMs: null, model: null, tool: null }
  const entry = { ...none, startedAt, interrupted: false }
  return [
    { ...entry, role: "assistant", text: "Hello.", durationMs: 900, beginsTurn: false },
    { ...entry, role: "user", text: "Hi.", durationMs: null, beginsTurn: true }
  ] as const
}

export const voiceSessionSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`voice sessions through ${name}`, () => {
    let world: HttpWorld
    /** An agent without a configuration. */
    let botId: string

    const ask = (method: string, path: string, json?: unknown, key = world.key) =>
      world.send(method, path, { key, ...(json === undefined ? {} : { json }) })

    const bot = async (config: object = {}, at = world): Promise<string> => {
      const { body } = await at.send("POST", "/api/v1/bots", { key: at.key, json: { name: "Asha", config } })
      return String(body.id)
    }

    const make = async (fields: object = {}): Promise<Fields> => {
      const { body, status } = await ask("POST", sessions, { bot_id: botId, ...fields })
      expect(status, JSON.stringify(body)).toBe(200)
      return body
    }

    const pathOf = ({ id }: Fields) => `${sessions}/${id}`

    const keyWith = async (options: KeyOptions) => (await world.core.admin.createKey(world.account, options)).text

    const eventsOf = async ({ id }: Fields) =>
      (await world.core.events.read(null, 1000)).filter(({ data }) => "session_id" in data && data.session_id === id)

    beforeAll(async () => {
      world = await openWorld(start, storage, {
        core: {
          auth: { jwt: { secret: "a secret that tokens are signed with" } },
          recordings: recordingsProvider(inMemory())
        }
      })
      await world.core.admin.changeAccount(world.account, { plan: "starter" })
      botId = await bot()
    })
    afterAll(() => world.close())

    describe("creation", () => {
      // Verifies: D-209, D-213, G-126, H-127, H-152.
      // Verifies: V-16.
      it("creates a session whose token is valid for a minute", async () => {
        const made = await make()
        expect(made).toEqual({
          id: expect.stringMatching(uuid),
          bot_id: botId,
          status: "created",
          token: expect.stringMatching(token),
          token_expires_at: expect.stringMatching(utc),
          max_duration_seconds: 1800,
          stt_model: null,
          language: null,
          llm_model: null,
          tts_model: null,
          voice: null,
          metadata: {},
          call_id: null,
          url: `${world.served.origin.replace("http", "ws")}/v1/agent/converse`,
          started_at: null,
          ended_at: null,
          duration_seconds: null,
          end_reason: null,
          turn_count: 0,
          credits: 0,
          recording: "none",
          analysis: null,
          created_at: expect.stringMatching(utc)
        })
        expect(Date.parse(String(made.token_expires_at)) - Date.parse(String(made.created_at))).toBe(60_000)
        expect((await make()).token).not.toBe(made.token)
        expect((await ask("GET", pathOf(made))).body).toEqual(made)
      })

      // Verifies: D-209, D-213, G-241.
      it("uses model and language of the request, or those of the agent's configuration", async () => {
        const configured = await bot({ stt_model: "ink-2", language: "hi", greeting: "Hello" })
        const requested = { stt_model: "ink-whisper", language: "ta" }
        expect(await make({ bot_id: configured })).toMatchObject({ stt_model: "ink-2", language: "hi" })
        expect(await make({ bot_id: configured, ...requested })).toMatchObject(requested)
        expect(await make({ bot_id: configured, stt_model: null, language: null })).toMatchObject({
          stt_model: "ink-2"
        })
        expect(await make({ bot_id: await bot({ stt_model: "", language: null }) })).toMatchObject({
          stt_model: null,
          language: null
        })
        expect(await make({ max_duration_seconds: 7200 })).toMatchObject({ max_duration_seconds: 7200 })
      })

      // Verifies: D-216, G-74.
      it("falls back to English for a language that ink-2 lacks, and says so in the log alone", async () => {
        const before = world.log.length
        expect(await make({ stt_model: "ink-2", language: "de" })).toMatchObject({ stt_model: "ink-2", language: "en" })
        expect(world.log.slice(before)).toMatchObject([
          { level: "warn", message: 'ink-2 does not hear "de": it hears en' }
        ])
        expect(await make({ stt_model: "ink-2", language: "ja" })).toMatchObject({ language: "ja" })
        expect(world.log.length).toBe(before + 1)
      })

      // Verifies: D-209, G-241.
      // Verifies: V-15.
      it("names every invalid field, in the envelope of inference", async () => {
        const table: ReadonlyArray<readonly [fields: object, param: string]> = [
          [{ bot_id: undefined }, "bot_id"],
          [{ bot_id: null }, "bot_id"],
          [{ bot_id: "Asha" }, "bot_id"],
          [{ max_duration_seconds: 0 }, "max_duration_seconds"],
          [{ max_duration_seconds: 7201 }, "max_duration_seconds"],
          [{ max_duration_seconds: 1.5 }, "max_duration_seconds"],
          [{ max_duration_seconds: "60" }, "max_duration_seconds"],
          [{ stt_model: "" }, "stt_model"],
          [{ stt_model: 7 }, "stt_model"],
          [{ llm_model: "" }, "llm_model"],
          [{ tts_model: 7 }, "tts_model"],
          [{ voice: "x".repeat(256) }, "voice"],
          [{ variables: { name: 7 } }, "variables.name"],
          [{ variables: { name: "x".repeat(16_384) } }, "variables"],
          [{ metadata: [] }, "metadata"],
          [{ metadata: { note: "x".repeat(4096) } }, "metadata"],
          [{ language: "" }, "language"],
          [{ language: "x".repeat(65) }, "language"]
        ]
        const wrong = { status: 422, type: "invalid_request_error", code: "invalid_request" }
        for (const [fields, param] of table) {
          const answer = refused(await ask("POST", sessions, { bot_id: botId, ...fields }))
          expect(answer, JSON.stringify(fields)).toMatchObject({ ...wrong, param })
        }
        const both = refused(await ask("POST", sessions, { bot_id: 1, max_duration_seconds: 0 }))
        expect(both.message).toMatch(/bot_id.*max_duration_seconds/s)
        const cut = { key: world.key, body: '{"bot_id":', headers: { "content-type": "application/json" } }
        expect(refused(await world.send("POST", sessions, cut))).toMatchObject({ ...wrong, status: 400 })
      })

      // Verifies: V-15.
      it("uses the models and the voice of the request, or those of the agent, and keeps what the account notes", async () => {
        const configured = await bot({ model: "gemma-4-26b-a4b-it", tts_model: "bulbul:v3", voice: "anushka" })
        const own = { llm_model: "gemma-4-26b-a4b-it", tts_model: "bulbul:v3", voice: "anushka" }
        expect(await make({ bot_id: configured })).toMatchObject(own)
        const asked = { tts_model: "flite", voice: "slt", metadata: { order: { id: 7 } } }
        const made = await make({ bot_id: configured, ...asked, variables: { name: "Asha" } })
        expect(made).toMatchObject({ ...asked, llm_model: "gemma-4-26b-a4b-it" })
        expect(made).not.toHaveProperty("variables")
        for (const [fields, code, param] of [
          [{ llm_model: "nobody" }, "model_not_found", "llm_model"],
          [{ llm_model: "bulbul:v3" }, "invalid_request", "llm_model"],
          [{ tts_model: "ink-2" }, "invalid_request", "tts_model"]
        ] as const) {
          expect(refused(await ask("POST", sessions, { bot_id: botId, ...fields }))).toMatchObject({ code, param })
        }
      })

      // Verifies: V-16.
      it("names the address of the socket as the client's proxies name it", async () => {
        const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "voice.example.com" }
        const { body } = await world.send("POST", sessions, { key: world.key, json: { bot_id: botId }, headers })
        expect(body.url).toBe("wss://voice.example.com/v1/agent/converse")
      })

      it("needs an agent of the account's own", async () => {
        const notFound = { status: 404, code: "not_found", message: "Agent not found", param: "bot_id" }
        expect(refused(await ask("POST", sessions, { bot_id: nobody }))).toMatchObject(notFound)
        expect(refused(await ask("POST", sessions, { bot_id: botId }, world.stranger))).toMatchObject(notFound)
      })

      it("needs a known model that key and plan include, and that voice sessions can use", async () => {
        const limited = await keyWith({ models: ["ink-whisper"] })
        const withModel = async (model: string, key = world.key) =>
          refused(await ask("POST", sessions, { bot_id: botId, stt_model: model }, key))
        expect(await withModel("ink-9")).toMatchObject({ status: 404, code: "model_not_found", param: "stt_model" })
        expect(await withModel("ink-2", limited)).toMatchObject({ status: 403, code: "model_not_allowed" })
        expect(await withModel("whisper-large-v3-turbo")).toMatchObject({
          status: 400,
          code: "invalid_request",
          param: "stt_model"
        })
        expect((await ask("POST", sessions, { bot_id: botId, stt_model: "ink-whisper" }, limited)).status).toBe(200)

        const free = await world.core.admin.createAccount({ name: "Free" })
        const key = (await world.core.admin.createKey(free.id)).text
        const { body } = await world.send("POST", "/api/v1/bots", {
          key,
          json: { name: "Asha", config: { stt_model: "ink-2" } }
        })
        const answer = refused(await ask("POST", sessions, { bot_id: body.id }, key))
        expect(answer).toMatchObject({ status: 403, code: "model_not_available", type: "permission_error" })
      })
    })

    describe("repeated requests", () => {
      // Verifies: G-201.
      it("creates one session for a request that is repeated under its Idempotency-Key, however the body is written", async () => {
        const headers = { "content-type": "application/json", "idempotency-key": "one and the same" }
        const post = (body: string, key = world.key) => world.send("POST", sessions, { key, headers, body })
        const first = await post(`{"bot_id":"${botId}","max_duration_seconds":60}`)
        expect(first.status).toBe(200)
        expect(first.headers).not.toHaveProperty("idempotent-replayed")
        for (const body of [
          `{"bot_id":"${botId}","max_duration_seconds":60}`,
          `{ "language": null, "max_duration_seconds": 60.0, "bot_id": "${botId.toUpperCase()}" }`
        ]) {
          const again = await post(body)
          expect({ status: again.status, text: again.text }).toEqual({ status: 200, text: first.text })
          expect(again.headers).toMatchObject({
            "idempotent-replayed": "true",
            "content-type": first.headers["content-type"],
            "x-ratelimit-limit": "200"
          })
        }
        const other = await post(`{"bot_id":"${botId}","max_duration_seconds":61}`)
        expect(refused(other)).toMatchObject({ status: 409, code: "idempotency_key_reused" })
        expect(other.headers["x-should-retry"]).toBe("false")
        // A key is its account's: another one does not find what is not its own.
        expect(refused(await post(`{"bot_id":"${botId}","max_duration_seconds":60}`, world.stranger))).toMatchObject({
          status: 404,
          code: "not_found"
        })
        const fresh = await world.send("POST", sessions, {
          key: world.key,
          json: { bot_id: botId, max_duration_seconds: 60 },
          headers: { "idempotency-key": "another" }
        })
        expect(fresh.body.id).not.toBe(first.body.id)
      })

      it("creates one session for concurrent requests under one key: each gets it, or is asked to retry", async () => {
        const ask = () =>
          world.send("POST", sessions, {
            key: world.key,
            json: { bot_id: botId },
            headers: { "idempotency-key": "at once" }
          })
        const answers = await Promise.all(Array.from({ length: 10 }, ask))
        const made = answers.filter(({ status }) => status === 200)
        expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
        expect(made.filter(({ headers }) => headers["idempotent-replayed"] === undefined)).toHaveLength(1)
        for (const answer of answers.filter(({ status }) => status !== 200)) {
          expect(refused(answer)).toMatchObject({ status: 409, code: "idempotency_in_progress" })
          expect(answer.headers["retry-after"]).toBe("1")
        }
        expect((await ask()).text).toBe(made[0]!.text)
      })

      it("stores nothing of a refusal: the key can be used for another request, and fields are checked before it", async () => {
        const headers = { "idempotency-key": "refused at first" }
        const post = (json: object, more: object = {}) =>
          world.send("POST", sessions, { key: world.key, json, headers: { ...headers, ...more } })
        expect(refused(await post({ bot_id: nobody }))).toMatchObject({ status: 404, code: "not_found" })
        expect((await post({ bot_id: botId, max_duration_seconds: 60 })).status).toBe(200)
        expect((await post({ bot_id: 1 })).status).toBe(422)
        expect(refused(await post({ bot_id: nobody }))).toMatchObject({ code: "idempotency_key_reused" })
        for (const key of ["", "x".repeat(256)]) {
          const answer = refused(await post({ bot_id: botId }, { "idempotency-key": key }))
          expect(answer, key).toMatchObject({ status: 400, code: "invalid_request", param: "Idempotency-Key" })
        }
      })

      it("replays a session as it was created, without a token that has expired", async () => {
        const again = async () => {
          const headers = { "idempotency-key": "connected meanwhile" }
          const { body } = await world.send("POST", sessions, { key: world.key, json: { bot_id: botId }, headers })
          return body
        }
        const made = await again()
        expect(made.token).toMatch(token)
        await world.core.voice.connected(world.account, String(made.id), { token: String(made.token) })
        expect(await again()).toEqual({ ...made, token: null })
        await ask("DELETE", pathOf(made))
        expect(await again()).toEqual({ ...made, token: null })
      })
    })

    describe("access", () => {
      // Verifies: D-214, G-163, H-130.
      // Verifies: V-208.
      it("shows a session to its own account, and to nobody else", async () => {
        const made = await make()
        const notFound = { status: 404, code: "session_not_found", type: "invalid_request_error" }
        for (const method of ["GET", "DELETE"]) {
          expect(refused(await ask(method, pathOf(made), undefined, world.stranger))).toMatchObject(notFound)
          expect(refused(await ask(method, `${sessions}/${nobody}`))).toMatchObject(notFound)
          expect(refused(await ask(method, `${sessions}/mine`))).toMatchObject({ status: 422, param: "session_id" })
        }
        const upper = `${sessions}/${String(made.id).toUpperCase()}`
        expect((await ask("GET", upper)).body).toEqual(made)
      })

      // Verifies: D-209.
      it("needs a key with the permission llm: people and other keys are refused", async () => {
        const speech = await keyWith({ permissions: ["stt", "tts"] })
        const person = (await world.core.admin.createToken(world.account, { role: "owner" })).token
        const made = await make()
        for (const [method, path] of [
          ["POST", sessions],
          ["GET", pathOf(made)],
          ["DELETE", pathOf(made)]
        ] as const) {
          const json = method === "POST" ? { bot_id: botId } : undefined
          expect(refused(await ask(method, path, json, speech))).toMatchObject({
            status: 403,
            code: "permission_denied"
          })
          for (const credential of [person, "svc_nobody"]) {
            const answer = refused(await ask(method, path, json, credential))
            expect(answer).toMatchObject({ status: 401, code: "invalid_api_key" })
          }
        }
        expect((await ask("GET", pathOf(made))).body.status).toBe("created")
        expect((await ask("POST", sessions, { bot_id: botId }, await keyWith({ permissions: ["llm"] }))).status).toBe(
          200
        )
      })
    })

    describe("list", () => {
      // Verifies: V-17.
      it("has the account's sessions, newest first, by status and agent", async () => {
        const agent = await bot()
        const [first, second] = [await make({ bot_id: agent }), await make({ bot_id: agent })]
        await world.core.voice.connected(world.account, String(first.id))
        const list = async (query: string) => {
          const { headers, text } = await world.send("GET", `${sessions}?bot_id=${agent}${query}`, { key: world.key })
          const items = JSON.parse(text) as ReadonlyArray<Fields>
          return { ids: items.map(({ id }) => id), total: headers["x-total-count"], items }
        }
        const all = await list("")
        expect(all).toMatchObject({ ids: [second.id, first.id], total: "2" })
        expect(all.items[0]).toEqual(second)
        expect(await list("&status=active")).toMatchObject({ ids: [first.id], total: "1" })
        expect(await list("&limit=1&offset=1")).toMatchObject({ ids: [first.id], total: "2" })
        expect(await list(`&call_id=${nobody}`)).toMatchObject({ ids: [], total: "0" })
        const promised = await world.core.voice.list(world.account, { botId: agent, status: "active" })
        expect(promised).toMatchObject({ total: 1, items: [{ id: first.id }] })
        const theirs = await world.send("GET", `${sessions}?bot_id=${agent}`, { key: world.stranger })
        expect(theirs.text).toBe("[]")
        for (const query of ["limit=0", "limit=201", "status=over", "bot_id=Asha", "offset=-1"]) {
          const answer = await ask("GET", `${sessions}?${query}`)
          expect(refused(answer), query).toMatchObject({ status: 422, param: query.split("=")[0] })
        }
      })
    })

    // Verifies: VOIC-10, VOIC-11.
    describe("what is left", () => {
      it("is an empty transcript, no cost and no recording of a session in which nothing was said", async () => {
        const made = await make()
        const path = pathOf(made)
        expect((await world.send("GET", `${path}/transcript`, { key: world.key })).text).toBe("[]")
        for (const format of ["txt", "srt"]) {
          const answer = await world.send("GET", `${path}/transcript?format=${format}`, { key: world.key })
          expect([answer.status, answer.text]).toEqual([200, ""])
        }
        expect((await ask("GET", `${path}/cost`)).body).toEqual({
          session_id: made.id,
          total_credits: 0,
          items: [],
          call: null
        })
        for (const method of ["GET", "DELETE"]) {
          expect(refused(await ask(method, `${path}/recording`))).toMatchObject({ status: 404, code: "not_found" })
        }
        expect(refused(await ask("GET", `${path}/transcript?format=pdf`))).toMatchObject({
          status: 422,
          param: "format"
        })
      })

      /** A session that is under way, and what runs programs of the product. */
      const connectedSession = async () => {
        const made = await make()
        const services = internalsOf(world.core).context as Context.Context<never>
        const run = <A>(program: Effect.Effect<A, unknown, LiveSessions | Recordings>) =>
          Effect.runPromise(Effect.provideContext(program as Effect.Effect<A>, services))
        const connection = { token: String(made.token), origin: undefined, referer: undefined }
        const connected = await run(LiveSessions.use((live) => live.connectByToken(connection)))
        if (connected._tag !== "Connected") throw new Error("no place")
        return { ...connected.live, path: pathOf(made), run }
      }

      // Verifies: V-174.
      it("is what was said, in three formats", async () => {
        const { lease, path, run, session } = await connectedSession()
        await run(LiveSessions.use(({ append }) => append(lease, twoEntries(session.startedAt!))))
        const text = async (query: string) =>
          (await world.send("GET", `${path}/transcript${query}`, { key: world.key })).text
        expect(JSON.parse(await text(""))).toMatchObject([
          {
            index: 0,
            role: "assistant",
            text: "Hello.",
            offset_ms: 0,
            duration_ms: 900,
            interrupted: false,
            tool: null
          },
          { index: 1, role: "user", text: "Hi.", offset_ms: 0, duration_ms: null, total_ms: null }
        ])
        const rest = await world.send("GET", `${path}/transcript?offset=1`, { key: world.key })
        expect([rest.items.map(({ index }) => index), rest.headers["x-total-count"]]).toEqual([[1], "2"])
        expect(await text("?format=txt")).toBe("[00:00:00] Agent: Hello.\n[00:00:00] User: Hi.\n")
        expect(await text("?format=srt")).toBe(
          "1\n00:00:00,000 --> 00:00:00,900\nAgent: Hello.\n\n2\n00:00:00,000 --> 00:00:02,000\nUser: Hi.\n"
        )
      })

      // Verifies: V-176, V-209.
      it("has a recording that is there once the session has ended", async () => {
        const { lease, path, run, session } = await connectedSession()
        await run(LiveSessions.use(({ append }) => append(lease, twoEntries(session.startedAt!))))
        await run(Recordings.use((recordings) => recordings.start(lease, 8000, () => undefined)))
        expect(refused(await ask("GET", `${path}/recording`))).toMatchObject({ status: 409, code: "invalid_request" })
        await run(LiveSessions.use((live) => live.end(lease, "client_disconnect")))
        const ended = { status: "completed", turn_count: 1, recording: "available" }
        expect((await ask("GET", path)).body).toMatchObject(ended)
        const recording = await world.send("GET", `${path}/recording`, { key: world.key })
        const { headers, status, text } = recording
        expect([status, headers["content-type"], text]).toEqual([200, "audio/wav", "RIFF"])
        expect((await ask("DELETE", `${path}/recording`)).status).toBe(204)
        expect(refused(await ask("GET", `${path}/recording`))).toMatchObject({ status: 404 })
        expect((await ask("GET", path)).body).toMatchObject({ recording: "deleted" })
      })

      // Verifies: V-208.
      it("is the account's alone", async () => {
        const path = pathOf(await make())
        for (const part of ["transcript", "cost", "recording"]) {
          const answer = await ask("GET", `${path}/${part}`, undefined, world.stranger)
          expect(refused(answer), part).toMatchObject({ status: 404, code: "session_not_found" })
        }
      })
    })

    describe("connection and end", () => {
      // Verifies: D-211.
      // Verifies: V-199.
      it("is connected by the host, which removes its token", async () => {
        const made = await make({ stt_model: "ink-2", language: "fr", max_duration_seconds: 60 })
        const id = String(made.id)
        await expect(world.core.voice.connected(world.account, id, { token: "vst_another" })).rejects.toMatchObject({
          code: "voice_session_closed",
          status: 409
        })
        await world.core.voice.connected(world.account, id, { token: String(made.token) })
        await world.core.voice.connected(world.account, id)
        const { body } = await ask("GET", pathOf(made))
        expect(body).toEqual({ ...made, status: "active", token: null, started_at: expect.stringMatching(utc) })
        expect(await eventsOf(made)).toMatchObject([
          {
            event: "voice_session.started",
            botId,
            data: {
              session_id: id,
              status: "active",
              bot_id: botId,
              call_id: null,
              stt_model: "ink-2",
              language: "fr",
              max_duration_seconds: 60,
              started_at: body.started_at,
              ended_at: null,
              duration_seconds: null,
              end_reason: null
            }
          }
        ])
      })

      // Verifies: D-215, H-127, H-152.
      it("ends a session by DELETE, and answers the same the second time", async () => {
        const made = await make()
        const { body, status } = await ask("DELETE", pathOf(made))
        expect(status).toBe(200)
        expect(body).toEqual({
          ...made,
          status: "completed",
          token: null,
          ended_at: expect.stringMatching(utc),
          duration_seconds: 0,
          end_reason: "api_delete"
        })
        for (const method of ["DELETE", "GET"]) expect((await ask(method, pathOf(made))).body).toEqual(body)
        await expect(world.core.voice.connected(world.account, String(made.id))).rejects.toMatchObject({ status: 409 })
        expect((await eventsOf(made)).map(({ event }) => event)).toEqual(["voice_session.ended"])
      })

      // Verifies: D-211, G-248.
      it("keeps an end that came before DELETE", async () => {
        const made = await make()
        const id = String(made.id)
        await world.core.voice.connected(world.account, id)
        await world.core.voice.end(world.account, id, "agent_error")
        const { body } = await ask("DELETE", pathOf(made))
        expect(body).toMatchObject({ status: "failed", end_reason: "agent_error" })
        expect((await eventsOf(made)).map(({ event }) => event)).toEqual([
          "voice_session.started",
          "voice_session.failed"
        ])
      })

      it("emits one end, however many arrive at once", async () => {
        const made = await make()
        const id = String(made.id)
        await world.core.voice.connected(world.account, id)
        const ends = Array.from({ length: 20 }, async (_, i) =>
          i % 2 === 0
            ? (await ask("DELETE", pathOf(made))).body.end_reason
            : (await world.core.voice.end(world.account, id, "caller_hangup")).endReason
        )
        const reasons = new Set(await Promise.all(ends))
        expect(reasons.size).toBe(1)
        const events = await eventsOf(made)
        expect(events.map(({ event }) => event)).toEqual(["voice_session.started", "voice_session.ended"])
        expect([...reasons]).toEqual([expect.any(String)])
        expect(events[1]!.data).toMatchObject({ end_reason: [...reasons][0] })
      })

      it("returns the token to the creator of the session alone", async () => {
        const made = await make()
        await ask("GET", pathOf(made))
        await world.core.voice.connected(world.account, String(made.id))
        await ask("DELETE", pathOf(made))
        const said = JSON.stringify([world.log, await eventsOf(made)])
        expect(said).toContain(String(made.id))
        expect(said).not.toContain(String(made.token))
        expect(said).not.toContain("vst_")
      })

      // Verifies: W-158.
      it("ends by itself when nobody connects, and emits the event to webhooks of its agent alone", async () => {
        const fast = await openWebhookWorld(start, storage)
        try {
          const [ours, theirs] = [await bot({}, fast), await bot({}, fast)]
          const [scoped, other] = [fast.endpoint(), fast.endpoint()]
          const names = ["voice_session.started", "voice_session.ended", "voice_session.failed"]
          for (const [url, bot_id] of [
            [scoped, ours],
            [other, theirs]
          ]) {
            expect((await fast.ask("POST", webhooks, { url, bot_id, events: names })).status).toBe(201)
          }
          const { body: made } = await fast.ask("POST", sessions, { bot_id: ours })
          expect(made.token).toMatch(token)
          const ended = await until(async () => {
            const { body } = await fast.ask("GET", pathOf(made))
            return body.status === "timeout" ? body : undefined
          })
          expect(ended).toMatchObject({
            token: null,
            started_at: null,
            ended_at: made.token_expires_at,
            duration_seconds: 0,
            end_reason: "token_expired"
          })
          await until(async () => (fast.postsTo(scoped).length > 0 ? true : undefined))
          const [post, ...more] = fast.postsTo(scoped)
          expect(more).toEqual([])
          expect(JSON.parse(post!.body)).toMatchObject({
            event: "voice_session.failed",
            data: { session_id: made.id, status: "timeout", end_reason: "token_expired", duration_seconds: 0 }
          })
          expect(post!.body).not.toContain("vst_")
          expect(fast.postsTo(other)).toEqual([])
        } finally {
          await fast.close()
        }
      })
    })
  })
