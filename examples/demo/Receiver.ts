/** Somebody's endpoint on this machine: it proves who has sent what arrives, and counts. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { type VerifyOptions, verifyWebhook } from "@trunkline/core/domain"

interface Refused {
  /** As an unproven header says. */
  readonly event: string
  readonly why: string
}

/** What a stranger would like to be believed. */
export const forged = "payment.succeeded"

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

export class Receiver {
  readonly url: string
  /** What was sent by who knows the secret: the events by the ids of their deliveries, so that a repetition counts once. */
  readonly verified = new Map<string, string>()
  readonly refused: Array<Refused> = []
  readonly #server: Server
  readonly #options: () => VerifyOptions
  #secret = ""
  #last: IncomingHttpHeaders = {}

  private constructor(server: Server, options: () => VerifyOptions) {
    this.#server = server
    this.#options = options
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
    server.on("request", async (request, response) => {
      response.writeHead(this.#take(request.headers, await bodyOf(request))).end()
    })
  }

  /** Listens on a port that is free. */
  static readonly open = (options: () => VerifyOptions): Promise<Receiver> =>
    new Promise((resolve) => {
      const server = createServer()
      server.listen(0, "127.0.0.1", () => resolve(new Receiver(server, options)))
    })

  /** From now on what is signed with this secret is believed. */
  trust(secret: string): void {
    this.#secret = secret
  }

  #take(headers: IncomingHttpHeaders, body: Buffer): number {
    const result = verifyWebhook(this.#secret, headers, body, this.#options())
    if (!result.ok) {
      this.refused.push({ event: String(headers["x-service-event"]), why: result.message })
      return 401
    }
    this.#last = headers
    this.verified.set(result.deliveryId ?? "", result.event ?? "")
    return 204
  }

  /** What a stranger would do who has seen a request: copies its headers, over a body of their own. */
  async forge(): Promise<void> {
    const seen = Object.entries(this.#last).filter(([name]) => /^(x-service|webhook)-/.test(name))
    const headers = {
      ...Object.fromEntries(seen.map(([name, value]) => [name, String(value)])),
      "x-service-event": forged
    }
    const body = JSON.stringify({ event: forged, data: { payment_id: "p1" }, timestamp: new Date().toISOString() })
    await fetch(this.url, { method: "POST", headers, body })
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }
}
