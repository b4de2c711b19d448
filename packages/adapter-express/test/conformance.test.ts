/** What hosts differ in, through Express 5 and Express 4. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { trunkline } from "@trunkline/adapter-express"
import { sqlite } from "@trunkline/storage-sqlite"
import { HostSuite, SocketSuite, type Start, TransportSuite } from "@trunkline/testing/http"
import express, { type Request } from "express"
import { express4 } from "./Express4.ts"

type Express = typeof express

const parsersOf = (express: Express) => ({
  none: [],
  before: [express.json({ limit: "20mb" })],
  "before-with-raw": [
    express.json({
      limit: "20mb",
      verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes })
    })
  ]
})

const startOn =
  (express: Express): Start =>
  async (core, { authenticate, bodyParser = "none", prefix = "" }) => {
    const app = express()
    for (const parser of parsersOf(express)[bodyParser]) app.use(parser)
    const options = authenticate && { authenticate: (request: Request) => authenticate((name) => request.get(name)) }
    app.use(prefix === "" ? "/" : prefix, trunkline(core, options))
    app.get(["/host", `${prefix}/host`], (_request, response) => void response.send("host"))
    app.post("/host/echo", express.json(), (request, response) => void response.json(request.body))
    app.use((_request, response) => void response.status(404).send("no page of the host"))
    const server = app.listen(0, "127.0.0.1")
    server.on(
      "upgrade",
      (request, socket, head) =>
        core.upgrade(request, socket, head, { prefix }) ||
        socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nthe host's socket")
    )
    await once(server, "listening")
    return {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () => new Promise((resolve) => server.close(() => resolve()))
    }
  }

TransportSuite("express", startOn(express), () => sqlite(":memory:"))
HostSuite("express 4", startOn(express4), () => sqlite(":memory:"))
SocketSuite("express", startOn(express), () => sqlite(":memory:"))
