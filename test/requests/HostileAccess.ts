/** Requests of people who may not: other credentials, addresses inside, unsigned deliveries, and upstreams that misbehave. */
import { createHmac } from "node:crypto"
import { oneOf, type Random, whole } from "../faults/Random.ts"
import { asJson, asked, type Hostile, sized } from "./Hostile.ts"
import { type Asker, anyOperation } from "./Ordinary.ts"
import { bytesOf } from "./Requests.ts"
import { models, uuid } from "./Values.ts"

export const tokenSecret = "the secret of the tokens, which is long enough"

/** Addresses of this machine, of networks inside, and other forms of them. */
/** 127.0.0.1 itself, and so `localhost`, is exempt in the run: its receivers are there. */
const inside = [
  "http://127.0.0.2:1/",
  "https://127.2/",
  "https://0x7f000002/",
  "https://2130706434/",
  "https://0177.0.0.2/",
  "https://[::1]/",
  "https://[::ffff:127.0.0.2]/",
  "https://[64:ff9b::7f00:2]/",
  "https://169.254.169.254/latest/meta-data",
  "https://10.0.0.1/",
  "https://192.168.1.1/",
  "https://a.localhost/",
  "https://metadata.google.internal/",
  "https://0/",
  "https://example.com@127.0.0.2/",
  "file:///etc/passwd",
  "gopher://a/",
  "https://example.com:0/",
  "https://①②⑦.0.0.2/",
  "https://127。0。0。2/",
  "javascript:alert(1)",
  `https://${"a".repeat(2000)}.example/`
]

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

const tokenOf = (claims: object, header: object = { alg: "HS256", typ: "JWT" }): string => {
  const signed = `${encoded(header)}.${encoded(claims)}`
  return `${signed}.${createHmac("sha256", tokenSecret).update(signed).digest("base64url")}`
}

const person = (role: unknown, tenant: string): string => tokenOf({ sub: "ann", tenant_id: tenant, role, exp: 9e9 })

const credentials = (random: Random): string =>
  oneOf(random, [
    "",
    "Bearer",
    "Bearer ",
    "Bearer svc_",
    `Bearer svc_${"x".repeat(40)}`,
    `Bearer ${"x".repeat(7000)}`,
    "Basic YTpi",
    "bearer null",
    "Bearer a.b.c",
    `Bearer ${tokenOf({ sub: "a" }, { alg: "none" })}`,
    `Bearer ${encoded({ alg: "none" })}.${encoded({ tenant_id: uuid(random), exp: 9e9 })}.`,
    `Bearer ${tokenOf({ sub: "a", tenant_id: uuid(random), exp: 1 })}`,
    `Bearer ${tokenOf({ tenant_id: [uuid(random)], exp: 9e9 })}`,
    `Bearer ${".".repeat(3000)}`,
    "Bearer ..",
    `Bearer ${encoded({ alg: "HS256", crit: ["b64"], b64: false })}.e30.AAAA`
  ])

const withCredential = (asker: Asker, authorization: string) => {
  const { body, method, path } = anyOperation(asker)
  const target = path.replace(/\{[^}]+\}/g, "00000000-0000-7000-8000-000000000000")
  const type: Record<string, string> = body === null ? {} : { "content-type": body.type }
  return {
    via: "http" as const,
    method,
    target,
    headers: { authorization, ...type },
    body: body === null ? null : bytesOf({})
  }
}

const isOpen = (target: string): boolean =>
  target === "/v1/models" || target.startsWith("/v1/models/") || target === "/api/v1/models/access"

export const hostileAccess: Readonly<Record<string, Hostile>> = {
  "a credential that is none": (asker) => {
    const request = withCredential(asker, credentials(asker.random))
    return { request, right: isOpen(request.target) ? [200, 401, 403, 404] : [401, 403, 415] }
  },
  "a role that only reads, in odd forms": (asker) => {
    const role = oneOf<unknown>(asker.random, [
      ["viewer"],
      "Viewer",
      " viewer",
      "READ_ONLY",
      {},
      { role: "viewer" },
      1,
      [["viewer"]],
      "viewer"
    ])
    const request = asJson(asker, "/api/v1/bots", bytesOf({ name: "by a reader" }))
    return {
      request: { ...request, headers: { ...request.headers, authorization: `Bearer ${person(role, asker.tenant)}` } },
      right: [403]
    }
  },
  "a webhook to an address inside": (asker) => {
    const url = oneOf(asker.random, inside)
    const [target, body] =
      asker.random() < 0.7
        ? ["/api/v1/webhooks", { url, events: ["call.started"] }]
        : ["/api/v1/email/webhooks", { url }]
    return { request: asJson(asker, String(target), bytesOf(body)), right: [400, 422, 409] }
  },
  "an unsigned delivery": (asker) => {
    const body = Buffer.alloc(Math.floor(sized(asker.random, 100, 9_000_000)), "a")
    const request = asJson(asker, "/api/v1/messaging/inbound", body)
    return {
      request: {
        ...request,
        headers: { "content-type": "application/json", "x-hub-signature-256": `sha256=${"0".repeat(64)}` }
      },
      right: [401, 413, 429]
    }
  },
  "a signed delivery that is nested deeply": (asker) => {
    const depth = Math.floor(sized(asker.random, 201, 1_000_000))
    const body = Buffer.from(`{"object":"whatsapp_business_account","entry":${"[".repeat(depth)}${"]".repeat(depth)}}`)
    const signature = createHmac("sha256", asker.appSecret).update(body).digest("hex")
    const request = asJson(asker, "/api/v1/messaging/inbound", body)
    return {
      request: {
        ...request,
        headers: { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` }
      },
      right: [200, 400, 413, 422]
    }
  },
  "a visitor of a chat": (asker) => {
    const route = oneOf(asker.random, ["session", "message", "transcript", "chat.js"])
    const odd = oneOf<unknown>(asker.random, [
      {},
      [],
      { token: "x".repeat(5000) },
      { token: "a.b", id: "12345678", text: "x".repeat(4097) },
      { token: {}, version: -1 }
    ])
    const target = `/api/v1/messaging/inbound/web-chat/${oneOf(asker.random, ["shop", "none", "%2e%2e", "X".repeat(100)])}/${route}`
    const headers = {
      "content-type": "text/plain",
      origin: oneOf(asker.random, ["https://shop.example.com", "https://evil.example", "null"])
    }
    return {
      request: {
        via: "http",
        method: route === "chat.js" ? "GET" : "POST",
        target,
        headers,
        body: route === "chat.js" ? null : bytesOf(odd)
      }
    }
  },
  "another's business number": (asker) => ({
    request: asJson(
      asker,
      "/api/v1/messaging/phone_numbers",
      bytesOf({
        phone_number_id: asker.othersNumber,
        business_account_id: String(whole(asker.random, 1, 50) * 1000),
        access_token: "EAAG-token-of-a-tenant"
      })
    ),
    right: [403, 409, 422]
  }),
  "a number in the compatible path that does not decode": (asker) => ({
    request: asJson(asker, `/api/v1/messaging/${oneOf(asker.random, ["%zz", "%ff", "%", "a%2fb"])}/messages`, "{}"),
    right: [400, 404]
  }),
  "a page of another origin": (asker) => {
    const { method, target, ...request } = withCredential(asker, "")
    return {
      request: {
        ...request,
        method,
        target,
        headers: {
          ...request.headers,
          origin: "https://evil.example",
          "sec-fetch-site": "cross-site",
          cookie: "session=1"
        }
      },
      right: isOpen(target) ? [200, 401, 403, 404] : [401, 403, 415]
    }
  },
  "an upstream's answer that is nested deeply": (asker) => upstream(asker, "deep", [502]),
  "an upstream's answer that is hard": (asker) =>
    upstream(asker, oneOf(asker.random, ["blank", "long", "html", "empty", "lies"]), [200, 502]),
  "an odd Idempotency-Key": (asker) => {
    const request = asJson(
      asker,
      "/v1/chat/completions",
      bytesOf({ model: models.chat[0], max_tokens: 5, messages: [{ role: "user", content: "Hi" }] })
    )
    const key = oneOf(asker.random, ["same", "x".repeat(255), "x".repeat(256), "x".repeat(9000), " ", "a,b", '"a"'])
    return { request: { ...request, headers: { ...request.headers, "idempotency-key": key } } }
  },
  "a page of the operator": (asker) => ({
    request: asked(asker, "GET", oneOf(asker.random, ["/docs", "/metrics", "/openapi.json", "/readyz", "/healthz"]))
  }),
  "an odd request id": (asker) => ({
    request: asked(asker, "GET", "/api/v1/bots?limit=1", {
      "x-request-id": oneOf(asker.random, ["x".repeat(5000), "", "a b", "{}", "\u00ff"])
    }),
    right: [200]
  })
}

const upstream = (asker: Asker, what: string, right: ReadonlyArray<number>): ReturnType<Hostile> => {
  const content = `UPSTREAM ${what}`
  const stream = what !== "deep" && asker.random() < 0.5
  const model = models.chat[0]
  const [target, body] = oneOf<readonly [string, object]>(asker.random, [
    ["/v1/chat/completions", { model, stream, messages: [{ role: "user", content }] }],
    ["/v1/messages", { model, stream, max_tokens: 50, messages: [{ role: "user", content }] }],
    ["/v1/responses", { model, stream, input: content }]
  ])
  return { request: asJson(asker, target, bytesOf(body)), right, fails: [502] }
}
