/** The code of each platform error, in a header: docs/reference/errors.md#codes. Verifies: HTTP-2. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { campaigns, type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"

const header = "x-service-error"

type Request = readonly [method: string, path: string, body?: object]

/** Requests with all scopes, the status of their answers, and the code. */
const refusals: ReadonlyArray<readonly [what: string, ...Request, status: number, code: string]> = [
  ["an unknown record", "GET", `${campaigns}/${nobody}`, {}, 404, "campaign_not_found"],
  ["a path id that is none", "GET", `${campaigns}/7`, {}, 422, "schema_refused"],
  ["fields that are wrong", "POST", campaigns, {}, 422, "schema_refused"],
  ["rules that fields break", "POST", campaigns, { name: "x", parallel_lines: 3 }, 422, "rails_refused"],
  ["an unknown agent of a body", "POST", campaigns, { name: "x", bot_id: nobody }, 404, "bot_not_found"],
  ["an unusable number", "POST", "/api/v1/telephony/calls", { to: "12" }, 422, "unusable_number"],
  ["an unknown method", "PUT", campaigns, {}, 405, "method_not_allowed"],
  [
    "an email webhook elsewhere",
    "POST",
    "/api/v1/email/webhooks",
    { url: "https://10.0.0.1/" },
    422,
    "webhook_url_refused"
  ]
]

export const errorCodeSuite = (name: string, start: Start, storage: () => StorageProvider): void => {
  describe(`codes of errors on ${name}`, () => {
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage)
    })
    afterAll(() => world.close())

    for (const [what, method, path, body, status, code] of refusals) {
      it(`of ${what} is ${code}`, async () => {
        const { key } = world
        const answer = await world.send(method, path, method === "GET" ? { key } : { key, json: body })
        expect([answer.status, answer.headers[header]]).toEqual([status, code])
      })
    }

    it("of a request without a key is unauthenticated", async () => {
      const answer = await world.send("GET", campaigns)
      expect([answer.status, answer.headers[header]]).toEqual([401, "unauthenticated"])
    })

    it("of a key that lacks the scope is permission_denied", async () => {
      const answer = await world.send("POST", campaigns, { key: await world.keyWith("campaigns:read"), json: {} })
      expect([answer.status, answer.headers[header]]).toEqual([403, "permission_denied"])
    })

    it("of an account that is not active is account_inactive, and hides a feature that is off", async () => {
      const { admin } = world.core
      const closed = await admin.createAccount({ name: "Closed", voiceCampaigns: true })
      const [off, key] = [(await admin.createAccount({ name: "Off" })).id, (await admin.createKey(closed.id)).text]
      await admin.changeAccount(closed.id, { status: "inactive" })
      const answer = await world.send("GET", campaigns, { key })
      expect([answer.status, answer.headers[header]]).toEqual([403, "account_inactive"])
      const hidden = await world.send("GET", campaigns, { key: (await admin.createKey(off)).text })
      expect([hidden.status, hidden.headers[header]]).toEqual([404, "not_found"])
    })

    it("stands beside the chat platform's own code on the compatible send", async () => {
      const path = "/api/v1/messaging/1/messages"
      const unknown = await world.send("POST", path, { json: {} })
      expect([unknown.status, unknown.headers[header]]).toEqual([401, "unauthenticated"])
      const invalid = await world.send("POST", path, { key: world.key, json: {} })
      expect([invalid.status, invalid.headers[header]]).toEqual([400, "invalid_message"])
      const method = await world.send("DELETE", path, { key: world.key })
      expect([method.status, method.headers[header]]).toEqual([405, "method_not_allowed"])
    })

    it("is under the prefix of the brand's headers", async () => {
      const branded = await openWorld(start, storage, { core: { brand: { headerPrefix: "X-Acme-" } } })
      const answer = await branded.send("GET", `${campaigns}/${nobody}`, { key: branded.key })
      expect([answer.headers["x-acme-error"], answer.headers[header]]).toEqual(["campaign_not_found", undefined])
      await branded.close()
    })

    it("is on no answer that is a success, and on none of another family", async () => {
      const success = await world.send("GET", campaigns, { key: world.key })
      expect([success.status, success.headers[header]]).toEqual([200, undefined])
      const inference = await world.send("GET", "/v1/models", { key: "svc_unknown" })
      expect([inference.status, inference.headers[header]]).toEqual([401, undefined])
    })
  })
}
