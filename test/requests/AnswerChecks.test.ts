/** What the run of generated requests would find: an answer that breaks each check, and requests that fit the description. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { describe, expect, it } from "vitest"
import { randomOf } from "../faults/Random.ts"
import { problemsOf } from "./AnswerChecks.ts"
import { describedBy } from "./Description.ts"
import { RecordPool } from "./RecordPool.ts"
import { drawn, hostileNames, requestOf } from "./RequestPlan.ts"
import type { Generated, Outcome } from "./Requests.ts"
import { valueOf } from "./Values.ts"

const document = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../packages/core/openapi.json", import.meta.url)), "utf8")
)
const description = describedBy(document)
const marks = { others: ["the-other-tenant"], secrets: ["the-secret"] }

const world = () => ({
  ...{ description, operations: description.operations, pool: new RecordPool(description.operations) },
  ...{ receivers: "http://127.0.0.1:1/hooks", access: { key: "svc_1", others: ["the-other-tenant"] } },
  ...{ tenant: "1", othersNumber: "2", appSecret: "3" }
})

const asked: Generated = {
  ...{ number: 1, kind: "valid", name: "GET /api/v1/webhooks/events" },
  request: { via: "http", method: "GET", target: "/api/v1/webhooks/events", headers: {}, body: null }
}

const headers = { "content-type": "application/json", "x-request-id": "a-request", "x-service-error": "not_found" }

const answer = (status: number, body: unknown, more: object = {}): Outcome => {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return { status, text, bytes: Buffer.byteLength(text), ms: 1, headers: { ...headers, ...more } }
}

const formFault = "an error is not in the form of its family"

const causes = (outcome: Outcome, generated = asked) =>
  problemsOf(generated, outcome, document, marks).map(({ cause }) => cause)

describe("the checks of generated requests", () => {
  it("accept an answer as it is described", () => {
    expect(causes(answer(404, { detail: "Not Found" }))).toEqual([])
  })

  it.each([
    ["a status of the server's failures", answer(500, { detail: "Oh" }), "status 500"],
    ["no answer", { ...answer(0, ""), status: 0 }, "no answer"],
    ["a status that is not described", answer(418, { detail: "Tea" }), "not as described: 418"],
    ["a body that is not described", answer(200, { events: 1 }), "not as described: 200"],
    ["another's id", answer(404, { detail: "the-other-tenant" }), "an answer contains something of the second tenant"],
    ["a secret", answer(404, { detail: "the-secret" }), "an answer contains a secret"],
    ["a stack", answer(404, { detail: "\n    at f (/a/b.js:1:2)" }), "an answer contains a stack trace or a path"],
    ["another form of error", answer(404, { error: { message: "No" } }), formFault],
    ["a huge error", answer(404, { detail: "x".repeat(300_000) }), "an error of more than 256 KiB"]
  ])("find %s", (_, outcome, cause) => {
    expect(causes(outcome)).toContain(cause)
  })

  it("accept a refusal that names its reason, and an answer to HEAD, which has no body", () => {
    const reason = { detail: { reason: "too_many_webhooks", error: "Delete one first." } }
    expect(causes(answer(409, reason), { ...asked, right: [409] })).not.toContain(formFault)
    expect(causes(answer(409, { detail: { reason: 1 } }), { ...asked, right: [409] })).toContain(formFault)
    const head: Generated = { ...asked, request: { ...asked.request, method: "HEAD" } as Generated["request"] }
    expect(causes(answer(401, ""), head)).not.toContain(formFault)
  })

  it("find an answer without its id", () => {
    const { "x-request-id": _, ...others } = headers
    expect(causes({ ...answer(404, { detail: "Not Found" }), headers: others })).toContain(
      "an answer 404 without X-Request-Id"
    )
  })

  it("know which statuses are right, and whose neighbour has failed", () => {
    const refusal = answer(422, { detail: [] })
    expect(causes(refusal, { ...asked, right: [403] })).toContain("status 422, where 403 is right")
    expect(causes(answer(503, { detail: "Later" }), { ...asked, fails: [503] })).toEqual([])
  })
})

describe("generated requests", () => {
  it("follow from the seed and their number alone", () => {
    const hashOf = (seed: number) => {
      const hash = createHash("sha256")
      for (let number = 0; number < 60; number++) {
        const { name, request } = requestOf(seed, number, world())
        const { body = null, ...others } = request.via === "http" ? request : { head: JSON.stringify(request) }
        hash.update(JSON.stringify([name, { ...others, json: undefined }])).update(body ?? "")
      }
      return hash.digest("hex")
    }
    expect(hashOf(1)).toBe(hashOf(1))
    expect(hashOf(1)).not.toBe(hashOf(2))
  })

  it("have bodies that fit the description, where they are to be valid", () => {
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    ajv.addSchema({ $id: "contract", ...document })
    for (const { body, method, path } of description.operations) {
      if (body?.type !== "application/json") continue
      const validate = ajv.compile(JSON.parse(JSON.stringify(body.schema).replaceAll('"#/', '"contract#/')))
      for (let nth = 0; nth < 20; nth++) {
        const { access: _, ...source } = { ...world(), random: randomOf("values", path, nth) }
        source.pool.add("/v1/files", { file_id: "file-1" })
        source.pool.add("/api/v1/bots", { bot_id: "01920000-0000-7000-8000-000000000000" })
        source.pool.add("/api/v1/messaging", { phone_number_id: "1" })
        const value = valueOf(body.schema, source)
        if (path.startsWith("/api/v1/messaging/{")) continue
        expect(validate(value), `${method} ${path}: ${JSON.stringify(value)} ${JSON.stringify(validate.errors)}`).toBe(
          true
        )
      }
    }
  })

  it("come to every kind that a seed of some thousands has", () => {
    const names = new Set<string>()
    for (let number = 0; number < 8000; number++) {
      const { name } = drawn(3, number, world())
      if (name !== null) names.add(name)
    }
    expect(hostileNames.filter((name) => !names.has(name))).toEqual([])
  })
})
