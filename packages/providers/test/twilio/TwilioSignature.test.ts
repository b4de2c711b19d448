/** Verifies: TWIL-3. */

import { createHash, createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { unicodeText } from "@trunkline/testing/unicode-text"
import * as fc from "fast-check"
import { type Fields, formFields, isForm, type SignedRequest, sign, verify } from "../../src/twilio/TwilioSignature.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const form = "application/x-www-form-urlencoded; charset=UTF-8"
const token = "12345"
const url = "https://mycompany.com/myapp.php?foo=1&bar=2"
const published: Fields = [
  ["CallSid", "CA1234567890ABCDE"],
  ["Caller", "+14158675309"],
  ["Digits", "1234"],
  ["From", "+14158675309"],
  ["To", "+18005551212"]
]
const publishedSignature = "RSOYDt4T1cUTdK1PDd93/VVr8B8="
const body = bytes(new URLSearchParams(published as Array<[string, string]>).toString())
const signed = { token, url, contentType: form, body, signature: publishedSignature }

/** As the carrier checks a callback with this content type. */
const holds = ({ contentType, ...callback }: Omit<SignedRequest, "form"> & { readonly contentType: string }) => {
  const fields = isForm(contentType) ? formFields(callback.body) : null
  return fields !== undefined && verify({ ...callback, form: fields })
}

/** Computed with Node's own hashing over the text that the published description asks for. */
const reference = (address: string, text: string) =>
  createHmac("sha1", token)
    .update(address + text)
    .digest("base64")

describe("the signature of a callback", () => {
  it("is the published one for the published example", () => {
    assert.strictEqual(sign(token, url, published), publishedSignature)
    assert.isTrue(holds(signed))
  })

  it("does not depend on the order of the form", () => {
    assert.strictEqual(sign(token, url, [...published].reverse()), publishedSignature)
  })

  it("covers each distinct value of a repeated name once, in order", () => {
    const repeated: Fields = [
      ["b", "2"],
      ["a", "z"],
      ["b", "1"],
      ["b", "2"]
    ]
    assert.strictEqual(sign(token, url, repeated), reference(url, "azb1b2"))
  })

  it("covers any form in any script", () => {
    const field = fc.tuple(unicodeText({ minLength: 1 }), unicodeText())
    fc.assert(
      fc.property(fc.uniqueArray(field, { selector: ([name]) => name }), (fields) => {
        const text = [...fields]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .flat()
          .join("")
        assert.strictEqual(sign(token, url, fields), reference(url, text))
      })
    )
  })

  it.each([
    ["another token", { token: "12346" }],
    ["another address", { url: `${url}&baz=3` }],
    ["another host", { url: url.replace("mycompany", "mycompanx") }],
    ["http instead of https", { url: url.replace("https", "http") }],
    ["a changed body", { body: bytes(new TextDecoder().decode(body).replace("1234", "1235")) }],
    ["a body with one field more", { body: bytes(`${new TextDecoder().decode(body)}&x=1`) }],
    ["a shortened signature", { signature: publishedSignature.slice(0, -1) }],
    ["a signature with more behind it", { signature: `${publishedSignature}=` }],
    ["no signature", { signature: "" }],
    ["no address at all", { url: "not an address" }]
  ])("is not valid for %s", (_, change) => {
    assert.isFalse(holds({ ...signed, ...change }))
  })

  it("is not valid for a body that it does not cover", () => {
    const bare = { token, url, signature: sign(token, url, []), contentType: "application/json" }
    assert.isTrue(holds({ ...bare, body: bytes("") }))
    assert.isFalse(holds({ ...bare, body: bytes('{"CallStatus":"completed"}') }))
  })

  it.each([
    [
      '{"property": "value", "boolean": true}',
      "0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620",
      "a9nBmqA0ju/hNViExpshrM61xv4="
    ],
    ["{}", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", "Ldidvp12m26NI7eqEvxnEpkd9Hc="]
  ])("covers the body %s by its hash in the address", (json, hash, signature) => {
    assert.strictEqual(createHash("sha256").update(json).digest("hex"), hash)
    const hashed = { token, url: `${url}&bodySHA256=${hash}`, contentType: "application/json", signature }
    assert.isTrue(holds({ ...hashed, body: bytes(json) }))
    assert.isFalse(holds({ ...hashed, body: bytes(`${json} `) }))
    const other = `${url}&bodySHA256=${hash.replace(/.$/, "f")}`
    assert.isFalse(holds({ ...hashed, url: other, signature: reference(other, ""), body: bytes(json) }))
  })
})

describe("the address that was signed", () => {
  const holdsFor = (ours: string, theirs: string) =>
    holds({ ...signed, url: ours, signature: reference(theirs, published.flat().join("")) })

  it.each([
    ["as configured", "https://a.example/x?y=1", "https://a.example/x?y=1"],
    ["with the standard port", "https://a.example/x?y=1", "https://a.example:443/x?y=1"],
    ["with the standard port of http", "http://a.example/x?y=1", "http://a.example:80/x?y=1"],
    ["without a port of its own", "https://a.example:8443/x?y=1", "https://a.example/x?y=1"],
    ["with a port of its own", "https://a.example:8443/x?y=1", "https://a.example:8443/x?y=1"],
    ["with its query rewritten", "https://a.example/x?y=it's+1&z", "https://a.example/x?y=it's%201&z="],
    ["with port and query rewritten", "https://a.example/x?y=a+b", "https://a.example:443/x?y=a%20b"]
  ])("may be %s", (_, ours, theirs) => {
    assert.isTrue(holdsFor(ours, theirs))
  })

  it.each([
    ["another port", "https://a.example/x", "https://a.example:8443/x"],
    ["another query", "https://a.example/x?y=1", "https://a.example/x?y=2"],
    ["a query that was dropped", "https://a.example/x?y=1", "https://a.example/x"]
  ])("may not have %s", (_, ours, theirs) => {
    assert.isFalse(holdsFor(ours, theirs))
  })
})

describe("a form body", () => {
  it("keeps its blanks, plus signs and order", () => {
    assert.deepStrictEqual(formFields(bytes("b=+1+&a=%2B1&b=")), [
      ["b", " 1 "],
      ["a", "+1"],
      ["b", ""]
    ])
  })

  it("has at most 200 fields, as no callback has more", () => {
    const form = (count: number) => bytes(Array.from({ length: count }, (_, n) => `f${n}=`).join("&"))
    assert.strictEqual(formFields(form(200))?.length, 200)
    assert.isUndefined(formFields(form(201)))
    assert.isUndefined(formFields(bytes("&".repeat(60_000))))
  })
})
