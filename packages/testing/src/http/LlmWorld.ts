/** A product whose language models run at one fake server, each over the API that its name says. */
import * as Http from "node:http"
import type { KeyOptions, StorageProvider, TrunklineOptions } from "@trunkline/core"
import { isObject, type LlmApi } from "@trunkline/core/provider"
import { anthropic } from "@trunkline/providers/anthropic"
import { openai } from "@trunkline/providers/openai"
import { expect } from "vitest"
import { type FakeLlmServer, startFakeLlmServer } from "../upstreams/index.ts"
import type { Answer, Fields, Sent } from "./Exchange.ts"
import { type HttpWorld, openWorld, type Start, until } from "./HttpWorld.ts"

export const paths: Readonly<Record<LlmApi, string>> = {
  chat_completions: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses"
}

export const countTokens = "/v1/messages/count_tokens"

/** A small request of each API. */
export const bodies: Readonly<Record<LlmApi, (fields?: Fields) => Fields>> = {
  chat_completions: (fields) => ({ model: "chat-model", messages: [{ role: "user", content: "hello" }], ...fields }),
  messages: (fields) => ({
    ...{ model: "messages-model", max_tokens: 100, messages: [{ role: "user", content: "hello" }] },
    ...fields
  }),
  responses: (fields) => ({ model: "responses-model", input: "hello", ...fields })
}

export const apis = Object.keys(paths) as ReadonlyArray<LlmApi>

/** The upstreams' key: no answer has it. */
export const secret = "sk-of-the-operator"

const model = (id: string, fields: Fields = {}) => ({
  ...{
    id,
    category: "llm",
    vision: true,
    price: { input_usd_per_million_tokens: 1, output_usd_per_million_tokens: 4 }
  },
  tiers: ["free", "starter", "pro", "enterprise"],
  limits: { max_output_tokens: 1000 },
  ...fields
})

const models = [
  ...[
    "chat-model",
    "messages-model",
    "responses-model",
    "all-model",
    "plain-model",
    "backed-model",
    "doubled-model"
  ].map((id) => model(id)),
  model("hasty-model"),
  model("nowhere-model"),
  model("blind-model", { vision: false }),
  model("small-model", { limits: { bytes: 400, max_output_tokens: 10 } }),
  model("unlimited-model", { limits: {} }),
  model("resting-model", { status: "maintenance" }),
  model("paid-model", { tiers: ["pro"] }),
  model("cached-model", {
    price: {
      ...{ input_usd_per_million_tokens: 2, output_usd_per_million_tokens: 10 },
      ...{ cached_input_usd_per_million_tokens: 0.5, cache_write_usd_per_million_tokens: 3 }
    }
  }),
  // A credit for each token.
  model("coin-model", { price: { input_usd_per_million_tokens: 1_000_000, output_usd_per_million_tokens: 1_000_000 } }),
  model("long-model", {
    price: { input_usd_per_million_tokens: 1, output_usd_per_million_tokens: 4, long_input_costs_more: true }
  }),
  { id: "listening-model", category: "stt", tiers: ["free", "enterprise"] }
]

/** What the models are called there. */
export const nameThere = (id: string): string => `there-${id}`

const routes = (): NonNullable<TrunklineOptions["models"]>["routes"] => {
  const at = (upstream: string, ...ids: ReadonlyArray<string>) =>
    ids.map((id) => [id, { upstream, model: nameThere(id) }] as const)
  return Object.fromEntries([
    ...at(
      "chat",
      "chat-model",
      "blind-model",
      "small-model",
      "unlimited-model",
      "cached-model",
      "long-model",
      "coin-model"
    ),
    ...at("chat", "resting-model", "paid-model", "listening-model"),
    ...at("claude", "messages-model"),
    ...at("responses", "responses-model"),
    ...at("all", "all-model"),
    ...at("plain", "plain-model"),
    ...at("hasty", "hasty-model"),
    ["backed-model", { ...at("chat", "backed-model")[0]![1], fallbacks: [{ upstream: "claude", model: "second" }] }],
    ["doubled-model", { ...at("claude", "doubled-model")[0]![1], fallbacks: [{ upstream: "all", model: "second" }] }]
  ])
}

/** The fake server in the place of each kind of upstream. */
const upstreamsAt = (origin: string) => {
  const at = { baseUrl: `${origin}/v1`, apiKey: secret }
  return {
    chat: openai(at),
    plain: openai({ ...at, streamUsage: false }),
    hasty: openai({ ...at, timeoutMs: 250, apis: ["chat_completions", "messages", "responses"] }),
    responses: openai({ ...at, apis: ["responses"] }),
    all: openai({ ...at, apis: ["chat_completions", "responses", "messages"] }),
    claude: anthropic({ baseUrl: origin, apiKey: secret })
  }
}

/** A stream as its client reads it. */
export interface OpenStream {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  /** What has come so far. */
  readonly text: () => string
  /** Waits until the text has come. */
  readonly has: (text: string) => Promise<void>
  /** Goes away in the middle. */
  readonly leave: () => void
  /** Waits for the end. */
  readonly whole: () => Promise<string>
}

/** An account with its key. */
export interface LlmPayer {
  readonly account: string
  readonly key: string
  readonly keyId: string
  /** Its rows of the usage log, the latest first. */
  readonly rows: () => Promise<ReadonlyArray<Fields>>
  readonly credits: () => Promise<{ readonly balance: string; readonly reserved: string }>
}

export interface LlmWorld extends HttpWorld {
  readonly there: FakeLlmServer
  readonly ask: (api: LlmApi | "count_tokens", fields?: Fields, sent?: Sent) => Promise<Answer>
  /** Begins a request and does not wait for its answer. */
  readonly begin: (api: LlmApi, fields?: Fields, sent?: Sent) => { readonly leave: () => void }
  /** Asks for a stream, and returns when its head has come. */
  readonly open: (api: LlmApi, fields?: Fields, sent?: Sent) => Promise<OpenStream>
  /** With the 1000 credits of every new account, and more. */
  readonly payer: (options?: KeyOptions & { readonly more?: string }) => Promise<LlmPayer>
}

export interface LlmWorldOptions {
  readonly models?: NonNullable<TrunklineOptions["models"]>
  readonly core?: Partial<TrunklineOptions>
}

export const openLlmWorld = async (
  start: Start,
  storage: () => StorageProvider,
  { core, models: more }: LlmWorldOptions = {}
): Promise<LlmWorld> => {
  const there = await startFakeLlmServer({ text: "hello there", apiKey: secret })
  const world = await openWorld(start, storage, {
    core: {
      // Tests fail on purpose, and often.
      models: {
        catalogue: { models },
        upstreams: upstreamsAt(there.origin),
        routes: routes()!,
        breaker: null,
        ...more
      },
      pricing: { usdToCredits: 1 },
      ...core
    }
  })
  const { account, core: product, key } = world
  await product.admin.changeAccount(account, { plan: "enterprise" })

  const request = (api: LlmApi, fields: Fields, sent: Sent) => {
    const body = JSON.stringify(bodies[api](fields))
    const made = Http.request(`${world.served.origin}${paths[api]}`, {
      ...{ method: "POST", agent: false },
      headers: {
        ...{ authorization: `Bearer ${sent.key ?? key}`, "content-type": "application/json" },
        ...{ "content-length": String(Buffer.byteLength(body)), ...sent.headers }
      }
    })
    made.end(body)
    return made
  }

  return {
    ...world,
    there,
    ask: (api, fields = {}, sent = {}) => {
      const path = api === "count_tokens" ? countTokens : paths[api]
      const { max_tokens: _, ...prompt } = bodies.messages(fields)
      const json = api === "count_tokens" ? { ...prompt, ...fields } : bodies[api](fields)
      return world.send("POST", path, { key, ...(sent.body === undefined ? { json } : {}), ...sent })
    },
    begin: (api, fields = {}, sent = {}) => {
      const made = request(api, fields, sent)
      made.on("error", () => {})
      return { leave: () => made.destroy() }
    },
    open: (api, fields = {}, sent = {}) => opened(request(api, { stream: true, ...fields }, sent)),
    payer: async ({ more = "0", ...options } = {}) => {
      const made = await product.admin.createAccount({ name: "Payer", plan: "free" })
      await product.admin.changeAccount(made.id, { paymentMethod: "verified" })
      if (more !== "0") await product.admin.addCredits(made.id, more)
      const { id: keyId, text } = await product.admin.createKey(made.id, options)
      const reader = (await product.admin.createKey(made.id)).text
      return {
        account: made.id,
        key: text,
        keyId,
        rows: async () => (await world.send("GET", "/v1/usage/logs?limit=1000", { key: reader })).items,
        credits: () => product.admin.credits(made.id)
      }
    },
    close: async () => {
      await world.close()
      await there.close()
    }
  }
}

const opened = (request: Http.ClientRequest): Promise<OpenStream> =>
  new Promise((resolve, reject) => {
    request.on("error", reject)
    request.on("response", (response) => {
      let text = ""
      let ended: Error | true | null = null
      response.setEncoding("utf8")
      response.on("data", (piece: string) => {
        text += piece
      })
      response.on("end", () => {
        ended = true
      })
      response.on("error", (error) => {
        ended ??= error
      })
      resolve({
        status: response.statusCode!,
        headers: response.headers,
        text: () => text,
        has: (wanted) =>
          until(async () => {
            if (text.includes(wanted)) return true
            if (ended !== null) throw new Error(`the stream has ended without ${wanted}: ${text}`)
            return undefined
          }).then(() => {}),
        leave: () => request.destroy(),
        whole: () =>
          until(async () => {
            if (ended instanceof Error) throw ended
            return ended === true ? text : undefined
          })
      })
    })
  })

/** An event as it came: `[DONE]` as a text. */
export interface ReadEvent {
  readonly event: string | null
  readonly data: Fields | string
}

/** The events of a stream, comments left out. */
export const eventsIn = (text: string): ReadonlyArray<ReadEvent> =>
  text
    .split("\n\n")
    .map((block) => block.split("\n").filter((line) => line !== "" && !line.startsWith(":")))
    .filter((lines) => lines.length > 0)
    .map((lines) => {
      const named = lines.find((line) => line.startsWith("event: "))
      const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6))
      expect(data, lines.join("\n")).toHaveLength(1)
      const value: unknown = data[0] === "[DONE]" ? data[0] : JSON.parse(data[0]!)
      return { event: named?.slice(7) ?? null, data: isObject(value) ? value : String(value) }
    })

/** The data of the events of a stream. */
export const dataIn = (text: string): ReadonlyArray<Fields | string> => eventsIn(text).map(({ data }) => data)

export const errorOf = ({ body }: Pick<Answer, "body">): Fields => (isObject(body.error) ? body.error : {})

/** Status, code and field of a refusal. */
export const refusalOf = (answer: Answer): ReadonlyArray<unknown> => {
  const { code, param } = errorOf(answer)
  return [answer.status, code, param]
}

/** Nothing of the upstream is in an answer: no word, no key, no address. */
export const expectNoLeak = (answer: { readonly text: string; readonly headers: object }, origin: string): void => {
  const all = answer.text + JSON.stringify(answer.headers)
  for (const word of ["leaky", "org-1234", "inner.example", secret, new URL(origin).host, "there-"]) {
    expect(all).not.toContain(word)
  }
}

/** A figure of credits as the usage log shows it. */
export const creditsOf = (tokens: { readonly input?: number; readonly output?: number }): number =>
  ((tokens.input ?? 0) * 1 + (tokens.output ?? 0) * 4) / 1_000_000
