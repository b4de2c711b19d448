/** The product on Fastify with its chat channel, in a process of its own: for the benchmarks that ask it from outside. */
import type { AddressInfo } from "node:net"
import * as fastifyAdapter from "@trunkline/adapter-fastify"
import { createTrunkline } from "@trunkline/core"
import { cloudApi } from "@trunkline/providers/cloud-api"
import { openai } from "@trunkline/providers/openai"
import { simulator } from "@trunkline/providers/simulator"
import { postgres } from "@trunkline/storage-postgres"
import { sqlite } from "@trunkline/storage-sqlite"
import fastify from "fastify"
import { appSecret } from "./ChatWorld.ts"
import { encryptionKey } from "./Database.ts"
import { type Memory, settled } from "./Memory.ts"

export type Asked = "memory"
export type ProcessMessage = { readonly port: number } | Memory

/** Where the data stands: a file, or the URL of a Postgres database. */
const [upstream, data] = process.argv.slice(2) as [string, string]
const baseUrl = `http://127.0.0.1:${upstream}`

const core = await createTrunkline({
  storage: data.startsWith("postgres:") ? postgres(data) : sqlite(data),
  telephony: simulator(),
  limits: { perIpPerMinute: null },
  encryptionKey,
  messaging: { platform: cloudApi({ baseUrl }), appSecret, verifyToken: "verify" },
  models: { upstreams: { loop: openai({ baseUrl: `${baseUrl}/v1` }) }, routes: { "*": { upstream: "loop" } } }
})
const app = fastify()
await app.register(fastifyAdapter.trunkline(core, { start: true }))
await app.listen({ port: 0, host: "127.0.0.1" })

process.on("message", () => void settled().then((memory) => process.send!(memory satisfies ProcessMessage)))
process.once("disconnect", () => process.exit())
process.send!({ port: (app.server.address() as AddressInfo).port } satisfies ProcessMessage)
