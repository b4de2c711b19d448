/** Handshakes of WebSockets as requests, whose answers a test reads. */
import { get, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http"

export interface Answered {
  readonly status: number
  readonly body: string
  /** Of the error; null without one. */
  readonly code: string | null
  readonly headers: IncomingHttpHeaders
}

const codeIn = (body: string): string | null => {
  try {
    return JSON.parse(body).error.code
  } catch {
    return null
  }
}

/** Asks for a WebSocket on the route of conversations, and closes it where it is given. */
export const handshake = (
  origin: string,
  headers: OutgoingHttpHeaders = {},
  path = "/v1/agent/converse"
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const upgrade = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="
    }
    get(`${origin}${path}`, { headers: { ...upgrade, ...headers } }, (response) => {
      let body = ""
      response
        .on("data", (data) => (body += data))
        .on("end", () => resolve({ status: response.statusCode!, body, code: codeIn(body), headers: response.headers }))
    })
      .on("upgrade", (response, socket) => {
        socket.destroy()
        resolve({ status: response.statusCode!, body: "", code: null, headers: response.headers })
      })
      .on("error", reject)
  })
