import { verify, verifyWithFallback } from "@octokit/webhooks-methods"
import { type RefusedWebhook, type VerifyOptions, verifyWebhook, type WebhookHeaders } from "@trunkline/client/webhooks"
import * as fc from "fast-check"
import { Webhook } from "standardwebhooks"
import { afterEach, describe, expect, it, vi } from "vitest"
import {
  makeSecret,
  mask,
  prefix,
  type Secrets,
  sign,
  signatureHeaders,
  standardHeaders
} from "../../../src/webhooks/signing/Signature.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const secretOf = (fill: number): string => makeSecret(new Uint8Array(32).fill(fill))

const [current, previous, stranger] = [secretOf(1), secretOf(2), secretOf(3)]
const at = Date.UTC(2026, 10, 21, 9, 30)
const id = "0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11"
const text = JSON.stringify({
  event: "message.received",
  data: { role: "user", text: "Grüße 👋" },
  timestamp: "2026-11-21T09:29:58.250+00:00"
})

/** What the sender puts on a platform delivery. */
const delivered = (secrets: Secrets, body = text): Record<string, string> => ({
  "X-Service-Event": "message.received",
  "X-Service-Delivery": id,
  ...signatureHeaders({ headerPrefix: "X-Service-", secrets, body: bytes(body) }),
  ...standardHeaders({ id, at, body: bytes(body), secrets })
})

/** What it puts on an email delivery. */
const plain = (secrets: Secrets, body = text): Record<string, string> => ({
  "X-Service-Delivery": id,
  "X-Service-Signature": sign(secrets, bytes(body))
})

const without = (headers: Record<string, string>, ...names: ReadonlyArray<string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

const reasonOf = (
  secret: string | ReadonlyArray<string>,
  headers: WebhookHeaders,
  body: string | Uint8Array = text,
  options: VerifyOptions = { now: at }
): RefusedWebhook["reason"] | "accepted" => {
  const result = verifyWebhook(secret, headers, body, options)
  return result.ok ? "accepted" : result.reason
}

const octet = fc.integer({ min: 0, max: 255 })
const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(makeSecret)

describe("secrets", () => {
  // Verifies: E-5.
  it("are whsec_ and the base64 of 32 bytes, and of nothing else", () => {
    expect(makeSecret(new Uint8Array(32).fill(0xfb))).toBe(`whsec_${Buffer.alloc(32, 0xfb).toString("base64")}`)
    expect(() => makeSecret(new Uint8Array(31))).toThrow("32 bytes")
    expect(() => makeSecret(new Uint8Array(33))).toThrow("32 bytes")
  })

  it("keep every bit of the bytes they are made of", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (drawn) => {
        expect(new Uint8Array(Buffer.from(makeSecret(drawn).slice(6), "base64"))).toEqual(drawn)
      })
    )
  })

  // Verifies: W-7, W-8.
  it("are shown again by their first four and last four characters, or their first ten", () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
    expect(mask(secret)).toBe("whse****KYo=")
    expect(prefix(secret)).toBe("whsec_MfKQ")
  })
})

describe("the specified signature", () => {
  // Verifies: W-106.
  it("is the published pair of the format", () => {
    expect(sign(["It's a Secret to Everybody"], bytes("Hello, World!"))).toBe(
      "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    )
  })

  // Verifies: E-6.
  it("satisfies a verifier of others, for any secret and text", async () => {
    await fc.assert(
      fc.asyncProperty(secrets, fc.string({ minLength: 1, unit: "grapheme" }), async (secret, body) => {
        expect(await verify(secret, body, sign([secret], bytes(body)))).toBe(true)
        expect(await verify(secret, `${body} `, sign([secret], bytes(body)))).toBe(false)
      })
    )
  })

  // Verifies: E-36.
  it("is found under the prefix of a brand", () => {
    const headers = signatureHeaders({ headerPrefix: "X-Acme-", secrets: [current], body: bytes(text) })
    expect(Object.keys(headers)).toEqual(["X-Acme-Signature"])
    expect(reasonOf(current, headers, text, { headerPrefix: "X-Acme-" })).toBe("accepted")
    expect(reasonOf(current, headers, text, { headerPrefix: "x-acme-" })).toBe("accepted")
    expect(reasonOf(current, headers)).toBe("signature_missing")
  })
})

describe("the Standard Webhooks headers", () => {
  afterEach(() => void vi.useRealTimers())

  it("are the published example of the convention", () => {
    expect(
      standardHeaders({
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
        at: 1_614_265_330_999,
        body: bytes('{"test": 2432232314}'),
        secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]
      })
    ).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    })
  })

  // Verifies: E-6.
  it("satisfy the convention's own library, and a changed body does not", () => {
    vi.useFakeTimers({ now: at, toFake: ["Date"] })
    fc.assert(
      fc.property(secrets, fc.json(), (secret, body) => {
        const headers = { ...standardHeaders({ id, at, body: bytes(body), secrets: [secret] }) }
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
        expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow("No matching signature")
      })
    )
  })

  it("are never made with a secret that has no bytes", () => {
    for (const secret of ["whsec_", "", "It's a Secret to Everybody", "whsec_AAA"])
      expect(() => standardHeaders({ id, at, body: bytes(text), secrets: [secret] })).toThrow("base64")
  })
})

describe("a rotation", () => {
  afterEach(() => void vi.useRealTimers())
  const overlap = delivered([current, previous])

  // Verifies: E-55.
  it("leaves a receiver that knows the old secret and the specified header alone working", async () => {
    expect(await verify(previous, text, overlap["X-Service-Signature"] ?? "")).toBe(true)
  })

  it("lets a receiver with both secrets work before, during and after", async () => {
    for (const phase of [[previous], [current, previous], [current]] as const) {
      const signature = delivered(phase)["X-Service-Signature"] ?? ""
      expect(await verifyWithFallback(current, text, signature, [previous])).toBe(true)
      expect(reasonOf([current, previous], delivered(phase))).toBe("accepted")
    }
  })

  it("lets a receiver that has the new secret alone read it from the header of the new one", async () => {
    expect(await verify(current, text, overlap["X-Service-Signature-Next"] ?? "")).toBe(true)
    expect(delivered([current])).not.toHaveProperty("X-Service-Signature-Next")
  })

  it("lets a receiver with the new secret in place of the old accept every second attempt", async () => {
    const taken = async (secret: string) => {
      const answers = [1, 2, 3, 4, 5].map((attempt) => {
        const headers = signatureHeaders({
          headerPrefix: "X-Service-",
          secrets: [current, previous],
          body: bytes(text),
          attempt
        })
        expect([reasonOf(current, headers), reasonOf(previous, headers)]).toEqual(["accepted", "accepted"])
        return verify(secret, text, headers["X-Service-Signature"] ?? "")
      })
      return (await Promise.all(answers)).map(Number).join("")
    }
    expect([await taken(previous), await taken(current)]).toEqual(["10101", "01010"])
    const alone = [1, 2].map((attempt) =>
      signatureHeaders({ headerPrefix: "X-Service-", secrets: [current], body: bytes(text), attempt })
    )
    expect(alone[0]).toEqual(alone[1])
  })

  it("lets our verifier prove it with either secret, or both, and with no other", () => {
    expect(reasonOf(current, overlap)).toBe("accepted")
    expect(reasonOf(previous, overlap)).toBe("accepted")
    expect(reasonOf(stranger, overlap)).toBe("signature_wrong")
    expect(reasonOf(current, plain([current, previous]))).toBe("signature_wrong")
  })

  it("satisfies the convention's library with either secret", () => {
    vi.useFakeTimers({ now: at, toFake: ["Date"] })
    for (const secret of [current, previous])
      expect(new Webhook(secret).verify(text, overlap)).toEqual(JSON.parse(text))
    expect(() => new Webhook(stranger).verify(text, overlap)).toThrow("No matching signature")
    expect(overlap["webhook-signature"]?.split(" ")).toHaveLength(2)
  })

  it("shows which secret verified a delivery, so that an old one can be removed", () => {
    const both = [current, previous]
    expect(verifyWebhook(both, overlap, text)).toMatchObject({ secretIndex: 0 })
    expect(verifyWebhook(both, delivered([previous]), text)).toMatchObject({ secretIndex: 1 })
  })
})

describe("a receiver's check", () => {
  it("reads what was delivered", () => {
    expect(verifyWebhook(current, delivered([current]), text, { now: at })).toEqual({
      ok: true,
      payload: JSON.parse(text),
      event: "message.received",
      data: { role: "user", text: "Grüße 👋" },
      happenedAt: at - 1750,
      deliveryId: id,
      sentAt: at,
      secretIndex: 0
    })
  })

  it("reads an email event, which has no second signature", () => {
    const body = JSON.stringify({ type: "email.bounced", created_at: "2026-11-21T09:30:00Z", data: { email_id: null } })
    expect(verifyWebhook(current, plain([current], body), body)).toMatchObject({
      event: "email.bounced",
      data: { email_id: null },
      happenedAt: at,
      deliveryId: id,
      sentAt: null
    })
  })

  it.each([
    [
      "record in any case",
      Object.fromEntries(Object.entries(delivered([current])).map(([k, v]) => [k.toUpperCase(), v]))
    ],
    ["Headers object", new Headers(delivered([current]))],
    ["Map", new Map(Object.entries(delivered([current])))],
    ["list of pairs", Object.entries(delivered([current]))],
    ["record with lists and gaps", { ...delivered([current]), "set-cookie": ["a", "b"], cookie: undefined }]
  ])("accepts headers as a %s", (_, headers) => {
    expect(reasonOf(current, headers)).toBe("accepted")
  })

  it("accepts the body as text, bytes, a buffer or a view into one", () => {
    const padded = Buffer.from(`xx${text}yy`)
    const view = padded.subarray(2, -2)
    for (const body of [text, bytes(text), Buffer.from(text), view, bytes(text).slice().buffer])
      expect(verifyWebhook(current, delivered([current]), body)).toMatchObject({ ok: true })
  })

  it("reads any signed body, whatever is in it", () => {
    const odd = [
      '{"timestamp":{"toString":1,"valueOf":1}}',
      '{"event":7,"timestamp":"soon"}',
      "[]",
      "null",
      "Hello, World!",
      ""
    ]
    for (const body of odd) {
      expect(verifyWebhook(current, plain([current], body), body)).toMatchObject({
        ok: true,
        event: null,
        happenedAt: null
      })
    }
    expect(verifyWebhook(current, plain([current], "no JSON"), "no JSON")).toMatchObject({ payload: undefined })
  })

  // Verifies: W-107.
  it("refuses any other body, be it one changed bit", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), fc.integer({ min: 0, max: 7 }), (body, place, bit) => {
        const changed = body.slice()
        const index = place % body.length
        changed[index] = (changed[index] ?? 0) ^ (1 << bit)
        const headers = { "X-Service-Signature": sign([current], body) }
        expect(reasonOf(current, headers, body)).toBe("accepted")
        expect(reasonOf(current, headers, changed)).toBe("signature_wrong")
      })
    )
  })

  // Verifies: W-108.
  it("refuses any other digest, wherever it differs", () => {
    const signature = sign([current], bytes(text))
    for (let i = "sha256=".length; i < signature.length; i++) {
      const other = signature[i] === "0" ? "1" : "0"
      const changed = signature.slice(0, i) + other + signature.slice(i + 1)
      expect(reasonOf(current, { "X-Service-Signature": changed })).toBe("signature_wrong")
    }
  })

  it("never answers with anything but a result, whatever the headers contain", () => {
    const names = fc.constantFrom("x-service-signature", "x-service-signature-next", "webhook-id", "webhook-timestamp")
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.string())), fc.uint8Array(), (headers, body) => {
        expect(verifyWebhook(current, headers, body).ok).toBe(false)
      })
    )
  })

  it("refuses to work without a secret: an empty one is everybody's", () => {
    const everybodys = { "X-Service-Signature": sign([""], bytes(text)) }
    expect(reasonOf("", everybodys)).toBe("secret_missing")
    expect(reasonOf([], everybodys)).toBe("secret_missing")
    expect(reasonOf([current, ""], everybodys)).toBe("secret_missing")
    // As a caller without types has it from an environment that lacks the variable.
    expect(reasonOf(undefined as unknown as string, everybodys)).toBe("secret_missing")
  })

  // Verifies: W-107.
  it("says so when it is given a parsed body", () => {
    const parsed = JSON.parse(text) as unknown as string
    const result = verifyWebhook(current, delivered([current]), parsed)
    expect(result).toMatchObject({ reason: "body_parsed", message: expect.stringContaining("raw bytes") })
  })

  it.each([
    ["none", without(delivered([current]), "X-Service-Signature"), "signature_missing"],
    ["an empty one", { "X-Service-Signature": "" }, "signature_malformed"],
    ["another algorithm's", { "X-Service-Signature": `sha1=${"0".repeat(40)}` }, "signature_malformed"],
    ["a short one", { "X-Service-Signature": `sha256=${"0".repeat(63)}` }, "signature_malformed"],
    ["one in capitals", { "X-Service-Signature": `sha256=${"A".repeat(64)}` }, "signature_malformed"],
    [
      "two lines of it",
      { "X-Service-Signature": [sign([current], bytes(text)), sign([current], bytes(text))] },
      "signature_malformed"
    ],
    [
      "it twice, in two cases",
      { "X-Service-Signature": sign([current], bytes(text)), "x-service-signature": sign([current], bytes(text)) },
      "signature_malformed"
    ],
    ["a stranger's", delivered([stranger]), "signature_wrong"],
    [
      "a broken one beside a good one",
      { ...delivered([current]), "X-Service-Signature-Next": "x" },
      "signature_malformed"
    ]
  ] as const)("with %s as signature says what is wrong", (_, headers, reason) => {
    expect(reasonOf(current, headers)).toBe(reason)
  })

  it("keeps secrets and signatures out of what it says", () => {
    const good = sign([current], bytes(text))
    const result = verifyWebhook(current, { "X-Service-Signature": `sha256=${"0".repeat(64)}` }, text)
    expect(JSON.stringify(result)).not.toContain(current)
    expect(JSON.stringify(result)).not.toContain(good.slice(7))
  })
})

describe("the check of id and age", () => {
  const good = delivered([current])

  it.each([["webhook-id"], ["webhook-timestamp"], ["webhook-signature"]])(
    "refuses a delivery that has lost %s alone",
    (name) => {
      expect(reasonOf(current, without(good, name))).toBe("standard_missing")
      expect(reasonOf(current, { ...good, [name]: "" })).toBe("standard_missing")
    }
  )

  it("refuses another id, another time and another version of signature", () => {
    expect(reasonOf(current, { ...good, "webhook-id": "another" })).toBe("standard_wrong")
    expect(reasonOf(current, { ...good, "webhook-timestamp": String(at / 1000 + 1) })).toBe("standard_wrong")
    const signature = good["webhook-signature"] ?? ""
    expect(reasonOf(current, { ...good, "webhook-signature": signature.replace("v1,", "v1a,") })).toBe("standard_wrong")
    expect(reasonOf(current, { ...good, "webhook-signature": `v1a,xyz v1, ${signature}` })).toBe("accepted")
    for (const cut of [signature.slice(0, -1), "v1,", " ", `${signature}=`])
      expect(reasonOf(current, { ...good, "webhook-signature": cut })).toBe("standard_wrong")
    for (const timestamp of ["soon", "-5", "1e9", `${at}.0`, "9".repeat(12)])
      expect(reasonOf(current, { ...good, "webhook-timestamp": timestamp })).toBe("standard_malformed")
  })

  it("refuses a delivery id that is not the signed one", () => {
    expect(reasonOf(current, { ...good, "X-Service-Delivery": "fresh" })).toBe("delivery_wrong")
    expect(verifyWebhook(current, without(good, "X-Service-Delivery"), text)).toMatchObject({ deliveryId: id })
  })

  it("lets an attempt be five minutes old or ahead, and no millisecond more", () => {
    const minutes = 5 * 60_000
    const after = (ms: number) => reasonOf(current, good, text, { now: at + ms })
    expect([after(minutes), after(minutes + 1)]).toEqual(["accepted", "too_old"])
    expect([after(-minutes), after(-minutes - 1)]).toEqual(["accepted", "too_new"])
  })

  it("accepts another tolerance, and refuses when the clock is none", () => {
    expect(reasonOf(current, good, text, { now: at + 1001, toleranceMs: 1000 })).toBe("too_old")
    expect(reasonOf(current, good, text, { now: at - 1001, toleranceMs: 1000 })).toBe("too_new")
    expect(reasonOf(current, good, text, { now: at + 3_600_000, toleranceMs: 3_600_000 })).toBe("accepted")
    expect(reasonOf(current, good, text, { now: Number.NaN })).toBe("too_old")
    expect(reasonOf(current, good, text, { now: at, toleranceMs: Number.NaN })).toBe("too_old")
  })

  it("has no age without a clock, and still proves id and time", () => {
    expect(reasonOf(current, good, text, {})).toBe("accepted")
    expect(reasonOf(current, { ...good, "webhook-id": "another" }, text, {})).toBe("standard_wrong")
  })

  it("can be required, so that nobody removes it", () => {
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
    expect(reasonOf(current, without(good, ...names))).toBe("accepted")
    expect(reasonOf(current, without(good, ...names), text, { requireStandard: true })).toBe("standard_missing")
    expect(reasonOf(current, good, text, { requireStandard: true })).toBe("accepted")
  })

  it("cannot be passed with a key of no bytes", () => {
    const foreign = "It's a Secret to Everybody"
    const empty = standardHeaders({ id, at, body: bytes(text), secrets: [current] })
    expect(reasonOf(foreign, { "X-Service-Signature": sign([foreign], bytes(text)), ...empty })).toBe("standard_wrong")
  })

  it("is valid for any bytes, id and instant", () => {
    fc.assert(
      fc.property(
        secrets,
        fc.array(octet),
        fc.uuid(),
        fc.integer({ min: 0, max: 4e12 }),
        (secret, octets, name, sent) => {
          const body = Uint8Array.from(octets)
          const headers = {
            "X-Service-Signature": sign([secret], body),
            ...standardHeaders({ id: name, at: sent, body, secrets: [secret] })
          }
          const result = verifyWebhook(secret, headers, body, { now: sent })
          expect(result).toMatchObject({ ok: true, deliveryId: name, sentAt: sent - (sent % 1000) })
        }
      )
    )
  })
})
