/**
 * How many things of each kind an account may have: the one after the last is refused, also when many are made at once.
 * Verifies: STOR-9.
 */
import type { StorageProvider } from "@trunkline/core"
import { channelProvider } from "@trunkline/core/provider"
import { type AccountLimitName, accountLimits } from "@trunkline/core/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeChatPlatform, sampleBusinessAccount } from "../messaging/index.ts"
import { filesPath, uploadTo } from "./FilesSuite.ts"
import type { Answer, Fields } from "./HttpClient.ts"
import { campaigns, type HttpWorld, type Start } from "./HttpWorld.ts"
import { openLlmWorld, paths } from "./LlmWorld.ts"
import { upload } from "./Upload.ts"

/** Of every kind that is counted. */
const max = 3
const atOnce = 50

/** An account of its own, which has nothing yet. */
interface Owner {
  readonly key: string
  readonly id: string
  readonly post: (path: string, json: unknown) => Promise<Answer>
  readonly total: (path: string) => Promise<number>
}

/** One kind: how the n-th is made, and how many there are. */
interface Kind {
  readonly name: AccountLimitName
  readonly prepare?: (owner: Owner) => Promise<Fields>
  readonly make: (owner: Owner, n: number, prepared: Fields) => Promise<Answer>
  readonly count: (owner: Owner, prepared: Fields) => Promise<number>
  /** What a refusal is, where it is no conflict. */
  readonly refusal?: (sentence: string) => Fields
}

const phone = (n: number): string => `+9198765${String(n).padStart(5, "0")}`

const listed = (path: string, bodyOf: (n: number) => object): Pick<Kind, "count" | "make"> => ({
  make: (owner, n) => owner.post(path, bodyOf(n)),
  count: (owner) => owner.total(path)
})

const anAgent = async (owner: Owner): Promise<Fields> => (await owner.post("/api/v1/bots", { name: "Asha" })).body
const aCampaign = async (owner: Owner): Promise<Fields> => (await owner.post(campaigns, { name: "Spring" })).body

const ofTheGateway = (message: string): Fields => ({
  error: { message, type: "invalid_request_error", code: "limit_reached", param: null }
})

/** What calls and agents are made of. */
const ofCalls: ReadonlyArray<Kind> = [
  { name: "agents", ...listed("/api/v1/bots", (n) => ({ name: `Agent ${n}` })) },
  {
    name: "agentKnowledge",
    prepare: anAgent,
    make: (owner, n, { id }) =>
      owner.post(`/api/v1/bots/${id}/knowledge`, { title: `Entry ${n}`, content: "It boils." }),
    count: (owner, { id }) => owner.total(`/api/v1/bots/${id}/knowledge`)
  },
  { name: "campaigns", ...listed(campaigns, (n) => ({ name: `Campaign ${n}` })) },
  {
    name: "campaignContacts",
    prepare: aCampaign,
    make: (owner, n, { id }) => owner.post(`${campaigns}/${id}/contacts`, { contacts: [{ phone: phone(n) }] }),
    count: (owner, { id }) => owner.total(`${campaigns}/${id}/contacts`)
  },
  {
    name: "suppressionEntries",
    ...listed(`${campaigns}/dnc`, (n) => ({ entries: [{ phone: phone(n) }] }))
  },
  { name: "callerNumbers", ...listed("/api/v1/telephony/numbers", (n) => ({ phone: phone(n) })) },
  {
    name: "voicemailTemplates",
    ...listed("/api/v1/voicemail-templates", (n) => ({ name: `Template ${n}`, text: "Call us." }))
  },
  { name: "queuedCalls", ...listed("/api/v1/telephony/calls", (n) => ({ to: phone(n) })) }
]

const platform = new FakeChatPlatform()

const ofMessages: ReadonlyArray<Kind> = [
  {
    name: "connectedNumbers",
    make: (owner, n) => {
      const phone_number_id = `${owner.id}-${n}`
      platform.owns(sampleBusinessAccount, phone_number_id)
      const named = { phone_number_id, business_account_id: sampleBusinessAccount }
      return owner.post("/api/v1/messaging/phone_numbers", { ...named, access_token: "a-token" })
    },
    count: (owner) => owner.total("/api/v1/messaging/phone_numbers")
  },
  {
    name: "webhooks",
    ...listed("/api/v1/webhooks", (n) => ({ url: `https://example.com/${n}`, events: ["campaign.started"] }))
  },
  {
    name: "emailWebhooks",
    make: (owner, n) => owner.post("/api/v1/email/webhooks", { url: `https://example.com/${n}` }),
    count: (owner) => owner.total("/api/v1/email/webhooks"),
    refusal: (error) => ({ detail: { reason: "too_many_webhooks", error } })
  },
  {
    name: "voiceAlerts",
    ...listed("/api/v1/voice-alerts", () => ({ name: "Few answers", metric: "connect_rate", threshold: 0.2 }))
  }
]

const ofGateway = (world: HttpWorld): ReadonlyArray<Kind> => [
  {
    name: "waitingSessions",
    prepare: anAgent,
    make: (owner, _, { id }) => owner.post("/v1/voice/sessions", { bot_id: id }),
    count: (owner) => owner.total("/v1/voice/sessions"),
    refusal: ofTheGateway
  },
  {
    name: "files",
    make: ({ key }, n) => uploadTo(world, { file: Buffer.from(`{"n":${n}}\n`) }, { key }),
    count: async ({ key }) => ((await world.send("GET", filesPath, { key })).body.data as ReadonlyArray<Fields>).length,
    refusal: ofTheGateway
  },
  {
    name: "openBatches",
    prepare: async ({ key }) => (await uploadTo(world, {}, { key })).body,
    make: (owner, _, { id }) =>
      owner.post("/v1/batches", { input_file_id: id, endpoint: paths.chat_completions, completion_window: "24h" }),
    count: async ({ key }) =>
      ((await world.send("GET", "/v1/batches", { key })).body.data as ReadonlyArray<Fields>).length,
    refusal: ofTheGateway
  }
]

const kinds = (world: HttpWorld): ReadonlyArray<Kind> => [...ofCalls, ...ofMessages, ...ofGateway(world)]

const names = kinds({} as HttpWorld).map(({ name }) => name)

const sentenceOf = (name: AccountLimitName, number: number): string => {
  const { advice, owner, things } = accountLimits[name]
  return `The ${owner} has ${number} ${things} already: ${advice}`
}

export const accountLimitsSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the things of an account through ${name}`, () => {
    let world: Awaited<ReturnType<typeof openLlmWorld>>

    const ownerOf = async (): Promise<Owner> => {
      const { id } = await world.core.admin.createAccount({ name: "Owner", plan: "enterprise", voiceCampaigns: true })
      const { text: key } = await world.core.admin.createKey(id, { scopes: ["*"], concurrency: 2 * atOnce })
      return {
        ...{ id, key },
        post: (path, json) => world.send("POST", path, { key, json }),
        total: async (path) => {
          const { headers, items, status, text } = await world.send("GET", path, { key })
          expect(status, text).toBe(200)
          return Number(headers["x-total-count"] ?? items.length)
        }
      }
    }

    beforeAll(async () => {
      const counted = Object.keys(accountLimits).filter((limit) => !limit.startsWith("kept"))
      world = await openLlmWorld(start, storage, {
        core: {
          messaging: { platform: channelProvider(platform.layer) },
          limits: {
            ...Object.fromEntries(counted.map((limit) => [limit, max])),
            ...{ knowledge: max + 1, keptResponses: 2, keptAnswerBytes: 2000, perIpPerMinute: null }
          }
        }
      })
    })
    afterAll(() => world.close())

    // Verifies: D-270.
    it.each(names)("%s are never more than their maximum, however many are made at once", async (limit) => {
      const { count, make, prepare, refusal } = kinds(world).find((kind) => kind.name === limit)!
      const owner = await ownerOf()
      const prepared = (await prepare?.(owner)) ?? {}
      // An account has four uploads at a time.
      const width = limit === "files" ? 4 : atOnce
      const answers: Array<Awaited<ReturnType<typeof make>>> = []
      for (let from = 0; from < atOnce; from += width) {
        const size = Math.min(width, atOnce - from)
        answers.push(...(await Promise.all(Array.from({ length: size }, (_, n) => make(owner, from + n, prepared)))))
      }
      const made = answers.filter(({ status }) => status < 300)
      const refused = answers.filter(({ status }) => status >= 300)
      expect([made.length, await count(owner, prepared)], refused[0]?.text).toEqual([max, max])
      const body = (refusal ?? ((detail) => ({ detail })))(sentenceOf(limit, max))
      for (const answer of [...refused, await make(owner, atOnce, prepared)]) {
        expect([answer.status, answer.body]).toEqual([limit === "emailWebhooks" ? 422 : 409, body])
      }
      expect(await count(owner, prepared)).toBe(max)
    })

    it("entries of knowledge are counted over all agents", async () => {
      const owner = await ownerOf()
      const agents = [await anAgent(owner), await anAgent(owner)]
      const learn = ({ id }: Fields, n: number) =>
        owner.post(`/api/v1/bots/${id}/knowledge`, { title: `Entry ${n}`, content: "It boils." })
      for (let n = 0; n < max; n++) expect((await learn(agents[0]!, n)).status).toBe(201)
      expect((await learn(agents[1]!, 0)).status).toBe(201)
      expect((await learn(agents[1]!, 1)).body.detail).toBe(sentenceOf("knowledge", max + 1))
      const [entry] = (await world.send("GET", `/api/v1/bots/${agents[0]!.id}/knowledge`, { key: owner.key })).items
      await world.send("DELETE", `/api/v1/bots/${agents[0]!.id}/knowledge/${entry!.id}`, { key: owner.key })
      expect((await learn(agents[1]!, 1)).status).toBe(201)
    })

    it("contacts that do not all fit are refused together, with the room that there is", async () => {
      const owner = await ownerOf()
      const { id } = await aCampaign(owner)
      const add = (from: number, count: number) =>
        owner.post(`${campaigns}/${id}/contacts`, {
          contacts: Array.from({ length: count }, (_, n) => ({ phone: phone(from + n) }))
        })
      expect((await add(0, 2)).status).toBe(200)
      const refused = await add(2, 2)
      expect([refused.status, refused.body.detail]).toEqual([
        409,
        "The campaign may have 3 contacts, and there is room for 1 more: use another campaign for the others"
      ])
      expect(await owner.total(`${campaigns}/${id}/contacts`)).toBe(2)
      expect((await add(2, 1)).status).toBe(200)
    })

    it("numbers that do not all fit on the do-not-call list are refused together, and those listed already need no room", async () => {
      const owner = await ownerOf()
      const add = (from: number, count: number) =>
        owner.post(`${campaigns}/dnc`, {
          entries: Array.from({ length: count }, (_, n) => ({ phone: phone(from + n) }))
        })
      expect((await add(0, 2)).body.added).toBe(2)
      expect((await add(1, 3)).status).toBe(409)
      expect(await owner.total(`${campaigns}/dnc`)).toBe(2)
      expect((await add(0, 3)).body).toMatchObject({ added: 1, skipped: 2 })
      expect((await add(0, 3)).body).toMatchObject({ added: 0, skipped: 3 })
      const [entry] = (await world.send("GET", `${campaigns}/dnc`, { key: owner.key })).items
      await world.send("DELETE", `${campaigns}/dnc/${entry!.id}`, { key: owner.key })
      expect((await add(7, 1)).body.added).toBe(1)
    })

    it("an import that does not fit is refused as a whole, also as a dry run", async () => {
      const owner = await ownerOf()
      const [first, second] = [await aCampaign(owner), await aCampaign(owner)]
      const bring = ({ id }: Fields, from: number, count: number, dryRun = false) => {
        const rows = Array.from({ length: count }, (_, n) => phone(from + n))
        const form = upload({
          fields: [["dry_run", String(dryRun)]],
          file: Buffer.from(["phone", ...rows].join("\n")),
          fileName: "people.csv"
        })
        return world.send("POST", `${campaigns}/${id}/contacts/import`, { key: owner.key, ...form })
      }
      for (const dryRun of [true, false]) {
        const refused = await bring(first, 0, 4, dryRun)
        expect([refused.status, refused.body.detail]).toEqual([
          409,
          "The campaign may have 3 contacts, and there is room for 3 more: use another campaign for the others"
        ])
      }
      expect(await owner.total("/api/v1/contacts")).toBe(0)
      expect((await bring(first, 0, 2)).status).toBe(200)
      // Two of the three have a place in the address book already.
      expect((await bring(second, 0, 3)).status).toBe(200)
      const full = await bring(first, 3, 1)
      expect([full.status, full.body.detail]).toEqual([
        409,
        "The account has 3 contacts in its address book already: delete some first"
      ])
      expect(await owner.total("/api/v1/contacts")).toBe(3)
    })

    it("keys of an account are counted without those that are revoked", async () => {
      const { id } = await world.core.admin.createAccount({ name: "Keys" })
      const made = await Promise.allSettled(Array.from({ length: atOnce }, () => world.core.admin.createKey(id)))
      const keys = made.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
      expect(keys).toHaveLength(max)
      for (const one of made) {
        if (one.status === "fulfilled") continue
        expect(one.reason).toMatchObject({ code: "limit_reached", status: 409, message: sentenceOf("keys", max) })
      }
      await world.core.admin.revokeKey(keys[0]!.id)
      await world.core.admin.createKey(id)
      await expect(world.core.admin.createKey(id)).rejects.toMatchObject({ code: "limit_reached" })
    })

    it("kept responses are refused before their model runs, and those that are not kept are answered", async () => {
      const { key } = await ownerOf()
      const ask = (fields: object = {}) =>
        world.send("POST", paths.responses, { key, json: { model: "responses-model", input: "hello", ...fields } })
      const [first] = [await ask(), await ask()]
      expect(first!.status, first!.text).toBe(200)
      const before = world.there.calls.length
      const refused = await ask()
      expect([refused.status, refused.body]).toEqual([409, ofTheGateway(sentenceOf("keptResponses", 2))])
      expect(world.there.calls).toHaveLength(before)
      expect((await ask({ store: false })).status).toBe(200)
      expect((await world.send("DELETE", `${paths.responses}/${first!.body.id}`, { key })).status).toBe(200)
      expect((await ask()).status).toBe(200)
    })

    it("answers of Idempotency-Keys are kept while there is room, and replayed after it", async () => {
      const { key } = await ownerOf()
      const ask = (n: number) =>
        world.send("POST", paths.chat_completions, {
          ...{ key, headers: { "idempotency-key": `key-${n}` } },
          json: { model: "chat-model", messages: [{ role: "user", content: `hello ${n}` }] }
        })
      const answers: Array<Answer> = []
      for (let n = 0; n < 30; n++) answers.push(await ask(n))
      const refused = answers.filter(({ status }) => status === 409)
      expect(refused.length).toBeGreaterThan(5)
      expect(refused.length).toBeLessThan(29)
      expect(refused[0]!.body).toMatchObject({ error: { code: "limit_reached" } })
      expect((await ask(0)).body).toEqual(answers[0]!.body)
    })
  })
