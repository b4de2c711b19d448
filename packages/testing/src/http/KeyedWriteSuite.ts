/** Platform writes under an Idempotency-Key: one effect, one answer. Verifies: IDEM-1, IDEM-2, IDEM-4, HTTP-4. */
import type { StorageProvider } from "@trunkline/core"
import { read } from "@trunkline/core/effect"
import { channelProvider, Ids, internalsOf } from "@trunkline/core/provider"
import { IdempotencyStore } from "@trunkline/core/storage"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeChatPlatform, refuses, sampleNumber, silent, unreachable } from "../messaging/index.ts"
import type { Answer } from "./HttpClient.ts"
import { aCampaign, campaigns, type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"
import { upload } from "./Upload.ts"

const calls = "/api/v1/telephony/calls"
const bots = "/api/v1/bots"
const webhooks = "/api/v1/webhooks"
const header = "x-service-error"

const compatible = `/api/v1/messaging/${sampleNumber.phoneNumberId}/messages`
const welcome = {
  ...{ messaging_product: "messaging", to: "16505551234", type: "template" },
  template: { name: "welcome", language: { code: "en_US" } }
}

let last = 0
const newKey = (): string => `a key ${++last}`

/** Status, code and whether it is the first answer once more. */
const shortly = ({ headers, status }: Answer) => [status, headers[header] ?? headers["idempotent-replayed"] ?? "first"]

export const keyedWriteSuite = (name: string, start: Start, storage: () => StorageProvider): void => {
  describe(`platform writes under an Idempotency-Key through ${name}`, () => {
    const platform = new FakeChatPlatform()
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage, {
        core: {
          messaging: { platform: channelProvider(platform.layer), appSecret: "a secret" },
          workers: { replies: false }
        }
      })
      const { phoneNumberId } = sampleNumber
      const json = {
        phone_number_id: phoneNumberId,
        business_account_id: "102290129340398",
        access_token: "EAAG-token"
      }
      const connected = await world.send("POST", "/api/v1/messaging/phone_numbers", { key: world.key, json })
      expect(connected.status).toBe(201)
    })
    afterAll(() => world.close())

    const post = (path: string, idempotencyKey: string, json: unknown, key = world.key) =>
      world.send("POST", path, { key, json, headers: { "idempotency-key": idempotencyKey } })

    const callsTo = async (to: string) =>
      (await world.send("GET", calls, { key: world.key })).items.filter((call) => call.to === to)

    // Verifies: H-833.
    it("place one call, however often and at once they are sent, and answer as the first time", async () => {
      const [key, to] = [newKey(), "+4915112340001"]
      const answers = await Promise.all(Array.from({ length: 8 }, () => post(calls, key, { to })))
      const words = answers.map(({ headers, status }) => [status, headers[header], headers["retry-after"]])
      expect(words.filter(([status]) => status !== 201).every((word) => word[1] === "idempotency_in_progress")).toBe(
        true
      )
      expect(words.filter(([status]) => status !== 201).every((word) => word[2] === "1")).toBe(true)
      const first = answers.find(({ headers, status }) => status === 201 && !("idempotent-replayed" in headers))!
      const again = await post(calls, key, { to })
      expect(shortly(again)).toEqual([201, "true"])
      expect([again.text, again.headers["content-type"]]).toEqual([first.text, first.headers["content-type"]])
      expect(await callsTo(to)).toHaveLength(1)
    })

    it("refuse another body, another route and a key that is none, and do nothing then", async () => {
      const key = newKey()
      expect((await post(bots, key, { name: "One" })).status).toBe(201)
      const other = await post(bots, key, { name: "Two" })
      expect([...shortly(other), other.headers["x-should-retry"]]).toEqual([409, "idempotency_key_reused", "false"])
      expect(shortly(await post(campaigns, key, { name: "One" }))).toEqual([409, "idempotency_key_reused"])
      expect(shortly(await post(bots, key, { name: "One" }, world.stranger))).toEqual([201, "first"])
      const long = await post(bots, "x".repeat(256), { name: "Three" })
      expect(shortly(long)).toEqual([422, "schema_refused"])
      expect(long.body.detail).toMatchObject([{ loc: ["header", "Idempotency-Key"], type: "string_length" }])
      expect((await post(bots, "x".repeat(255), { name: "Four" })).status).toBe(201)
      const names = (await world.send("GET", bots, { key: world.key })).items.map((bot) => bot.name)
      expect(names).toEqual(["Four", "One"])
    })

    // Verifies: H-833.
    it("leave the key free where they are refused", async () => {
      const [key, phone] = [newKey(), "+4915112340002"]
      const listed = await world.send("POST", `${campaigns}/dnc`, { key: world.key, json: { entries: [{ phone }] } })
      expect(listed.status).toBe(200)
      expect(shortly(await post(calls, key, { to: phone }))).toEqual([409, "number_suppressed"])
      expect(shortly(await post(calls, key, { to: "12" }))).toEqual([422, "unusable_number"])
      expect(shortly(await post(calls, key, { to: "+4915112340003" }))).toEqual([201, "first"])
    })

    it("answer JSON however it is written, and forms whatever their boundary is, once", async () => {
      const key = newKey()
      const sent = (body: string) =>
        world.send("POST", bots, {
          key: world.key,
          body,
          headers: { "content-type": "application/json", "idempotency-key": key }
        })
      expect(shortly(await sent('{"name":"Written","system_prompt":"Be kind."}'))).toEqual([201, "first"])
      expect(shortly(await sent('{ "system_prompt": "Be k\\u0069nd.", "name": "Written" }'))).toEqual([201, "true"])

      const [campaign, imported] = [await aCampaign(world), newKey()]
      const importing = (csv: string, boundary: string) => {
        const fields = [["dry_run", "false"]] as const
        const { body, headers } = upload({ file: Buffer.from(csv), fields, boundary, fileName: "people.csv" })
        const keyed = { ...headers, "idempotency-key": imported }
        return world.send("POST", `${campaign}/contacts/import`, { key: world.key, body, headers: keyed })
      }
      const csv = "phone\n+4915112340004\n"
      expect(shortly(await importing(csv, "one"))).toEqual([200, "first"])
      const again = await importing(csv, "another")
      expect(shortly(again)).toEqual([200, "true"])
      expect(again.body).toMatchObject({ created: 1, attached: 1 })
      expect(shortly(await importing(`${csv}+4915112340005\n`, "one"))).toEqual([409, "idempotency_key_reused"])
    })

    // Verifies: H-835.
    it("show a secret once more, which is stored in nothing but its encrypted form", async () => {
      const key = newKey()
      const json = { name: "A hook", url: "https://example.com/hook", events: ["call.completed"] }
      const first = await post(webhooks, key, json)
      expect(first.status).toBe(201)
      expect((await post(webhooks, key, json)).body).toEqual(first.body)
      const context = internalsOf(world.core).context as Context.Context<IdempotencyStore>
      const find = read(IdempotencyStore.use((store) => store.find(Ids.as<"Account">(world.account), key)))
      const kept = JSON.stringify(await Effect.runPromiseWith(context as Context.Context<never>)(find as never))
      expect(kept).toContain("sealed")
      expect(kept).not.toContain(String(first.body.secret))
    })

    it("answer without a body as they did", async () => {
      const key = newKey()
      const hook = { name: "Recovered", url: "https://example.com/hook", events: ["call.completed"] }
      const { body } = await post(webhooks, newKey(), hook)
      const recover = () => post(`${webhooks}/${body.id}/recover`, key, { since: "2026-01-01T00:00:00Z" })
      const first = await recover()
      const again = await recover()
      expect([first.status, again.status, again.text]).toEqual([202, 202, first.text])
      expect(again.headers["idempotent-replayed"]).toBe("true")
    })

    describe("that send messages", () => {
      const native = {
        ...{ phone_number_id: sampleNumber.phoneNumberId, to: "16505551234", type: "template" },
        template: welcome.template
      }
      const forms = [
        ["in the platform's own form", compatible, welcome],
        ["natively", "/api/v1/messaging/messages", native]
      ] as const

      for (const [form, path, json] of forms) {
        it(`send one message ${form}`, async () => {
          const [key, before] = [newKey(), platform.accepted.length]
          const first = await post(path, key, json)
          expect(shortly(first)).toEqual([200, "first"])
          const again = await post(path, key, json)
          expect([...shortly(again), again.text]).toEqual([200, "true", first.text])
          expect(platform.accepted.length - before).toBe(1)
        })

        // Verifies: H-834.
        it(`never send a message again ${form} of which nobody knows whether it arrived`, async () => {
          const [key, before] = [newKey(), platform.accepted.length]
          platform.next(silent(true))
          expect((await post(path, key, json)).headers[header]).toBe("platform_down")
          const again = await post(path, key, json)
          expect(shortly(again)).toEqual([409, "idempotency_outcome_unknown"])
          expect(again.headers["x-should-retry"]).toBe("false")
          expect(platform.accepted.length - before).toBe(1)
        })

        it(`send a message again ${form} that surely did not arrive`, async () => {
          const [key, before] = [newKey(), platform.accepted.length]
          platform.next(unreachable)
          expect((await post(path, key, json)).headers[header]).toBe("platform_down")
          platform.next(refuses(131026))
          expect((await post(path, key, json)).headers[header]).toBe("platform_refusal")
          expect(shortly(await post(path, key, json))).toEqual([200, "first"])
          expect(platform.accepted.length - before).toBe(1)
        })
      }

      it("are refused in the platform's own form on its own path", async () => {
        const key = newKey()
        expect((await post(compatible, key, welcome)).status).toBe(200)
        const other = await post(compatible, key, { ...welcome, to: "16505559999" })
        expect(other.body.error).toMatchObject({ code: 100, type: "OAuthException" })
        expect(shortly(other)).toEqual([409, "idempotency_key_reused"])
        expect((await post(compatible, "x".repeat(256), welcome)).status).toBe(400)
      })
    })
  })
}
