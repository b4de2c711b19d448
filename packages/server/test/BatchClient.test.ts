/** Files and batches with the official client library, unchanged, with our address and our key alone. */
import { type FakeLlmServer, llmBodies, startFakeLlmServer } from "@trunkline/testing/upstreams"
import OpenAI, { toFile } from "openai"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { json } from "./Command.ts"
import { cleanUp, folder, type Server, serve } from "./Spawned.ts"

let there: FakeLlmServer
let server: Server
let key: string

beforeAll(async () => {
  there = await startFakeLlmServer({ text: "hello there" })
  const cwd = folder(200, {
    models: {
      upstreams: { local: { kind: "openai", base_url: `${there.origin}/v1` } },
      routes: { "*": { upstream: "local" } }
    }
  })
  server = await serve(cwd)
  const account = (await json(cwd, "account", "create", "--name", "Client", "--plan", "enterprise")).id
  key = (await json(cwd, "key", "create", "--account", account)).key
})

afterAll(async () => {
  cleanUp()
  await there.close()
})
beforeEach(() => there.says(null))

const client = () => new OpenAI({ apiKey: key, baseURL: `${server.url}/v1` })

const chat = "/v1/chat/completions"

const uploaded = async (names: ReadonlyArray<string>, body: object = {}) => {
  const lines = names.map((custom_id) => ({
    ...{ custom_id, method: "POST", url: chat },
    body: { model: "kimi-k2.5", messages: [{ role: "user", content: custom_id }], max_tokens: 20, ...body }
  }))
  const file = await toFile(Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n")), "requests.jsonl")
  return client().files.create({ file, purpose: "batch" })
}

const madeOf = ({ id }: OpenAI.FileObject) =>
  client().batches.create({ input_file_id: id, endpoint: chat, completion_window: "24h", metadata: { job: "nightly" } })

const ended = async (id: string): Promise<OpenAI.Batch> => {
  for (;;) {
    const batch = await client().batches.retrieve(id)
    if (["completed", "failed", "expired", "cancelled"].includes(batch.status)) return batch
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const linesOf = async (id: string | undefined) =>
  (await (await client().files.content(id ?? "")).text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("the openai client", () => {
  // Verifies: H-760.
  it("uploads a file, makes a batch of it, polls it and reads what came of its lines", async () => {
    const file = await client().files.create({
      file: await toFile(Buffer.from("{}\n"), "other.jsonl"),
      purpose: "batch",
      expires_after: { anchor: "created_at", seconds: 3600 }
    })
    expect(file).toMatchObject({ object: "file", filename: "other.jsonl", bytes: 3, purpose: "batch" })
    expect(file.expires_at).toBe(file.created_at + 3600)
    const input = await uploaded(["one", "two"])
    const made = await madeOf(input)
    expect(made).toMatchObject({ object: "batch", status: "validating", metadata: { job: "nightly" } })
    const batch = await ended(made.id)
    expect(batch).toMatchObject({
      ...{ status: "completed", request_counts: { total: 2, completed: 2, failed: 0 } },
      usage: { input_tokens: 24, output_tokens: 14, total_tokens: 38 }
    })
    const lines = await linesOf(batch.output_file_id)
    expect(lines.map(({ custom_id }) => custom_id).sort()).toEqual(["one", "two"])
    expect(lines[0].response).toMatchObject({
      status_code: 200,
      body: { choices: [{ message: { content: "hello there" } }] }
    })
    const names: Array<string> = []
    for await (const { id } of client().files.list({ limit: 1 })) names.push(id)
    expect(names).toEqual([batch.output_file_id, input.id, file.id])
    expect(await client().files.retrieve(input.id)).toEqual(input)
    expect(await client().files.delete(input.id)).toEqual({ id: input.id, object: "file", deleted: true })
    await expect(client().files.retrieve(input.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  // Verifies: H-760.
  it("cancels a batch, also twice, and lists all of them", async () => {
    there.says(() => ({ json: llmBodies.chat_completions("late"), delayMs: 1000 }))
    const made = await madeOf(await uploaded(Array.from({ length: 9 }, (_, n) => `line ${n}`)))
    expect((await client().batches.cancel(made.id)).status).toBe("cancelling")
    const batch = await ended(made.id)
    expect(batch).toMatchObject({ id: made.id, status: "cancelled", request_counts: { total: 9, failed: 0 } })
    expect((await client().batches.cancel(made.id)).status).toBe("cancelled")
    const files = [batch.output_file_id, batch.error_file_id].filter((id) => typeof id === "string")
    const lines = (await Promise.all(files.map(linesOf))).flat()
    expect(lines.map(({ custom_id }) => custom_id).sort()).toEqual(Array.from({ length: 9 }, (_, n) => `line ${n}`))
    const listed: Array<string> = []
    for await (const { id } of client().batches.list({ limit: 1 })) listed.push(id)
    expect(listed).toHaveLength(2)
    expect(listed[0]).toBe(made.id)
  })

  // Verifies: H-760.
  it("throws its typed errors", async () => {
    const input = await uploaded(["one"])
    const refused = async (promise: Promise<unknown>) => {
      const error = await promise.then(
        () => undefined,
        (reason) => reason
      )
      expect(error).toBeInstanceOf(OpenAI.APIError)
      return [error.constructor.name, error.code, error.param]
    }
    const create = (fields: object) =>
      client().batches.create({ input_file_id: input.id, endpoint: chat, completion_window: "24h", ...fields })
    expect(await refused(create({ endpoint: "/v1/moderations" }))).toEqual([
      "BadRequestError",
      "invalid_request",
      "endpoint"
    ])
    expect(await refused(create({ input_file_id: "file-none" }))).toEqual([
      "NotFoundError",
      "not_found",
      "input_file_id"
    ])
    const faulty = await ended((await create({ endpoint: "/v1/embeddings" })).id)
    expect([faulty.status, faulty.errors?.data?.[0]]).toMatchObject(["failed", { code: "invalid_url", line: 1 }])
    expect(await refused(client().batches.cancel(faulty.id))).toEqual(["ConflictError", "invalid_request", null])
  })
})
