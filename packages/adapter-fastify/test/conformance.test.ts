/** What hosts differ in, through Fastify. */
import { trunkline } from "@trunkline/adapter-fastify"
import { sqlite } from "@trunkline/storage-sqlite"
import { SocketSuite, type Start, TransportSuite } from "@trunkline/testing/http"
import fastify from "fastify"

declare module "fastify" {
  interface FastifyRequest {
    header: (name: string) => string | undefined
  }
}

const start: Start = async (core, { authenticate, prefix = "" }) => {
  const app = fastify()
  app.get("/host", () => "host")
  if (prefix !== "") app.get(`${prefix}/host`, () => "host")
  app.post("/host/echo", (request) => request.body)
  app.setNotFoundHandler((_request, reply) => reply.code(404).send("no page of the host"))
  app.decorateRequest("header", null as never)
  app.addHook("onRequest", async (request) => {
    request.header = (name) => request.headers[name] as string | undefined
  })
  await app.register(trunkline(core, authenticate && { authenticate: ({ header }) => authenticate(header) }), {
    prefix
  })
  return { origin: await app.listen({ host: "127.0.0.1", port: 0 }), close: () => app.close() }
}

TransportSuite("fastify", start, () => sqlite(":memory:"))

/** The host's own sockets: the plugin serves its own, and no others. */
const startWithSocket: Start = async (core, { prefix = "" }) => {
  const app = fastify()
  app.get("/host", () => "host")
  app.server.on("upgrade", ({ url }, socket) => {
    if (url === "/host/socket" || (prefix !== "" && url?.startsWith("/v1/") === true)) {
      socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nthe host's socket")
    }
  })
  await app.register(trunkline(core), { prefix })
  return { origin: await app.listen({ host: "127.0.0.1", port: 0 }), close: () => app.close() }
}

SocketSuite("fastify", startWithSocket, () => sqlite(":memory:"))
