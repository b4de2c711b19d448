/** Requests that no HTTP client sends, and connections that stand: idle uploads, answers that nobody reads. */
import { oneOf, type Random, whole } from "../faults/Random.ts"
import { asked, type Hostile, head, raw, sized } from "./Hostile.ts"

const MiB = 1024 * 1024
type Asker = Parameters<Hostile>[0]

/** Methods that HTTP has elsewhere. CONNECT and upgrades have meanings of their own. */
const oddMethods = [
  "PROPFIND",
  "SEARCH",
  "PURGE",
  "M-SEARCH",
  "TRACE",
  "LOCK",
  "REPORT",
  "LINK",
  "MKCOL",
  "OPTIONS",
  "HEAD"
]

const knownPaths = [
  "/api/v1/bots",
  "/api/v1/webhooks",
  "/v1/chat/completions",
  "/v1/models",
  "/api/v1/messaging/messages"
]

const undecodable = ["%", "%zz", "%c3%28", "%ff", "%ed%a0%80", "%00", "%u0041"]

const paths = [
  "/api/v1/bots/X",
  "/v1/models/X",
  "/v1/files/X/content",
  "/api/v1/messaging/X/messages",
  "/X",
  "/api/v1/messaging/v23.0/X/messages"
]

/** Bytes of which an HTTP parser makes nothing, or should make nothing. */
const malformed = (asker: Asker): ReadonlyArray<readonly [what: string, steps: ReadonlyArray<string>]> => {
  const get = "GET /api/v1/bots HTTP/1.1"
  const post = "POST /api/v1/bots HTTP/1.1"
  const json = { "Content-Type": "application/json" }
  const body = '{"name":"raw"}'
  return [
    ["bare line feeds", [head(asker, get).replaceAll("\r\n", "\n")]],
    ["Content-Length twice", [head(asker, post, { ...json, "Content-Length": "14", "content-length": "5" }), body]],
    [
      "Content-Length and chunks",
      [
        head(asker, post, { ...json, "Content-Length": "14", "Transfer-Encoding": "chunked" }),
        "e\r\n",
        body,
        "\r\n0\r\n\r\n"
      ]
    ],
    [
      "a length that is none",
      [
        head(asker, post, {
          ...json,
          "Content-Length": oneOf(asker.random, ["-1", "+14", "1e1", "0x0e", "14,14", "99999999999999999999"])
        }),
        body
      ]
    ],
    ["a chunk that is none", [head(asker, post, { ...json, "Transfer-Encoding": "chunked" }), "zz\r\n", body]],
    [
      "a long chunk extension",
      [
        head(asker, post, { ...json, "Transfer-Encoding": "chunked" }),
        `e;${"x".repeat(20_000)}\r\n`,
        body,
        "\r\n0\r\n\r\n"
      ]
    ],
    ["two transfer encodings", [head(asker, post, { ...json, "Transfer-Encoding": "gzip, chunked" }), "0\r\n\r\n"]],
    ["no host", [`GET /api/v1/bots HTTP/1.1\r\n\r\n`]],
    ["two hosts", [head(asker, get, { host: "b.example" })]],
    ["HTTP/0.9", ["GET /api/v1/bots\r\n\r\n"]],
    ["HTTP/3.0", [head(asker, "GET /api/v1/bots HTTP/3.0")]],
    ["a blank in its header's name", [head(asker, get, { "X Y": "1" })]],
    ["a NUL in a header", [head(asker, get, { "X-Request-Id": "a\u0000b" })]],
    ["a blank in its target", [head(asker, "GET /api/v1/ bots HTTP/1.1")]],
    ["a line end in its target", [head(asker, "GET /api/v1/bots\rX HTTP/1.1")]],
    ["bytes beyond ASCII in its target", [head(asker, "GET /api/v1/\u00ff\u00fe HTTP/1.1")]],
    ["TLS", ["\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"]],
    ["the preface of HTTP/2", ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]],
    ["an expectation", [head(asker, post, { ...json, Expect: "the-moon", "Content-Length": "14" }), body]],
    ["CONNECT", ["CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n"]],
    ["an unknown upgrade", [head(asker, get, { Connection: "Upgrade", Upgrade: "h2c" })]],
    ["an asterisk", [head(asker, "OPTIONS * HTTP/1.1")]],
    ["a body of a GET", [head(asker, get, { "Content-Length": "14" }), body]]
  ]
}

const flood = (random: Random): Readonly<Record<string, string>> => {
  const style = random()
  if (style < 0.3) return { Cookie: "a=b; ".repeat(Math.floor(sized(random, 100, 200_000))) }
  if (style < 0.6) return { "X-Long": "x".repeat(Math.floor(sized(random, 1000, MiB))) }
  const many = Math.floor(sized(random, 100, 20_000))
  return Object.fromEntries(Array.from({ length: many }, (_, nth) => [`X-${nth}`, "1"]))
}

const mediaHead = (asker: Asker, length: number, number: string): string => {
  const headers = { "Content-Type": "multipart/form-data; boundary=b", "Content-Length": String(length) }
  const field = `--b\r\nContent-Disposition: form-data; name="phone_number_id"\r\n\r\n${number}\r\n`
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
  return head(asker, "POST /api/v1/messaging/media HTTP/1.1", headers) + field + file
}

const fileHead = (asker: Asker, length: number): string => {
  const headers = { "Content-Type": "multipart/form-data; boundary=b", "Content-Length": String(length) }
  const purpose = '--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n'
  return head(asker, "POST /v1/files HTTP/1.1", headers) + purpose + file
}

/** Large ones fill the room for such files, small ones what they leave of it. */
const roomShares = [100, 100, 56, 16, 4, 1, 0.25]

const anyLength = (asker: Asker): number => Math.floor(sized(asker.random, 10_000, 100 * MiB))

export const hostileWire: Readonly<Record<string, Hostile>> = {
  "a target in absolute form": (asker) => ({
    request: raw([
      head(
        asker,
        `GET http://127.0.0.1${oneOf(asker.random, ["/api/v1/bots?limit=1", "/v1/models", "/healthz"])} HTTP/1.1`
      )
    ]),
    right: [200]
  }),
  "a target in absolute form that is odd": (asker) => ({
    request: raw([
      head(
        asker,
        `GET ${oneOf(asker.random, ["http://", "https://evil.example/api/v1/bots", "ftp://a/b", "//api/v1/bots", "http://[::1/", "http://a:b@c/healthz", "javascript:1", "HTTP://127.0.0.1/healthz", "?a=b", "#"])} HTTP/1.1`
      )
    ]),
    right: [200, 400, 404, 405, 0]
  }),
  "an odd method": (asker) => {
    const method = oneOf(asker.random, oddMethods)
    const isSafe = method === "HEAD" || method === "OPTIONS"
    return {
      request: asked(asker, method, oneOf(asker.random, knownPaths)),
      right: isSafe ? [200, 204, 401, 404, 405] : [405]
    }
  },
  "a path that does not decode": (asker) => ({
    request: raw([
      head(
        asker,
        `${oneOf(asker.random, ["GET", "POST", "DELETE"])} ${oneOf(asker.random, paths).replace("X", oneOf(asker.random, undecodable))} HTTP/1.1`,
        { "Content-Length": "0" }
      )
    ]),
    right: [400, 401, 403, 404, 405, 415, 422]
  }),
  "an odd path": (asker) => ({
    request: raw([
      head(
        asker,
        `GET ${oneOf(asker.random, ["/../../etc/passwd", "/api/v1/bots/..%2f..%2f", "/api//v1/bots", "/API/v1/bots", "/api/v1/bots/;a=b", "/api/v1/bots%3flimit=1", `/${"a/".repeat(whole(asker.random, 10, 4000))}`, "/.env", "/__proto__", "/constructor"])} HTTP/1.1`
      )
    ]),
    right: [400, 404, 414, 422, 431]
  }),
  "bytes that are no HTTP": (asker) => {
    const [, steps] = oneOf(asker.random, malformed(asker))
    return { request: raw(steps, { waitMs: 10_000 }) }
  },
  "a flood of headers": (asker) => ({
    request: raw([head(asker, "GET /api/v1/bots?limit=1 HTTP/1.1", flood(asker.random))]),
    right: [200, 400, 431, 0]
  }),
  "half a head": (asker) => ({
    request: raw(
      [head(asker, "GET /api/v1/bots HTTP/1.1").slice(0, whole(asker.random, 1, 90)), whole(asker.random, 100, 4000)],
      { waitMs: 0 }
    ),
    ...{ right: [0, 400, 408], isPatient: true }
  }),
  "many requests in one piece": (asker) => ({
    request: raw([head(asker, "GET /api/v1/bots?limit=1 HTTP/1.1").repeat(whole(asker.random, 2, 60))])
  }),
  "an idle upload of a file for a chat": (asker) => {
    const number =
      asker.random() < 0.5 ? (asker.pool.id(asker.random, "/api/v1/messaging", "phone_number_id") ?? "1") : "none"
    const length = oneOf(asker.random, roomShares) * MiB
    return {
      request: raw([mediaHead(asker, length, number), whole(asker.random, 2000, 14_000)], { waitMs: 0 }),
      isPatient: true,
      right: [0, 400, 404, 408, 413, 422, 429, 503]
    }
  },
  "idle uploads that fill the room for files of chats": (asker) => {
    const stands = whole(asker.random, 12_000, 15_000)
    const [first, ...beside] = [100, 100, 56].map((size) =>
      raw([mediaHead(asker, size * MiB, "none"), stands], { waitMs: 0 })
    )
    return {
      ...{ request: { ...first!, beside }, isPatient: true },
      right: [0, 400, 404, 408, 413, 422, 429, 503]
    }
  },
  "an idle upload of a file": (asker) => ({
    request: raw([fileHead(asker, anyLength(asker)), whole(asker.random, 2000, 14_000)], { waitMs: 0 }),
    ...{ isPatient: true, right: [0, 400, 408, 409, 413, 429] }
  }),
  "an upload that breaks off": (asker) => {
    const length = anyLength(asker)
    const some = Buffer.alloc(Math.floor(Math.min(length / 2, sized(asker.random, 1000, 8 * MiB))), "x")
    const start = asker.random() < 0.5 ? fileHead(asker, length) : mediaHead(asker, length, "none")
    return {
      request: raw([start, some, whole(asker.random, 0, 500)], { waitMs: 0 }),
      isPatient: true,
      right: [0, 400, 404, 408, 409, 413, 422, 429, 503]
    }
  },
  "an idle body": (asker) => ({
    request: raw(
      [
        head(asker, "POST /api/v1/bots HTTP/1.1", { "Content-Type": "application/json", "Content-Length": "100000" }),
        '{"name":',
        whole(asker.random, 1000, 12_000)
      ],
      { waitMs: 0 }
    ),
    ...{ isPatient: true, right: [0, 400, 408] }
  }),
  "an answer that nobody reads": (asker) => {
    const target = oneOf(asker.random, [
      "/api/v1/bots?limit=500",
      "/api/v1/messaging/conversations?limit=500",
      "/v1/responses",
      "/v1/usage/logs.csv",
      "/api/v1/telephony/calls?limit=500",
      "/openapi.json"
    ])
    const times = whole(asker.random, 1, 8)
    return {
      request: raw([head(asker, `GET ${target} HTTP/1.1`).repeat(times), whole(asker.random, 1000, 12_000)], {
        reads: false,
        waitMs: 0
      }),
      isPatient: true
    }
  }
}
