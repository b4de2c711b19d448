/** Accounts, keys, the audit log, and who is let in: docs/reference/access.md. Verifies: ACCS-1, ACCS-4. */
import { Accounts, Credits, Instant, Keys, Storage } from "@trunkline/core/effect"
import { Ids, sha256Hex } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import type { ApiKeys, NewKey } from "../../../src/platform/accounts/index.ts"
import {
  Authentication,
  type HostPrincipal,
  type HostRequest,
  operator,
  Tokens,
  wholeAudit
} from "../../../src/platform/accounts/index.ts"
import { type Attempt, type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const page = { limit: 100, offset: 0 }
const stranger = Ids.as<"Account">("01936f00-0000-7000-8000-0000000000ff")
const request = { method: "GET", url: "/api/v1/voice-campaigns", headers: { ":path": "/x", cookie: "a=b" }, source: {} }

const audit = (stage: Stage) =>
  Effect.map(stage.run(Accounts.use((accounts) => accounts.audit(stage.tenant, wholeAudit, page))), ({ items }) =>
    items.map(({ action, actor, targetId }) => [actor, action, targetId])
  )

const newKey = (stage: Stage, more: Partial<NewKey> = {}): NewKey => ({
  tenantId: stage.tenant,
  name: null,
  scopes: ["campaigns:read"],
  permissions: [],
  budget: null,
  budgetPeriod: "total",
  allowedModels: null,
  allowedDomains: null,
  searchProviders: null,
  requestsPerMinute: null,
  concurrency: null,
  expiresAt: null,
  ...more
})

const makeKey = (stage: Stage, more: Partial<NewKey> = {}) =>
  stage.run(Keys.use((keys) => keys.create(newKey(stage, more), operator)))

/** A key as it is stored: what it has spent, and when it was used, stand elsewhere. */
const stored = ({ lastUsedAt: _, spent: __, ...key }: ApiKeys.KeyOverview): ApiKeys.ApiKey => key

const identify = (credential: string) => Authentication.use((access) => access.identify(credential, request))

describe("an account", () => {
  // Verifies: D-208, G-203, H-137.
  scenario("is active at first, with 1000 credits and a verified payment method", function* (stage) {
    const account = yield* stage.run(
      Accounts.use((accounts) => accounts.create({ name: "New", plan: "free", voiceCampaigns: false }))
    )
    expect(account).toMatchObject({
      name: "New",
      plan: "free",
      status: "active",
      voiceCampaigns: false,
      paymentMethod: "verified",
      paymentDeadline: null,
      monthlyBudget: null,
      createdAt: yield* Instant.now
    })
    expect(yield* stage.run(Accounts.use((accounts) => accounts.get(account.id)))).toEqual(account)
    const balance = yield* stage.run(
      Effect.gen(function* () {
        const credits = yield* Credits
        return yield* (yield* Storage).read(credits.balance(account.id))
      })
    )
    expect(balance).toEqual({ tenantId: account.id, balance: 1_000_000_000_000n, reserved: 0n })
  })

  scenario("keeps what a change leaves out", function* (stage) {
    const before = yield* stage.run(Accounts.use((accounts) => accounts.get(stage.tenant)))
    yield* stage.wait(1_000)
    const after = yield* stage.run(
      Accounts.use((accounts) => accounts.change(stage.tenant, { plan: "starter" }, operator))
    )
    expect(after).toEqual({ ...before, plan: "starter", updatedAt: before.updatedAt + 1_000 })
  })

  scenario("that does not exist can be neither changed, nor given credit, nor a key, nor read", function* (stage) {
    const attempts: ReadonlyArray<Attempt> = [
      Accounts.use((accounts) => accounts.get(stranger)),
      Accounts.use((accounts) => accounts.change(stranger, { plan: "pro" }, operator)),
      Accounts.use((accounts) => accounts.addCredits(stranger, 1n, operator)),
      Keys.use((keys) => keys.create(newKey(stage, { tenantId: stranger }), operator)),
      Accounts.use((accounts) => accounts.audit(stranger, wholeAudit, page))
    ]
    for (const attempt of attempts) expect(yield* stage.fails(attempt)).toMatchObject({ _tag: "AccountNotFound" })
  })

  scenario("is given credit exactly", function* (stage) {
    const balance = yield* stage.run(Accounts.use((accounts) => accounts.addCredits(stage.tenant, 1n, operator)))
    expect(balance).toBe(1_000_000_000_001n)
  })
})

describe("the audit log", () => {
  scenario("has who did what to what, newest first, and each once", function* (stage) {
    yield* stage.run(
      Accounts.use((accounts) => accounts.change(stage.tenant, { plan: "pro" }, { id: "user:ada", name: "Ada" }))
    )
    yield* stage.run(Accounts.use((accounts) => accounts.addCredits(stage.tenant, 5n, operator)))
    const { key } = yield* makeKey(stage)
    yield* stage.run(
      Keys.use((keys) => keys.revoke({ tenantId: null, id: key.id }, { id: `key:${key.id}`, name: null }))
    )
    yield* stage.run(Keys.use((keys) => keys.revoke({ tenantId: null, id: key.id }, operator)))
    expect(yield* audit(stage)).toEqual([
      [`key:${key.id}`, "key.revoke", key.id],
      ["operator", "key.create", key.id],
      ["operator", "credits.add", stage.tenant],
      ["user:ada", "account.change", stage.tenant],
      ["operator", "account.create", stage.tenant]
    ])
    const second = yield* stage.run(
      Accounts.use((accounts) => accounts.audit(stage.tenant, wholeAudit, { limit: 1, offset: 1 }))
    )
    expect(second.items.map(({ action }) => action)).toEqual(["key.create"])
  })

  scenario("has no entry of what was rolled back", function* (stage) {
    const failing = Effect.gen(function* () {
      const accounts = yield* Accounts
      const storage = yield* Storage
      yield* storage.transact(
        Effect.andThen(accounts.record(stage.tenant, operator, "credits.add", null), Effect.fail("no" as const))
      )
    })
    expect(yield* stage.fails(failing)).toBe("no")
    expect(yield* audit(stage)).toEqual([["operator", "account.create", stage.tenant]])
  })
})

describe("a key", () => {
  // Verifies: D-200.
  scenario("is returned once, and stored as its digest", function* (stage) {
    const { key, text } = yield* makeKey(stage, { name: "ci" })
    expect(text).toMatch(/^svc_[0-9A-Za-z]{40}$/)
    expect(key).toMatchObject({ hash: sha256Hex(text), prefix: text.slice(0, 12), name: "ci", revokedAt: null })
    expect(Object.values(key)).not.toContain(text)
  })

  // Verifies: C-151.
  scenario("admits its account, with its scopes", function* (stage) {
    const { key, text } = yield* makeKey(stage)
    expect(yield* stage.run(identify(text))).toEqual({
      tenantId: stage.tenant,
      account: yield* stage.run(Accounts.use((accounts) => accounts.get(stage.tenant))),
      caller: { _tag: "Key", key: stored(key) }
    })
  })

  scenario("that is unknown, almost right or revoked admits nobody", function* (stage) {
    const { key, text } = yield* makeKey(stage)
    const last = text.at(-1) === "A" ? "B" : "A"
    for (const wrong of ["svc_", `svc_${"0".repeat(40)}`, text.slice(0, -1) + last, `${text}0`, text.slice(0, -1)]) {
      expect(yield* stage.fails(identify(wrong))).toMatchObject({ _tag: "Unauthenticated" })
    }
    yield* stage.run(Keys.use((keys) => keys.revoke({ tenantId: null, id: key.id }, operator)))
    expect(yield* stage.fails(identify(text))).toMatchObject({ _tag: "Unauthenticated" })
  })

  // Verifies: D-199.
  scenario("that has expired says so, from its instant on", function* (stage) {
    const { text } = yield* makeKey(stage, { expiresAt: Instant.plus(yield* Instant.now, 60_000) })
    yield* stage.wait(59_999)
    expect(yield* stage.run(identify(text))).toMatchObject({ tenantId: stage.tenant })
    yield* stage.wait(1)
    expect(yield* stage.fails(identify(text))).toMatchObject({
      _tag: "Unauthenticated",
      detail: expect.stringContaining("expired at 2026-11-21T06:31:00.000Z")
    })
  })

  scenario("that does not exist cannot be revoked", function* (stage) {
    const revoking = Keys.use((keys) => keys.revoke({ tenantId: null, id: Ids.as(stranger) }, operator))
    expect(yield* stage.fails(revoking)).toMatchObject({ _tag: "KeyNotFound" })
  })
})

const secret = "a secret that is long enough for HS256"

describe("a token", () => {
  const jwt = { host: { auth: { jwt: { secret } } } }

  const signed = (stage: Stage, account: string, role = "member") =>
    Effect.gen(function* () {
      const at = yield* Instant.now
      const times = { issuedAt: at, expiresAt: Instant.plus(at, 60_000) }
      return yield* stage.run(
        Effect.flatMap(Tokens.TokenSettings, (settings) =>
          Tokens.sign(settings, { subject: "ada", account, role, name: null }, times)
        )
      )
    })

  // Verifies: C-150.
  scenario(
    "admits a person of its account, by the product's own clock",
    function* (stage) {
      const token = yield* signed(stage, stage.tenant, "viewer")
      expect(yield* stage.run(identify(token))).toMatchObject({
        tenantId: stage.tenant,
        caller: { _tag: "User", subject: "ada", role: "viewer" }
      })
      yield* stage.wait(60_000)
      expect(yield* stage.fails(identify(token))).toMatchObject({ detail: expect.stringContaining("expired") })
    },
    jwt
  )

  scenario(
    "of an account that does not exist, or that is none, admits nobody",
    function* (stage) {
      for (const account of [stranger, "1", ""]) {
        expect(yield* stage.fails(identify(yield* signed(stage, account)))).toMatchObject({ _tag: "Unauthenticated" })
      }
    },
    jwt
  )

  scenario("is refused where no secret and no key set is configured", function* (stage) {
    const token = `${Buffer.from('{"alg":"HS256"}').toString("base64url")}.e30.c2ln`
    expect(yield* stage.fails(identify(token))).toMatchObject({ _tag: "Unauthenticated" })
    expect(yield* stage.fails(identify(""))).toMatchObject({ _tag: "Unauthenticated" })
    expect(yield* stage.fails(identify("something else"))).toMatchObject({ _tag: "Unauthenticated" })
  })
})

describe("a host's own check", () => {
  const signIn: { principal: HostPrincipal | null; seen?: HostRequest } = { principal: null }

  // Verifies: D-202.
  scenario(
    "decides who is asking; without an answer keys and tokens are tried",
    function* (stage) {
      const { text } = yield* makeKey(stage)
      signIn.principal = { accountId: stage.tenant.toUpperCase(), subject: "eve" }
      expect(yield* stage.run(identify("anything"))).toMatchObject({
        tenantId: stage.tenant,
        caller: { _tag: "User", subject: "eve", role: "member" }
      })
      expect(signIn.seen).toMatchObject({ method: request.method, url: request.url })
      expect([...signIn.seen!.headers]).toEqual([["cookie", "a=b"]])
      signIn.principal = { accountId: stranger, subject: "eve", role: "owner" }
      expect(yield* stage.fails(identify(text))).toMatchObject({ _tag: "Unauthenticated" })
      signIn.principal = null
      expect(yield* stage.run(identify(text))).toMatchObject({ caller: { _tag: "Key" } })
      expect(yield* stage.fails(identify("anything"))).toMatchObject({ _tag: "Unauthenticated" })
    },
    {
      host: {
        auth: {
          authenticate: async (asked) => {
            signIn.seen = asked
            return signIn.principal
          }
        }
      }
    }
  )
})

describe("a key that is remembered", () => {
  const by = (credential: string, memory: "use" | "renew") =>
    Authentication.use((access) => access.identify(credential, request, { portal: false, memory }))

  scenario("has the version at which it was read, from its second request on", function* (stage) {
    const { key, text } = yield* makeKey(stage)
    expect((yield* stage.run(by(text, "use"))).caller).toEqual({ _tag: "Key", key: stored(key) })
    expect((yield* stage.run(by(text, "use"))).caller).toEqual({ _tag: "Key", key: stored(key), version: 0 })
    yield* stage.run(Accounts.use((accounts) => accounts.change(stage.tenant, { plan: "pro" }, operator)))
    expect((yield* stage.run(by(text, "use"))).account.plan).toBe("free")
    const renewed = yield* stage.run(by(text, "renew"))
    expect([renewed.account.plan, renewed.caller]).toEqual(["pro", { _tag: "Key", key: stored(key) }])
    const after = (yield* stage.run(by(text, "use"))).caller
    expect(after).toEqual({ _tag: "Key", key: stored(key), version: expect.any(Number) })
    expect(after).not.toMatchObject({ version: 0 })
  })

  scenario("expires as it was read, unless it is renewed with a later expiry", function* (stage) {
    const expiresAt = Instant.plus(yield* Instant.now, Instant.minute)
    const { key, text } = yield* makeKey(stage, { expiresAt })
    yield* stage.run(by(text, "use"))
    yield* stage.wait(Instant.minute)
    expect(yield* stage.fails(by(text, "use"))).toMatchObject({ reason: "key_expired" })
    yield* stage.run(Keys.use((keys) => keys.revoke({ tenantId: null, id: key.id }, operator)))
    expect(yield* stage.fails(by(text, "use"))).toMatchObject({ reason: "invalid" })
  })
})

describe("an authenticated principal", () => {
  // Verifies: C-8, D-196, D-198.
  scenario("is admitted by account, then feature, then scope or role", function* (stage) {
    const { text } = yield* makeKey(stage, { scopes: ["campaigns:read"] })
    const change = (fields: { status?: "active" | "inactive" | "terminated"; voiceCampaigns?: boolean }) =>
      stage.run(Accounts.use((accounts) => accounts.change(stage.tenant, fields, operator)))
    const needs = { scope: "campaigns:write", feature: "voiceCampaigns" } as const
    const admitted = (asked: {
      scope: "campaigns:write" | "campaigns:read" | null
      feature: "voiceCampaigns" | null
    }) =>
      Effect.gen(function* () {
        const access = yield* Authentication
        yield* access.admit(yield* access.identify(text, request), { ...asked, manager: null })
      })
    yield* change({ status: "inactive", voiceCampaigns: false })
    expect(yield* stage.fails(admitted(needs))).toMatchObject({
      _tag: "NotAllowed",
      detail: expect.stringContaining("inactive")
    })
    yield* change({ status: "terminated" })
    expect(yield* stage.fails(admitted(needs))).toMatchObject({
      _tag: "NotAllowed",
      detail: expect.stringContaining("terminated")
    })
    yield* change({ status: "active" })
    expect(yield* stage.fails(admitted(needs))).toMatchObject({ _tag: "FeatureDisabled" })
    expect(yield* stage.fails(admitted({ ...needs, feature: null }))).toMatchObject({ _tag: "NotAllowed" })
    yield* change({ voiceCampaigns: true })
    expect(yield* stage.fails(admitted(needs))).toMatchObject({
      _tag: "NotAllowed",
      detail: expect.stringContaining("campaigns:write")
    })
    yield* stage.run(admitted({ ...needs, scope: "campaigns:read" }))
    yield* stage.run(admitted({ scope: null, feature: null }))
  })
})
