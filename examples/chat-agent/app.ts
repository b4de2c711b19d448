/**
 * An agent that answers a hotel's messages from what the hotel has written down (knowledge.md), inside a Fastify application.
 * `npm run try` (test/Try.ts) plays platform, model and guest, so that it can be seen at work without any account.
 */
import { readFileSync } from "node:fs"
import { trunkline } from "@trunkline/adapter-fastify"
import { createTrunkline } from "@trunkline/core"
import { cloudApi } from "@trunkline/providers/cloud-api"
import { openai } from "@trunkline/providers/openai"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import fastify from "fastify"

const needed = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === "") throw new Error(`Set ${name}: see README.md`)
  return value
}

const core = await createTrunkline({
  storage: sqlite(process.env.DATABASE ?? "chat-agent.db"),
  telephony: simulator(),
  encryptionKey: needed("ENCRYPTION_KEY"), // seals the platform's token
  messaging: {
    platform: cloudApi({ baseUrl: process.env.PLATFORM_URL ?? "https://graph.facebook.com/v23.0" }),
    appSecret: needed("APP_SECRET"),
    verifyToken: needed("VERIFY_TOKEN"),
    reply: { quietMs: Number(process.env.QUIET_MS ?? 1500) }
  },
  models: {
    upstreams: {
      models: openai({
        baseUrl: needed("MODELS_URL"),
        ...(process.env.MODELS_KEY ? { apiKey: process.env.MODELS_KEY } : {})
      })
    },
    routes: { "*": { upstream: "models" } }
  }
})

// One account with one agent. Everything goes over the same API that a customer of yours would use.
const account = (await core.admin.listAccounts())[0] ?? (await core.admin.createAccount({ name: "Lindenhof" }))
const { text: key } = await core.admin.createKey(account.id)
const api = async (method: string, path: string, body?: object): Promise<unknown> => {
  const answer = await core.fetch(
    new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? null : await answer.json()
}

type Named = { readonly id: string }
const bots = (await api("GET", "/bots")) as ReadonlyArray<Named>
const bot =
  bots[0] ??
  ((await api("POST", "/bots", {
    name: "Reception",
    system_prompt:
      "You are at the reception of the hotel Lindenhof. Be brief and friendly. Look up what you do not know, and never guess a price."
  })) as Named)
if (bots.length === 0) {
  for (const section of readFileSync(new URL("knowledge.md", import.meta.url), "utf8")
    .split(/^## /m)
    .slice(1)) {
    const [title = "", ...lines] = section.split("\n")
    await api("POST", `/bots/${bot.id}/knowledge`, { title, content: lines.join("\n").trim() })
  }
}
const number = (await api("POST", "/messaging/phone_numbers", {
  phone_number_id: needed("PHONE_NUMBER_ID"),
  business_account_id: needed("BUSINESS_ACCOUNT_ID"),
  access_token: needed("ACCESS_TOKEN")
})) as Named
await api("POST", `/messaging/phone_numbers/${number.id}/link-bot`, { bot_id: bot.id })

const app = fastify()
await app.register(trunkline(core, { start: true }))
await app.listen({ port: Number(process.env.PORT ?? 3000), host: "127.0.0.1" })
process.once("SIGTERM", () => app.close())
console.log("listening on", app.server.address())
console.log("the platform's callback URL is https://<your host>/api/v1/messaging/inbound")
