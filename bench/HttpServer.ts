/** One of the servers that the HTTP benchmark asks: the product's or one by hand, on Fastify, on Express or on bare Node. */
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server as NodeServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as expressAdapter from "@trunkline/adapter-express"
import * as fastifyAdapter from "@trunkline/adapter-fastify"
import { createTrunkline } from "@trunkline/core"
import { nodeHandler } from "@trunkline/node"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import express, { type Request, type Response } from "express"
import fastify, { type FastifyReply, type FastifyRequest } from "fastify"
import { encryptionKey } from "./Database.ts"
import { type Answer, type HandRoutes, handRoutes, requestIdOf } from "./HandRoutes.ts"
import { campaignsPath, modelsPath } from "./Routes.ts"

export type Host = "fastify" | "express" | "node"
export type Author = "product" | "by hand"

const text = { type: "string" }
const integer = { type: "integer" }
const textOrNull = { type: "string", nullable: true }

const campaign = {
  type: "object",
  properties: {
    id: text,
    tenant_id: text,
    name: text,
    status: text,
    total_contacts: integer,
    completed_contacts: integer,
    failed_contacts: integer,
    timezone: text,
    quiet_hours_start: integer,
    quiet_hours_end: integer,
    max_attempts: integer,
    dial_mode: text,
    pace_seconds: integer,
    parallel_lines: integer,
    max_calls_per_day: { type: ["integer", "null"] },
    amd_enabled: { type: "boolean" },
    bot_id: textOrNull,
    from_number_id: textOrNull,
    scheduled_at: textOrNull,
    voicemail_template_id: textOrNull,
    created_at: text,
    updated_at: text
  }
}

/** With a schema Fastify writes an answer by a function made for its shape. */
const fastifyByHand = (routes: HandRoutes): Promise<number> => {
  const app = fastify()
  const send = (request: FastifyRequest, reply: FastifyReply, { body, status, total }: Answer) => {
    reply.code(status).header("x-request-id", requestIdOf(request.headers["x-request-id"]))
    if (total !== undefined) reply.header("x-total-count", String(total))
    reply.send(body)
  }
  app.get<{ Params: { id: string } }>(
    `${campaignsPath}/:id`,
    { schema: { response: { 200: campaign } } },
    (request, reply) => send(request, reply, routes.read(request.headers.authorization, request.params.id))
  )
  app.get<{ Querystring: { limit?: string } }>(
    campaignsPath,
    { schema: { response: { 200: { type: "array", items: campaign } } } },
    (request, reply) => send(request, reply, routes.list(request.headers.authorization, request.query.limit))
  )
  app.post(campaignsPath, { schema: { response: { 201: campaign } } }, (request, reply) =>
    send(request, reply, routes.create(request.headers.authorization, request.body))
  )
  app.get(modelsPath, (request, reply) => send(request, reply, routes.models(request.headers.authorization)))
  return app.listen({ port: 0, host: "127.0.0.1" }).then(() => portOf(app.server))
}

const expressByHand = (routes: HandRoutes): Promise<number> => {
  const app = express()
  app.use(express.json())
  const send = (request: Request, response: Response, { body, status, total }: Answer) => {
    response.status(status).set("x-request-id", requestIdOf(request.headers["x-request-id"]))
    if (total !== undefined) response.set("x-total-count", String(total))
    response.json(body)
  }
  app.get(`${campaignsPath}/:id`, (request, response) =>
    send(request, response, routes.read(request.headers.authorization, request.params.id as string))
  )
  app.get(campaignsPath, (request, response) =>
    send(request, response, routes.list(request.headers.authorization, request.query.limit as string | undefined))
  )
  app.post(campaignsPath, (request, response) =>
    send(request, response, routes.create(request.headers.authorization, request.body))
  )
  app.get(modelsPath, (request, response) => send(request, response, routes.models(request.headers.authorization)))
  return listening(createServer(app))
}

const nodeByHand = (routes: HandRoutes): Promise<number> => {
  const send = (request: IncomingMessage, response: ServerResponse, { body, status, total }: Answer) => {
    const json = JSON.stringify(body)
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(json),
      "x-request-id": requestIdOf(request.headers["x-request-id"]),
      ...(total === undefined ? {} : { "x-total-count": String(total) })
    })
    response.end(json)
  }
  const answer = (request: IncomingMessage, body: string): Answer => {
    const { authorization } = request.headers
    const [path = "", query] = request.url!.split("?")
    if (path === modelsPath) return routes.models(authorization)
    if (path !== campaignsPath) return routes.read(authorization, path.slice(campaignsPath.length + 1))
    if (request.method === "POST") return routes.create(authorization, JSON.parse(body))
    return routes.list(authorization, new URLSearchParams(query).get("limit") ?? undefined)
  }
  return listening(
    createServer((request, response) => {
      if (request.method === "GET") return send(request, response, answer(request, ""))
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => send(request, response, answer(request, Buffer.concat(chunks).toString())))
    })
  )
}

const portOf = (server: NodeServer): number => (server.address() as AddressInfo).port

const listening = (server: NodeServer): Promise<number> =>
  new Promise((resolve, reject) => {
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => resolve(portOf(server)))
  })

const product = (path: string) =>
  createTrunkline({ storage: sqlite(path), telephony: simulator(), encryptionKey, limits: { perIpPerMinute: null } })

const productOn: Readonly<Record<Host, (path: string) => Promise<number>>> = {
  fastify: async (path) => {
    const app = fastify()
    await app.register(fastifyAdapter.trunkline(await product(path)))
    await app.listen({ port: 0, host: "127.0.0.1" })
    return portOf(app.server)
  },
  express: async (path) => {
    const app = express()
    app.use(expressAdapter.trunkline(await product(path)))
    return listening(createServer(app))
  },
  node: async (path) => listening(createServer(nodeHandler(await product(path))))
}

const byHandOn: Readonly<Record<Host, (routes: HandRoutes) => Promise<number>>> = {
  fastify: fastifyByHand,
  express: expressByHand,
  node: nodeByHand
}

const [host, author, path, modelsFile] = process.argv.slice(2) as [Host, Author, string, string]

const port =
  author === "product"
    ? await productOn[host](path)
    : await byHandOn[host](handRoutes(path, JSON.parse(readFileSync(modelsFile, "utf8"))))

// The benchmark asks how much this process has worked so far, in microseconds.
process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.({ cpu: user + system })
})
process.on("disconnect", () => process.exit(0))
process.send?.({ port })
