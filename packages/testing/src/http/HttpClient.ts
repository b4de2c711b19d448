/** A client that sends exactly the given bytes, and compares every answer with the published contract. */
import * as Http from "node:http"
import { isObject } from "@trunkline/core/provider"
import type { Contract } from "./Contract.ts"
import type { Answer, Sent } from "./Exchange.ts"

export type { Answer, Fields, Sent } from "./Exchange.ts"

/** Where requests go. */
export interface Reached {
  /** Scheme, host and port. */
  readonly origin: string
  /** Answers a request from an address where it needs no connection. */
  readonly answer?: (request: Request, from: string) => Promise<Response>
}

export interface HttpClient {
  /** Sends to a path below the mount point. An answer that the contract does not describe fails the test. */
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Answer>
  /** Sends to a path of the host. */
  readonly host: (method: string, path: string, sent?: Sent) => Promise<Answer>
  /** Begins a request and goes away in its middle: `written` bytes are sent of the many more that were announced. */
  readonly abandon: (method: string, path: string, sent: Sent & { readonly written: string }) => Promise<void>
}

const bytesOf = ({ body, json }: Sent): string | Uint8Array | undefined =>
  json === undefined ? body : JSON.stringify(json)

const headersOf = (sent: Sent, bytes: string | Uint8Array | undefined): Http.OutgoingHttpHeaders => ({
  ...(sent.key === undefined ? {} : { authorization: `Bearer ${sent.key}` }),
  ...(sent.json === undefined ? {} : { "content-type": "application/json" }),
  ...(bytes === undefined || sent.chunked ? {} : { "content-length": String(Buffer.byteLength(bytes)) }),
  ...sent.headers
})

/** Asks without a connection. */
const asking =
  (origin: string, answer: NonNullable<Reached["answer"]>) =>
  async (method: string, path: string, sent: Sent): Promise<Answer> => {
    const bytes = bytesOf(sent)
    const headers = new Headers(Object.entries(headersOf(sent, bytes)).map(([name, value]) => [name, String(value)]))
    const body = bytes === undefined ? {} : { body: bytes as BodyInit }
    const request = new Request(origin + path, { method, headers, ...body })
    const response = await answer(request, sent.from ?? "127.0.0.1")
    const received = Buffer.from(await response.arrayBuffer())
    const text = received.toString()
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      bytes: received,
      ...parsed(text)
    }
  }

/** `explain` says what the product has logged: no scenario expects it to fail. */
export const httpClient = (
  { answer, origin }: Reached,
  prefix: string,
  contract: Contract,
  explain: () => string
): HttpClient => {
  const { hostname, port } = new URL(origin)

  const begin = (method: string, path: string, sent: Sent) => {
    const bytes = bytesOf(sent)
    const { agent = false, from } = sent
    const request = Http.request({
      ...{ agent, hostname, port, method, path, headers: headersOf(sent, bytes) },
      ...(from === undefined ? {} : { localAddress: from })
    })
    return { request, bytes }
  }

  const connecting = (method: string, path: string, sent: Sent): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { bytes, request } = begin(method, path, sent)
      let answered = false
      request.on("response", (response) => {
        answered = true
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () => {
          const bytes = Buffer.concat(chunks)
          const text = bytes.toString()
          resolve({ status: response.statusCode!, headers: response.headers, text, bytes, ...parsed(text) })
        })
      })
      // A server that refuses a body may close before all of it is written; its answer is what counts.
      request.on("error", (error) => (answered ? undefined : reject(error)))
      if (bytes !== undefined) request.write(bytes)
      request.end()
    })

  const exchange = answer === undefined ? connecting : asking(origin, answer)

  return {
    send: async (method, path, sent = {}) => {
      const answer = await exchange(method, prefix + path, sent)
      if (answer.status === 500 && sent.fails === true) return answer
      if (answer.status === 500) throw new Error(`${method} ${path} failed inside the product:\n${explain()}`)
      contract.check(method, path, sent, answer)
      return answer
    },
    host: (method, path, sent = {}) => connecting(method, path, sent),
    abandon: (method, path, { written, ...sent }) =>
      new Promise((resolve, reject) => {
        const headers = { "content-length": "100000", ...sent.headers }
        const { request } = begin(method, prefix + path, { ...sent, headers })
        request.on("error", () => resolve())
        request.on("response", () => reject(new Error("a request that never ended was answered")))
        request.write(written, () => setTimeout(() => request.destroy(), 50))
      })
  }
}

const parsed = (text: string): Pick<Answer, "body" | "items"> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  return {
    body: isObject(value) ? value : {},
    items: Array.isArray(value) ? value : []
  }
}
