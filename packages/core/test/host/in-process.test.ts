/** Routes as promises, in the product's own process: docs/reference/client.md#in-process. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { ApiError } from "@trunkline/client"
import { calling, createTrunkline, type Trunkline } from "@trunkline/core"
import { openai } from "@trunkline/providers/openai"
import { sqlite } from "@trunkline/storage-sqlite"
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest"

const options = () => ({
  storage: sqlite(":memory:"),
  encryptionKey: "a key of at least 32 characters, for tests",
  log: () => undefined
})

/** A server for language models that streams two words. */
const words = ["Good", " morning"]
const chunk = (choice: object) =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, ...choice }] })}\n\n`

const modelServer = (): Server =>
  createServer((request, response) => {
    request.resume()
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const content of words) response.write(chunk({ delta: { role: "assistant", content }, finish_reason: null }))
    response.end(`${chunk({ delta: {}, finish_reason: "stop" })}data: [DONE]\n\n`)
  })

let models: Server
let core: Trunkline
let accountId: string

beforeAll(async () => {
  models = modelServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => models.once("listening", resolve))
  const { port } = models.address() as AddressInfo
  const there = openai({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "sk-test" })
  core = await createTrunkline({
    ...options(),
    models: { upstreams: { there }, routes: { "gemma-4-26b-a4b-it": { upstream: "there" } } }
  })
  accountId = (await core.admin.createAccount({ name: "Account", voiceCampaigns: true })).id
})
afterAll(async () => {
  await core.stop()
  models.close()
})

const agent = { name: "Receptionist", system_prompt: "Be brief." }

describe("core.api", () => {
  it("has every route as a promise, for an account that may do all that its owner may", async () => {
    const api = core.api({ accountId })
    const bot = await api.bots.create(agent)
    expect(await api.bots.get(bot.id)).toEqual(bot)
    const campaign = await api.campaigns.create({ name: "Autumn offer", bot_id: bot.id })
    const report = await api.campaigns.addContacts(campaign.id, { contacts: [{ phone: "+4930123456" }] } as never)
    expect(report.inserted).toBe(1)
    const phones = []
    for await (const { phone } of api.campaigns.listContacts(campaign.id)) phones.push(phone)
    expect(phones).toEqual(["+4930123456"])
    const webhook = await api.webhooks.create({ url: "https://example.com/hook", events: ["call.completed"] } as never)
    await api.webhooks.remove(webhook.id)
    expect((await core.admin.audit(accountId)).some(({ actor }) => actor === "user:host")).toBe(true)
  })

  it("acts as a person of the account, with the person's rights", async () => {
    const api = core.api({ accountId, subject: "anna", role: "viewer" })
    const { items } = await api.bots.list()
    expect(items.length).toBeGreaterThan(0)
    await expect(api.bots.create(agent)).rejects.toMatchObject({ name: "ApiError", status: 403 })
  })

  it("acts with a key, which routes of models need", async () => {
    const { text } = await core.admin.createKey(accountId, { scopes: ["*"] })
    expect((await core.api({ key: text }).inferenceModels.list()).object).toBe("list")
    await expect(core.api({ key: "tl_wrong" }).inferenceModels.list()).rejects.toMatchObject({ status: 401 })
    const chat = { model: "m", messages: [{ role: "user" as const, content: "Hello" }] }
    await expect(core.api({ accountId }).llm.chat(chat)).rejects.toMatchObject({ status: 401, code: "invalid_api_key" })
  })

  it("checks arguments as the HTTP API does, and names each field", async () => {
    const failed = core.api({ accountId }).campaigns.create({ name: "", max_attempts: 0 })
    const error = await failed.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).status).toBe(422)
    expect((error as ApiError).fields.map(({ path }) => path)).toEqual([
      ["body", "name"],
      ["body", "max_attempts"]
    ])
  })

  it("runs a deed once for an Idempotency-Key", async () => {
    const { campaigns } = core.api({ accountId })
    const [first, second] = [
      await campaigns.create({ name: "Once" }, { idempotencyKey: "deed-1" }),
      await campaigns.create({ name: "Once" }, { idempotencyKey: "deed-1" })
    ]
    expect(second.id).toBe(first.id)
  })

  it("knows nobody of another account", async () => {
    const other = (await core.admin.createAccount({ name: "Stranger" })).id
    const bot = await core.api({ accountId }).bots.create(agent)
    await expect(core.api({ accountId: other }).bots.get(bot.id)).rejects.toMatchObject({ status: 404 })
  })

  it("streams an answer of a model, event by event", async () => {
    const { text } = await core.admin.createKey(accountId, { scopes: ["*"] })
    const stream = await core.api({ key: text }).llm.chat({
      model: "gemma-4-26b-a4b-it",
      messages: [{ role: "user", content: "Hello" }],
      stream: true
    })
    const said: Array<unknown> = []
    for await (const { data } of stream)
      said.push((data as { choices: [{ delta: { content?: string } }] }).choices[0]?.delta.content)
    expect(said.filter((one) => one !== undefined)).toEqual(words)
  })

  it("uploads a file, and gives its bytes as a response", async () => {
    const { text } = await core.admin.createKey(accountId, { scopes: ["*"] })
    const { files } = core.api({ key: text })
    const line = JSON.stringify({ custom_id: "1", method: "POST", url: "/v1/chat/completions", body: { model: "m" } })
    const { id } = await files.upload({ file: new File([line], "requests.jsonl"), purpose: "batch" })
    const response = await files.content(id)
    expect(response.headers.get("content-type")).toMatch(/^application\/jsonl/)
    expect(await response.text()).toBe(line)
    const ids = []
    for await (const file of files.list({ purpose: "batch" })) ids.push(file.id)
    expect(ids).toEqual([id])
  })

  it("refuses a caller that it cannot use at once, with what it takes", () => {
    for (const [caller, message] of [
      [null, /an account, a person or a key/],
      [{ accountId: "nobody" }, /accountId must be the UUID of an account/],
      [{ accountId, subject: "anna", role: "viewer", scopes: [] }, /exclude each other/],
      [{ accountId, rolle: "viewer" }, /rolle is not a field of a principal/]
    ] as const)
      expect(() => core.api(caller as never)).toThrow(message)
  })

  it("has the routes of the chosen areas alone", async () => {
    const small = await createTrunkline({ ...options(), areas: [calling] })
    const api = small.api({ accountId })
    expect(Object.keys(api)).toContain("campaigns")
    expect(Object.keys(api)).not.toContain("webhooks")
    expectTypeOf(api).not.toHaveProperty("webhooks")
    await small.stop()
  })
})
