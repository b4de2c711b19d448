import { assert, describe, it } from "@effect/vitest"
import { baseUrlFault, isPublicPlainHttp, secretBaseUrlFault } from "../../src/http/index.ts"

describe("a base URL", () => {
  it.each([
    ["https://api.example.com/v1", undefined],
    ["api.example.com", "expected an absolute URL"],
    ["ftp://api.example.com", "expected https or http"],
    ["https://a:b@api.example.com", "expected a URL without credentials"],
    ["https://api.example.com/?a=b", "expected a URL without query and fragment"],
    ["https://api.example.com/#a", "expected a URL without query and fragment"]
  ])("%s: %s", (url, fault) => assert.strictEqual(baseUrlFault(url), fault))

  it.each([
    ["http://127.0.0.1:8000", false],
    ["http://[::1]", false],
    ["http://[fd00::1]", false],
    ["http://10.1.2.3", false],
    ["http://172.16.0.9", false],
    ["http://192.168.1.5", false],
    ["http://whisper:8000", false],
    ["http://host.docker.internal", false],
    ["http://93.184.215.14", true],
    ["http://172.32.0.1", true],
    ["http://[2606:2800:220:1::1]", true],
    ["http://internal.example.com", true],
    ["https://api.example.com", false]
  ])("crosses a public network in the clear: %s %s", (url, isPublic) => {
    assert.strictEqual(isPublicPlainHttp(url), isPublic)
    assert.strictEqual(secretBaseUrlFault(url) !== undefined, isPublic)
  })
})
