/** Bodies whose bytes are few for what they cost: deep, of many elements, with many faults, with large fields. */
import { oneOf, type Random, whole } from "../faults/Random.ts"
import { batchLine } from "./Forms.ts"
import { asJson, type Hostile, routesOf, sized } from "./Hostile.ts"
import { bytesOf } from "./Requests.ts"
import { models } from "./Values.ts"

const MiB = 1024 * 1024
/** What the routes of the platform, respectively of models, take. */
const limitOf = (path: string): number => (path.startsWith("/v1/") ? 32 * MiB : 10 * MiB)

const opened: ReadonlyArray<readonly [open: string, close: string]> = [
  ["[", "]"],
  ['{"a":', "}"],
  ['[{"a":', "}]"],
  ['{"text":[', "]}"]
]

/** Nested as deep as so many bytes allow. */
const nested = (random: Random, bytes: number): string => {
  const [open, close] = oneOf(random, opened)
  const depth = Math.max(201, Math.floor(bytes / (open.length + close.length)))
  return `${open.repeat(depth)}1${close.repeat(depth)}`
}

const refused = [400, 413, 422]
/** Of a record that may be gone meanwhile, as well. */
const refusedThere = [400, 404, 409, 413, 422]

/** Where a nested value is accepted in principle. */
const deepFields = (random: Random): readonly [path: string, around: (deep: string) => string] =>
  oneOf<readonly [string, (deep: string) => string]>(random, [
    ["/api/v1/bots", (deep) => `{"name":"deep","config":${deep}}`],
    ["/v1/voice/sessions", (deep) => `{"bot_id":"00000000-0000-7000-8000-000000000000","metadata":${deep}}`],
    [
      "/api/v1/messaging/messages",
      (deep) => `{"phone_number_id":"1","to":"+14155550001","type":"template","template":${deep}}`
    ],
    [
      "/v1/chat/completions",
      (deep) => `{"model":"indic-105b","messages":[{"role":"user","content":"hi"}],"zz":${deep}}`
    ],
    ["/v1/responses", (deep) => `{"model":"indic-105b","input":"hi","tools":${deep}}`],
    ["/v1/messages", (deep) => `{"model":"indic-105b","max_tokens":9,"messages":[{"role":"user","content":${deep}}]}`]
  ])

const items = (count: number, item: (nth: number) => string): string => {
  const all: Array<string> = []
  for (let nth = 0; nth < count; nth++) all.push(item(nth))
  return all.join(",")
}

/** A list with an element that is wrong in every place. */
const faulty = (random: Random): readonly [path: string, body: (count: number) => string] =>
  oneOf<readonly [string, (count: number) => string]>(random, [
    ["/api/v1/voice-campaigns/dnc", (count) => `{"entries":[${items(count, () => "{}")}]}`],
    ["/api/v1/voice-campaigns/dnc", (count) => `{"entries":[${items(count, () => '{"phone":1,"reason":1}')}]}`],
    ["/api/v1/webhooks", (count) => `{"url":"https://example.com/","events":[${items(count, (nth) => String(nth))}]}`],
    ["/api/v1/email/webhooks", (count) => `{"url":"https://example.com/","events":[${items(count, () => "null")}]}`],
    ["/api/v1/messaging/messages", (count) => `{"phone_number_id":"1","contacts":[${items(count, () => "1")}]}`],
    ["/v1/chat/completions", (count) => `{"model":"indic-105b","messages":[${items(count, () => "{}")}]}`],
    ["/v1/responses", (count) => `{"model":"indic-105b","input":[${items(count, () => "1")}]}`],
    ["/v1/messages", (count) => `{"model":"indic-105b","max_tokens":1,"messages":[${items(count, () => "{}")}]}`],
    ["/v1/search", (count) => `{"query":"a","include_domains":[${items(count, () => '"-"')}]}`],
    ["/v1/embeddings", (count) => `{"model":"text-embedding-3-small","input":[${items(count, () => "{}")}]}`]
  ])

/** A request to a model with very many items. */
const manifold = (random: Random): readonly [path: string, body: (count: number) => string] =>
  oneOf<readonly [string, (count: number) => string]>(random, [
    [
      "/v1/responses/input_tokens",
      (count) => `{"model":"indic-105b","input":[${items(count, () => '{"role":"user","content":"a"}')}]}`
    ],
    [
      "/v1/responses",
      (count) => `{"model":"indic-105b","input":[${items(count, () => '{"role":"user","content":"a"}')}]}`
    ],
    [
      "/v1/messages",
      (count) =>
        `{"model":"indic-105b","max_tokens":9,"messages":[${items(count, (nth) => `{"role":"${nth % 2 === 0 ? "user" : "assistant"}","content":"a"}`)}]}`
    ],
    [
      "/v1/chat/completions",
      (count) => `{"model":"indic-105b","messages":[${items(count, () => '{"role":"user","content":"a"}')}]}`
    ],
    [
      "/v1/chat/completions",
      (count) =>
        `{"model":"indic-105b","messages":[{"role":"user","content":[${items(count, () => '{"type":"text","text":"a"}')}]}]}`
    ],
    [
      "/v1/messages",
      (count) =>
        `{"model":"indic-105b","max_tokens":9,"messages":[{"role":"user","content":[${items(count, () => '{"type":"text","text":"a"}')}]}]}`
    ],
    [
      "/v1/messages/count_tokens",
      (count) => `{"model":"indic-105b","messages":[${items(count, () => '{"role":"user","content":"a"}')}]}`
    ],
    [
      "/v1/responses",
      (count) =>
        `{"model":"indic-105b","input":[{"role":"user","content":[${items(count, () => '{"type":"input_text","text":"a"}')}]}]}`
    ]
  ])

const isBeyond = (count: number, max: number) => (count > max ? { right: refusedThere } : {})

export const hostileBodies: Readonly<Record<string, Hostile>> = {
  "JSON that is nested deeply": (asker) => {
    const { method, path } = oneOf(asker.random, routesOf(asker, "application/json"))
    const deep = nested(asker.random, sized(asker.random, 2000, limitOf(path) - 1000))
    return { request: asJson(asker, path, deep, method), right: refusedThere }
  },
  "a nested field": (asker) => {
    const [path, around] = deepFields(asker.random)
    return {
      request: asJson(asker, path, around(nested(asker.random, sized(asker.random, 2000, limitOf(path) - 1000)))),
      right: refusedThere
    }
  },
  "very many elements": (asker) => {
    const { method, path } = oneOf(asker.random, routesOf(asker, "application/json"))
    const count = Math.floor(sized(asker.random, 1000, (limitOf(path) - 1000) / 3))
    const element = oneOf(asker.random, ["1,", "{},", '"",', "[],"])
    const body = `{"zz":[${element.repeat(count)}1]}`
    return { request: asJson(asker, path, body, method), ...(count > 200_000 ? { right: refusedThere } : {}) }
  },
  "very many keys": (asker) => {
    const { method, path } = oneOf(asker.random, routesOf(asker, "application/json"))
    const count = Math.floor(sized(asker.random, 1000, 400_000))
    const body = `{${items(count, (nth) => `"k${nth}":1`)}}`
    return { request: asJson(asker, path, body, method), ...(count > 200_000 ? { right: refusedThere } : {}) }
  },
  "a fault for each element": (asker) => {
    const [path, body] = faulty(asker.random)
    const count = Math.floor(sized(asker.random, 2000, 1_200_000))
    return { request: asJson(asker, path, body(count)), right: refused }
  },
  "many items for a model": (asker) => {
    const [path, body] = manifold(asker.random)
    const count = Math.floor(sized(asker.random, 200, 400_000))
    return { request: asJson(asker, path, body(count)), ...isBeyond(count, 2048) }
  },
  "a large field of an agent": ({ random, ...asker }) => {
    const size = Math.floor(sized(random, 50_000, 9 * MiB))
    const field = random() < 0.5 ? { system_prompt: "x".repeat(size) } : { config: { notes: "x".repeat(size) } }
    return {
      request: asJson({ random, ...asker }, "/api/v1/bots", bytesOf({ name: "large", ...field })),
      ...isBeyond(size, 270_000)
    }
  },
  "a large content of a message": (asker) => {
    const size = Math.floor(sized(asker.random, 100_000, 9 * MiB))
    const number = asker.pool.id(asker.random, "/api/v1/messaging", "phone_number_id")
    const parameter = { type: "text", text: "x".repeat(size) }
    const template = { name: "t", language: { code: "en" }, components: [{ type: "body", parameters: [parameter] }] }
    const body = { phone_number_id: number, to: "+14155550001", type: "template", template }
    return { request: asJson(asker, "/api/v1/messaging/messages", bytesOf(body)), ...isBeyond(size, 270_000) }
  },
  "a large response that is kept": (asker) => {
    const input = "x".repeat(Math.floor(sized(asker.random, 10_000, 4 * MiB)))
    return {
      request: asJson(
        asker,
        "/v1/responses",
        bytesOf({ model: models.chat[0], max_output_tokens: 20, input, store: true })
      )
    }
  },
  "deep lines of a batch": (asker) => {
    const deep = nested(asker.random, sized(asker.random, 2000, 8 * MiB))
    const line = batchLine(1).replace('"max_tokens":10', `"zz":${deep}`)
    return { request: asFile(asker, [batchLine(0), line].join("\n")), learn: learnFile(asker) }
  },
  "many short lines of a batch": (asker) => {
    const count = Math.floor(sized(asker.random, 100, 60_000))
    return { request: asFile(asker, items(count, () => "{}").replaceAll(",", "\n")), learn: learnFile(asker) }
  },
  "keys of another kind": (asker) => {
    const { method, path } = oneOf(asker.random, routesOf(asker, "application/json"))
    const keys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", "toJSON", "valueOf"]
    const body = `{${keys.map((key) => `"${key}":{"${oneOf(asker.random, keys)}":${whole(asker.random, 0, 1)}}`).join(",")}}`
    return { request: asJson(asker, path, body, method) }
  }
}

const asFile = (asker: Parameters<Hostile>[0], content: string) => {
  const boundary = "----lines"
  const part = `Content-Disposition: form-data; name="file"; filename="l.jsonl"\r\nContent-Type: application/jsonl\r\n\r\n`
  const purpose = `--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n`
  const body = Buffer.from(`${purpose}--${boundary}\r\n${part}${content}\r\n--${boundary}--\r\n`)
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` }
  return { ...asJson(asker, "/v1/files", body), headers: { ...asJson(asker, "/", body).headers, ...headers } }
}

const learnFile =
  ({ pool }: Parameters<Hostile>[0]) =>
  (status: number, body: unknown): void => {
    if (status === 200) pool.add("/v1/files", { file_id: String((body as { readonly id: string }).id) })
  }
