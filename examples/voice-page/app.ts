/** A page on which people speak to an agent: it has the microphone, this server the key. See README.md. */
import { readFileSync } from "node:fs"
import { trunkline } from "@trunkline/adapter-fastify"
import { createTrunkline } from "@trunkline/core"
import { embedded, silero } from "@trunkline/providers/embedded"
import { openai } from "@trunkline/providers/openai"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import fastify from "fastify"

const { ENCRYPTION_KEY, LLM_API_KEY, LLM_BASE_URL, LLM_MODEL, PORT } = process.env
const page = readFileSync(new URL("./index.html", import.meta.url), "utf8")

const core = await createTrunkline({
  storage: sqlite("voice-page.db"),
  telephony: simulator(),
  encryptionKey: ENCRYPTION_KEY!, // `openssl rand -base64 32`, the same at every start
  voice: { detector: silero() },
  models: {
    fallback: embedded(), // hears and speaks English on this machine
    upstreams: {
      thinker: openai({
        serves: ["llm"],
        baseUrl: LLM_BASE_URL ?? "http://127.0.0.1:11434/v1", // where Ollama listens
        ...(LLM_API_KEY ? { apiKey: LLM_API_KEY } : {})
      })
    },
    routes: { "oss-120b": { upstream: "thinker", ...(LLM_MODEL ? { model: LLM_MODEL } : {}) } }
  }
})

const account = (await core.admin.listAccounts())[0] ?? (await core.admin.createAccount({ name: "Linden hotel" }))
const { text: key } = await core.admin.createKey(account.id)
const post = async (path: string, body: object): Promise<{ readonly id: string; readonly token: string }> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const answer = await core.fetch(
    new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  )
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { readonly id: string; readonly token: string }
}

const bot = await post("/api/v1/bots", {
  name: "Linden hotel",
  system_prompt: "You answer for the Linden hotel. A double room is ninety euros with breakfast, parking is free.",
  config: { greeting: "Good morning, this is the Linden hotel. How can I help you?", model: "oss-120b" }
})

const app = fastify()
app.get("/", (_request, reply) => reply.type("text/html").send(page))
// Your own sign-in belongs before this route: a session costs what its models cost.
app.post("/session", async () => {
  const { token } = await post("/v1/voice/sessions", { bot_id: bot.id, max_duration_seconds: 300 })
  return { token }
})
await app.register(trunkline(core, { start: true }))
await app.listen({ port: Number(PORT ?? 3000) })
console.log("listening on", app.server.address())
console.log("open the page on this machine: browsers give a microphone to localhost and https alone")
process.once("SIGTERM", () => app.close())
