/**
 * A process of the product behind HTTP, for those who measure the dashboard: `sqlite` or `postgres`, where its database is, and the
 * accounts that another process has made there. Without them it makes its own. `x-account` and `x-person` of a request say who asks.
 */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { createTrunkline } from "@trunkline/core"
import { dashboard } from "@trunkline/dashboard"
import { nodeHandler } from "@trunkline/node"
import { simulator } from "@trunkline/providers/simulator"
import { webChat } from "@trunkline/providers/web-chat"
import { postgres } from "@trunkline/storage-postgres"
import { sqlite } from "@trunkline/storage-sqlite"
import { encryptionKey } from "./Database.ts"
import { fixedLoop } from "./FixedLoop.ts"
import { settled } from "./Memory.ts"

export interface Served {
  readonly origin: string
  readonly accounts: ReadonlyArray<string>
}

export type Asked =
  /** What it holds, once everything is collected that can be. */
  | { readonly ask: "memory" }
  /** The longest stop of the event loop in as many milliseconds, and how long a fixed loop takes after them. */
  | { readonly ask: "stop"; readonly ms: number }
  /** Notes are written into every open stream, as fast as this number of milliseconds between two allows. */
  | { readonly ask: "notes"; readonly count: number; readonly everyMs: number; readonly topics: ReadonlyArray<string> }

const [kind = "", where = "", ...given] = process.argv.slice(2)
const made = given.filter((word) => word !== "")

const core = await createTrunkline({
  storage: kind === "postgres" ? postgres(where) : sqlite(where),
  // Calls of two minutes take ten seconds.
  telephony: simulator({ speed: 12 }),
  messaging: { channels: [webChat({ secret: "a secret for the visitors of a benchmark" })] },
  encryptionKey,
  limits: { perIpPerMinute: null, campaignContacts: null },
  dashboard: dashboard(),
  auth: {
    authenticate: ({ headers }) => ({
      accountId: accounts[Number(headers.get("x-account") ?? 0)]!,
      subject: headers.get("x-person") ?? "ann",
      name: "Ann",
      role: "owner"
    })
  }
})
await core.start()

const account = async (n: number): Promise<string> => {
  const { id } = await core.admin.createAccount({ name: `Example ${n}`, plan: "enterprise", voiceCampaigns: true })
  await core.admin.addCredits(id, "100000")
  return id
}
const accounts: ReadonlyArray<string> =
  made.length > 0 ? made : await Promise.all(Array.from({ length: 5 }, (_, n) => account(n)))

const streams = new Set<ServerResponse>()
const handle = nodeHandler(core)
const server = createServer((request, response) => {
  if (request.url!.endsWith("/api/v1/stream")) {
    streams.add(response)
    response.on("close", () => streams.delete(response))
  }
  if (core.matches(request.url!.split("?")[0]!)) handle(request, response)
  else response.writeHead(404).end()
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 1024, resolve))

const answers: { readonly [K in Asked["ask"]]: (asked: Extract<Asked, { readonly ask: K }>) => Promise<unknown> } = {
  memory: settled,
  stop: async ({ ms }) => {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    await new Promise((resolve) => setTimeout(resolve, ms))
    delay.disable()
    return { stopMs: delay.max / 1e6, loopMs: fixedLoop() }
  },
  notes: async ({ count, everyMs, topics }) => {
    for (let n = 0; n < count; n++) {
      const data = JSON.stringify({ topics: [...topics, `campaign:${n}`] })
      for (const stream of streams) stream.write(`event: changed\ndata: ${data}\n\n`)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
    return streams.size
  }
}

process.on("message", async (asked: Asked) => {
  const answer = answers[asked.ask] as (asked: Asked) => Promise<unknown>
  process.send!(await answer(asked))
})
process.on("disconnect", () => process.exit())
process.send!({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, accounts } satisfies Served)
