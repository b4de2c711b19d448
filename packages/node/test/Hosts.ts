/** Hosts without a framework: Node's own server, one that speaks the fetch API, and none, where no connection is needed. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Trunkline } from "@trunkline/core"
import { nodeHandler } from "@trunkline/node"
import type { Served, Start } from "@trunkline/testing/http"

const listen = async (listener: RequestListener, prepare: (server: Server) => void = () => {}): Promise<Served> => {
  const server = createServer(listener)
  prepare(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve()))
  }
}

/** What such a host does with a request that is not the product's. */
const own = (mount: string, request: IncomingMessage, response: ServerResponse): void => {
  if (request.url === "/host" || request.url === `${mount}/host`) response.end("host")
  else if (request.url === "/host/echo") request.pipe(response)
  else response.writeHead(404).end("no page of the host")
}

/** The path below the mount point when the product has it. */
const below = (core: Trunkline, mount: string, target: string): string | undefined => {
  const path = target.startsWith(mount) ? target.slice(mount.length) : ""
  return core.matches(path.split("?")[0]!) ? path : undefined
}

export const startNode: Start = (core, { authenticate, prefix: mount = "" }) => {
  const handle = nodeHandler(core)
  const answer: RequestListener = (request, response) => {
    const path = below(core, mount, request.url!)
    if (path === undefined) return own(mount, request, response)
    const header = (name: string) => request.headers[name] as string | undefined
    handle(request, response, { path, principal: authenticate && (() => authenticate(header)) })
  }
  return listen(answer, (server) => {
    server.on(
      "upgrade",
      (request, socket, head) =>
        core.upgrade(request, socket, head, { prefix: mount }) ||
        socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nthe host's socket")
    )
  })
}

export const startFetch: Start = (core, { authenticate, prefix: mount = "" }) =>
  listen(async (request, response) => {
    const path = below(core, mount, request.url!)
    if (path === undefined) return own(mount, request, response)
    const gone = new AbortController()
    response.on("close", () => response.writableEnded || gone.abort())
    const hasBody =
      request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined
    const asked = new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method!,
      headers: new Headers(Object.entries(request.headers) as Array<[string, string]>),
      signal: gone.signal,
      ...(hasBody && request.method !== "GET"
        ? { body: Readable.toWeb(request) as ReadableStream, duplex: "half" }
        : {})
    } as RequestInit)
    const answer = await core.fetch(asked, {
      clientAddress: request.socket.remoteAddress,
      ...(mount === "" ? {} : { path }),
      principal: authenticate && (() => authenticate((name) => asked.headers.get(name) ?? undefined))
    })
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), connection: "close" })
    if (answer.body === null) response.end()
    else await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => {})
  })

/** No host: requests are answered by the product itself. What needs a connection has one that speaks the fetch API. */
export const startAlone: Start = async (core, options) => {
  const { authenticate, prefix = "" } = options
  const { origin, ...served } = await startFetch(core, options)
  return {
    ...served,
    origin,
    answer: (request, clientAddress) =>
      core.fetch(request, {
        clientAddress,
        ...(prefix === "" ? {} : { path: request.url.slice(origin.length + prefix.length) }),
        principal: authenticate && (() => authenticate((name) => request.headers.get(name) ?? undefined))
      })
  }
}
