/** A product with an agent on a connected number, and the deliveries of a platform to it. */
import { createHmac } from "node:crypto"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import { request } from "undici"
import { messageOf, start } from "./Children.ts"
import { database, encryptionKey } from "./Database.ts"
import type { Memory } from "./Memory.ts"

export const appSecret = "the app secret of an installation for benchmarks"
const phoneNumberId = "106540352242922"

export interface World {
  readonly origin: string
  readonly upstream: string
  readonly headers: Readonly<Record<string, string>>
  /** Requests that the model has not answered, or messages that the platform has taken. */
  readonly count: (what: "waiting" | "sent") => Promise<number>
  /** Of the server, when everything is collected that can be. */
  readonly memory: () => Promise<Memory>
  readonly stop: () => void
}

/** `lateMs`: how long the model takes; -1 for ever. */
export const world = async (home: string, lateMs: number): Promise<World> => {
  const path = await database(home, `chat-${crypto.randomUUID()}.db`)
  const core = await createTrunkline({ storage: sqlite(path), telephony: simulator(), encryptionKey })
  const { id } = await core.admin.createAccount({ name: "Bench", plan: "enterprise" })
  const { text: key } = await core.admin.createKey(id, {})
  await core.stop()
  const other = start("ChatUpstream.ts", [String(lateMs)])
  const upstream = await messageOf<{ readonly port: number }>(other)
  const server = start("ChatServer.ts", [String(upstream.port), path])
  const { port } = await messageOf<{ readonly port: number }>(server)
  const origin = `http://127.0.0.1:${port}`
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const post = async (path: string, body: object): Promise<{ readonly id: string }> => {
    const answer = await request(`${origin}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${await answer.body.text()}`)
    return (await answer.body.json()) as { readonly id: string }
  }
  const bot = await post("/bots", { name: "Bench", system_prompt: "You answer guests of a hotel." })
  const number = await post("/messaging/phone_numbers", {
    phone_number_id: phoneNumberId,
    business_account_id: "102290129340398",
    access_token: "EAAG-bench",
    display_phone_number: "+1 555 078 3881"
  })
  await post(`/messaging/phone_numbers/${number.id}/link-bot`, { bot_id: bot.id })
  return {
    origin,
    headers,
    upstream: `http://127.0.0.1:${upstream.port}`,
    count: async (what) => {
      other.send(what)
      return (await messageOf<{ readonly count: number }>(other)).count
    },
    memory: async () => {
      server.send("memory")
      return messageOf<Memory>(server)
    },
    stop: () => {
      server.disconnect()
      other.disconnect()
    }
  }
}

let made = 0

/** One delivery of the platform's with a text of each customer, signed. */
export const delivery = (customers: ReadonlyArray<string>) => {
  const messages = customers.map((from) => {
    made += 1
    return {
      from,
      id: `wamid.HBgLBENCH${made}`,
      timestamp: String(Math.floor(Date.now() / 1000)),
      type: "text",
      text: { body: `Good morning! Is there a room with a view for two on Friday, and what does it cost? (${made})` }
    }
  })
  const body = JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: "102290129340398",
        changes: [
          {
            field: "messages",
            value: {
              messaging_product: "whatsapp",
              metadata: { display_phone_number: "15550783881", phone_number_id: phoneNumberId },
              contacts: customers.map((from) => ({ profile: { name: "A guest" }, wa_id: from })),
              messages
            }
          }
        ]
      }
    ]
  })
  const signature = createHmac("sha256", appSecret).update(body).digest("hex")
  return {
    body,
    headers: { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` }
  }
}

export const customer = (n: number): string => `1650555${String(n).padStart(5, "0")}`

export const percentile = (values: ReadonlyArray<number>, part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * part) - 1)]!

export const sent = { phoneNumberId }
