/** An answer that a test reads while it comes. */
import * as Http from "node:http"
import type { HttpWorld } from "./HttpWorld.ts"

export interface OpenedAnswer {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  /** The next bytes; null at the end. Fails where the connection is closed before it. */
  readonly read: () => Promise<Buffer | null>
  /** Closes the connection. */
  readonly leave: () => void
}

export const openAnswer = (
  world: HttpWorld,
  path: string,
  json: object,
  headers: Http.OutgoingHttpHeaders = {}
): Promise<OpenedAnswer> =>
  new Promise((resolve, reject) => {
    const request = Http.request(world.served.origin + path, {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${world.key}`, "content-type": "application/json", ...headers }
    })
    request.on("error", reject)
    request.on("response", (response) => {
      const pieces = response.iterator()
      resolve({
        status: response.statusCode!,
        headers: response.headers,
        read: async () => {
          const { done, value } = await pieces.next()
          return done === true ? null : value
        },
        leave: () => request.destroy()
      })
    })
    request.end(JSON.stringify(json))
  })
