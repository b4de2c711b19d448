/** A product whose models follow a script, behind a server that keeps the bodies that are sent to it. */
import { once } from "node:events"
import { createServer, request as httpRequest, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createTrunkline } from "@trunkline/core"
import { isObject, type LlmApi } from "@trunkline/core/provider"
import { nodeHandler } from "@trunkline/node"
import { openai } from "@trunkline/providers/openai"
import { sqlite } from "@trunkline/storage-sqlite"
import { startFakeLlmServer, type UpstreamCall } from "@trunkline/testing/upstreams"
import { type ScriptedCall, scripted } from "./ScriptedModel.ts"

type Json = { readonly [name: string]: unknown }

/** A request of an agent, and the status that it was answered with. */
export interface Asked {
  readonly path: string
  readonly body: Json
  status: number | null
  /** Of a refusal. */
  answer: string
}

export interface AgentWorld {
  readonly origin: string
  readonly key: string
  readonly asked: ReadonlyArray<Asked>
  /** What came to the models' server. */
  readonly there: ReadonlyArray<UpstreamCall>
  readonly close: () => Promise<void>
}

export const upstreamApis = ["chat_completions", "messages", "responses"] as const satisfies ReadonlyArray<LlmApi>

/** The model whose server has one API alone. */
export const modelOf = (api: LlmApi): string => `${api}-model`

const catalogue = upstreamApis.map((api) => ({
  ...{ id: modelOf(api), category: "llm", vision: true, tiers: ["enterprise"] },
  price: { input_usd_per_million_tokens: 1, output_usd_per_million_tokens: 4 },
  limits: { max_output_tokens: 100_000 }
}))

const listening = async (listener: RequestListener): Promise<Server> => {
  const server = createServer(listener)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return server
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

export const openAgentWorld = async (script: ReadonlyArray<ScriptedCall>): Promise<AgentWorld> => {
  const there = await startFakeLlmServer()
  there.says(scripted(script))
  const at = { baseUrl: `${there.origin}/v1`, apiKey: "sk-of-the-operator" }
  const core = await createTrunkline({
    storage: sqlite(":memory:"),
    encryptionKey: "a key for the secrets of this run of agents",
    models: {
      catalogue: { models: catalogue },
      upstreams: Object.fromEntries(upstreamApis.map((api) => [api, openai({ ...at, apis: [api] })])),
      routes: Object.fromEntries(upstreamApis.map((api) => [modelOf(api), { upstream: api }]))
    }
  })
  const { id } = await core.admin.createAccount({ name: "Agents", plan: "enterprise" })
  const { text: key } = await core.admin.createKey(id)
  const handle = nodeHandler(core)
  const product = await listening((request, response) => void handle(request, response))
  const asked: Array<Asked> = []
  const front = await listening(passingTo(portOf(product), asked))
  return {
    ...{ key, asked, there: there.calls, origin: `http://127.0.0.1:${portOf(front)}` },
    close: async () => {
      for (const server of [front, product]) {
        server.closeAllConnections()
        server.close()
      }
      await core.stop()
      await there.close()
    }
  }
}

/** Passes requests on, and keeps what was in them. */
const passingTo =
  (port: number, asked: Array<Asked>): RequestListener =>
  async (request, response) => {
    const { headers, method, url: path = "" } = request
    const bytes = Buffer.concat(await request.toArray())
    const body: unknown = bytes.length === 0 ? {} : JSON.parse(bytes.toString())
    const kept: Asked = { path, body: isObject(body) ? body : {}, status: null, answer: "" }
    asked.push(kept)
    const passed = httpRequest({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      const { headers, statusCode = 0 } = answer
      kept.status = statusCode
      if (statusCode >= 400) answer.on("data", (piece) => (kept.answer += String(piece)))
      response.writeHead(statusCode, headers)
      answer.pipe(response)
    })
    response.on("close", () => passed.destroy())
    passed.on("error", () => response.destroy())
    passed.end(bytes)
  }
