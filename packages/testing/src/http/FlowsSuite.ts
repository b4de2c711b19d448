/** Flows, as callers manage them and as the chat platform asks about them. Verifies: FLOW-1, FLOW-2, FLOW-3, FLOW-4. */
import { createHmac } from "node:crypto"
import type { StorageProvider } from "@trunkline/core"
import type { Event } from "@trunkline/core/effect"
import { channelProvider } from "@trunkline/core/provider"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  FakeChatPlatform,
  flowQuestion,
  inboundMessage,
  inboundMessages,
  refusedWith,
  sampleCustomer,
  sampleNumber,
  signed
} from "../messaging/index.ts"
import { Endpoints } from "../webhooks/Endpoints.ts"
import { fakeOutbound } from "../webhooks/FakeOutbound.ts"
import type { Answer, Fields } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"
import { secretText, utc } from "./WebhookWorld.ts"

const root = "/api/v1/messaging"
const flows = `${root}/flows`
const appSecret = "what deliveries are signed with"
const businessAccountId = "102290129340398"
const publicUrl = "https://chat.example.com/phone"
const { phoneNumberId } = sampleNumber
const second = Date.UTC(2026, 10, 21, 9, 30) / 1000
const clockSpeed = 1000
/** Milliseconds that a busy machine may take for nothing. */
const slackMs = 2000
const customerWords = "words that the customer has filled in"

const screens = { version: "7.2", screens: [{ id: "WELCOME" }] }
const fault = { error: "INVALID_PROPERTY", message: "A screen has no title" }

export const flowsSuite = (name: string, begin: Start, storage: () => StorageProvider) =>
  describe(`flows through ${name}`, () => {
    const platform = new FakeChatPlatform().owns(businessAccountId, "200").owns("9", "900")
    const endpoints = new Endpoints()
    let world: HttpWorld
    let id: string
    let elsewhere: string
    let hosts = 0
    const heard: Array<Event> = []

    const ask = (method: string, path: string, json?: unknown, key = world.key): Promise<Answer> =>
      world.send(method, path, { key, ...(json === undefined ? {} : { json }) })

    /** The path of a flow, or of what stands below it. */
    const at = (flow: unknown, below = "", number: string = phoneNumberId) =>
      `${flows}/${flow}${below}?phone_number_id=${number}`

    const connect = async (phone_number_id: string, fields: object = {}, key = world.key): Promise<string> => {
      const json = { phone_number_id, business_account_id: businessAccountId, access_token: "EAAG-a-token", ...fields }
      const { body, status } = await ask("POST", `${root}/phone_numbers`, json, key)
      expect(status).toBe(201)
      return String(body.id)
    }

    const freshUrl = () => {
      hosts += 1
      return `https://f${hosts}.example.com/flows`
    }

    const create = async (fields: object = {}): Promise<Fields> => {
      const json = { phone_number_id: phoneNumberId, name: "Book a table", categories: ["OTHER"], ...fields }
      const { body, status } = await ask("POST", flows, json)
      expect(status).toBe(201)
      return body
    }

    /** What the platform was last asked with a verb. */
    const asked = (verb: Parameters<typeof platform.of>[0]) => platform.of(verb).at(-1)?.body

    /** Below the mount point: the address that the platform was given. */
    const pathOf = (uri: unknown): string => {
      expect(uri).toMatch(/^https:\/\/chat\.example\.com\/phone\/api\/v1\/messaging\/flow-data\/[0-9a-f-]{36}$/)
      return String(uri).slice(publicUrl.length)
    }

    /** A flow with an endpoint: where the platform asks, where the account is asked, and the secret. */
    const withEndpoint = async () => {
      const url = freshUrl()
      const flow = await create({ endpoint_url: url })
      return {
        flow: String(flow.id),
        url,
        host: new URL(url).hostname,
        secret: String(flow.endpoint_secret),
        path: pathOf(asked("createFlow")?.endpoint)
      }
    }

    /** The platform asks at a path, in its own way; returns the answer, and what it says. */
    const question = async (
      path: string,
      json: unknown,
      over: { readonly key?: string; readonly fails?: boolean } = {}
    ) => {
      const { body, read } = flowQuestion(over.key ?? platform.flowKeys.get(phoneNumberId)!, json)
      const { bytes, headers } = signed(body, appSecret)
      const answer = await world.send("POST", path, { body: bytes, headers, fails: over.fails === true })
      return { answer, said: answer.text === "" || answer.status === 404 ? null : read(answer.text) }
    }

    const exchange = { version: "3.0", action: "data_exchange", screen: "WELCOME", data: { note: customerWords } }

    const requestsTo = (host: string) => endpoints.log.filter((one) => one.host === host)

    const delivered = async (body: unknown): Promise<void> => {
      const { bytes, headers } = signed(body, appSecret)
      expect((await world.send("POST", `${root}/inbound`, { body: bytes, headers })).status).toBe(200)
    }

    beforeAll(async () => {
      world = await openWorld(begin, storage, {
        core: {
          messaging: { platform: channelProvider(platform.layer), appSecret, publicUrl: `${publicUrl}/` },
          clock: { now: () => second * 1000, speed: clockSpeed },
          outbound: fakeOutbound(endpoints),
          workers: { replies: false }
        }
      })
      world.core.events.on("*", (event) => void heard.push(event))
      id = await connect(phoneNumberId)
      elsewhere = await connect("900", { business_account_id: "9" }, world.stranger)
      expect((await ask("PUT", `${root}/phone_numbers/${id}/flow-key`)).status).toBe(200)
    })
    afterAll(() => world.close())
    beforeEach(() => {
      platform.calls.length = 0
      platform.flowFaults = []
      heard.length = 0
    })

    describe("management", () => {
      // Verifies: M-50.
      it("lists, reads, publishes, deprecates and deletes at the platform", async () => {
        const { id: flow, ...made } = await create({ flow_json: screens, publish: true, clone_flow_id: "77" })
        expect(made).toEqual({ validation_errors: [], endpoint_secret: null })
        expect(asked("createFlow")).toEqual({
          name: "Book a table",
          categories: ["OTHER"],
          json: screens,
          cloneOf: "77",
          publish: true,
          endpoint: null
        })
        expect((await ask("GET", `${flows}?phone_number_id=${phoneNumberId}&limit=5`)).body.data).toHaveLength(1)
        expect(asked("flows")).toEqual({ limit: "5" })
        expect((await ask("GET", at(flow))).body).toMatchObject({ id: flow, status: "DRAFT", endpoint_url: null })
        expect((await ask("POST", at(flow, "/publish"))).body).toEqual({ success: true })
        expect((await ask("POST", at(flow, "/deprecate"))).body).toEqual({ success: true })
        expect((await ask("DELETE", at(flow))).status).toBe(204)
        expect((await ask("GET", at(flow))).status).toBe(422)
      })

      it("keeps screens with faults, and returns both", async () => {
        platform.flowFaults = [fault]
        const { id: flow, validation_errors } = await create({ flow_json: screens })
        expect(validation_errors).toEqual([fault])
        const { body, status } = await ask("PUT", at(flow, "/json"), { ...screens, version: "7.3" })
        expect([status, body]).toEqual([200, { success: false, validation_errors: [fault] }])
        expect((await ask("GET", at(flow, "/json"))).body).toEqual({ ...screens, version: "7.3" })
      })

      it("shows the secret of an endpoint once, rotates it, and removes it with the endpoint", async () => {
        const { flow, host, path, secret, url } = await withEndpoint()
        expect(secret).toMatch(secretText)
        expect((await ask("GET", at(flow))).body).toMatchObject({ endpoint_url: url })
        const moved = freshUrl()
        const kept = await ask("PATCH", at(flow), { endpoint_url: moved, name: "Another name" })
        expect(kept.body).toEqual({ success: true, endpoint_secret: null })
        expect(asked("changeFlow")).toMatchObject({ name: "Another name", endpoint: `${publicUrl}${path}` })
        const { body } = await ask("PATCH", at(flow), { rotate_secret: true })
        expect(body.endpoint_secret).toMatch(secretText)
        expect(body.endpoint_secret).not.toBe(secret)
        endpoints.moods.set(new URL(moved).hostname, { _tag: "Answers", status: 200, body: "{}" })
        await question(path, exchange)
        expect(requestsTo(host)).toEqual([])
        expect(requestsTo(new URL(moved).hostname)).toHaveLength(1)
        expect((await ask("PATCH", at(flow), { endpoint_url: null })).status).toBe(200)
        expect(asked("changeFlow")).toEqual({ id: flow, endpoint: null })
        expect((await question(path, exchange)).answer.status).toBe(404)
        expect((await ask("PATCH", at(flow), { rotate_secret: true })).status).toBe(409)
        const again = await ask("PATCH", at(flow), { endpoint_url: url })
        expect(again.body.endpoint_secret).toMatch(secretText)
      })

      it("has no endpoint for a flow that the platform has refused, and none for one that is deleted", async () => {
        platform.fails("createFlow", refusedWith(139000))
        const json = { phone_number_id: phoneNumberId, name: "A", categories: ["OTHER"], endpoint_url: freshUrl() }
        const { body, status } = await ask("POST", flows, json)
        expect([status, body.detail]).toEqual([422, expect.stringContaining("139000")])
        const refused = pathOf(asked("createFlow")?.endpoint)
        platform.fails("createFlow", null)
        expect((await question(refused, exchange)).answer.status).toBe(404)
        const { flow, path } = await withEndpoint()
        expect((await ask("DELETE", at(flow))).status).toBe(204)
        expect((await question(path, exchange)).answer.status).toBe(404)
      })

      it("refuses what cannot be, and asks nobody", async () => {
        const json = { phone_number_id: phoneNumberId, name: "A", categories: ["OTHER"] }
        for (const wrong of [
          { name: "" },
          { name: "a".repeat(201) },
          { categories: [] },
          { endpoint_url: "http://example.com/flows" },
          { endpoint_url: "https://10.0.0.7/flows" },
          { flow_json: [] },
          { clone_flow_id: "abc" }
        ]) {
          expect((await ask("POST", flows, { ...json, ...wrong })).status, JSON.stringify(wrong)).toBe(422)
        }
        expect((await ask("GET", `${flows}/abc?phone_number_id=${phoneNumberId}`)).status).toBe(422)
        expect(platform.calls).toEqual([])
      })

      it("knows numbers and flows of its own account alone", async () => {
        const { flow, path } = await withEndpoint()
        platform.calls.length = 0
        const json = { phone_number_id: phoneNumberId, name: "A", categories: ["OTHER"] }
        for (const answer of [
          await ask("POST", flows, json, world.stranger),
          await ask("GET", at(flow), undefined, world.stranger),
          await ask("PATCH", at(flow), { rotate_secret: true }, world.stranger),
          await ask("DELETE", at(flow), undefined, world.stranger),
          await ask("PUT", `${root}/phone_numbers/${id}/flow-key`, undefined, world.stranger),
          await ask("GET", `${root}/phone_numbers/${id}/flow-key`, undefined, world.stranger)
        ]) {
          expect(answer.status).toBe(404)
        }
        expect(platform.calls).toEqual([])
        // Nor does a key that another account has made for a number of the same business account open anything.
        platform.owns(businessAccountId, "202")
        const beside = await connect("202", {}, world.stranger)
        await ask("PUT", `${root}/phone_numbers/${beside}/flow-key`, undefined, world.stranger)
        expect((await question(path, exchange, { key: platform.flowKeys.get("202")! })).answer.status).toBe(421)
        // A flow of the same id at another business account is another one.
        expect((await ask("PATCH", at(flow, "", "900"), { rotate_secret: true }, world.stranger)).status).toBe(409)
        await ask("PUT", `${root}/phone_numbers/${elsewhere}/flow-key`, undefined, world.stranger)
        const key = platform.flowKeys.get("900")!
        expect((await question(path, exchange, { key })).answer.status).toBe(421)
      })
    })

    describe("the key of a number", () => {
      it("is made anew, shown by its fingerprint, and audited", async () => {
        const phone = await connect("200")
        const path = `${root}/phone_numbers/${phone}/flow-key`
        expect((await ask("GET", path)).status).toBe(404)
        const { body, status } = await ask("PUT", path)
        expect([status, body]).toEqual([
          200,
          { fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), created_at: expect.stringMatching(utc) }
        ])
        expect(platform.flowKeys.get("200")).toMatch(/^-----BEGIN PUBLIC KEY-----\n/)
        expect((await ask("GET", path)).body).toEqual({ ...body, signature_status: "VALID" })
        expect(await world.core.admin.audit(world.account)).toContainEqual(
          expect.objectContaining({ action: "flow.key", targetId: phone })
        )
        // Any number of the business account opens its questions, and the key before is gone at once.
        const { path: asks } = await withEndpoint()
        const old = platform.flowKeys.get("200")!
        expect((await question(asks, { action: "ping" }, { key: old })).answer.status).toBe(200)
        expect((await ask("PUT", path)).body.fingerprint).not.toBe(body.fingerprint)
        expect((await question(asks, { action: "ping" }, { key: old })).answer.status).toBe(421)
      })

      it("stays as it was where the platform refuses another one", async () => {
        const path = `${root}/phone_numbers/${id}/flow-key`
        const before = (await ask("GET", path)).body.fingerprint
        platform.fails("setFlowKey", refusedWith(139002))
        expect((await ask("PUT", path)).status).toBe(422)
        platform.fails("setFlowKey", null)
        expect((await ask("GET", path)).body.fingerprint).toBe(before)
      })
    })

    describe("a question of the platform", () => {
      it("is answered by the account's endpoint, which knows who asks", async () => {
        const { flow, host, path, secret } = await withEndpoint()
        endpoints.moods.set(host, {
          _tag: "Answers",
          status: 200,
          body: '{"screen":"SLOTS","data":{"slots":2}}'
        })
        const { answer, said } = await question(path, { ...exchange, flow_token: "a token of the caller's" })
        expect([answer.status, answer.headers["content-type"]]).toEqual([200, expect.stringContaining("text/plain")])
        expect(said).toEqual({ screen: "SLOTS", data: { slots: 2 } })
        const [request] = requestsTo(host)
        expect(JSON.parse(request!.body)).toEqual({
          flow_id: flow,
          phone_number_id: phoneNumberId,
          flow_token: "a token of the caller's",
          ...exchange,
          user_id: null
        })
        expect(request).toMatchObject({ method: "POST", path: "/flows", event: "flow.data" })
        const digest = createHmac("sha256", secret).update(request!.body).digest("hex")
        expect(request!.headers["X-Service-Signature"]).toBe(`sha256=${digest}`)
      })

      it("is answered here where the platform only looks, or reports a fault", async () => {
        const { host, path } = await withEndpoint()
        expect((await question(path, { version: "3.0", action: "ping" })).said).toEqual({ data: { status: "active" } })
        const notice = { ...exchange, data: { error: "INVALID_SCREEN", error_message: customerWords } }
        expect((await question(path, notice)).said).toEqual({ data: { acknowledged: true } })
        expect(requestsTo(host)).toEqual([])
        expect(world.log.some(({ message }) => message.includes("reports a fault of flow"))).toBe(true)
      })

      it("passes on that a token is not valid any more", async () => {
        const { host, path } = await withEndpoint()
        endpoints.moods.set(host, { _tag: "Answers", status: 427, body: '{"error_msg":"The table is booked."}' })
        const { answer, said } = await question(path, exchange)
        expect([answer.status, said]).toEqual([427, { error_msg: "The table is booked." }])
      })

      it("is 500 without a body where the endpoint gives no answer that can be passed on", async () => {
        const { host, path } = await withEndpoint()
        const answers = (status: number, body: string) => ({ _tag: "Answers", status, body }) as const
        for (const mood of [
          answers(200, "[]"),
          answers(200, "<html>"),
          answers(200, `{"a":"${"a".repeat(256 * 1024)}"}`),
          answers(302, "{}"),
          answers(427, "{}"),
          answers(500, "{}"),
          { _tag: "Hangs" } as const,
          { _tag: "Refuses" } as const,
          { _tag: "Unknown" } as const,
          { _tag: "Inside" } as const
        ]) {
          endpoints.moods.set(host, mood)
          const began = performance.now()
          const { answer } = await question(path, exchange, { fails: true })
          // 8 s of the product's clock are 8 ms. An hour of it would take longer than this.
          expect(performance.now() - began, mood._tag).toBeLessThan(60_000 / clockSpeed + slackMs)
          expect([answer.status, answer.text], JSON.stringify(mood).slice(0, 60)).toEqual([500, ""])
        }
        // Nothing is sent where the name leads to no address that may be called.
        expect(requestsTo(host).map(({ mood }) => mood._tag)).toEqual([
          ...Array.from({ length: 6 }, () => "Answers"),
          "Hangs",
          "Refuses"
        ])
        expect(endpoints.hanging).toBe(0)
      })

      it("is refused by id, by proof and by key, in this order, and nothing is done", async () => {
        const { host, path } = await withEndpoint()
        const unknown = path.replace(/[^/]*$/, nobody)
        const secret = "another secret"
        const stolen = flowQuestion(platform.flowKeys.get(phoneNumberId)!, exchange).body
        const other = flowQuestion(platform.flowKeys.get(phoneNumberId)!, exchange).body
        const sends = async (to: string, body: object, by = appSecret) => {
          const { bytes, headers } = signed(body, by)
          const { status, text } = await world.send("POST", to, { body: bytes, headers })
          return status === 404 ? [status] : [status, text]
        }
        expect(await sends(unknown, {}, secret)).toEqual([404])
        expect(await sends(path.replace(/[^/]*$/, "abc"), stolen)).toEqual([404])
        expect(await sends(path, stolen, secret)).toEqual([432, ""])
        expect(await sends(path, {}, secret)).toEqual([432, ""])
        const unsigned = await world.send("POST", path, { json: stolen })
        expect([unsigned.status, unsigned.text]).toEqual([432, ""])
        for (const broken of [
          {},
          { ...stolen, encrypted_aes_key: other.encrypted_aes_key },
          { ...stolen, initial_vector: other.initial_vector },
          { ...stolen, initial_vector: "" },
          { ...stolen, encrypted_flow_data: `${stolen.encrypted_flow_data.slice(0, -4)}AAA=` },
          { ...stolen, encrypted_flow_data: "not base64" }
        ]) {
          expect(await sends(path, broken)).toEqual([421, ""])
        }
        expect(requestsTo(host)).toEqual([])
      })
    })

    describe("a flow that was sent", () => {
      const sends = async (type: string, content: object): Promise<Fields> => {
        const json = { phone_number_id: phoneNumberId, to: sampleCustomer.phone, type, [type]: content }
        expect((await ask("POST", `${root}/messages`, json)).status).toBe(200)
        return platform.accepted.at(-1)!.body as Fields
      }

      const interactive = (parameters: object) => ({
        type: "flow",
        body: { text: "Book a table" },
        action: { name: "flow", parameters: { flow_id: "4711", flow_cta: "Book", ...parameters } }
      })

      const tokenOf = (body: Fields): string =>
        (body.interactive as ReturnType<typeof interactive> & { action: { parameters: { flow_token: string } } }).action
          .parameters.flow_token

      const completes = async (response: string): Promise<Fields> => {
        const reply = { type: "nfm_reply", nfm_reply: { name: "flow", body: "Sent", response_json: response } }
        const message = inboundMessage("interactive", reply)
        await delivered(inboundMessages(message))
        return heard.filter(({ event }) => event === "message.received").at(-1)!.data as Fields
      }

      it("has a token of ours, by which the endpoint and the reply are known again", async () => {
        await delivered(inboundMessages(inboundMessage("text", { body: "Hello" })))
        const token = tokenOf(await sends("interactive", interactive({})))
        expect(token).toMatch(/^ft_[0-9a-z]{32}$/)
        const { host, path } = await withEndpoint()
        endpoints.moods.set(host, { _tag: "Answers", status: 200, body: "{}" })
        await question(path, { ...exchange, flow_token: token })
        expect(JSON.parse(requestsTo(host)[0]!.body)).toMatchObject({
          flow_token: token,
          user_id: sampleCustomer.userRef
        })
        const flow = { token, flow_id: "4711", values: { guests: 4, note: "By the window" } }
        const response = JSON.stringify({ flow_token: token, ...flow.values })
        const { conversation_id, flow: sent } = await completes(response)
        expect(sent).toEqual(flow)
        const { items } = await ask("GET", `${root}/conversations/${conversation_id}/messages?limit=500`)
        expect(items.filter((one) => one.flow !== null).map((one) => one.flow)).toEqual([flow])
      })

      it("keeps a token that the caller has brought, which is nobody's here", async () => {
        expect(tokenOf(await sends("interactive", interactive({ flow_token: "mine" })))).toBe("mine")
        expect((await completes('{"flow_token":"mine","a":1}')).flow).toEqual({
          token: "mine",
          flow_id: null,
          values: { a: 1 }
        })
      })

      it("is stored also where what was filled in cannot be read", async () => {
        expect((await completes("{")).flow).toEqual({ token: null, flow_id: null, values: null })
        expect((await completes("[1]")).flow).toEqual({ token: null, flow_id: null, values: null })
      })

      it("has a token in the buttons of a template", async () => {
        const button = { type: "button", sub_type: "flow", index: "0" }
        const { template } = await sends("template", { name: "book", language: { code: "en" }, components: [button] })
        expect(template).toMatchObject({
          components: [
            { ...button, parameters: [{ type: "action", action: { flow_token: expect.stringMatching(/^ft_/) } }] }
          ]
        })
      })
    })

    it("needs the public address for an endpoint", async () => {
      const bare = await openWorld(begin, storage, {
        core: { messaging: { platform: channelProvider(platform.layer), appSecret } }
      })
      const number = { phone_number_id: "201", business_account_id: businessAccountId, access_token: "EAAG-a-token" }
      platform.owns(businessAccountId, "201")
      await bare.send("POST", `${root}/phone_numbers`, { key: bare.key, json: number })
      const json = { phone_number_id: "201", name: "A", categories: ["OTHER"], endpoint_url: "https://example.com" }
      expect((await bare.send("POST", flows, { key: bare.key, json })).status).toBe(409)
      expect(platform.of("createFlow")).toEqual([])
      await bare.close()
    })

    it("says how long questions took, by what became of them", async () => {
      const { samples } = (await world.core.metrics()).find(({ name }) => name === "trunkline_flow_data_seconds")!
      const counted = new Map(
        samples.filter(({ part }) => part === "count").map(({ labels, value }) => [labels.outcome, value])
      )
      for (const outcome of ["answered", "token_ended", "own", "unproven", "unreadable", "unanswered"]) {
        expect(counted.get(outcome), outcome).toBeGreaterThan(0)
      }
    })

    it("leaves no secret, key or word of a customer's in the log", async () => {
      const text = JSON.stringify(world.log)
      expect(text).not.toContain(customerWords)
      expect(text).not.toContain("whsec_")
      expect(text).not.toContain("PRIVATE KEY")
      expect(text).not.toContain("EAAG-a-token")
    })
  })
