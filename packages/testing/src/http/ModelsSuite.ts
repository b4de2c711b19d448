/** The routes that show models: open, to any key or person, and as client libraries read them. */
import { createTrunkline, type StoragePlug, TrunklineError } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeNetwork, layerFakeCarrier } from "../FakeCarrier.ts"
import type { Fields } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"

const access = "/api/v1/models/access"
const models = "/api/v1/models"
const voice = "/api/v1/voice/models"
const forClients = "/v1/models"

const plans = ["free", "starter", "pro", "enterprise"] as const
const categories = ["llm", "stt", "tts", "image", "embedding"] as const

/** The body of the access route. */
type Access = Readonly<
  Record<
    (typeof plans)[number],
    {
      readonly models: ReadonlyArray<string>
      readonly by_category: Readonly<Record<(typeof categories)[number], ReadonlyArray<string>>>
      readonly restriction: string
    }
  >
>

export const modelsSuite = (name: string, start: Start, storage: () => StoragePlug) =>
  describe(`models through ${name}`, () => {
    const jwt = { secret: "a secret that tokens are signed with" }
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage, { core: { auth: { jwt } } })
    })
    afterAll(() => world.close())

    const accessOf = async (at = world) => (await at.send("GET", access)).body.plans as Access
    const ids = (records: ReadonlyArray<Fields>) => records.map(({ id }) => id)
    const dataOf = (body: Fields) => body.data as ReadonlyArray<Fields>

    it("tell anybody which of them each plan may call", async () => {
      const anonymous = await world.send("GET", access)
      expect(anonymous.status).toBe(200)
      expect((await world.send("GET", access, { key: "svc_unknown" })).text).toBe(anonymous.text)
      const told = await accessOf()
      expect(Object.keys(told)).toEqual(plans)
      for (const plan of plans) {
        const { by_category, models, restriction } = told[plan]
        expect(Object.keys(by_category)).toEqual(categories)
        expect(Object.values(by_category).flat().sort(), plan).toEqual([...models].sort())
        expect(restriction).toMatch(/\w/)
      }
      const { free } = told
      expect(free.models).toHaveLength(27)
      expect(categories.map((category) => free.by_category[category].length)).toEqual([11, 4, 4, 6, 2])
      expect(told.starter.by_category.stt).toHaveLength(45)
    })

    it("are listed alike for paid plans, on the platform and for client libraries", async () => {
      const { key } = world
      const listed = await world.send("GET", models, { key })
      expect(listed.headers["x-total-count"]).toBe(String(listed.items.length))
      const { body } = await world.send("GET", forClients, { key })
      expect(body).toEqual({ object: "list", data: listed.items })
      const { enterprise, pro, starter } = await accessOf()
      for (const plan of [starter, pro, enterprise]) expect(ids(listed.items)).toEqual(plan.models)
    })

    it("tell what they cost, how much they take and which languages they know", async () => {
      const { items } = await world.send("GET", models, { key: world.key })
      const named = (id: string) => items.find((model) => model.id === id)
      expect(named("saaras:v3")).toMatchObject({
        object: "model",
        owned_by: expect.any(String),
        created: expect.any(Number),
        category: "stt",
        status: "active",
        tiers: plans,
        price: { usd_per_hour: 0.53 },
        limits: { seconds: 30, bytes: null, inputs: null, max_output_tokens: null },
        modes: ["transcribe", "translate", "verbatim", "translit", "codemix"],
        translates: true
      })
      expect(named("text-embedding-3-small")).toMatchObject({
        price: { input_usd_per_million_tokens: 0.02083 },
        limits: { inputs: 128 }
      })
      expect(named("gemini-2.5-pro")).toMatchObject({ max_output_tokens: 65_536 })
      expect(named("ink-2")).toMatchObject({ streaming_only: true, alternative: "ink-whisper" })
      expect(named("deepgram-nova-3")?.dialects).toEqual(expect.arrayContaining(["en-IN", "zh-HK", "multi"]))
    })

    it("are shown to any key, whatever its scopes, and to any person", async () => {
      const { token } = await world.core.admin.createToken(world.account, { role: "viewer" })
      for (const key of [await world.keyWith(), token]) {
        for (const path of [models, voice, forClients]) {
          expect((await world.send("GET", path, { key })).status, path).toBe(200)
        }
      }
    })

    it("are shown to nobody else, in the envelope of each family", async () => {
      for (const key of [undefined, "svc_unknown"]) {
        const sent = key === undefined ? {} : { key }
        for (const path of [models, voice]) {
          const { body, headers, status } = await world.send("GET", path, sent)
          expect([status, headers["www-authenticate"]], path).toEqual([401, "Bearer"])
          expect(body.detail).toMatch(/\w/)
        }
        const refused = await world.send("GET", forClients, sent)
        expect(refused.status).toBe(401)
        expect(refused.body.error).toMatchObject({ type: "authentication_error", code: "invalid_api_key" })
      }
      const { admin } = world.core
      const { id } = await admin.createAccount({ name: "Closed" })
      const closed = (await admin.createKey(id)).text
      await admin.changeAccount(id, { status: "inactive" })
      expect((await world.send("GET", models, { key: closed })).status).toBe(403)
      const refused = await world.send("GET", forClients, { key: closed })
      expect([refused.status, (refused.body.error as Fields).code]).toEqual([403, "account_inactive"])
    })

    it("that voice sessions may use are listed by themselves, streaming-only ones as well", async () => {
      const { headers, items } = await world.send("GET", voice, { key: world.key })
      expect(headers["x-total-count"]).toBe(String(items.length))
      expect(items.every((model) => model.voice === true)).toBe(true)
      const usable = ["ink-2", "ink-whisper", "deepgram-flux-general-en", "deepgram-flux-general-multi", "gpt-realtime"]
      expect(ids(items)).toEqual(expect.arrayContaining(usable))
      for (const id of ["whisper-1", "gpt-4o-realtime-preview"]) expect(ids(items)).not.toContain(id)
    })

    it("can only be read", async () => {
      for (const path of [access, models, voice, forClients]) {
        const { headers, status } = await world.send("POST", path, { key: world.key, json: {} })
        expect([status, headers.allow], path).toEqual([405, "GET, HEAD"])
      }
    })

    it("are those of the host, where it brings some, at its default prices", async () => {
      const mine = { id: "our-own", category: "stt", tiers: ["free"] }
      const old = { id: "nova-3", category: "stt", status: "retired", successor: "our-own" }
      const other = await openWorld(start, storage, {
        core: { models: { catalogue: { models: [mine, old] } }, pricing: { defaults: { stt: { usd_per_hour: 7 } } } }
      })
      try {
        const told = await accessOf(other)
        expect(told.free.by_category.stt).toEqual(["saaras:v3", "saaras:v4", "whisper-large-v3-turbo", "our-own"])
        expect(told.pro.models).not.toContain("our-own")
        expect(told.pro.models).not.toContain("nova-3")
        const data = dataOf((await other.send("GET", forClients, { key: other.key })).body)
        expect(data.at(-1)).toMatchObject({ id: "our-own", price: { usd_per_hour: 7 } })
        expect(ids(data)).not.toContain("nova-3")
      } finally {
        await other.close()
      }
    })

    it("that cannot be used keep the product from starting, and say everything that is wrong", async () => {
      const made = createTrunkline({
        storage: storage(),
        telephony: { kind: "telephony", layer: layerFakeCarrier(new FakeNetwork()) },
        encryptionKey: "a key for the secrets of this test",
        models: { catalogue: { models: [{ id: "a", category: "cars" }, { id: "b" }] } },
        log: () => undefined
      })
      await expect(made).rejects.toThrow(TrunklineError)
      await expect(made).rejects.toMatchObject({ code: "catalogue_refused" })
      await expect(made).rejects.toThrow(/\(a\)\.category.*\(b\)\.category/)
    })
  })
