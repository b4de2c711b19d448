/** All options of a host are checked at once, before anything is opened. Verifies: HOST-2. */
import { createTrunkline, TrunklineError } from "@trunkline/core"
import { sqlite } from "@trunkline/storage-sqlite"
import { describe, expect, it } from "vitest"

const encryptionKey = "a key of at least 32 characters, for tests"
const right = { storage: sqlite(":memory:"), encryptionKey, log: () => undefined }

/** The paths of the options that are refused, each with its sentence. */
const refused = async (options: unknown): Promise<Readonly<Record<string, string>>> => {
  const found = await createTrunkline(options as never).then(
    async (core) => {
      await core.stop()
      return expect.fail("the options were accepted")
    },
    (error: unknown) => error
  )
  expect(found).toBeInstanceOf(TrunklineError)
  const { code, fields, message, status } = found as TrunklineError
  expect([code, status]).toEqual(["options_refused", 500])
  for (const { message: sentence } of fields) expect(message).toContain(sentence)
  return Object.fromEntries(fields.map((field) => [field.path.join("."), field.message]))
}

describe("createTrunkline", () => {
  it("names what makes a storage when there is none", async () => {
    expect((await refused({ encryptionKey })).storage).toMatch(/^A storage is required: sqlite\(path\)/)
    expect((await refused({ ...right, storage: "app.db" })).storage).toMatch(/^must be what sqlite\(path\)/)
    expect((await refused({ ...right, storage: { kind: "telephony", layer: {} } })).storage).toMatch(/^must be what/)
    for (const nothing of [undefined, null, 5, "sqlite:app.db"]) {
      expect(await refused(nothing)).toEqual({ options: expect.stringMatching(/^must be an object in braces; it is /) })
    }
  })

  // Verifies: D-237.
  it("names every unknown option, and the one that was probably meant", async () => {
    expect(
      await refused({
        ...right,
        outBound: 1,
        colour: "red",
        messaging: { reply: { quietMS: 5 } },
        workers: { dialler: false }
      })
    ).toEqual({
      outBound: "is no setting; did you mean outbound?",
      colour: expect.stringMatching(/^is no setting; those here are storage, /),
      "messaging.reply.quietMS": "is no setting; did you mean quietMs?",
      "workers.dialler": "is no setting; did you mean dialer?"
    })
  })

  // Verifies: D-281, D-282, D-283.
  it("refuses words for roles, audiences and origins that mean nothing", async () => {
    const jwt = (options: object) => refused({ ...right, auth: { jwt: options } })
    expect(await jwt({ roles: { Ops: "admin", " ops": "viewer" } })).toEqual({
      "auth.jwt.roles": expect.stringContaining('"ops" is there twice')
    })
    expect(await jwt({ roles: { " ": "admin" } })).toEqual({ "auth.jwt.roles": expect.stringContaining("empty") })
    expect(Object.keys(await jwt({ roles: { ops: "boss" } }))).toEqual(["auth.jwt.roles.ops"])
    expect(Object.keys(await jwt({ issuer: "" }))).toEqual(["auth.jwt.issuer"])
    for (const audience of ["", [], ["webhooks-portal"]]) {
      expect(Object.keys(await jwt({ audience })).map((path) => path.slice(0, 17))).toContain("auth.jwt.audience")
    }
    const origins = ["https://app.example.com", "https://app.example.com/", "app.example.com", "null", "file://"]
    const found = await refused({ ...right, auth: { allowedOrigins: origins } })
    expect(Object.keys(found)).toEqual([1, 2, 3, 4].map((nth) => `auth.allowedOrigins.${nth}`))
  })

  // Verifies: D-282.
  it("says at the start that a key set without issuer and audience lets other applications' tokens in", async () => {
    const said = async (jwt: object) => {
      const lines: Array<string> = []
      const log = ({ message }: { readonly message: string }) => void lines.push(message)
      await (await createTrunkline({ ...right, storage: sqlite(":memory:"), log, auth: { jwt } })).stop()
      return lines.filter((line) => line.includes("auth.jwt.issuer"))
    }
    const jwks = { keys: [] }
    expect(await said({ jwks })).toHaveLength(1)
    expect(await said({ jwksUrl: "https://id.example/jwks.json" })).toHaveLength(1)
    expect(await said({ jwks, issuer: "https://id.example" })).toEqual([])
    expect(await said({ jwks, audience: ["calling"] })).toEqual([])
    expect(await said({ secret: "a secret of the host's own sign-in" })).toEqual([])
  })

  // Verifies: D-237.
  it("names all options that cannot be used at once, including those that only a rule can refuse", async () => {
    const found = await refused({
      ...right,
      previousEncryptionKeys: ["short"],
      brand: { channel: "contacts" },
      webhooks: {
        allowNetworks: ["10.0.0.0/8", "10.0.0.0/99"],
        timeoutMs: 0,
        portal: { frameAncestors: ["*"], language: "de_DE" }
      },
      limits: { perIpPerMinute: 0.5 },
      pricing: { callCreditsPerMinute: Number.NaN, usdToCredits: -1 },
      models: { routes: { "*": { upstream: "nobody" } }, catalogue: { models: [{ id: "x" }] } },
      search: { providers: {}, default: "web" },
      answer: { kind: "url" },
      auth: { jwt: { secret: "", jwksUrl: "nowhere" }, authenticate: true },
      clock: { now: 1, speed: 0 },
      log: "console"
    })
    expect(Object.keys(found).sort()).toEqual(
      [
        ...["answer.url", "auth.authenticate", "auth.jwt.jwksUrl", "auth.jwt.secret", "brand.channel", "clock.now"],
        ...["clock.speed", "limits.perIpPerMinute", "log", "models.catalogue", "models.routes.*.upstream"],
        ...[
          "previousEncryptionKeys.0",
          "pricing.callCreditsPerMinute",
          "pricing.usdToCredits",
          "search.default",
          "webhooks.allowNetworks.1",
          "webhooks.portal.frameAncestors",
          "webhooks.portal.language",
          "webhooks.timeoutMs"
        ]
      ].sort()
    )
    expect(found["brand.channel"]).toContain("the channel word contacts is already a path or a scope")
    expect(found["models.routes.*.upstream"]).toContain('there is no upstream "nobody"')
  })

  // Verifies: H-176.
  it("names everything about fallbacks, retries and the breaker that cannot be used", async () => {
    const fallbacks = Array.from({ length: 11 }, () => ({ upstream: "x" }))
    const models = { routes: { m: { upstream: "x", retries: 4, fallbacks } }, breaker: { failures: 0, openMs: 99 } }
    expect(Object.keys(await refused({ ...right, models })).sort()).toEqual([
      ...["models.breaker.failures", "models.breaker.openMs", "models.routes.m.fallbacks", "models.routes.m.retries"],
      "models.routes.m.upstream"
    ])
    const routes = { m: { upstream: "x", fallbacks: [{ upstream: "y" }] } }
    const message = (name: string) => `there is no upstream "${name}" in models.upstreams: add it there`
    expect(await refused({ ...right, models: { routes, breaker: null } })).toEqual({
      "models.routes.m.upstream": message("x"),
      "models.routes.m.fallbacks.0.upstream": message("y")
    })
  })

  // Verifies: G-713.
  it("names a number of days for which no response is kept", async () => {
    for (const responsesKeptDays of [-1, 3651, 0.5]) {
      expect(Object.keys(await refused({ ...right, models: { responsesKeptDays } }))).toEqual([
        "models.responsesKeptDays"
      ])
    }
  })

  it("names a network that is none", async () => {
    expect(Object.keys(await refused({ ...right, webhooks: { allowNetworks: ["10.0.0.0/99"] } }))).toEqual([
      "webhooks.allowNetworks.0"
    ])
  })

  // Verifies: H-251.
  it("names what makes a search provider", async () => {
    const found = await refused({ ...right, search: { providers: { web: { kind: "upstream" } } } })
    expect(found["search.providers.web"]).toMatch(/^must be what a provider such as brave\({ … }\)/)
    const unknown = await refused({ ...right, search: { default: "constructor", providers: {} } })
    expect(unknown).toEqual({
      "search.default": 'names the search provider "constructor", which is not in search.providers: add it there'
    })
  })

  it("accepts undefined for an absent option", async () => {
    const core = await createTrunkline({
      ...right,
      telephony: undefined,
      outbound: undefined,
      brand: { channel: undefined },
      workers: { dialer: undefined }
    } as never)
    expect(core.matches("/api/v1/messaging/conversations")).toBe(true)
    await core.stop()
  })

  it("refuses a dialer that has nothing to dial with", async () => {
    expect(Object.keys(await refused({ ...right, workers: { dialer: true } }))).toEqual(["workers.dialer"])
  })
})
