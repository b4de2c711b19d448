/** Signatures where the platform has no HMAC of its own, as in a browser: docs/reference/webhooks-receiving.md#verify. Verifies: HOOK-5. */

import { type VerifyOptions, verifyWebhook } from "@trunkline/client/webhooks"
import { unicodeText } from "@trunkline/testing/unicode-text"
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import * as here from "../../../src/webhooks/signing/Signature.ts"

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(here.makeSecret)
const at = Date.UTC(2026, 10, 21, 9, 30)

let elsewhere: typeof here
let verifyElsewhere: typeof verifyWebhook

beforeAll(async () => {
  const { getBuiltinModule } = process
  vi.resetModules()
  process.getBuiltinModule = () => undefined as never
  elsewhere = await import("../../../src/webhooks/signing/Signature.ts")
  verifyElsewhere = (await import("@trunkline/client/webhooks")).verifyWebhook
  process.getBuiltinModule = getBuiltinModule
})

afterAll(() => void vi.resetModules())

it("signatures are the same with Node's HMAC and without it, and each verifies those of the other", () => {
  const options: VerifyOptions = { now: at, requireStandard: true }
  fc.assert(
    fc.property(secret, secret, unicodeText(), fc.uuid(), (one, other, text, id) => {
      const body = new TextEncoder().encode(text)
      const secrets = [one, other] as const
      const headersOf = ({ signatureHeaders, standardHeaders }: typeof here) => ({
        "X-Service-Delivery": id,
        ...signatureHeaders({ headerPrefix: "X-Service-", secrets, body }),
        ...standardHeaders({ id, at, body, secrets })
      })
      const [mine, theirs] = [headersOf(here), headersOf(elsewhere)]
      expect(theirs).toEqual(mine)
      expect(verifyWebhook(secrets, theirs, body, options)).toMatchObject({ ok: true })
      expect(verifyElsewhere(secrets, mine, body, options)).toMatchObject({ ok: true })
    })
  )
})

it("a secret in Base64 whose last bits are no part of a byte has one key", () => {
  const body = new Uint8Array([1, 2, 3])
  // The last character of each has bits that Base64 does not use.
  const secrets = ["whsec_QR==", "whsec_QUJ="] as const
  const signed = { id: "a", at, body, secrets }
  expect(elsewhere.standardHeaders(signed)).toEqual(here.standardHeaders(signed))
})
