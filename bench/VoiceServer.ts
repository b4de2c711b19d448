/**
 * One of the servers that Voice asks, in a process of its own: the product on Fastify, or the floor, a bare `ws` and `undici`
 * program that requests the same reply and the same sound and does nothing else.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as fastifyAdapter from "@trunkline/adapter-fastify"
import { createTrunkline } from "@trunkline/core"
import { silero, sileroFault } from "@trunkline/providers/embedded"
import { openai } from "@trunkline/providers/openai"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import fastify from "fastify"
import { Agent, request as send } from "undici"
import { WebSocketServer } from "ws"
import { encryptionKey } from "./Database.ts"
import { type Memory, settled } from "./Memory.ts"

export type Asked = "cpu" | "watch" | "memory"
export interface Spent {
  /** Microseconds. */
  readonly cpu: number
  /** The longest standstill of the event loop since it was last asked, in milliseconds. */
  readonly stopped: number
}
export type ProcessMessage = { readonly port: number; readonly detector: string } | Spent | Memory

const [name, upstream, path] = process.argv.slice(2) as [string, string, string]
const baseUrl = `http://127.0.0.1:${upstream}/v1`

/** Silero where it is installed, or can be. */
const detectorThere = async () => {
  const provider = silero()
  const fault = sileroFault() ?? (await provider.ready().then(() => null, String))
  if (fault !== null) process.stderr.write(`  without Silero: ${fault}\n`)
  return fault === null ? provider : undefined
}

const detector = name === "floor" ? undefined : await detectorThere()

const product = async (): Promise<number> => {
  const core = await createTrunkline({
    storage: sqlite(path),
    telephony: simulator(),
    encryptionKey,
    limits: { perIpPerMinute: null },
    ...(detector === undefined ? {} : { voice: { detector } }),
    models: { upstreams: { loop: openai({ baseUrl }) }, routes: { "*": { upstream: "loop" } } }
  })
  const app = fastify()
  await app.register(fastifyAdapter.trunkline(core, { start: true }))
  await app.listen({ port: 0, host: "127.0.0.1" })
  return (app.server.address() as AddressInfo).port
}

const dispatcher = new Agent({ connections: 128 })
const post = async (path: string, body: object) => {
  const headers = { "content-type": "application/json" }
  return (await send(`${baseUrl}${path}`, { method: "POST", dispatcher, headers, body: JSON.stringify(body) })).body
}

/** The sentences of a reply, as they become whole. */
async function* sentences(content: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let lines = ""
  let text = ""
  const messages = [{ role: "user", content }]
  for await (const bytes of await post("/chat/completions", { model: "m", messages, stream: true })) {
    lines += decoder.decode(bytes as Buffer, { stream: true })
    for (let end = lines.indexOf("\n\n"); end >= 0; end = lines.indexOf("\n\n")) {
      const data = lines.slice(6, end)
      lines = lines.slice(end + 2)
      if (data === "[DONE]") continue
      text += JSON.parse(data).choices[0]?.delta.content ?? ""
      const sentence = /^.*?[.!?](?=\s|$)/.exec(text)?.[0]
      if (sentence === undefined) continue
      text = text.slice(sentence.length).trimStart()
      yield sentence
    }
  }
}

const floor = (): Promise<number> => {
  const server = createServer()
  new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) => {
    socket.send('{"type":"Welcome"}')
    socket.on("message", async (data) => {
      const { content, type } = JSON.parse(String(data))
      if (type === "Settings") return socket.send('{"type":"SettingsApplied"}')
      let speaking = Promise.resolve()
      for await (const input of sentences(content)) {
        speaking = speaking.then(async () => {
          for await (const sound of await post("/audio/speech", { model: "m", input, response_format: "pcm" }))
            socket.send(sound)
        })
      }
      await speaking
      socket.send('{"type":"AgentAudioDone"}')
    })
  })
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)))
}

const port = name === "floor" ? await floor() : await product()

const resolution = 10
const delay = monitorEventLoopDelay({ resolution })

process.on("message", (asked: Asked) => {
  if (asked === "memory") return void settled().then((memory) => process.send!(memory satisfies ProcessMessage))
  // It wakes the process up so often that nothing else is measured beside it.
  if (asked === "watch") delay.enable()
  else delay.disable()
  const { system, user } = process.cpuUsage()
  process.send!({ cpu: user + system, stopped: delay.max / 1e6 - resolution } satisfies ProcessMessage)
  delay.reset()
})
process.once("disconnect", () => process.exit())
process.send!({ port, detector: detector === undefined ? "energy" : "Silero" } satisfies ProcessMessage)
