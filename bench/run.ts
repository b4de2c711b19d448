/** Runs all benchmarks, or those that are named, each in a process of its own: `npm run bench -- suppression import`. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { cpus } from "node:os"
import { join } from "node:path"
import { messageOf } from "./Children.ts"
import { type Figure, misses, table } from "./Figures.ts"

const benchmarks: Readonly<Record<string, string>> = {
  suppression: "Suppression.ts",
  "dialer-pass": "DialerPass.ts",
  "dialer-throughput": "DialerThroughput.ts",
  "dialer-claims": "DialerClaims.ts",
  http: "Http.ts",
  "preview-desk": "PreviewDesk.ts",
  import: "Import.ts",
  "webhook-throughput": "WebhooksThroughput.ts",
  "webhook-latency": "WebhooksLatency.ts",
  "webhook-isolation": "WebhooksIsolation.ts",
  "webhook-log": "WebhooksLog.ts",
  gateway: "Gateway.ts",
  "gateway-chat": "GatewayChat.ts",
  "gateway-far": "GatewayFar.ts",
  "gateway-embeddings": "GatewayEmbeddings.ts",
  "gateway-batch": "GatewayBatch.ts",
  "knowledge-search": "KnowledgeSearch.ts",
  "chat-inbound": "ChatInbound.ts",
  "chat-memory": "ChatMemory.ts",
  "chat-send": "ChatSend.ts",
  "template-send": "TemplateSend.ts",
  "template-lists": "TemplateLists.ts",
  "inbox-list": "InboxList.ts",
  voice: "Voice.ts",
  scale: "Scale.ts",
  migrations: "Migrations.ts",
  "delivery-months": "DeliveryMonths.ts",
  move: "Move.ts",
  loading: "Loading.ts",
  "dashboard-load": "DashboardLoad.ts",
  "dashboard-live": "DashboardLive.ts",
  "dashboard-server": "DashboardServer.ts"
}

const say = (line = ""): void => void process.stdout.write(`${line}\n`)

const main = async (): Promise<void> => {
  const words = process.argv.slice(2)
  const strict = words.includes("--strict")
  const named = words.filter((word) => word !== "--strict")
  const unknown = named.filter((name) => !(name in benchmarks))
  if (unknown.length > 0) {
    say(`There is no benchmark ${unknown.join(", ")}. There are: ${Object.keys(benchmarks).join(", ")}; and --strict.`)
    process.exitCode = 2
    return
  }
  const [cpu] = cpus()
  say(`Node ${process.versions.node}, ${cpus().length} cores (${cpu?.model.trim()}). Ratios are within one run.`)
  const missed: Array<string> = []
  for (const name of named.length > 0 ? named : Object.keys(benchmarks)) {
    say(`\n${name}`)
    try {
      const child = fork(join(import.meta.dirname, benchmarks[name]!))
      const figures = await messageOf<ReadonlyArray<Figure>>(child)
      // It tidies up, which would disturb the next one.
      if (child.exitCode === null) await once(child, "exit")
      say(table(figures))
      missed.push(...misses(figures).map(({ what }) => `${name}: ${what}`))
    } catch (error) {
      say(String(error))
      missed.push(`${name}: gave no figures`)
    }
  }
  if (missed.length === 0) return say("\nEvery bar holds.")
  say(`\nMISS: ${missed.length} ${missed.length === 1 ? "bar does" : "bars do"} not hold:`)
  for (const line of missed) say(`  ${line}`)
  if (strict) process.exitCode = 1
}

await main()
