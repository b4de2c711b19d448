/**
 * What no handler sees: methods, paths, sizes, types, ids of requests, the limit per address, and clients that go away.
 *
 * Verifies: HTTP-3, HTTP-4, NODE-1.
 */

import { createTrunkline, type StorageProvider } from "@trunkline/core"
import { telephonyProvider } from "@trunkline/core/provider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeNetwork, layerFakeCarrier } from "../FakeCarrier.ts"
import type { Fields } from "./HttpClient.ts"
import {
  aCampaign,
  callback,
  campaigns,
  gate,
  type HttpWorld,
  nobody,
  openWorld,
  type Start,
  signed,
  until,
  type WorldOptions
} from "./HttpWorld.ts"

const json = { "content-type": "application/json" }

export const edgeSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`edges through ${name}`, () => {
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage)
    })
    afterAll(() => world.close())

    const within = async (options: WorldOptions, use: (other: HttpWorld) => Promise<void>) => {
      const other = await openWorld(start, storage, options)
      try {
        await use(other)
      } finally {
        await other.close()
      }
    }

    // Verifies: D-187.
    it("answers a known path and another method with 405 and what is allowed", async () => {
      const one = `${campaigns}/${nobody}`
      for (const [method, path, allowed] of [
        ["PUT", campaigns, ["GET", "HEAD", "POST"]],
        ["DELETE", `${campaigns}/`, ["GET", "HEAD", "POST"]],
        ["POST", one, ["DELETE", "GET", "HEAD", "PATCH"]],
        ["GET", `${one}/status`, ["POST"]],
        ["OPTIONS", `${campaigns}/dnc`, ["GET", "HEAD", "POST"]]
      ] as const) {
        const answer = await world.send(method, path, { key: world.key })
        expect(answer.status, `${method} ${path}`).toBe(405)
        expect(answer.headers.allow!.split(", ").sort()).toEqual(allowed)
        expect(Object.keys(answer.body)).toEqual(["detail"])
      }
    })

    it("answers the compatible send in one form, whatever is wrong with its path or its method", async () => {
      for (const [method, path, status] of [
        ["GET", "/api/v1/messaging/2002/messages", 405],
        ["GET", "/api/v1/messaging/v23.0/2002/messages", 405],
        ["GET", "/api/v1/messaging/v23/2002/messages", 405],
        ["POST", "/api/v1/messaging/v23/2002/messages", 404]
      ] as const) {
        const sent = method === "POST" ? { key: world.key, json: {} } : { key: world.key }
        const body = { error: { code: 100, type: "OAuthException" } }
        expect(await world.send(method, path, sent), `${method} ${path}`).toMatchObject({ status, body })
      }
    })

    // Verifies: D-188, D-190.
    it("passes paths that are not its own on to the host", async () => {
      for (const path of [
        "/api/v1/nothing",
        "/api/v1/Voice-Campaigns",
        "/API/v1/voice-campaigns",
        `${campaigns}/${nobody}/`,
        `${campaigns}/${nobody}/live/`,
        `${campaigns}//`,
        "/v1/models//",
        "/v1/models/saaras:v3/",
        `/x${campaigns}`
      ]) {
        const answer = await world.host("GET", path, { key: world.key })
        expect(answer.status, path).toBe(404)
        expect(answer.text, path).toContain("no page of the host")
      }
    })

    // Verifies: D-190.
    it("serves the path of a collection with and without a slash at its end", async () => {
      const path = await aCampaign(world)
      for (const collection of [campaigns, `${campaigns}/dnc`, `${path}/contacts`, "/api/v1/telephony/calls"]) {
        const plain = await world.send("GET", collection, { key: world.key })
        const slashed = await world.send("GET", `${collection}/?limit=100`, { key: world.key })
        expect(slashed).toMatchObject({ status: 200, text: plain.text })
      }
      for (const collection of [
        "/v1/models",
        "/v1/usage/logs",
        "/api/v1/models",
        "/api/v1/email/webhooks/deliveries"
      ]) {
        const plain = await world.send("GET", collection, { key: world.key })
        const slashed = await world.send("GET", `${collection}/`, { key: world.key })
        expect(slashed, collection).toMatchObject({ status: 200, text: plain.text })
      }
      expect((await world.send("POST", `${campaigns}/`, { key: world.key, json: { name: "x" } })).status).toBe(201)
    })

    // Verifies: H-157.
    it("serves the inference routes below /openai too, with the same envelopes", async () => {
      const { key } = world
      const models = await world.send("GET", "/v1/models", { key })
      for (const path of ["/openai/v1/models", "/openai/v1/models/?x=1", "/v1/models/"]) {
        expect(await world.send("GET", path, { key }), path).toMatchObject({ status: 200, text: models.text })
      }
      expect((await world.send("GET", "/openai/v1/models/saaras:v3", { key })).body.id).toBe("saaras:v3")
      for (const [status, code, method, path, sent] of [
        [401, "invalid_api_key", "GET", "/openai/v1/models", {}],
        [404, "model_not_found", "GET", "/openai/v1/models/none", { key }],
        [405, "method_not_allowed", "PUT", "/openai/v1/models", { key }],
        [
          413,
          "file_too_large",
          "POST",
          "/openai/v1/voice/sessions",
          { key, body: " ".repeat(34_000_000), headers: json }
        ],
        [415, "invalid_request", "POST", "/openai/v1/audio/transcriptions", { key, json: {} }]
      ] as const) {
        const answer = await world.send(method, path, sent)
        expect([answer.status, (answer.body.error as Fields).code], path).toEqual([status, code])
        expect(answer.headers["x-request-id"]).toMatch(/./)
      }
      for (const path of [
        "/openai",
        "/openai/v1",
        `/openai${campaigns}`,
        "/openai/openai/v1/models",
        "/OpenAI/v1/models"
      ]) {
        expect((await world.host("GET", path, { key })).text, path).toContain("no page of the host")
      }
    })

    it("reads percent-encoded paths, and refuses what they hide", async () => {
      const path = await aCampaign(world)
      const encoded = path.replace(/[0-9a-f]$/, (last) => `%${last.charCodeAt(0).toString(16)}`)
      expect((await world.send("GET", encoded, { key: world.key })).status).toBe(200)
      for (const id of ["a%2Fb", "%00", `${nobody}%20`]) {
        const { body, status } = await world.send("GET", `${campaigns}/${id}`, { key: world.key })
        expect(status, id).toBe(422)
        expect(body.detail, id).toMatchObject([{ loc: ["path", "campaign_id"] }])
      }
    })

    it("answers HEAD as GET without a body", async () => {
      const path = await aCampaign(world)
      const list = await world.send("HEAD", campaigns, { key: world.key })
      expect(list.status).toBe(200)
      expect(Number(list.headers["x-total-count"])).toBeGreaterThan(0)
      expect((await world.send("HEAD", path, { key: world.key })).status).toBe(200)
      expect((await world.send("HEAD", `${campaigns}/${nobody}`, { key: world.key })).status).toBe(404)
      expect((await world.send("HEAD", campaigns)).status).toBe(401)
    })

    // Verifies: C-111.
    it("answers a deletion with 204 and nothing else", async () => {
      const answer = await world.send("DELETE", await aCampaign(world), { key: world.key })
      expect(answer.status).toBe(204)
      expect(answer.text).toBe("")
      expect(answer.headers["content-length"]).toBeUndefined()
      expect(answer.headers["transfer-encoding"]).toBeUndefined()
    })

    // Verifies: D-195.
    it("returns the request's id with every answer, and makes one where the request has none", async () => {
      const own = await world.send("GET", campaigns, { key: world.key, headers: { "x-request-id": "trace-1:a.b_c" } })
      expect(own.headers["x-request-id"]).toBe("trace-1:a.b_c")
      const refused = await world.send("GET", campaigns, { headers: { "x-request-id": "refused" } })
      expect(refused.headers["x-request-id"]).toBe("refused")
      for (const given of ["with space", "x".repeat(200)]) {
        const made = await world.send("PUT", campaigns, { headers: { "x-request-id": given } })
        expect(made.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/)
      }
    })

    // Verifies: C-132.
    it("accepts JSON alone where JSON is expected: 415 for other types, after authentication", async () => {
      const sent = { body: "name=x", headers: { "content-type": "application/x-www-form-urlencoded" } }
      expect((await world.send("POST", campaigns, sent)).status).toBe(401)
      const answer = await world.send("POST", campaigns, { key: world.key, ...sent })
      expect(answer.status).toBe(415)
      expect(Object.keys(answer.body)).toEqual(["detail"])
      const charset = { "content-type": "Application/JSON; charset=utf-8" }
      const taken = await world.send("POST", campaigns, { key: world.key, body: '{"name":"x"}', headers: charset })
      expect(taken.status).toBe(201)
    })

    // Verifies: D-192.
    it("accepts JSON up to 10 MiB, by its announced length or as it is counted", async () => {
      const body = `{"name":"x","padding":"${"x".repeat(10 * 1024 * 1024)}"}`
      for (const chunked of [false, true]) {
        const answer = await world.send("POST", campaigns, { key: world.key, body, headers: json, chunked })
        expect(answer.status, chunked ? "counted" : "told").toBe(413)
        expect(Object.keys(answer.body)).toEqual(["detail"])
      }
    })

    // Verifies: D-192.
    it("counts a body to the byte", () =>
      within({ core: { limits: { jsonBodyBytes: 100 } } }, async (other) => {
        const body = (size: number) => `{"name":"${"x".repeat(size - 11)}"}`
        for (const chunked of [false, true]) {
          const sent = { key: other.key, headers: json, chunked }
          expect((await other.send("POST", campaigns, { ...sent, body: body(100) })).status).toBe(201)
          expect((await other.send("POST", campaigns, { ...sent, body: body(101) })).status).toBe(413)
        }
      }))

    // Verifies: D-194, D-196.
    it("stops an address that asks too often, before anything else: 429 with Retry-After", () =>
      within({ core: { limits: { perIpPerMinute: 3 } } }, async (other) => {
        for (let asked = 0; asked < 3; asked++) expect((await other.send("GET", campaigns)).status).toBe(401)
        // The host decides whose address a request has, and this host trusts no proxy.
        for (const forwarded of ["198.51.100.1", "198.51.100.2"]) {
          const answer = await other.send("GET", campaigns, {
            key: other.key,
            headers: { "x-forwarded-for": forwarded }
          })
          expect(answer.status).toBe(429)
          expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(60)
        }
        const report = { body: "x", headers: signed("x") }
        expect((await other.send("POST", callback, report)).status).toBe(200)
        expect((await other.host("GET", "/host")).status).toBe(200)
        if (process.platform === "linux") {
          expect((await other.send("GET", campaigns, { key: other.key, from: "127.0.0.2" })).status).toBe(200)
        }
      }))

    // Verifies: D-194, G-218.
    it("lets an address send 200 requests a minute by default", async () => {
      const telephony = telephonyProvider(layerFakeCarrier(new FakeNetwork()))
      const core = await createTrunkline({
        storage: storage(),
        telephony,
        encryptionKey: "a key for the secrets of this test",
        log: () => undefined
      })
      const served = await start(core, {})
      try {
        const found: Array<number> = []
        for (let asked = 0; asked < 201; asked++) found.push((await fetch(served.origin + campaigns)).status)
        expect(new Set(found.slice(0, 200))).toEqual(new Set([401]))
        expect(found[200]).toBe(429)
      } finally {
        await served.close()
        await core.stop()
      }
    })

    it("counts every request once, however it is answered", () =>
      within({ core: { limits: { perIpPerMinute: 4 } } }, async (other) => {
        const path = await aCampaign(other)
        const ask = (target: string) => other.send("GET", target, { key: other.key })
        expect((await ask(path)).status).toBe(200)
        expect((await ask(`${campaigns}/${nobody}`)).status).toBe(404)
        expect((await ask(path)).status).toBe(200)
        expect((await ask(path)).status).toBe(429)
        expect((await ask(campaigns)).status).toBe(429)
      }))

    // Verifies: C-186.
    it("returns no detail of an internal failure: neither its text nor its place nor the carrier's words", async () => {
      const failing = async () => {
        throw new Error("a secret of the host")
      }
      await within({ core: { auth: { authenticate: failing } } }, async (other) => {
        // Past the suite's client, which takes no 500.
        const answer = await other.host("GET", campaigns, { key: other.key })
        expect(answer.status).toBe(500)
        expect(answer.body).toEqual({ detail: expect.stringMatching(/logged/) })
        expect(answer.text).not.toMatch(/secret|\bat /)
        expect(other.log.map(({ message }) => message).join()).toContain("a secret of the host")
      })
      const refusing = layerFakeCarrier(new FakeNetwork(), { onPlace: () => "invalid_number" })
      await within({ core: { telephony: telephonyProvider(refusing) } }, async (other) => {
        const sent = { key: other.key, json: { to: "+14155550101" } }
        const { id } = (await other.send("POST", "/api/v1/telephony/calls", sent)).body
        const refused = await until(async () => {
          const answer = await other.send("GET", `/api/v1/telephony/calls/${id}`, { key: other.key })
          return answer.body.status === "failed" ? answer : undefined
        })
        expect(refused.text).not.toContain("the fake says so")
      })
    })

    it("keeps nothing of an upload that its sender has aborted", async () => {
      const path = await aCampaign(world)
      const multipart = { "content-type": "multipart/form-data; boundary=b" }
      const head = '--b\r\ncontent-disposition: form-data; name="dry_run"\r\n\r\nfalse\r\n--b\r\n'
      const file = 'content-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nphone\r\n+14155550101\r\n'
      await world.abandon("POST", `${path}/contacts/import`, {
        key: world.key,
        headers: multipart,
        written: head + file
      })
      const contacts = '{"contacts":[{"phone":"+14155550101"}'
      await world.abandon("POST", `${path}/contacts`, { key: world.key, headers: json, written: contacts })
      expect((await world.send("GET", `${path}/contacts`, { key: world.key })).items).toEqual([])
      expect(world.log.filter(({ level }) => level === "error")).toEqual([])
    })

    it("does nothing more for a client that has disconnected", async () => {
      const door = gate()
      const authenticate = async ({ method }: { readonly method: string }) => {
        if (method === "DELETE") await door.wait()
        return null
      }
      await within({ core: { auth: { authenticate } } }, async (other) => {
        const path = await aCampaign(other)
        const gone = other.abandon("DELETE", path, { key: other.key, headers: { "content-length": "0" }, written: "" })
        await door.arrived
        await gone
        await new Promise((resolve) => setTimeout(resolve, 50))
        door.open()
        await new Promise((resolve) => setTimeout(resolve, 50))
        expect((await other.send("GET", path, { key: other.key })).status).toBe(200)
      })
    })
  })
