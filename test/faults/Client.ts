/** Requests to the product's HTTP API, by one account, at any of its processes. */
import { Agent, request } from "undici"

export interface Reply {
  /** 0 without an answer. */
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: each route has a shape of its own.
  readonly body: any
  readonly text: string
  readonly headers: Readonly<Record<string, string | Array<string> | undefined>>
}

const agent = new Agent({ connections: 64, connectTimeout: 3000 })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export class Client {
  readonly name: string
  readonly accountId: string
  readonly #key: string
  readonly #urls: ReadonlyArray<string>
  #next = 0

  constructor(name: string, accountId: string, key: string, urls: ReadonlyArray<string>) {
    this.name = name
    this.accountId = accountId
    this.#key = key
    this.#urls = urls
  }

  /** Asks one process once; without `process` each in turn. */
  async ask(
    method: "GET" | "POST" | "PATCH" | "PUT",
    path: string,
    body?: object | Buffer,
    more: { readonly process?: number; readonly headers?: Record<string, string>; readonly timeoutMs?: number } = {}
  ): Promise<Reply> {
    const url = this.#urls[(more.process ?? this.#next++) % this.#urls.length]!
    const timeout = more.timeoutMs ?? 20_000
    const type: Record<string, string> =
      body === undefined || Buffer.isBuffer(body) ? {} : { "content-type": "application/json" }
    try {
      const answer = await request(url + path, {
        ...{ method, dispatcher: agent, headersTimeout: timeout, bodyTimeout: timeout },
        headers: { authorization: `Bearer ${this.#key}`, ...type, ...more.headers },
        body: body === undefined ? null : Buffer.isBuffer(body) ? body : JSON.stringify(body)
      })
      const text = await answer.body.text()
      return { status: answer.statusCode, body: parsed(text), text, headers: answer.headers }
    } catch (error) {
      return { status: 0, body: null, text: String(error), headers: {} }
    }
  }

  /** Asks one process once, and goes away when the first bytes of its answer have come. Returns the status, 0 without an answer. */
  async leave(path: string, body: object, process: number, headers: Record<string, string>): Promise<number> {
    try {
      const answer = await request(this.#urls[process % this.#urls.length]! + path, {
        ...{ method: "POST", dispatcher: agent, headersTimeout: 20_000, bodyTimeout: 20_000 },
        headers: { authorization: `Bearer ${this.#key}`, "content-type": "application/json", ...headers },
        body: JSON.stringify(body)
      })
      for await (const _ of answer.body) break
      return answer.statusCode
    } catch {
      return 0
    }
  }

  /** Asks until there is an answer that is none of the server's failures: what is asked for may be done twice. */
  async insist(...[method, path, body, more]: Parameters<Client["ask"]>): Promise<Reply> {
    for (let attempt = 0; ; attempt++) {
      const reply = await this.ask(method, path, body, more)
      if ((reply.status > 0 && reply.status < 500 && reply.status !== 429) || attempt === 60) return reply
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }

  /** Every row of a list. */
  // biome-ignore lint/suspicious/noExplicitAny: each list has a shape of its own.
  async all(path: string, limit = 500): Promise<ReadonlyArray<any>> {
    const rows: Array<unknown> = []
    for (;;) {
      const sign = path.includes("?") ? "&" : "?"
      const { body, status, text } = await this.insist("GET", `${path}${sign}limit=${limit}&offset=${rows.length}`)
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
      rows.push(...body)
      if (body.length < limit) return rows
    }
  }
}
