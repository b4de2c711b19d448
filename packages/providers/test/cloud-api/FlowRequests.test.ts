/** Requests about flows, exactly as the platform gets them: docs/reference/flows.md. */
import { assert, describe, it } from "@effect/vitest"
import type { PlatformRequest } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { clientOf, failureOf, fakePlatform, number, token } from "./Numbers.ts"

const shown = ({ body, method, path }: PlatformRequest) => [method, path, body]

const flow = { name: "Book", categories: ["OTHER"], json: null, cloneOf: null, publish: false, endpoint: null }
const screens = { version: "7.2", screens: [{ id: "WELCOME" }] }

describe("requests about flows", () => {
  it.live("create, read, change, publish, deprecate and delete one", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const client = yield* clientOf(fake)
      const bare = yield* client.createFlow(number, flow)
      assert.deepStrictEqual(bare.faults, [])
      const endpoint = "https://chat.example.com/api/v1/messaging/flow-data/1"
      yield* client.createFlow(number, { ...flow, json: screens, cloneOf: "77", publish: true, endpoint })
      yield* client.changeFlow(number, bare.id, { name: "Another", categories: ["SURVEY"], endpoint })
      yield* client.changeFlow(number, bare.id, { endpoint: null })
      assert.deepInclude(yield* client.publishFlow(number, bare.id), { success: true })
      assert.deepInclude(yield* client.deprecateFlow(number, bare.id), { success: true })
      yield* client.removeFlow(number, bare.id)
      const whole = { name: "Book", categories: ["OTHER"] }
      assert.deepStrictEqual(fake.requests.map(shown), [
        ["POST", `/${number.accountId}/flows`, whole],
        [
          "POST",
          `/${number.accountId}/flows`,
          {
            ...whole,
            flow_json: JSON.stringify(screens),
            clone_flow_id: "77",
            publish: true,
            endpoint_uri: endpoint
          }
        ],
        ["POST", `/${bare.id}`, { name: "Another", categories: ["SURVEY"], endpoint_uri: endpoint }],
        ["POST", `/${bare.id}`, { endpoint_uri: "" }],
        ["POST", `/${bare.id}/publish`, null],
        ["POST", `/${bare.id}/deprecate`, null],
        ["DELETE", `/${bare.id}`, null]
      ])
      assert.isTrue(fake.requests.every((one) => one.token === token))
    })
  )

  it.live("list flows, and name every field of one that is read", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const client = yield* clientOf(fake)
      const { id } = yield* client.createFlow(number, flow)
      assert.deepInclude(yield* client.flows(number, { limit: "5", access_token: "stolen" }), {
        data: [{ id, name: "Book", categories: ["OTHER"], status: "DRAFT" }]
      })
      assert.deepStrictEqual(fake.of("flows")[0]?.query, { limit: "5" })
      assert.deepInclude(yield* client.flow(number, id, {}), { id, status: "DRAFT" })
      assert.deepStrictEqual(fake.of("object")[0]?.query, {
        fields:
          "id,name,categories,preview,status,validation_errors,json_version,data_api_version,endpoint_uri,health_status"
      })
    })
  )

  it.live("replace screens by a form, and fetch them from where they stand", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const client = yield* clientOf(fake)
      const { id } = yield* client.createFlow(number, flow)
      assert.deepStrictEqual(yield* client.saveFlowJson(number, id, screens), { isValid: true, faults: [] })
      const [request] = fake.of("saveFlowAsset")
      assert.deepStrictEqual(request?.form?.fields, {
        messaging_product: "whatsapp",
        name: "flow.json",
        asset_type: "FLOW_JSON"
      })
      assert.deepInclude(request?.form?.file, { name: "flow.json", type: "application/json" })
      assert.deepStrictEqual(yield* client.flowJson(number, id), screens)
      assert.deepStrictEqual(shown(fake.of("flowAssets")[0]!), ["GET", `/${id}/assets`, null])
    })
  )

  it.live("fetch screens from no address that may not be called", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const client = yield* clientOf(fake)
      const { id } = yield* client.createFlow(number, flow)
      for (const url of ["http://169.254.169.254/latest", "https://10.0.0.7/flow.json", "file:///etc/passwd", ""]) {
        fake.addressFilesAt(() => url)
        const failed = yield* failureOf(client.flowJson(number, id))
        assert.strictEqual(failed._tag, "ChannelUnreachable", url)
      }
      assert.deepStrictEqual(fake.of("file"), [])
    })
  )

  it.live("give the platform a number's key as a field of a form, and read what it says of it", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const client = yield* clientOf(fake)
      const key = "-----BEGIN PUBLIC KEY-----\nMIIB+/=\n-----END PUBLIC KEY-----\n"
      yield* client.setFlowKey(number, key)
      const [request] = fake.of("setFlowKey")
      assert.strictEqual(request?.path, `/${number.id}/whatsapp_business_encryption`)
      assert.match(String(request?.headers["content-type"]), /^application\/x-www-form-urlencoded/)
      assert.deepStrictEqual(request?.form?.fields, { business_public_key: key })
      assert.strictEqual(yield* client.flowKeyStatus(number), "VALID")
    })
  )
})
