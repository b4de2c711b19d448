/**
 * The platform of the benchmark of template campaigns, in a process of its own: it takes every message after a moment, and notes when
 * it came. Once it is asked to, it reports three times of each.
 */
import { createHmac } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Pool } from "undici"
import { appSecret } from "./ChatWorld.ts"

const answerMs = Number(process.argv[2] ?? 0)

/** What it is asked for: when messages came, or to report to the product at this port. */
export type Asked = "came" | { readonly reportTo: number }

export type ProcessMessage =
  | { readonly port: number }
  /** `reports`: how long the product has taken to answer each report, in milliseconds. */
  | { readonly came: ReadonlyArray<number>; readonly reports: ReadonlyArray<number> }

const phoneNumberId = "106540352242922"

const template = {
  id: "5940001",
  name: "order_sent",
  language: "en",
  status: "APPROVED",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Hello {{1}}, your order is on its way." }]
}

const facts = {
  id: phoneNumberId,
  display_phone_number: "+1 555 078 3881",
  status: "CONNECTED",
  quality_rating: "GREEN",
  throughput: { level: "HIGH" },
  whatsapp_business_manager_messaging_limit: "TIER_UNLIMITED"
}

const came: Array<number> = []
const reports: Array<number> = []
let product: Pool | null = null

const report = async (to: Pool, id: string, status: string): Promise<void> => {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const value = {
    messaging_product: "whatsapp",
    metadata: { display_phone_number: "15550783881", phone_number_id: phoneNumberId },
    statuses: [{ id, status, timestamp, recipient_id: "493000000000" }]
  }
  const body = JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: "102290129340398", changes: [{ field: "messages", value }] }]
  })
  const began = performance.now()
  const answer = await to.request({
    method: "POST",
    path: "/api/v1/messaging/inbound",
    headers: {
      "content-type": "application/json",
      "x-hub-signature-256": `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`
    },
    body
  })
  await answer.body.dump()
  if (answer.statusCode !== 200) throw new Error(`a report was answered with ${answer.statusCode}`)
  reports.push(performance.now() - began)
}

const reportAll = async (to: Pool, id: string): Promise<void> => {
  for (const status of ["sent", "delivered", "read"]) await report(to, id, status)
}

const server = createServer((request, response) => {
  const answer = (value: unknown): void => {
    const body = JSON.stringify(value)
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    response.end(body)
  }
  const path = (request.url ?? "").split("?")[0]!
  request.resume()
  request.on("end", () => {
    if (path.endsWith("/messages")) {
      came.push(Date.now())
      const id = `wamid.BENCH${came.length}`
      setTimeout(() => {
        answer({ messaging_product: "whatsapp", messages: [{ id }] })
        if (product !== null) void reportAll(product, id)
      }, answerMs)
    } else if (path.endsWith("/message_templates")) answer({ data: [template] })
    else if (path.endsWith("/phone_numbers")) answer({ data: [{ id: phoneNumberId }] })
    else if (path === `/${phoneNumberId}`) answer(facts)
    else answer({ success: true })
  })
})

server.keepAliveTimeout = 60_000
server.listen({ host: "127.0.0.1", port: 0, backlog: 4096 }, () => {
  process.send!({ port: (server.address() as AddressInfo).port } satisfies ProcessMessage)
})
process.on("message", (asked: Asked) => {
  if (asked === "came") process.send!({ came, reports } satisfies ProcessMessage)
  else product = new Pool(`http://127.0.0.1:${asked.reportTo}`, { connections: 32 })
})
process.once("disconnect", () => process.exit())
