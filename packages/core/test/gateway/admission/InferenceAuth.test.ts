/**
 * What surrounds every route of `/v1/*`, on routes that do whatever a test asks of them. The same over sockets and real
 * routes stands in the HTTP suite. Verifies: INFE-1, INFE-5.
 */
import { type Account, Ids, Instant } from "@trunkline/core/effect"
import type { ApiKeys } from "@trunkline/core/storage"
import { AccessChanged, KeyLimits } from "@trunkline/core/testing"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { afterEach, describe, expect, it } from "vitest"
import * as InferenceAuth from "../../../src/gateway/admission/InferenceAuth.ts"
import { DirectRequests } from "../../../src/gateway/admission/index.ts"
import { answerInference } from "../../../src/gateway/errors/InferenceAnswers.ts"
import { inferenceEdge } from "../../../src/gateway/errors/InferenceEdge.ts"
import * as InferenceFaults from "../../../src/gateway/errors/InferenceFaults.ts"
import { refuse } from "../../../src/gateway/errors/index.ts"
import { Authentication, type Principal, Unauthenticated } from "../../../src/platform/accounts/index.ts"
import type { Allowance } from "../../../src/platform/billing/index.ts"
import { RateLimited, TooManyAtOnce } from "../../../src/platform/billing/index.ts"
import { CompiledRoutes, edge, RouteHandlers } from "../../../src/platform/http/index.ts"
import { NeedsPermission } from "../../../src/platform/http/PlatformAuth.ts"
import { StorageError } from "../../../src/platform/storage/index.ts"

const { CurrentCaller, SignedInAccess } = InferenceAuth

const api = HttpApi.make("test")
  .add(
    HttpApiGroup.make("test")
      .add(
        HttpApiEndpoint.post("work", "/work", {
          payload: Schema.Struct({ a: Schema.Int, b: Schema.Struct({ c: Schema.String }) }),
          success: Schema.Unknown
        }).annotate(NeedsPermission, "stt"),
        HttpApiEndpoint.get("act", "/act", { success: Schema.Unknown }),
        HttpApiEndpoint.get("people", "/people", { success: Schema.Unknown }).annotate(SignedInAccess, "managers")
      )
      .prefix("/v1")
      .middleware(InferenceFaults.InferenceRequestErrors)
      .middleware(InferenceAuth.InferenceAuth)
  )
  .annotate(HttpApi.ParseOptions, { errors: "all" })

const at = Instant.make(Date.UTC(2026, 10, 21))

const account: Account = {
  id: Ids.as("00000000-0000-7000-8000-000000000001"),
  name: "Account",
  plan: "free",
  status: "active",
  voiceCampaigns: false,
  paymentMethod: "verified",
  paymentDeadline: null,
  monthlyBudget: null,
  createdAt: at,
  updatedAt: at
}

const key: ApiKeys.ApiKey = {
  id: Ids.as("00000000-0000-7000-8000-000000000002"),
  tenantId: account.id,
  hash: "",
  prefix: "svc_12345678",
  name: "A key",
  scopes: ["*"],
  permissions: ["stt"],
  budget: 5n,
  budgetPeriod: "month",
  allowedModels: null,
  allowedDomains: null,
  searchProviders: null,
  requestsPerMinute: null,
  concurrency: null,
  expiresAt: null,
  revokedAt: null,
  createdAt: at,
  createdBy: "operator",
  previousHash: null,
  previousPrefix: null,
  previousUntil: null
}

const down = new StorageError({ reason: "unavailable", detail: "the database is away at 10.0.0.7" })

interface Stage {
  readonly key?: Partial<ApiKeys.ApiKey>
  readonly account?: Partial<Account>
  readonly caller?: Principal["caller"]
  readonly identify?: Authentication["Service"]["identify"]
  readonly limits?: Partial<KeyLimits["Service"]>
  /** What the routes do. */
  readonly act?: Effect.Effect<unknown, never, InferenceAuth.CurrentCaller>
}

/** One product with nothing but the test's routes. `places` are those that are taken; `log` is what happened to them. */
const stageOf = async (stage: Stage) => {
  const places = new Set<string>()
  const log: Array<string> = []
  const lines: Array<string> = []
  let used = 0
  const allowance = (limit: number | null): Allowance | null =>
    limit === null ? null : { limit, remaining: limit - used, resetSeconds: used === 0 ? 0 : 60 }

  const limits: KeyLimits["Service"] = {
    acquire: ({ concurrency, id, perMinute }) =>
      Effect.suspend((): Effect.Effect<Allowance | null, RateLimited | TooManyAtOnce> => {
        if (perMinute !== null && used >= perMinute) {
          return Effect.fail(new RateLimited({ limit: perMinute, retryAfterSeconds: 42 }))
        }
        if (places.size >= concurrency) return Effect.fail(new TooManyAtOnce({ limit: concurrency }))
        used += 1
        places.add(id)
        log.push("taken")
        return Effect.succeed(allowance(perMinute))
      }),
    allowance: ({ perMinute }) => Effect.sync(() => allowance(perMinute)),
    release: ({ id, isReleased }) =>
      Effect.sync(() => {
        if (isReleased) return
        places.delete(id)
        log.push("released")
      }),
    ...stage.limits
  }
  const principal: Principal = {
    tenantId: account.id,
    account: { ...account, ...stage.account },
    caller: stage.caller ?? { _tag: "Key", key: { ...key, ...stage.key } }
  }
  const services = Layer.mergeAll(
    Layer.succeed(KeyLimits, limits),
    DirectRequests.layer,
    Layer.succeed(Authentication, {
      identify: stage.identify ?? (() => Effect.succeed(principal)),
      remembered: () => null,
      identifyKey: () => Effect.succeed(principal),
      admit: () => Effect.void
    }),
    Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]),
    HttpServer.layerServices
  )
  const act = () => stage.act ?? Effect.succeed("done")
  const built = Layer.provideMerge(
    RouteHandlers.group(api, "test", (on) => on.handleAll({ work: act, act, people: act })),
    Layer.mergeAll(InferenceAuth.layer({ headerPrefix: "X-Service-" }), InferenceFaults.layer)
  )
  const runtime = ManagedRuntime.make(services)
  opened.push(runtime)
  const context = await runtime.context()
  const scope = Scope.makeUnsafe()
  const families = [inferenceEdge()]
  const routes = await runtime.runPromise(
    Effect.provideService(CompiledRoutes.make(api, built, { families, keyed: () => null }), Scope.Scope, scope)
  )
  const handled = edge(routes, { limit: null, jsonBodyBytes: 100, families, headerPrefix: "X-Service-" })
  const web = HttpEffect.toWebHandlerWith(context as Context.Context<never>)(handled as never) as (
    request: Request
  ) => Promise<Response>
  const ask = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await web(
      new Request(`http://test${path}`, {
        method,
        ...init,
        headers: { authorization: "Bearer svc_x", ...init.headers }
      })
    )
    const text = await response.text()
    const body = response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : null
    return { status: response.status, headers: response.headers, text, error: body?.error, body }
  }
  /** What had happened to the place when the last byte was out, but the request was not yet over. */
  const whenLastByteIsOut = async (): Promise<ReadonlyArray<string>> => {
    let seen: ReadonlyArray<string> = []
    const send = HttpEffect.toHandled(handled as never, (_, { body }: HttpServerResponse.HttpServerResponse) =>
      body._tag !== "Stream"
        ? Effect.void
        : Effect.map(Stream.runDrain(body.stream), () => {
            seen = [...log]
          })
    )
    const request = HttpServerRequest.fromWeb(new Request("http://test/v1/act"))
    const asked = Effect.provideService(send, HttpServerRequest.HttpServerRequest, request)
    await Effect.runPromiseWith(context as Context.Context<never>)(asked as Effect.Effect<void>)
    return seen
  }
  return { ask, get: () => ask("GET", "/v1/act"), web, whenLastByteIsOut, places, log, lines, used: () => used }
}

const opened: Array<{ readonly dispose: () => Promise<void> }> = []
afterEach(async () => {
  for (const runtime of opened.splice(0)) await runtime.dispose()
})

const rates = (headers: Headers) => ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`))

const json = (body: unknown): RequestInit => ({
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { "content-type": "application/json" }
})

describe("a route of /v1", () => {
  // Verifies: H-95.
  it("knows who is asking, and what their work is booked under", async () => {
    let seen: InferenceAuth.Caller | undefined
    const act = Effect.map(CurrentCaller, (caller) => {
      seen = caller
      return "done"
    })
    const { ask } = await stageOf({ act, account: { plan: "pro", monthlyBudget: 7n } })
    const headers = { "x-request-id": "r-1", "x-session-id": "s-1", "x-trace-id": "t-1" }
    expect((await ask("GET", "/v1/act", { headers })).headers.get("x-request-id")).toBe("r-1")
    expect(seen).toMatchObject({
      principal: { tenantId: account.id },
      key: { id: key.id },
      payer: {
        tenantId: account.id,
        plan: "pro",
        monthlyBudget: 7n,
        key: { id: key.id, name: "A key", prefix: "svc_12345678", budget: 5n, budgetPeriod: "month" }
      },
      requestId: "r-1",
      sessionId: "s-1",
      traceId: "t-1"
    })
    expect(Ids.isUuid(seen!.usageId)).toBe(true)
    await ask("GET", "/v1/act", { headers: { "x-session-id": "", "x-trace-id": "t".repeat(257) } })
    expect(seen).toMatchObject({ sessionId: null, traceId: null })
    expect(Ids.isUuid(seen!.requestId)).toBe(true)
  })

  // Verifies: H-109.
  it("says with every answer what is left of the key's minute", async () => {
    const { get } = await stageOf({ key: { requestsPerMinute: 2 } })
    expect(rates((await get()).headers)).toEqual(["2", "1", "60"])
    expect(rates((await get()).headers)).toEqual(["2", "0", "60"])
    const refused = await get()
    expect(refused.status).toBe(429)
    expect(refused.error).toMatchObject({ code: "rate_limit_exceeded", type: "rate_limit_error", param: null })
    expect(refused.headers.get("retry-after")).toBe("42")
    expect(rates(refused.headers)).toEqual(["2", "0", "42"])
  })

  it.each([
    ["free", null, "120"],
    ["starter", null, "200"],
    ["pro", null, "1000"],
    ["enterprise", null, null],
    ["enterprise", 7, "7"],
    ["free", 500, "500"]
  ] as const)("limits a key on plan %s, with a figure of its own of %s, to %s", async (plan, own, limit) => {
    const { get } = await stageOf({ account: { plan }, key: { requestsPerMinute: own } })
    expect(rates((await get()).headers)[0]).toBe(limit)
  })

  // Verifies: G-167, G-190, H-106.
  it("runs sixteen requests of a key at a time, or as many as the key says: 429 with Retry-After 1", async () => {
    for (const [concurrency, at] of [
      [null, 16],
      [2, 2]
    ] as const) {
      const { get, places, used } = await stageOf({ key: { concurrency }, act: Effect.never })
      for (let n = 0; n < at; n++) void get().catch(() => undefined)
      while (places.size < at) await new Promise((resolve) => setTimeout(resolve, 1))
      const refused = await get()
      expect(refused.status).toBe(429)
      expect(refused.error.code).toBe("too_many_concurrent_requests")
      expect(refused.headers.get("retry-after")).toBe("1")
      expect([rates(refused.headers), used()]).toEqual([["120", String(120 - at), "60"], at])
    }
  })

  // Verifies: H-102.
  it("counts nothing for a key that is refused before, and says what remains all the same", async () => {
    for (const [stage, status, code] of [
      [{ account: { status: "inactive" } }, 403, "account_inactive"],
      [{ account: { status: "terminated" } }, 403, "account_terminated"],
      [{ account: { paymentMethod: "missing" } }, 402, "payment_method_required"],
      [{ account: { paymentMethod: "grace", paymentDeadline: at } }, 402, "payment_method_required"],
      [{ key: { permissions: ["llm"] } }, 403, "permission_denied"],
      [{ key: { allowedDomains: ["a.test"] } }, 403, "domain_not_allowed"]
    ] as const) {
      const { ask, log, used } = await stageOf(stage)
      const refused = await ask("POST", "/v1/work", json("{"))
      expect([refused.status, refused.error.code], code).toEqual([status, code])
      expect(rates(refused.headers), code).toEqual(["120", "120", "0"])
      expect([log, used()], code).toEqual([[], 0])
    }
  })

  // Verifies: H-104.
  it("has no rate limit headers for an unknown key, and none for people", async () => {
    const expired = await stageOf({
      identify: () => Effect.fail(new Unauthenticated({ reason: "key_expired", detail: "This API key expired." }))
    })
    const refused = await expired.get()
    expect([refused.status, refused.error]).toEqual([
      401,
      { message: "This API key expired.", type: "authentication_error", code: "api_key_expired", param: null }
    ])
    expect(rates(refused.headers)).toEqual([null, null, null])
    expect(refused.headers.get("www-authenticate")).toBe("Bearer")
    const person = await stageOf({
      caller: { _tag: "User", subject: "ada", name: null, role: "owner", signIn: { _tag: "Host" } }
    })
    const taken = await person.ask("GET", "/v1/people")
    expect([taken.status, rates(taken.headers), person.log]).toEqual([200, [null, null, null], []])
    expect((await person.get()).error.code).toBe("invalid_api_key")
  })

  it("judges a key anew that has changed since it was remembered", async () => {
    const asked: Array<unknown> = []
    const plans = { use: "free", renew: "starter" } as const
    const { get, log } = await stageOf({
      identify: (_credential, _request, takes) => {
        asked.push(takes?.memory)
        const isRemembered = takes?.memory === "use"
        return Effect.succeed<Principal>({
          tenantId: account.id,
          account: { ...account, plan: plans[takes!.memory!] },
          caller: isRemembered ? { _tag: "Key", key, version: 3 } : { _tag: "Key", key }
        })
      },
      limits: {
        acquire: ({ perMinute, version }) =>
          version === 3
            ? Effect.fail(new AccessChanged())
            : Effect.succeed({ limit: perMinute!, remaining: 1, resetSeconds: 1 })
      }
    })
    const answer = await get()
    expect([answer.status, rates(answer.headers)[0], asked, log]).toEqual([200, "200", ["use", "renew"], ["released"]])
  })

  it("refuses nobody by what is remembered alone", async () => {
    const { get } = await stageOf({
      identify: (_credential, _request, takes) =>
        Effect.succeed<Principal>(
          takes?.memory === "use"
            ? {
                tenantId: account.id,
                account: { ...account, status: "inactive" },
                caller: { _tag: "Key", key, version: 3 }
              }
            : { tenantId: account.id, account, caller: { _tag: "Key", key } }
        )
    })
    expect((await get()).status).toBe(200)
  })

  it("asks for keys alone where people are not admitted", async () => {
    const asked: Array<unknown> = []
    const { ask } = await stageOf({
      identify: (_credential, _request, takes) => {
        asked.push(takes?.people)
        return Effect.fail(new Unauthenticated({ reason: "invalid", detail: "No." }))
      }
    })
    for (const path of ["/v1/act", "/v1/people"]) expect((await ask("GET", path)).error.code).toBe("invalid_api_key")
    expect(asked).toEqual([false, true])
  })

  // Verifies: G-145.
  it("reminds of a payment method in the grace period, where it succeeds", async () => {
    const paymentDeadline = Instant.make(Date.UTC(2100, 0, 1))
    const stage = { account: { paymentMethod: "grace", paymentDeadline } } as const
    const { ask, get } = await stageOf(stage)
    expect((await get()).headers.get("x-service-notice")).toBe(
      "payment_method_required; deadline=2100-01-01T00:00:00.000Z"
    )
    expect((await ask("POST", "/v1/work", json("{"))).headers.get("x-service-notice")).toBeNull()
    expect((await (await stageOf({})).get()).headers.get("x-service-notice")).toBeNull()
  })
})

describe("the place of a request", () => {
  const once = ["taken", "released"]

  it("is released before its answer is sent", async () => {
    const { get, log, places } = await stageOf({ key: { concurrency: 1 } })
    for (let n = 0; n < 20; n++) expect((await get()).status).toBe(200)
    expect(log).toEqual(Array.from({ length: 20 }, () => once).flat())
    expect(places.size).toBe(0)
  })

  // Verifies: H-109.
  it("is released once, however the handler ends", async () => {
    for (const [act, status] of [
      [Effect.die(new Error("a secret")), 500],
      [answerInference(Effect.fail(refuse("model_not_found"))), 404],
      [answerInference(Effect.fail(down)), 503],
      [Effect.interrupt, 503],
      [Effect.succeed(HttpServerResponse.text("own", { status: 202 })), 202]
    ] as const) {
      const { get, log } = await stageOf({ act })
      const answer = await get()
      expect([answer.status, log]).toEqual([status, once])
      expect(rates(answer.headers)).toEqual(["120", "119", "60"])
      expect(answer.text).not.toMatch(/secret|10\.0\.0\.7/)
    }
  })

  // Verifies: H-109.
  it("is released when the body is refused", async () => {
    for (const [init, status] of [
      [json("{"), 400],
      [json({ a: "x" }), 422],
      [{ body: "x", headers: { "content-type": "text/plain" } }, 415],
      [json(`{"a":1,"b":{"c":"${"x".repeat(33 * 1024 * 1024)}"}}`), 413]
    ] as const) {
      const { ask, log } = await stageOf({})
      const answer = await ask("POST", "/v1/work", init)
      expect([answer.status, log]).toEqual([status, once])
      expect(rates(answer.headers)).toEqual(["120", "119", "60"])
    }
  })

  // Verifies: H-120.
  it("is released when the client disconnects", async () => {
    const { places, log, web } = await stageOf({ act: Effect.never })
    const gone = new AbortController()
    const headers = { authorization: "Bearer svc_x" }
    const answered = web(new Request("http://test/v1/act", { headers, signal: gone.signal })).catch(() => null)
    while (places.size === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    gone.abort()
    await answered
    while (places.size > 0) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(log).toEqual(once)
  })

  it("is kept while a stream runs, and released when it ends, fails, is cut or is never read", async () => {
    const bytes = new TextEncoder().encode("part")
    const streaming = (stream: Stream.Stream<Uint8Array, Error>) =>
      stageOf({ act: Effect.succeed(HttpServerResponse.stream(stream)) })

    const whole = await streaming(Stream.make(bytes, bytes))
    expect((await whole.get()).text).toBe("partpart")
    expect(whole.log).toEqual(once)

    // Over a socket the client may ask again before the request's scope is closed.
    const sent = await streaming(Stream.make(bytes))
    expect(await sent.whenLastByteIsOut()).toEqual(once)
    expect(sent.log).toEqual(once)

    const failing = await streaming(Stream.concat(Stream.make(bytes), Stream.fail(new Error("x"))))
    await expect(failing.get()).rejects.toThrow()
    expect(failing.log).toEqual(once)

    const cut = await streaming(Stream.concat(Stream.make(bytes), Stream.never))
    const reader = (await cut.web(new Request("http://test/v1/act"))).body!.getReader()
    await reader.read()
    expect(cut.log).toEqual(["taken"])
    await reader.cancel()
    while (cut.places.size > 0) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(cut.log).toEqual(once)

    const unread = await streaming(Stream.make(bytes))
    expect((await unread.ask("HEAD", "/v1/act")).status).toBe(200)
    while (unread.places.size > 0) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(unread.log).toEqual(once)
  })
})

describe("a storage that is away", () => {
  // Verifies: G-169.
  it("is 503 service_unavailable, with its reason in the log alone", async () => {
    for (const stage of [
      { identify: () => Effect.fail(down) },
      { limits: { acquire: () => Effect.fail(down) } }
    ] satisfies ReadonlyArray<Stage>) {
      const { get, lines } = await stageOf(stage)
      const { error, status, text } = await get()
      expect([status, error.code, error.type]).toEqual([503, "service_unavailable", "api_error"])
      expect(text).not.toContain("10.0.0.7")
      expect(lines.join()).toContain("10.0.0.7")
    }
  })

  it("changes nothing in an answer that is there", async () => {
    const unreturned = await stageOf({ limits: { release: () => Effect.fail(down) } })
    expect((await unreturned.get()).status).toBe(200)
    expect(unreturned.lines.join()).toContain("released")
    const unseen = await stageOf({ account: { status: "inactive" }, limits: { allowance: () => Effect.fail(down) } })
    const refused = await unseen.get()
    expect([refused.error.code, rates(refused.headers)]).toEqual(["account_inactive", [null, null, null]])
  })
})

describe("the envelope of /v1", () => {
  it("names every failing field in the message, and the first as param", async () => {
    const { ask } = await stageOf({})
    const { error, status } = await ask("POST", "/v1/work", json({ a: "x", b: { c: 5 } }))
    expect(status).toBe(422)
    expect(error).toMatchObject({ type: "invalid_request_error", code: "invalid_request", param: "a" })
    expect(error.message).toMatch(/a: .*; b\.c: /)
    const empty = await ask("POST", "/v1/work", {})
    expect([empty.status, empty.error.code], "no JSON at all").toEqual([400, "invalid_request"])
  })

  // Verifies: H-128.
  it("answers 400 to a text that is not JSON", async () => {
    const { ask } = await stageOf({})
    const { error, status } = await ask("POST", "/v1/work", json("{"))
    expect([status, error]).toEqual([
      400,
      {
        message: "The body is not valid JSON",
        type: "invalid_request_error",
        code: "invalid_request",
        param: null
      }
    ])
  })

  // Verifies: H-129.
  it("accepts JSON up to 32 MiB, however little the platform's routes accept", async () => {
    const { ask } = await stageOf({})
    const body = (size: number) => json(`{"a":1,"b":{"c":"${"x".repeat(size - 20)}"}}`)
    expect((await ask("POST", "/v1/work", body(32 * 1024 * 1024))).status).toBe(200)
    const over = await ask("POST", "/v1/work", body(32 * 1024 * 1024 + 1))
    expect([over.status, over.error.code]).toEqual([413, "file_too_large"])
  })

  // Verifies: G-243, H-131.
  it("answers to unknown paths, methods and content types", async () => {
    const { ask } = await stageOf({})
    for (const [method, path, status, code] of [
      ["GET", "/v1/nothing", 404, "not_found"],
      ["DELETE", "/v1/work", 405, "method_not_allowed"]
    ] as const) {
      const answer = await ask(method, path)
      expect([answer.status, answer.error.code, answer.error.type]).toEqual([status, code, "invalid_request_error"])
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
    }
    const { error, status } = await ask("POST", "/v1/work", { body: "a=1", headers: { "content-type": "text/plain" } })
    expect([status, error.code]).toEqual([415, "invalid_request"])
  })

  it("shows the request's id in the object where a provider failed", async () => {
    const act = answerInference(Effect.fail(refuse("upstream_timeout", { showsRequestId: true })))
    const { headers, error, status } = await (await stageOf({ act })).get()
    expect([status, error.request_id]).toEqual([502, headers.get("x-request-id")])
  })

  // Verifies: H-116, H-118.
  it("forbids retries in vain, and says how long to wait", async () => {
    const act = (code: "quota_exceeded" | "idempotency_key_reused" | "idempotency_in_progress") =>
      answerInference(
        Effect.fail(code === "quota_exceeded" ? refuse(code, { retryAfterSeconds: 864_000 }) : refuse(code))
      )
    for (const [code, retry, wait] of [
      ["quota_exceeded", "false", "864000"],
      ["idempotency_key_reused", "false", null],
      ["idempotency_in_progress", null, "1"]
    ] as const) {
      const { headers } = await (await stageOf({ act: act(code) })).get()
      expect([headers.get("x-should-retry"), headers.get("retry-after")], code).toEqual([retry, wait])
    }
  })
})
