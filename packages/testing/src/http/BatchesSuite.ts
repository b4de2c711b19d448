/** Batches as a caller of the API meets them: docs/reference/batches.md. Verifies: BATC-2, BATC-3, BATC-5. */
import { accelerated, type StorageProvider } from "@trunkline/core"
import { openai } from "@trunkline/providers/openai"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type FakeLlmServer, llmBodies, startFakeLlmServer } from "../upstreams/index.ts"
import { filesPath, uploadTo } from "./FilesSuite.ts"
import type { Answer, Fields } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start, until } from "./HttpWorld.ts"

const batches = "/v1/batches"
const chat = "/v1/chat/completions"
const model = "indic-105b"

const line = (customId: string, body: object = {}, url = chat): string =>
  JSON.stringify({
    ...{ custom_id: customId, method: "POST", url },
    body: { model, messages: [{ role: "user", content: customId }], max_tokens: 20, ...body }
  })

const embeddingLine = (body: Fields, n: number): string =>
  JSON.stringify({
    ...{ custom_id: "abcde"[n], method: "POST", url: "/v1/embeddings" },
    body: { model: "text-embedding-3-small", input: "one", ...body }
  })

const embedded = { data: [{ index: 0, embedding: [0.6, 0.8] }], usage: { prompt_tokens: 7, total_tokens: 7 } }

const error = ({ body, status }: Answer): Fields => ({ status, ...(body.error as Fields) })
const dataOf = ({ body }: Answer) => body.data as ReadonlyArray<Fields>
/** What a line of the file of errors says. */
const refused = ({ custom_id, response }: Fields) => {
  const { body, status_code } = response as Fields
  const { code, param } = (body as Fields).error as Fields
  return [custom_id, status_code, code, param]
}

const ended = ["completed", "failed", "expired", "cancelled"]

export const batchesSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`batches through ${name}`, () => {
    let world: HttpWorld
    let upstream: FakeLlmServer

    beforeAll(async () => {
      upstream = await startFakeLlmServer({ text: "hello" })
      const fake = openai({ baseUrl: `${upstream.origin}/v1`, apis: ["chat_completions", "responses"] })
      world = await openWorld(start, storage, {
        core: {
          // Batches that wait are looked for once a second.
          clock: accelerated(Date.UTC(2026, 10, 21, 6), 5),
          models: { upstreams: { fake }, routes: { "*": { upstream: "fake" } } },
          limits: { batchRequests: 20 }
        }
      })
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
      await world.core.start()
    })
    afterAll(async () => {
      await world.close()
      await upstream.close()
    })

    const input = async (...lines: ReadonlyArray<string>): Promise<string> =>
      String((await uploadTo(world, { file: Buffer.from(lines.join("\n")) })).body.id)

    const send = (fields: object, headers: Record<string, string> = {}) =>
      world.send("POST", batches, {
        key: world.key,
        json: { endpoint: chat, completion_window: "24h", ...fields },
        headers
      })

    const get = (path: string, key = world.key) => world.send("GET", `${batches}${path}`, { key })

    const make = async (lines: ReadonlyArray<string>, fields: object = {}): Promise<Fields> => {
      const made = await send({ input_file_id: await input(...lines), ...fields })
      expect(made.status, made.text).toBe(200)
      return made.body
    }

    const ending = ({ id }: Fields): Promise<Fields> =>
      until(async () => {
        const { body } = await get(`/${id}`)
        return ended.includes(String(body.status)) ? body : undefined
      })

    const linesOf = async (id: unknown): Promise<ReadonlyArray<Fields>> => {
      const { text } = await world.send("GET", `${filesPath}/${id}/content`, { key: world.key })
      return text
        .trimEnd()
        .split("\n")
        .map((one) => JSON.parse(one) as Fields)
    }

    // Verifies: G-125, H-730, H-750.
    it("is made of a file, and is being validated at first", async () => {
      const made = await make([line("a")], { metadata: { job: "nightly" } })
      expect(made).toEqual({
        ...{ id: expect.stringMatching(/^batch_[0-9a-f]{32}$/), object: "batch", endpoint: chat, errors: null },
        ...{ input_file_id: expect.stringMatching(/^file-/), completion_window: "24h", status: "validating" },
        ...{ output_file_id: null, error_file_id: null, created_at: expect.any(Number) },
        ...{ in_progress_at: null, expires_at: Number(made.created_at) + 86_400, finalizing_at: null },
        ...{ completed_at: null, failed_at: null, expired_at: null, cancelling_at: null, cancelled_at: null },
        ...{ request_counts: { total: 0, completed: 0, failed: 0 }, metadata: { job: "nightly" }, usage: null }
      })
    })

    // Verifies: H-738, H-739, H-740, H-741, H-744, H-746.
    it("writes the results to files: answers to one, and what was refused to the other", async () => {
      const lines = [line("a"), line("b"), line("c", { model: "nobody" }), line("d", { messages: [] })]
      const made = await make(lines)
      const batch = await ending(made)
      expect(batch).toMatchObject({
        ...{ status: "completed", request_counts: { total: 4, completed: 2, failed: 2 } },
        ...{ in_progress_at: expect.any(Number), finalizing_at: expect.any(Number), completed_at: expect.any(Number) },
        usage: { input_tokens: 24, output_tokens: 14, total_tokens: 38 }
      })
      const output = await linesOf(batch.output_file_id)
      expect(output.map(({ custom_id }) => custom_id).toSorted()).toEqual(["a", "b"])
      expect(output[0]).toEqual({
        id: expect.stringMatching(/^batch_req_/),
        custom_id: expect.any(String),
        response: {
          status_code: 200,
          request_id: expect.any(String),
          body: expect.objectContaining({ object: "chat.completion", model, id: expect.stringMatching(/^chatcmpl-/) })
        },
        error: null
      })
      const errors = await linesOf(batch.error_file_id)
      expect(errors.map(refused).toSorted()).toEqual([
        ["c", 404, "model_not_found", "model"],
        ["d", 422, "invalid_request", expect.stringMatching(/^messages/)]
      ])
      const { items } = await world.send("GET", `/v1/usage/logs?trace_id=${made.id}`, { key: world.key })
      expect(items.map(({ request_id }) => request_id).toSorted()).toEqual(
        output.map(({ response }) => (response as Fields).request_id).toSorted()
      )
      const { body: file } = await world.send("GET", `${filesPath}/${batch.output_file_id}`, { key: world.key })
      expect(file).toMatchObject({ purpose: "batch_output", expires_at: Number(file.created_at) + 2_592_000 })
    })

    // Verifies: H-751.
    it("runs requests of the responses API", async () => {
      const endpoint = "/v1/responses"
      const body = { input: "hello", messages: undefined, max_tokens: undefined, max_output_tokens: 20 }
      const batch = await ending(await make([line("a", body, endpoint)], { endpoint }))
      expect(batch.request_counts, JSON.stringify(batch)).toEqual({ total: 1, completed: 1, failed: 0 })
      const [result] = await linesOf(batch.output_file_id)
      expect(result).toMatchObject({ response: { body: { object: "response", model } } })
    })

    // Verifies: H-757.
    it("runs requests for embeddings, each with its own bill", async () => {
      const endpoint = "/v1/embeddings"
      upstream.says({ json: embedded })
      try {
        const bodies: ReadonlyArray<Fields> = [
          {},
          { input: [101, 102], user: null, encoding_format: "base64" },
          ...[{ input: [] }, { model }, { dimensions: 5000 }]
        ]
        const made = await make(bodies.map(embeddingLine), { endpoint })
        expect(made.endpoint).toBe(endpoint)
        const batch = await ending(made)
        expect(batch, JSON.stringify(batch)).toMatchObject({
          ...{ status: "completed", request_counts: { total: 5, completed: 2, failed: 3 } },
          usage: { input_tokens: 14, output_tokens: 0, total_tokens: 14 }
        })
        const output = await linesOf(batch.output_file_id)
        const answers = new Map(
          output.map(({ custom_id, response }) => [custom_id, (response as Fields).body as Fields])
        )
        expect(answers.get("a")).toEqual({
          ...{ object: "list", model: "text-embedding-3-small", usage: { prompt_tokens: 7, total_tokens: 7 } },
          data: [{ object: "embedding", index: 0, embedding: [0.6, 0.8] }]
        })
        expect(answers.get("b")).toMatchObject({ data: [{ embedding: "mpkZP83MTD8=" }] })
        expect((await linesOf(batch.error_file_id)).map(refused).toSorted()).toEqual([
          ["c", 422, "invalid_request", "input"],
          ["d", 400, "invalid_request", "model"],
          ["e", 400, "invalid_request", "dimensions"]
        ])
        const { items } = await world.send("GET", `/v1/usage/logs?trace_id=${made.id}`, { key: world.key })
        expect(items.map(({ request_id, service, units }) => [request_id, service, units]).toSorted()).toEqual(
          output.map(({ response }) => [(response as Fields).request_id, "embedding", 7]).toSorted()
        )
      } finally {
        upstream.says(null)
      }
    })

    // Verifies: H-733, H-734.
    it("fails with the faults of its input, and runs nothing", async () => {
      const before = upstream.calls.length
      const batch = await ending(await make([line("a"), "{", line("a")]))
      expect(batch).toMatchObject({
        ...{ status: "failed", failed_at: expect.any(Number), output_file_id: null, error_file_id: null },
        errors: {
          object: "list",
          data: [
            { code: "invalid_json", line: 2, param: null, message: expect.any(String) },
            { code: "duplicate_custom_id", line: 3, param: "custom_id", message: expect.any(String) }
          ]
        }
      })
      const many = await ending(await make(Array.from({ length: 21 }, (_, n) => line(String(n)))))
      expect((many.errors as Fields).data).toMatchObject([{ code: "too_many_requests", line: 21 }])
      expect(upstream.calls.length).toBe(before)
    })

    // Verifies: H-742, H-743, H-706.
    it("is cancelled: what runs ends, what has not begun is named, and its input is free again", async () => {
      upstream.says(() => ({ json: llmBodies.chat_completions("late"), delayMs: 1500 }))
      try {
        const made = await make(Array.from({ length: 10 }, (_, n) => line(String(n))))
        await until(async () => ((await get(`/${made.id}`)).body.status === "in_progress" ? true : undefined))
        const remove = () => world.send("DELETE", `${filesPath}/${made.input_file_id}`, { key: world.key })
        const held = await remove()
        expect(error(held)).toMatchObject({ status: 409, code: "invalid_request" })
        expect(held.headers["x-should-retry"]).toBe("false")
        const cancel = () => world.send("POST", `${batches}/${made.id}/cancel`, { key: world.key })
        expect((await cancel()).body.status).toBe("cancelling")
        const batch = await ending(made)
        expect(batch.status).toBe("cancelled")
        expect((await cancel()).body).toEqual(batch)
        const output = batch.output_file_id === null ? [] : await linesOf(batch.output_file_id)
        const errors = await linesOf(batch.error_file_id)
        expect(output.length + errors.length).toBe(10)
        expect(errors[0]).toMatchObject({ response: null, error: { code: "batch_cancelled" } })
        expect((await remove()).status).toBe(200)
      } finally {
        upstream.says(null)
      }
    })

    // Verifies: H-758.
    it("is cancelled once under an Idempotency-Key, with the answer that was given first", async () => {
      const headers = { "idempotency-key": "one end" }
      const cancel = ({ id }: Fields, key = world.key, own: Record<string, string> = headers) =>
        world.send("POST", `${batches}/${id}/cancel`, { key, headers: own })
      // None of its lines has ended when it is cancelled.
      upstream.says(() => ({ json: llmBodies.chat_completions("late"), delayMs: 3000 }))
      const [made, other] = [await make([line("a")]), await make([line("a")])]
      const first = await cancel(made)
      upstream.says(null)
      expect(first.body).toMatchObject({ id: made.id, status: expect.stringMatching(/^cancel/) })
      expect(first.headers["idempotent-replayed"]).toBeUndefined()
      await ending(made)
      const again = await cancel(made)
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers).toMatchObject({ "idempotent-replayed": "true" })
      expect(error(await cancel(other))).toMatchObject({ status: 409, code: "idempotency_key_reused" })
      expect(error(await send({ input_file_id: made.input_file_id }, headers))).toMatchObject({
        status: 409,
        code: "idempotency_key_reused"
      })
      // A key is an account's, and what is refused leaves it free.
      expect(error(await cancel(made, world.stranger))).toMatchObject({ status: 404, code: "not_found" })
      const long = { "idempotency-key": "x".repeat(256) }
      expect(error(await cancel(other, world.key, long))).toMatchObject({ status: 400, code: "invalid_request" })
      const done = await ending(other)
      expect(error(await cancel(done, world.key, { "idempotency-key": "late" }))).toMatchObject({
        status: 409,
        code: "invalid_request"
      })
    })

    // Verifies: H-752, H-753.
    it("refuses what it cannot be made of", async () => {
      const inputFileId = await input(line("a"))
      const refusals: ReadonlyArray<readonly [fields: object, status: number, code: string, param: string]> = [
        [{}, 422, "invalid_request", "input_file_id"],
        [{ input_file_id: inputFileId, completion_window: "1h" }, 422, "invalid_request", "completion_window"],
        [{ input_file_id: inputFileId, endpoint: "/v1/messages" }, 400, "invalid_request", "endpoint"],
        [{ input_file_id: "file-1" }, 404, "not_found", "input_file_id"],
        [{ input_file_id: `file-${nobody.replaceAll("-", "")}` }, 404, "not_found", "input_file_id"],
        [{ input_file_id: inputFileId, metadata: { a: 1 } }, 422, "invalid_request", "metadata.a"],
        [{ input_file_id: inputFileId, metadata: { ["x".repeat(65)]: "" } }, 422, "invalid_request", "metadata"]
      ]
      for (const [fields, status, code, param] of refusals) {
        expect(error(await send(fields)), JSON.stringify(fields)).toMatchObject({ status, code, param })
      }
      for (const body of ["[]", '"text"', "null", "{"]) {
        const headers = { "content-type": "application/json" }
        const answer = await world.send("POST", batches, { key: world.key, body, headers })
        expect(error(answer), body).toMatchObject({ status: 400, code: "invalid_request" })
      }
      const strange = await world.send("POST", batches, {
        key: world.stranger,
        json: { endpoint: chat, completion_window: "24h", input_file_id: inputFileId }
      })
      expect(error(strange)).toMatchObject({ status: 404, param: "input_file_id" })
      const done = await ending(await make([line("a")]))
      expect(error(await send({ input_file_id: done.output_file_id }))).toMatchObject({
        status: 400,
        param: "input_file_id"
      })
      const cancel = await world.send("POST", `${batches}/${done.id}/cancel`, { key: world.key })
      expect(error(cancel)).toMatchObject({ status: 409, code: "invalid_request" })
      expect(cancel.headers["x-should-retry"]).toBe("false")
    })

    // Verifies: H-732, H-754, H-755.
    it("belongs to the account, is listed newest first, and is made once under an Idempotency-Key", async () => {
      const headers = { "idempotency-key": "one batch" }
      const inputFileId = await input(line("a"))
      const first = await send({ input_file_id: inputFileId }, headers)
      const again = await send({ input_file_id: inputFileId }, headers)
      expect(again.body).toEqual(first.body)
      expect(again.headers).toMatchObject({ "idempotent-replayed": "true" })
      const reused = await send({ input_file_id: inputFileId, metadata: { a: "b" } }, headers)
      expect(error(reused)).toMatchObject({ status: 409, code: "idempotency_key_reused" })
      const other = await send({ input_file_id: inputFileId, of_another_release: 1 }, headers)
      expect(error(other), "another JSON").toMatchObject({ status: 409, code: "idempotency_key_reused" })
      const absent = await send({ input_file_id: inputFileId, metadata: null }, headers)
      expect(absent.headers, "null stands for an absent field").toMatchObject({ "idempotent-replayed": "true" })
      const second = await make([line("a")])
      const page = await get("?limit=1")
      expect(page.body).toMatchObject({ object: "list", first_id: second.id, last_id: second.id, has_more: true })
      expect(dataOf(await get(`?limit=1&after=${second.id}`)).map(({ id }) => id)).toEqual([first.body.id])
      for (const query of ["limit=0", "limit=101", "after=x"]) {
        expect(error(await get(`?${query}`)), query).toMatchObject({ status: 422, param: query.replace(/=.*/, "") })
      }
      for (const [path, key] of [
        [`/${second.id}`, world.stranger],
        ["/batch_1", world.key],
        [`/${nobody}`, world.key]
      ] as const) {
        expect(error(await get(path, key))).toMatchObject({ status: 404, code: "not_found" })
      }
      expect(dataOf(await get("", world.stranger))).toEqual([])
      const { text: mute } = await world.core.admin.createKey(world.account, { permissions: ["stt"] })
      expect(error(await get("", mute))).toMatchObject({ status: 403, code: "permission_denied" })
    })
  })
