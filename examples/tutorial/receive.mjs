/** Receives webhooks on this machine: verifies the signature, drops repeated deliveries, prints each event. Needs nothing but Node. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error("Set WEBHOOK_SECRET to the secret that the subscription was created with")

const isSigned = (body, signature = "") => {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`)
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const show = ({ data, event }) => {
  console.log(`${event}, signature verified: ${data.to ?? data.name ?? data.results?.outcome ?? data.end_reason ?? ""}`)
  for (const { role, text } of data.transcript ?? []) console.log(`  ${role}: ${text}`)
}

const seen = new Set()

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (!isSigned(body, request.headers["x-service-signature"])) return response.writeHead(401).end()
  const delivery = request.headers["x-service-delivery"]
  if (!seen.has(delivery)) show(JSON.parse(body.toString()))
  seen.add(delivery)
  response.writeHead(204).end()
}).listen(Number(process.env.PORT ?? 9999), "127.0.0.1")
