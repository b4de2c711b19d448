/** A token of the webhooks portal opens that and nothing else, and nothing else is one. */
import * as Effect from "effect/Effect"
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { describe, expect, it } from "vitest"
import { Tokens } from "../../../src/platform/accounts/index.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const account = "0198c0de-0000-7000-8000-000000000001"
const start = Instant.make(Date.UTC(2026, 10, 21, 6))
const times = { issuedAt: start, expiresAt: Instant.plus(start, 900 * Instant.second) }
const settings: Tokens.TokenSettings = {
  secret: new TextEncoder().encode("a shared secret of more than 32 bytes"),
  keySet: null,
  claims: { subject: "sub", name: "name", account: "tenant_id", role: "role" },
  issuer: null,
  audiences: [],
  roles: new Map()
}

const verify = (token: string, portal?: boolean, at = start, by = settings) =>
  Effect.runPromise(
    Effect.catch(
      Effect.flatMap(Tokens.makeVerifier(by), (verify) =>
        verify(token, at, portal === undefined ? undefined : { portal })
      ),
      (refused) => Effect.succeed(refused)
    )
  )
const made = (by = settings) => Effect.runPromise(Tokens.signPortal(by, { account, subject: "ada" }, times))
const signed = (payload: JWTPayload) =>
  new SignJWT({ exp: times.expiresAt / 1000, ...payload }).setProtectedHeader({ alg: "HS256" }).sign(settings.secret!)
const refused = (detail: RegExp) => ({ _tag: "TokenRefused", detail: expect.stringMatching(detail) })

const dashboard = { sub: "ada", tenant_id: account, role: "viewer" }
const claims = { aud: "webhooks-portal", portal_account: account, portal_subject: "ada" }

describe("a token of the portal", () => {
  it("is an admin's where it is accepted", async () => {
    expect(await verify(await made(), true)).toEqual({
      ...{ account, subject: "ada", role: "admin", name: null },
      expiresAt: times.expiresAt
    })
  })

  it("is refused where it is not, and says what it is for", async () => {
    expect(await verify(await made())).toEqual(refused(/portal and nothing else/))
    expect(await verify(await made(), false)).toEqual(refused(/portal and nothing else/))
  })

  it("says nothing to a service that takes it for a dashboard's", async () => {
    const [, body = ""] = (await made()).split(".")
    expect(JSON.parse(Buffer.from(body, "base64url").toString())).toEqual({
      ...claims,
      iat: start / 1000,
      exp: times.expiresAt / 1000
    })
  })

  it("is refused once its seconds are over, and as long as it is not signed by us", async () => {
    const token = await made()
    expect(await verify(token, true, Instant.plus(start, 899 * Instant.second))).toMatchObject({ account })
    expect(await verify(token, true, times.expiresAt)).toEqual(refused(/expired/))
    const other = { ...settings, secret: new TextEncoder().encode("another secret, as long as the first one") }
    expect(await verify(await made(other), true)).toEqual(refused(/not valid/))
    expect(await verify(token, true, start, { ...settings, secret: null })).toEqual(refused(/not valid/))
  })

  it("takes its role from nobody, and its account from nowhere else", async () => {
    expect(await verify(await signed({ ...claims, ...dashboard }), true)).toMatchObject({ role: "admin" })
    const { portal_account: _, ...without } = claims
    expect(await verify(await signed({ ...without, ...dashboard }), true)).toEqual(refused(/not valid/))
  })

  it("is for one audience alone", async () => {
    const token = await signed({ ...dashboard, ...claims, aud: ["webhooks-portal", "dashboard"] })
    expect(await verify(token, true)).toEqual(refused(/not valid/))
    expect(await verify(token)).toEqual(refused(/portal and nothing else/))
  })

  it("is made by this installation, not by a sign-in whose keys it trusts", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256")
    const keys = [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }]
    const trusting: Tokens.TokenSettings = { ...settings, keySet: { _tag: "Keys", keys: { keys } } }
    const by = (payload: JWTPayload) =>
      new SignJWT({ exp: times.expiresAt / 1000, ...payload })
        .setProtectedHeader({ alg: "ES256", kid: "one" })
        .sign(privateKey)
    expect(await verify(await by(dashboard), true, start, trusting)).toMatchObject({ role: "viewer" })
    expect(await verify(await by({ ...dashboard, ...claims }), true, start, trusting)).toEqual(refused(/not valid/))
    expect(await verify(await by({ ...dashboard, ...claims }), false, start, trusting)).toEqual(refused(/portal/))
  })

  it("cannot be made without the secret", async () => {
    const answer = Effect.flip(Tokens.signPortal({ ...settings, secret: null }, { account, subject: "ada" }, times))
    expect(await Effect.runPromise(answer)).toEqual(refused(/secret/))
  })
})

it("a dashboard's token stays what it is on the portal's routes", async () => {
  for (const audience of [{}, { aud: "dashboard" }]) {
    expect(await verify(await signed({ ...dashboard, ...audience }), true)).toEqual({
      account,
      subject: "ada",
      role: "viewer",
      name: null,
      expiresAt: times.expiresAt
    })
  }
})
