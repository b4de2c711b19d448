/** The settings of the chat platform. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { cloudApiSettings } from "../../src/cloud-api/CloudApiOptions.ts"
import { cloudApi, InvalidProviderOptions } from "../../src/cloud-api/index.ts"

const baseUrl = "https://graph.facebook.com/v23.0"

const problems = (options: object) =>
  Result.match(cloudApiSettings(options as never), {
    onFailure: (invalid) => invalid.problems,
    onSuccess: () => []
  })

describe("the settings of the chat platform", () => {
  it("need its address alone", () => {
    assert.deepStrictEqual(Result.getOrThrow(cloudApiSettings({ baseUrl: `${baseUrl}//` })), {
      appId: null,
      baseUrl,
      product: "whatsapp",
      timeoutMs: 20_000
    })
    assert.strictEqual(cloudApi({ baseUrl }).kind, "messaging")
  })

  it.each([
    "http://localhost:9000",
    "http://127.0.0.1:9000/v23.0",
    "http://[::1]:9000",
    "http://10.1.2.3",
    "http://mock:9000",
    "http://mock.internal",
    "http://mock.lan"
  ])("accept plain http at %s", (near) => {
    assert.deepStrictEqual(problems({ baseUrl: near }), [])
  })

  it.each([
    ["no address", { baseUrl: undefined }, "baseUrl"],
    ["something that is no address", { baseUrl: "graph.facebook.com" }, "baseUrl"],
    ["another scheme", { baseUrl: "ftp://graph.facebook.com" }, "baseUrl"],
    ["an address with credentials", { baseUrl: "https://a:b@graph.facebook.com" }, "baseUrl"],
    ["an address with a query", { baseUrl: `${baseUrl}?a=b` }, "baseUrl"],
    ["an address with a fragment", { baseUrl: `${baseUrl}#a` }, "baseUrl"],
    ["plain http across a public network", { baseUrl: "http://graph.facebook.com/v23.0" }, "baseUrl"],
    ["plain http to a public address", { baseUrl: "http://93.184.215.14" }, "baseUrl"],
    ["an empty product", { baseUrl, product: "" }, "product"],
    ["a product of two words", { baseUrl, product: "a b" }, "product"],
    ["no time", { baseUrl, timeoutMs: 0 }, "timeoutMs"],
    ["more than ten minutes", { baseUrl, timeoutMs: 600_001 }, "timeoutMs"],
    ["a setting that does not exist", { baseUrl, retries: 3 }, "retries"]
  ])("refuse %s, by name", (_, options, name) => {
    const found = problems(options)
    assert.lengthOf(found, 1)
    assert.isTrue(found[0]?.startsWith(`${name}: `), found[0])
  })

  it("name every fault at once, when the provider is made", () => {
    const options = { baseUrl: "x", product: "", timeoutMs: 7.5, retries: 3 }
    assert.throws(() => cloudApi(options as never), InvalidProviderOptions, /^cloud-api: .*baseUrl.*product.*timeoutMs/)
    assert.lengthOf(problems(options), 4)
  })
})
