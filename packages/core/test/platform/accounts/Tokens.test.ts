/** Dashboard tokens: docs/reference/access.md#tokens. */
import * as Effect from "effect/Effect"
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { beforeAll, describe, expect, it } from "vitest"
import {
  looksLikeToken,
  makeVerifier,
  sign,
  signPortal,
  type TokenClaims,
  type TokenRefused,
  type TokenSettings
} from "../../../src/platform/accounts/Tokens.ts"
import type { Instant } from "../../../src/platform/kernel/index.ts"
import { seconds, start } from "../../calling/calls/SampleCall.ts"

const secret = new TextEncoder().encode("a secret that is long enough for HS256")
const account = "01936f00-0000-7000-8000-000000000002"
const claims = { subject: "sub", name: "name", account: "tenant_id", role: "role" }
const shared: TokenSettings = { secret, keySet: null, claims, issuer: null, audiences: [], roles: new Map() }

const inSeconds = (at: Instant.Instant) => Math.floor(at / 1000)
const body: JWTPayload = { sub: "ada", tenant_id: account, role: "admin", exp: inSeconds(seconds(60)) }

const verify = (settings: TokenSettings, token: string, at = start): Promise<TokenClaims | TokenRefused> =>
  Effect.runPromise(
    Effect.catch(
      Effect.flatMap(makeVerifier(settings), (verify) => verify(token, at)),
      (refused) => Effect.succeed(refused)
    )
  )

const signed = (payload: JWTPayload, key = secret, alg = "HS256") =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(key)

const text = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
const refused = (detail: RegExp) => ({ _tag: "TokenRefused", detail: expect.stringMatching(detail) })

/** What every token above has: no name, and the expiry of `body`. */
const unnamed = { name: null, expiresAt: seconds(60) }

describe("a token signed with the shared secret", () => {
  it("names the person, the account and the role", async () => {
    expect(await verify(shared, await signed(body))).toEqual({ ...unnamed, subject: "ada", account, role: "admin" })
  })

  it("needs no role and no subject; without a role it is a member's", async () => {
    const { role: _, sub: __, ...rest } = body
    expect(await verify(shared, await signed(rest))).toEqual({
      ...unnamed,
      subject: "unknown",
      account,
      role: "member"
    })
  })

  it("may name the person, as it is shown to others", async () => {
    expect(await verify(shared, await signed({ ...body, name: " Ada Lovelace " }))).toMatchObject({
      name: "Ada Lovelace"
    })
    for (const name of ["", " ", 7, null, ["Ada"], "x".repeat(256)])
      expect(await verify(shared, await signed({ ...body, name }))).toMatchObject({ subject: "ada", name: null })
  })

  it("has its account in lower case, whatever it was", async () => {
    expect(await verify(shared, await signed({ ...body, tenant_id: account.toUpperCase() }))).toMatchObject({ account })
  })

  // Verifies: D-201.
  it("may carry other claim names", async () => {
    const settings = { ...shared, claims: { subject: "uid", name: "nick", account: "org", role: "grp" } }
    const token = await signed({ uid: "eve", org: account, grp: "viewer", exp: body.exp! })
    expect(await verify(settings, token)).toEqual({ ...unnamed, subject: "eve", account, role: "viewer" })
    expect(await verify(shared, token)).toEqual(refused(/tenant_id/))
  })

  it("is refused without an account", async () => {
    const { tenant_id: _, ...rest } = body
    expect(await verify(shared, await signed(rest))).toEqual(refused(/tenant_id/))
    expect(await verify(shared, await signed({ ...body, tenant_id: 5 }))).toEqual(refused(/tenant_id/))
  })

  // Verifies: D-201.
  it("is refused without exp, and says so", async () => {
    const { exp: _, ...rest } = body
    expect(await verify(shared, await signed(rest))).toEqual(refused(/exp/))
  })

  it("is valid until the second of its exp, by the clock of the product", async () => {
    const token = await signed(body)
    expect(await verify(shared, token, seconds(59))).toMatchObject({ subject: "ada" })
    expect(await verify(shared, token, seconds(60))).toEqual(refused(/expired/))
  })

  it("is refused before its nbf", async () => {
    const token = await signed({ ...body, nbf: inSeconds(seconds(30)) })
    expect(await verify(shared, token)).toMatchObject({ _tag: "TokenRefused" })
    expect(await verify(shared, token, seconds(30))).toMatchObject({ subject: "ada" })
  })

  it("is refused with another secret, with a changed body, and with nothing for a signature", async () => {
    const other = new TextEncoder().encode("another secret, as long as the first one")
    const token = await signed(body)
    const [head, , signature] = token.split(".")
    expect(await verify(shared, await signed(body, other))).toEqual(refused(/not valid/))
    expect(await verify(shared, `${head}.${text({ ...body, tenant_id: "x" })}.${signature}`)).toEqual(
      refused(/not valid/)
    )
    expect(await verify(shared, `${head}.${text(body)}.`)).toEqual(refused(/not valid/))
  })

  it("is refused unsigned, however its header spells it", async () => {
    for (const alg of ["none", "None", "NONE", "nOnE"]) {
      expect(await verify(shared, `${text({ alg })}.${text(body)}.`)).toEqual(refused(/not valid/))
    }
  })

  it("is refused with another symmetric algorithm, whose secret is the same", async () => {
    for (const alg of ["HS384", "HS512"]) {
      expect(await verify(shared, await signed(body, secret, alg))).toEqual(refused(/not valid/))
    }
  })

  it("is refused where there is no secret", async () => {
    expect(await verify({ ...shared, secret: null }, await signed(body))).toEqual(refused(/not valid/))
  })

  it("is refused when it is malformed", async () => {
    for (const token of [
      "",
      "a.b.c",
      "eyJ.eyJ.x",
      `${text({})}.${text(body)}.x`,
      `${text([])}.${text(body)}.x`,
      "..."
    ]) {
      expect(await verify(shared, token)).toEqual(refused(/not valid/))
    }
  })
})

describe.each(["RS256", "PS256", "ES256", "EdDSA"])("a token signed with a published key, by %s", (alg) => {
  let privateKey: CryptoKey
  let settings: TokenSettings
  let publicPem: Uint8Array<ArrayBuffer>

  beforeAll(async () => {
    const pair = await generateKeyPair(alg, { extractable: true })
    privateKey = pair.privateKey
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: "one", alg, use: "sig" }
    settings = { ...shared, secret: null, keySet: { _tag: "Keys", keys: { keys: [jwk] } } }
    publicPem = new TextEncoder().encode(JSON.stringify(jwk))
  })

  const asymmetric = (key: CryptoKey, kid: string | null = "one", payload = body) =>
    new SignJWT(payload).setProtectedHeader(kid === null ? { alg } : { alg, kid }).sign(key)

  it("is accepted, with the key's id and without", async () => {
    expect(await verify(settings, await asymmetric(privateKey))).toEqual({
      ...unnamed,
      subject: "ada",
      account,
      role: "admin"
    })
    expect(await verify(settings, await asymmetric(privateKey, null))).toMatchObject({ subject: "ada" })
  })

  it("is refused with an unknown key, or one that only claims to be known", async () => {
    const stranger = await generateKeyPair(alg)
    expect(await verify(settings, await asymmetric(stranger.privateKey))).toEqual(refused(/not valid/))
    expect(await verify(settings, await asymmetric(stranger.privateKey, "two"))).toEqual(refused(/not valid/))
  })

  it("is refused without exp and after it", async () => {
    const { exp: _, ...rest } = body
    expect(await verify(settings, await asymmetric(privateKey, "one", rest))).toEqual(refused(/exp/))
    expect(await verify(settings, await asymmetric(privateKey), seconds(60))).toEqual(refused(/expired/))
  })

  // Verifies: D-201.
  it("is never checked with the public key as a shared secret", async () => {
    expect(await verify(settings, await signed(body, publicPem))).toEqual(refused(/not valid/))
    expect(await verify({ ...settings, secret }, await signed(body, publicPem))).toEqual(refused(/not valid/))
  })

  it("and one signed with the secret are both accepted where both are configured", async () => {
    const both = { ...settings, secret }
    expect(await verify(both, await asymmetric(privateKey))).toMatchObject({ subject: "ada" })
    expect(await verify(both, await signed(body))).toMatchObject({ subject: "ada" })
  })
})

// Verifies: D-281.
describe("the role of a token", () => {
  const roleIn = async (role: unknown, settings: TokenSettings = shared) => {
    const claims = await verify(settings, await signed(role === undefined ? body : { ...body, role }))
    return "role" in claims ? claims.role : claims
  }

  it.each([
    ["viewer", "viewer"],
    ["Viewer", "viewer"],
    [" viewer\n", "viewer"],
    ["READ_ONLY", "read_only"],
    ["Owner", "owner"],
    [["viewer"], "viewer"],
    [[" ADMIN "], "admin"],
    ["Editor", "editor"]
  ])("%j is %s: neither case nor blanks count, and a list of one text is that text", async (claim, role) => {
    expect(await roleIn(claim)).toBe(role)
  })

  it.each([[["viewer", "admin"]], [[]], [[["admin"]]], [{}], [{ name: "admin" }], [7], [true], [null], [""], [" "]])(
    "%j may only read, because nobody knows what it means",
    async (claim) => {
      expect(await roleIn(claim)).toBe("read_only")
    }
  )

  it("may be a word of the host's own", async () => {
    const roles = new Map([["billing-admin", "admin"] as const, ["staff", "viewer"] as const])
    const settings = { ...shared, roles }
    expect(await roleIn("Billing-Admin", settings)).toBe("admin")
    expect(await roleIn(["staff"], settings)).toBe("viewer")
    expect(await roleIn("member", settings)).toBe("member")
  })
})

// Verifies: D-282.
describe("issuer and audience", () => {
  const trusting: TokenSettings = { ...shared, issuer: "https://id.example", audiences: ["calling", "chat"] }
  const mine = { ...body, iss: "https://id.example", aud: "calling" }

  it.each([
    ["one audience", mine],
    ["another of those that are configured", { ...mine, aud: "chat" }],
    ["several audiences", { ...mine, aud: ["billing", "chat"] }]
  ])("a token with %s is accepted", async (_, payload) => {
    expect(await verify(trusting, await signed(payload))).toMatchObject({ subject: "ada" })
  })

  it.each([
    ["no issuer", { ...mine, iss: undefined }, /not issued by/],
    ["another issuer", { ...mine, iss: "https://id.example/" }, /not issued by/],
    ["no audience", { ...mine, aud: undefined }, /another application/],
    ["the audience of another application", { ...mine, aud: "billing" }, /another application/],
    ["an audience that is almost the same", { ...mine, aud: ["Calling", "calling "] }, /another application/]
  ])("a token with %s is refused", async (_, payload, why) => {
    expect(await verify(trusting, await signed(payload as JWTPayload))).toEqual(refused(why))
  })

  it("do not count where none is configured", async () => {
    expect(await verify(shared, await signed({ ...mine, aud: "billing", iss: "anybody" }))).toMatchObject({ account })
  })

  it("stand in the tokens that are made here", async () => {
    const made = { subject: "cli", account, role: "owner", name: "Ada" }
    const token = await Effect.runPromise(sign(trusting, made, { issuedAt: start, expiresAt: seconds(60) }))
    expect(await verify(trusting, token)).toEqual({ ...made, expiresAt: seconds(60) })
  })

  it("do not keep the portal's own tokens out", async () => {
    const times = { issuedAt: start, expiresAt: seconds(60) }
    const token = await Effect.runPromise(signPortal(trusting, { account, subject: "ada" }, times))
    const opened = await Effect.runPromise(
      Effect.flatMap(makeVerifier(trusting), (verify) => verify(token, start, { portal: true }))
    )
    expect(opened).toMatchObject({ account, subject: "ada" })
    expect(await verify(trusting, token)).toEqual(refused(/webhooks portal/))
  })
})

describe("making a token", () => {
  const made = { subject: "cli", account, role: "owner", name: "Ada" }
  const times = { issuedAt: start, expiresAt: seconds(60) }

  it("returns one that is accepted", async () => {
    const token = await Effect.runPromise(sign(shared, made, times))
    expect(looksLikeToken(token)).toBe(true)
    expect(await verify(shared, token)).toEqual({ ...made, expiresAt: seconds(60) })
    expect(await verify(shared, token, seconds(60))).toEqual(refused(/expired/))
  })

  it("uses the configured claim names", async () => {
    const settings = { ...shared, claims: { subject: "uid", name: "nick", account: "org", role: "grp" } }
    expect(await verify(settings, await Effect.runPromise(sign(settings, made, times)))).toEqual({
      ...made,
      expiresAt: seconds(60)
    })
  })

  it("is refused where there is no secret", async () => {
    const answer = await Effect.runPromise(Effect.flip(sign({ ...shared, secret: null }, made, times)))
    expect(answer).toEqual(refused(/secret/))
  })
})

it("a token is distinguished from a key by its three parts", () => {
  expect(looksLikeToken("svc_0123456789")).toBe(false)
  expect(looksLikeToken("eyJhbGciOiJIUzI1NiJ9.e30.c2ln")).toBe(true)
  expect(looksLikeToken("eyJhbGciOiJIUzI1NiJ9.e30")).toBe(false)
  expect(looksLikeToken("")).toBe(false)
})
