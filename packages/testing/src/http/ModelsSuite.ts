/** The routes that show models: open, to any key or person, and as client libraries read them. */

import { createTrunkline, type StorageProvider, TrunklineError } from "@trunkline/core"
import { telephonyProvider } from "@trunkline/core/provider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeNetwork, layerFakeCarrier } from "../FakeCarrier.ts"
import { FakeSpeech } from "../inference/index.ts"
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

export const modelsSuite = (name: string, start: Start, storage: () => StorageProvider) =>
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

    // Verifies: G-2, G-6, G-20, G-21, G-22, G-23, G-108, G-146.
    it("are listed by the plans that may call them, for everybody", async () => {
      const anonymous = await world.send("GET", access)
      expect(anonymous.status).toBe(200)
      expect((await world.send("GET", access, { key: "svc_unknown" })).text).toBe(anonymous.text)
      const accessByPlan = await accessOf()
      expect(Object.keys(accessByPlan)).toEqual(plans)
      for (const plan of plans) {
        const { by_category, models, restriction } = accessByPlan[plan]
        expect(Object.keys(by_category)).toEqual(categories)
        expect(Object.values(by_category).flat().sort(), plan).toEqual([...models].sort())
        expect(restriction).toMatch(/\w/)
      }
      const { free } = accessByPlan
      expect(free.models).toHaveLength(27)
      expect(categories.map((category) => free.by_category[category].length)).toEqual([11, 4, 4, 6, 2])
      expect(accessByPlan.starter.by_category.stt).toHaveLength(45)
    })

    // Verifies: G-24, G-95, G-127, H-100.
    it("are listed for paid plans alike on the platform and for client libraries", async () => {
      const { key } = world
      const listed = await world.send("GET", models, { key })
      expect(listed.headers["x-total-count"]).toBe(String(listed.items.length))
      const { body } = await world.send("GET", forClients, { key })
      expect(body).toEqual({ object: "list", data: listed.items })
      const { enterprise, pro, starter } = await accessOf()
      for (const plan of [starter, pro, enterprise]) expect(ids(listed.items)).toEqual(plan.models)
    })

    // Verifies: G-95, G-237, H-34, H-99.
    it("have prices, limits and languages", async () => {
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
        limits: {
          ...{ seconds: 30, bytes: null, inputs: null },
          ...{ dimensions: null, context_window: null, max_output_tokens: null }
        },
        modes: ["transcribe", "translate", "verbatim", "translit", "codemix"],
        translates: true
      })
      expect(named("text-embedding-3-small")).toMatchObject({
        price: { input_usd_per_million_tokens: 0.02083 },
        limits: { inputs: 128, dimensions: 1536 }
      })
      expect(named("gemini-2.5-pro")).toMatchObject({ max_output_tokens: 65_536 })
      expect(named("ink-2")).toMatchObject({ streaming_only: true, alternative: "ink-whisper" })
      expect(named("deepgram-nova-3")?.dialects).toEqual(expect.arrayContaining(["en-IN", "zh-HK", "multi"]))
    })

    // Verifies: H-34.
    it("for language have a context window and a maximum output, in both lists", async () => {
      const { key } = world
      const { body } = await world.send("GET", forClients, { key })
      const language = [...(await world.send("GET", models, { key })).items, ...dataOf(body)].filter(
        ({ category }) => category === "llm"
      )
      expect(language.length).toBeGreaterThan(60)
      for (const { context_window, id, limits, max_output_tokens } of language) {
        expect([context_window, max_output_tokens], String(id)).toEqual([expect.any(Number), expect.any(Number)])
        expect(limits, String(id)).toMatchObject({ context_window, max_output_tokens })
      }
    })

    // Verifies: G-114, H-155.
    it("can be retrieved one by one, by an id with any characters", async () => {
      const ids = ["org/Some-Model:v1.5", "a/b/c", "per%cent", "ä ö".replace(" ", "+")]
      const catalogue = { models: ids.map((id) => ({ id, category: "stt", tiers: ["free"] })) }
      const other = await openWorld(start, storage, { core: { models: { catalogue } } })
      try {
        const { key } = other
        const listed = dataOf((await other.send("GET", forClients, { key })).body)
        const one = (path: string) => other.send("GET", `${forClients}/${path}`, { key })
        for (const id of ["saaras:v3", "nova-3", ...ids]) {
          const { body, status } = await one(encodeURIComponent(id))
          expect({ status, body }, id).toEqual({ status: 200, body: listed.find((model) => model.id === id) })
        }
        expect((await one("saaras:v3")).body.id).toBe("saaras:v3")
        // Client libraries that encode nothing.
        for (const id of ids.slice(0, 2)) expect((await one(id)).body.id).toBe(id)
        for (const id of [
          "org/some-model:v1.5",
          "SAARAS:V3",
          "none",
          "auto",
          "openai-gpt-5.4",
          "a",
          "x".repeat(1000)
        ]) {
          const { body, status } = await one(id)
          expect([status, (body.error as Fields).code], id).toEqual([404, "model_not_found"])
        }
        expect((await other.send("HEAD", `${forClients}/saaras:v3`, { key })).status).toBe(200)
        const posted = await other.send("POST", `${forClients}/saaras:v3`, { key, json: {} })
        expect([posted.status, posted.headers.allow]).toEqual([405, "GET, HEAD"])
        expect((await other.send("GET", `${forClients}/saaras:v3`)).status).toBe(401)
      } finally {
        await other.close()
      }
    })

    // Verifies: H-155.
    it("that are in no list can be retrieved: the engine on this machine, and a retired one with its successor", async () => {
      const one = async (id: string) => (await world.send("GET", `${forClients}/${id}`, { key: world.key })).body
      expect(await one("moonshine-tiny")).toMatchObject({ id: "moonshine-tiny", status: "active" })
      expect(await one("gpt-4o-realtime-preview")).toMatchObject({ status: "retired", successor: "gpt-realtime" })
    })

    // Verifies: H-156.
    it("show whether this installation serves them", async () => {
      const configuredOf = async (at: HttpWorld) => {
        const { items } = await at.send("GET", models, { key: at.key })
        return (id: string) => items.find((model) => model.id === id)?.configured
      }
      // Nobody is configured to transcribe. A voice session needs nobody: the host's media layer hears.
      const alone = await configuredOf(world)
      for (const id of ["saaras:v3", "whisper-1", "oss-120b", "bulbul:v3", "flux-2-dev", "text-embedding-3-small"]) {
        expect(alone(id), id).toBe(false)
      }
      for (const id of ["ink-2", "deepgram-flux-general-en", "gpt-realtime"]) expect(alone(id), id).toBe(true)

      const speech = new FakeSpeech()
      const catalogue = { models: [{ id: "nova-3", category: "stt", status: "maintenance" }] }
      const routes = {
        "saaras:v3": { upstream: "fake" },
        "nova-3": { upstream: "fake" },
        "oss-120b": { upstream: "fake" }
      }
      const other = await openWorld(start, storage, {
        core: { models: { catalogue, upstreams: { fake: speech.provider }, routes } }
      })
      try {
        const routed = await configuredOf(other)
        expect(["saaras:v3", "saaras:v4", "nova-3", "oss-120b", "ink-2"].map(routed)).toEqual([
          ...[true, false, false, false, true]
        ])
        const { body } = await other.send("GET", `${forClients}/saaras:v3`, { key: other.key })
        expect(body.configured).toBe(true)
      } finally {
        await other.close()
      }
      const embedded = await openWorld(start, storage, { core: { models: { fallback: speech.provider } } })
      try {
        const fallen = await configuredOf(embedded)
        expect(["saaras:v3", "whisper-1", "oss-120b"].map(fallen)).toEqual([true, true, false])
      } finally {
        await embedded.close()
      }
    })

    it("are available by the plan, the permissions and the models of the caller, and configured for everybody", async () => {
      const speech = new FakeSpeech()
      const routes = { "*": { upstream: "fake" } }
      const other = await openWorld(start, storage, {
        core: { auth: { jwt }, models: { upstreams: { fake: speech.provider }, routes } }
      })
      try {
        const { admin } = other.core
        await admin.changeAccount(other.account, { plan: "pro" })
        const free = (await admin.createAccount({ name: "Free", plan: "free" })).id
        const keyOf = async (account: string, options = {}) => (await admin.createKey(account, options)).text
        const token = (await admin.createToken(free, { role: "viewer" })).token
        // A model of every plan, one of paid plans, one of voice sessions, and one that nothing runs.
        const asked = ["saaras:v3", "whisper-1", "ink-2", "oss-120b"]
        const of = async (key: string) => {
          const lists = await Promise.all([models, forClients].map((path) => other.send("GET", path, { key })))
          const [listed, data] = [lists[0]!.items, dataOf(lists[1]!.body)]
          expect(data).toEqual(listed)
          const found = asked.map((id) => listed.find((model) => model.id === id))
          expect(found.map((model) => model?.configured)).toEqual([true, true, true, false])
          const one = await other.send("GET", `${forClients}/saaras:v3`, { key })
          expect(one.body).toEqual(found[0])
          return found.map((model) => model?.available)
        }
        expect(await of(other.key)).toEqual([true, true, true, false])
        expect(await of(await keyOf(free))).toEqual([true, false, false, false])
        expect(await of(token)).toEqual([true, false, false, false])
        expect(await of(await keyOf(other.account, { permissions: ["llm"] }))).toEqual([false, false, true, false])
        expect(await of(await keyOf(other.account, { models: ["whisper-1"] }))).toEqual([
          ...[false, true, false, false]
        ])
      } finally {
        await other.close()
      }
    })

    // Verifies: G-137, H-98.
    it("are shown to any key, whatever its scopes, and to any signed-in person", async () => {
      const { token } = await world.core.admin.createToken(world.account, { role: "viewer" })
      for (const key of [await world.keyWith(), token]) {
        for (const path of [models, voice, forClients]) {
          expect((await world.send("GET", path, { key })).status, path).toBe(200)
        }
      }
    })

    // Verifies: G-155, H-98.
    it("are refused to everybody else, in the envelope of each family of routes", async () => {
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

    // Verifies: G-128.
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

    // Verifies: H-33.
    it("can be added by the host, at its default prices", async () => {
      const mine = { id: "our-own", category: "stt", tiers: ["free"] }
      const old = { id: "nova-3", category: "stt", status: "retired", successor: "our-own" }
      const other = await openWorld(start, storage, {
        core: { models: { catalogue: { models: [mine, old] } }, pricing: { defaults: { stt: { usd_per_hour: 7 } } } }
      })
      try {
        const accessByPlan = await accessOf(other)
        expect(accessByPlan.free.by_category.stt).toEqual([
          "saaras:v3",
          "saaras:v4",
          "whisper-large-v3-turbo",
          "our-own"
        ])
        expect(accessByPlan.pro.models).not.toContain("our-own")
        expect(accessByPlan.pro.models).not.toContain("nova-3")
        const data = dataOf((await other.send("GET", forClients, { key: other.key })).body)
        expect(data.at(-1)).toMatchObject({ id: "our-own", price: { usd_per_hour: 7 } })
        expect(ids(data)).not.toContain("nova-3")
      } finally {
        await other.close()
      }
    })

    // Verifies: H-36.
    it("that are invalid keep the product from starting, with every fault named", async () => {
      const made = createTrunkline({
        storage: storage(),
        telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
        encryptionKey: "a key for the secrets of this test",
        models: { catalogue: { models: [{ id: "a", category: "cars" }, { id: "b" }] } },
        log: () => undefined
      })
      await expect(made).rejects.toThrow(TrunklineError)
      await expect(made).rejects.toMatchObject({ code: "options_refused" })
      await expect(made).rejects.toThrow(/\(a\)\.category.*\(b\)\.category/)
    })
  })
