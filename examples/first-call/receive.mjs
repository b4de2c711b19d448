/** Receives webhooks on this machine, checks their signature and prints each event. Needs nothing but Node. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error("Set WEBHOOK_SECRET to the secret that the subscription was created with")

const isSigned = (body, signature) => {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`)
  const given = Buffer.from(signature ?? "")
  return given.length === expected.length && timingSafeEqual(given, expected)
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (!isSigned(body, request.headers["x-service-signature"])) return response.writeHead(401).end()
  const { data, event } = JSON.parse(body.toString())
  console.log(`${event}, signature verified:`, data.to ?? data.name ?? data.message, data.status ?? "")
  response.writeHead(204).end()
}).listen(Number(process.env.PORT ?? 9999), "127.0.0.1")
