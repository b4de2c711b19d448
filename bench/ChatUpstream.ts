/**
 * The other sides of the chat channel's benchmarks, in a process of their own: the platform, which takes every message at once,
 * and a language model, which answers after as many milliseconds as it was started with, or never (-1). Does as little as possible.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** The number that benchmarks send from. */
const phoneNumberId = "106540352242922"

const lateMs = Number(process.argv[2] ?? 0)

export type Asked = "waiting" | "sent"
export type ProcessMessage = { readonly port: number } | { readonly count: number }

let waiting = 0
let sent = 0
let ids = 0

const json = (value: unknown): string => JSON.stringify(value)

const completion = json({
  choices: [{ index: 0, message: { role: "assistant", content: "Yes, there is one." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 200, completion_tokens: 8 }
})

const server = createServer((request, response) => {
  const answer = (body: string): void => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    response.end(body)
  }
  request.resume()
  request.on("end", () => {
    if (request.url?.endsWith("/chat/completions") === true) {
      waiting += 1
      response.on("close", () => {
        waiting -= 1
      })
      if (lateMs >= 0) setTimeout(() => answer(completion), lateMs)
    } else if (request.url?.endsWith("/messages") === true) {
      sent += 1
      ids += 1
      answer(
        json({
          messaging_product: "whatsapp",
          contacts: [{ input: "16505550000", wa_id: "16505550000" }],
          messages: [{ id: `wamid.BENCH${ids}` }]
        })
      )
    } else if (request.url?.endsWith("/phone_numbers") === true) answer(json({ data: [{ id: phoneNumberId }] }))
    else answer(json({ success: true }))
  })
})

server.keepAliveTimeout = 60_000
server.listen({ host: "127.0.0.1", port: 0, backlog: 4096 }, () => {
  process.send!({ port: (server.address() as AddressInfo).port } satisfies ProcessMessage)
})
process.on(
  "message",
  (asked: Asked) => void process.send!({ count: asked === "waiting" ? waiting : sent } satisfies ProcessMessage)
)
process.once("disconnect", () => process.exit())
