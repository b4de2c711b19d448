/** Routes as promises, in the product's own process: docs/reference/client.md#in-process. */
import { ApiError } from "@trunkline/client"
import { calling, createTrunkline, type Trunkline } from "@trunkline/core"
import { sqlite } from "@trunkline/storage-sqlite"
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest"

const options = () => ({
  storage: sqlite(":memory:"),
  encryptionKey: "a key of at least 32 characters, for tests",
  log: () => undefined
})

let core: Trunkline
let accountId: string

beforeAll(async () => {
  core = await createTrunkline(options())
  accountId = (await core.admin.createAccount({ name: "Account", voiceCampaigns: true })).id
})
afterAll(() => core.stop())

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
