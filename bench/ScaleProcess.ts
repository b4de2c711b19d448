/**
 * One process of the product on Postgres, for the load run. As a worker it dials and delivers once it is sent `go`; as a server it
 * answers requests on Fastify from the start, with its workers.
 */
import type { AddressInfo } from "node:net"
import * as fastifyAdapter from "@trunkline/adapter-fastify"
import { createTrunkline } from "@trunkline/core"
import { Carrier, outboundProvider, telephonyProvider } from "@trunkline/core/provider"
import { cloudApi } from "@trunkline/providers/cloud-api"
import { openai } from "@trunkline/providers/openai"
import { postgres } from "@trunkline/storage-postgres"
import * as Layer from "effect/Layer"
import fastify from "fastify"
import { appSecret } from "./ChatWorld.ts"
import { encryptionKey } from "./Database.ts"
import { carrier } from "./Product.ts"
import { networks, outboundToHere } from "./WebhooksWorld.ts"

export type Role = "deliver" | "dial" | "serve"

const [role, url, upstream] = process.argv.slice(2) as [Role, string, string]
const baseUrl = `http://127.0.0.1:${upstream}`

const core = await createTrunkline({
  storage: postgres(url),
  // It accepts every call and is silent then: what is measured is the dialer.
  telephony: telephonyProvider(Layer.succeed(Carrier, carrier)),
  outbound: outboundProvider(outboundToHere),
  limits: { perIpPerMinute: null },
  encryptionKey,
  webhooks: { allowNetworks: networks },
  workers: { dialer: role !== "deliver", deliveries: role !== "dial" },
  messaging: { platform: cloudApi({ baseUrl }), appSecret, verifyToken: "verify" },
  models: { upstreams: { loop: openai({ baseUrl: `${baseUrl}/v1` }) }, routes: { "*": { upstream: "loop" } } },
  log: ({ level, message }) => void (level === "error" && process.stderr.write(`  ${message}\n`))
})

process.once("disconnect", () => process.exit())
if (role === "serve") {
  const app = fastify()
  await app.register(fastifyAdapter.trunkline(core, { start: true }))
  await app.listen({ port: 0, host: "127.0.0.1" })
  process.send!({ port: (app.server.address() as AddressInfo).port })
} else {
  process.on("message", (asked) => void (asked === "go" ? core.start() : core.stop().then(() => process.exit())))
  process.send!({ port: 0 })
}
