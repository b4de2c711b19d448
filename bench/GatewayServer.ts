/**
 * One of the servers that Gateway asks, in a process of its own: the product on Fastify (with its workers where it is called `batches`), or routes by hand that pass an
 * upload or a chat through to the upstream, and its answer back as it comes, with the client that the product uses, and do
 * nothing else.
 */
import type { AddressInfo } from "node:net"
import * as fastifyAdapter from "@trunkline/adapter-fastify"
import { createTrunkline } from "@trunkline/core"
import { audioLength } from "@trunkline/node"
import { openai } from "@trunkline/providers/openai"
import { simulator } from "@trunkline/providers/simulator"
import { postgres } from "@trunkline/storage-postgres"
import { sqlite } from "@trunkline/storage-sqlite"
import fastify from "fastify"
import { Agent, request as send } from "undici"
import { encryptionKey } from "./Database.ts"
import { type Memory, settled } from "./Memory.ts"

export type Asked = "cpu" | "peak" | "memory"
export type ProcessMessage = { readonly port: number } | { readonly cpu: number } | { readonly peak: number } | Memory

const [name, upstream, path] = process.argv.slice(2) as [string, string, string]

/** A file, or the URL of a server. */
const storageOf = (where: string) => (where.startsWith("postgres:") ? postgres(where) : sqlite(where))

const product = async () => {
  const core = await createTrunkline({
    storage: storageOf(path),
    telephony: simulator(),
    encryptionKey,
    limits: { perIpPerMinute: null },
    audioLength: audioLength(),
    models: {
      upstreams: { loop: openai({ baseUrl: `http://127.0.0.1:${upstream}/v1` }) },
      routes: { "*": { upstream: "loop" } }
    }
  })
  const app = fastify()
  await app.register(fastifyAdapter.trunkline(core, { start: name === "batches" }))
  return app
}

const passThrough = () => {
  const app = fastify({ bodyLimit: 64 * 1024 * 1024 })
  const dispatcher = new Agent({ connections: 128 })
  app.addContentTypeParser("multipart/form-data", (_request, payload, done) => done(null, payload))
  app.post("/v1/audio/transcriptions", async (request, reply) => {
    const answer = await send(`http://127.0.0.1:${upstream}/v1/audio/transcriptions`, {
      method: "POST",
      dispatcher,
      headers: {
        "content-type": request.headers["content-type"]!,
        "content-length": request.headers["content-length"]!
      },
      body: request.body as NodeJS.ReadableStream as never
    })
    const body = await answer.body.text()
    reply.code(answer.statusCode).header("content-type", "application/json").send(body)
  })
  app.removeContentTypeParser("application/json")
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, payload, done) => done(null, payload))
  app.post("/v1/chat/completions", async (request, reply) => {
    const { body, headers, statusCode } = await send(`http://127.0.0.1:${upstream}/v1/chat/completions`, {
      method: "POST",
      dispatcher,
      headers: { "content-type": "application/json" },
      body: request.body as Buffer
    })
    const contentType = String(headers["content-type"])
    const isStreamed = contentType.startsWith("text/event-stream")
    return reply
      .code(statusCode)
      .header("content-type", contentType)
      .send(isStreamed ? body : await body.text())
  })
  return app
}

const app = name === "by hand" ? passThrough() : await product()
await app.listen({ port: 0, host: "127.0.0.1" })

/** The most that the process has had since it was last asked. */
let peak = 0
let isWatching = false
const watch = (): void => {
  peak = Math.max(peak, process.memoryUsage.rss())
}

process.on("message", (asked: Asked) => {
  const { system, user } = process.cpuUsage()
  if (asked === "cpu") process.send!({ cpu: user + system } satisfies ProcessMessage)
  else if (asked === "memory") void settled().then((memory) => process.send!(memory satisfies ProcessMessage))
  else {
    if (!isWatching) setInterval(watch, 5).unref()
    isWatching = true
    watch()
    process.send!({ peak } satisfies ProcessMessage)
    peak = 0
  }
})
process.once("disconnect", () => process.exit())
process.send!({ port: (app.server.address() as AddressInfo).port } satisfies ProcessMessage)
