/** The route of the example on a port: what Next, which is no dependency of this repository, does between a socket and a route. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream } from "node:stream/web"
import { DELETE, GET, PATCH, POST, PUT } from "../app/phone/[...path]/route.ts"

type Handler = (request: Request) => Promise<Response>

/** Next answers HEAD by the function for GET. */
const handlers: Readonly<Record<string, Handler>> = { DELETE, GET, HEAD: GET, PATCH, POST, PUT }

const requestOf = (request: IncomingMessage, signal: AbortSignal): Request => {
  const { headers, method = "GET", url = "/" } = request
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one])
  )
  const hasBody = method !== "GET" && method !== "HEAD"
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: given,
    signal,
    ...(hasBody ? { body: Readable.toWeb(request) as BodyInit, duplex: "half" } : {})
  } as RequestInit)
}

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const gone = new AbortController()
  response.once("close", () => gone.abort())
  const handler = handlers[request.method ?? ""]
  if (handler === undefined || !request.url?.startsWith("/phone/")) return void response.writeHead(404).end()
  const answer = await handler(requestOf(request, gone.signal))
  response.statusCode = answer.status
  for (const [name, value] of answer.headers) response.appendHeader(name, value)
  if (answer.body === null) return void response.end()
  // A browser that has left does not read to the end.
  await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(() => undefined)
}

export interface RouteServer {
  readonly url: string
  readonly close: () => Promise<void>
}

export const startRouteServer = async (): Promise<RouteServer> => {
  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
}
