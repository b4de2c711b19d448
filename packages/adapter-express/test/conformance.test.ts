/** The HTTP suite through Express. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { trunkline } from "@trunkline/adapter-express"
import { sqlite } from "@trunkline/storage-sqlite"
import { HttpSuite, type Start } from "@trunkline/testing/http"
import express from "express"

const parsers = {
  none: [],
  before: [express.json({ limit: "20mb" })],
  "before-with-raw": [
    express.json({
      limit: "20mb",
      verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes })
    })
  ]
}

const start: Start = async (core, { bodyParser = "none", prefix = "" }) => {
  const app = express()
  for (const parser of parsers[bodyParser]) app.use(parser)
  app.use(prefix === "" ? "/" : prefix, trunkline(core))
  app.get(["/host", `${prefix}/host`], (_request, response) => void response.send("host"))
  app.post("/host/echo", express.json(), (request, response) => void response.json(request.body))
  app.use((_request, response) => void response.status(404).send("no page of the host"))
  const server = app.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve()))
  }
}

HttpSuite("express", start, () => sqlite(":memory:"))
