/** A client that sends exactly the given bytes, and compares every answer with the published contract. */
import * as Http from "node:http"
import { isObject } from "@trunkline/core/effect"
import type { Contract } from "./Contract.ts"
import type { Answer, Sent } from "./Exchange.ts"

export type { Answer, Fields, Sent } from "./Exchange.ts"

export interface HttpClient {
  /** Sends to a path below the mount point. An answer that the contract does not describe fails the test. */
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Answer>
  /** Sends to a path of the host. */
  readonly host: (method: string, path: string, sent?: Sent) => Promise<Answer>
  /** Begins a request and goes away in its middle: `written` bytes are sent of the many more that were announced. */
  readonly abandon: (method: string, path: string, sent: Sent & { readonly written: string }) => Promise<void>
}

/** `explain` says what the product has logged: no scenario expects it to fail. */
export const httpClient = (origin: string, prefix: string, contract: Contract, explain: () => string): HttpClient => {
  const { hostname, port } = new URL(origin)

  const begin = (method: string, path: string, { agent, body, chunked = false, from, headers, json, key }: Sent) => {
    const bytes = json === undefined ? body : JSON.stringify(json)
    const request = Http.request({
      agent: agent ?? false,
      hostname,
      port,
      method,
      path,
      ...(from === undefined ? {} : { localAddress: from }),
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...(bytes === undefined || chunked ? {} : { "content-length": String(Buffer.byteLength(bytes)) }),
        ...headers
      }
    })
    return { request, bytes }
  }

  const exchange = (method: string, path: string, sent: Sent): Promise<Answer> =>
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

  return {
    send: async (method, path, sent = {}) => {
      const answer = await exchange(method, prefix + path, sent)
      if (answer.status === 500) throw new Error(`${method} ${path} failed inside the product:\n${explain()}`)
      contract.check(method, path, sent, answer)
      return answer
    },
    host: (method, path, sent = {}) => exchange(method, path, sent),
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
