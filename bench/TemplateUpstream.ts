/** The platform of the benchmark of template campaigns, in a process of its own: it takes every message after a moment, and notes when it came. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const answerMs = Number(process.argv[2] ?? 0)

export type ProcessMessage = { readonly port: number } | { readonly came: ReadonlyArray<number> }

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
      setTimeout(() => answer({ messaging_product: "whatsapp", messages: [{ id }] }), answerMs)
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
process.on("message", () => void process.send!({ came } satisfies ProcessMessage))
process.once("disconnect", () => process.exit())
