/** Life inside a host: under a prefix, behind its body parsers, and beside its own routes. Verifies: NODE-2. */
import type { StorageProvider } from "@trunkline/core"
import { channelProvider } from "@trunkline/core/provider"
import { describe, expect, it } from "vitest"
import { FakeSpeech, wav } from "../inference/index.ts"
import { FakeChatPlatform, signed as signedDelivery } from "../messaging/index.ts"
import {
  aCampaign,
  callback,
  campaigns,
  type HttpWorld,
  nobody,
  openWorld,
  type ServeOptions,
  type Start,
  signed,
  type WorldOptions
} from "./HttpWorld.ts"
import { upload } from "./Upload.ts"

const prefix = "/calling"
const inbound = "/api/v1/messaging/inbound"
const appSecret = "what deliveries are signed with"

/** Bytes that do not survive being parsed and written again. */
const oddJson = '{ "said" :\t"caf\\u00e9",\n"n": 1.0 }'

export const mountSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`mounted through ${name}`, () => {
    const served = async (
      serve: ServeOptions,
      use: (world: HttpWorld) => Promise<void>,
      core: NonNullable<WorldOptions["core"]> = {}
    ) => {
      const world = await openWorld(start, storage, { serve, core })
      try {
        await use(world)
      } finally {
        await world.close()
      }
    }

    const worksAlways = async (world: HttpWorld) => {
      const path = await aCampaign(world, { name: "Ünïcödé 🎉" })
      expect((await world.send("GET", path, { key: world.key })).body.name).toBe("Ünïcödé 🎉")
      const patched = await world.send("PATCH", path, { key: world.key, json: { pace_seconds: 60 } })
      expect(patched.body.pace_seconds).toBe(60)
      const many = Array.from({ length: 1000 }, () => ({ phone: "+14155550101", name: "x".repeat(200) }))
      const added = await world.send("POST", `${path}/contacts`, { key: world.key, json: { contacts: many } })
      expect(added.body.inserted).toBe(1000)
      // No body where none is due.
      expect((await world.send("POST", `${path}/status`, { key: world.key })).status).toBe(422)
      expect((await world.send("DELETE", path, { key: world.key })).status).toBe(204)
    }

    const hostIsUntouched = async (world: HttpWorld, mount: string) => {
      for (const path of new Set(["/host", `${mount}/host`])) {
        expect(await world.host("GET", path), path).toMatchObject({ status: 200, text: "host" })
      }
      const echoed = await world.host("POST", "/host/echo", { json: { a: [1, "é"] } })
      expect(echoed.body).toEqual({ a: [1, "é"] })
      for (const path of ["/", "/nowhere", `${mount}/nowhere`, `${mount}/api/v1`]) {
        const answer = await world.host("GET", path)
        expect(answer.status, path).toBe(404)
        expect(answer.text, path).toContain("no page of the host")
      }
    }

    const takesSignedBytes = async (world: HttpWorld) => {
      const headers = { "content-type": "application/json" }
      const taken = await world.send("POST", callback, { body: oddJson, headers: { ...headers, ...signed(oddJson) } })
      expect(taken).toMatchObject({ status: 200, text: "<Response/>" })
      expect(taken.headers["content-type"]).toMatch(/^text\/xml/)
      const forged = await world.send("POST", callback, {
        body: `${oddJson} `,
        headers: { ...headers, ...signed(oddJson) }
      })
      expect(forged.status).toBe(401)
    }

    /** Refusals of routes, of the edge and of the form are in the envelope of their family, as without a prefix. */
    const refusesInference = async (world: HttpWorld) => {
      const { key } = world
      for (const [status, code, answer] of [
        [401, "invalid_api_key", await world.send("GET", "/v1/models")],
        [405, "method_not_allowed", await world.send("PUT", "/v1/models", { key })],
        [422, "invalid_request", await world.send("POST", "/v1/audio/translations", { key, ...upload({ file: null }) })]
      ] as const) {
        expect([answer.status, answer.body]).toMatchObject([status, { error: { code } }])
      }
    }

    // Verifies: C-10, D-193, D-226.
    it("works under a prefix, and nowhere else", () =>
      served({ prefix }, async (world) => {
        await worksAlways(world)
        await hostIsUntouched(world, prefix)
        await takesSignedBytes(world)
        const outside = await world.host("GET", campaigns, { key: world.key })
        expect(outside.text).toContain("no page of the host")
      }))

    it.each<ServeOptions>([
      { prefix },
      { prefix, bodyParser: "before" },
      { prefix: "/calling/deep", bodyParser: "before-with-raw" }
      // Verifies: H-136.
    ])("runs inference under a prefix, uploads, streams of rows and refusals included: %j", async (serve) => {
      const speech = new FakeSpeech("hello world")
      const models = { upstreams: { fake: speech.provider }, routes: { "*": { upstream: "fake" } } }
      const world = await openWorld(start, storage, { serve, core: { models } })
      const { key } = world
      try {
        const file = wav(2)
        for (const path of ["/v1/audio/transcriptions", "/openai/v1/audio/translations"]) {
          for (const chunked of [false, true]) {
            const heard = await world.send("POST", path, { key, ...upload({ file }), chunked })
            expect([heard.status, heard.body], path).toEqual([200, { text: "hello world" }])
            expect(heard.headers["x-ratelimit-limit"]).toBe("120")
          }
        }
        expect(speech.works.map(({ audio }) => audio.size)).toEqual(Array.from({ length: 4 }, () => file.byteLength))
        const bot = await world.send("POST", "/api/v1/bots", { key, json: { name: "Asha" } })
        const session = await world.send("POST", "/v1/voice/sessions", { key, json: { bot_id: bot.body.id } })
        expect(session.status).toBe(200)
        expect((await world.send("GET", `/v1/voice/sessions/${session.body.id}`, { key })).body).toEqual(session.body)
        expect((await world.send("GET", "/v1/models", { key })).body.object).toBe("list")
        expect((await world.send("GET", "/v1/usage/summary", { key })).body.total_calls).toBe(4)
        expect((await world.send("GET", "/v1/usage/logs.csv", { key })).text.trim().split("\n")).toHaveLength(5)
        await refusesInference(world)
        for (const path of ["/v1/models", "/v1/audio/transcriptions", `${serve.prefix}/v1/nothing`]) {
          expect((await world.host("GET", path, { key })).text, path).toContain("no page of the host")
        }
      } finally {
        await world.close()
      }
    })

    it("calls the host's sign-in with the path below the mount point, once for every request", async () => {
      const seen: Array<string> = []
      const authenticate = async ({ method, url }: { readonly method: string; readonly url: string }) => {
        seen.push(`${method} ${url}`)
        return null
      }
      const world = await openWorld(start, storage, { serve: { prefix }, core: { auth: { authenticate } } })
      try {
        const path = await aCampaign(world)
        for (const target of [path, `${campaigns}?limit=1`, `${path}/live`, `${campaigns}/${nobody}`]) {
          for (const key of [world.key, "unknown"]) {
            const before = seen.length
            await world.send("GET", target, { key })
            expect(seen.slice(before)).toEqual([`GET ${target}`])
          }
        }
      } finally {
        await world.close()
      }
    })

    it("leaves the host's own routes and its answer to unknown paths as they are", () =>
      served({}, async (world) => {
        await worksAlways(world)
        await hostIsUntouched(world, "")
      }))

    it("checks signatures over the received bytes, whatever they are", () =>
      served({}, async (world) => {
        await takesSignedBytes(world)
        const binary = Buffer.from([0, 255, 254, 10, 13, 195, 40])
        for (const type of ["application/octet-stream", "application/x-www-form-urlencoded", "application/json"]) {
          const headers = { "content-type": type, ...signed(binary) }
          expect((await world.send("POST", callback, { body: binary, headers })).status, type).toBe(200)
          expect((await world.send("POST", callback, { body: binary, headers, chunked: true })).status, type).toBe(200)
        }
        expect((await world.send("POST", callback, { body: binary })).status).toBe(401)
        expect((await world.send("POST", callback.replace("fake", "other"), { body: "x" })).status).toBe(404)
        // What a carrier asks about a call is proven in the same way.
        const resume = callback.replace("callback", "resume")
        expect(await world.send("POST", resume, { body: binary, headers: signed(binary) })).toMatchObject({
          status: 200,
          text: "<Response/>"
        })
        expect((await world.send("POST", resume, { body: binary })).status).toBe(401)
      }))

    it("works behind a parser that keeps no bytes, where no bytes are needed", () =>
      served({ prefix, bodyParser: "before" }, async (world) => {
        await worksAlways(world)
        await hostIsUntouched(world, prefix)
      }))

    it("works behind a parser that keeps the bytes, signatures included", () =>
      served(
        { prefix, bodyParser: "before-with-raw" },
        async (world) => {
          await worksAlways(world)
          await takesSignedBytes(world)
          const { bytes, headers } = signedDelivery({ entry: [], note: "👋" }, appSecret)
          const deliver = (body: Uint8Array) => world.send("POST", inbound, { body, headers: { ...headers } })
          expect((await deliver(bytes)).status).toBe(200)
          expect((await deliver(Buffer.concat([bytes, Buffer.from(" ")]))).status).toBe(401)
        },
        { messaging: { platform: channelProvider(new FakeChatPlatform().layer), appSecret, verifyToken: "told" } }
      ))
  })
