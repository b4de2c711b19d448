/** A server between neighbours, with two accounts: who sends everything, and who measures. */
import { type ChildProcess, fork } from "node:child_process"
import { createHmac } from "node:crypto"
import { authToken } from "../faults/CarrierService.ts"
import { appSecret, businessOf, inbound } from "../faults/ChatPlatform.ts"
import { Client } from "../faults/Client.ts"
import { type Database, postgresDatabase, sqliteDatabase } from "../faults/Databases.ts"
import { sayIn } from "../faults/Lines.ts"
import { type Command, Product } from "../faults/Processes.ts"
import { startNeighbours } from "../faults/World.ts"
import type { Marks } from "./AnswerChecks.ts"
import { type Description, describedBy } from "./Description.ts"
import { tokenSecret } from "./HostileAccess.ts"
import { RecordPool } from "./RecordPool.ts"
import type { World } from "./RequestPlan.ts"
import { models } from "./Values.ts"
import type { Sample, WatchOrder, WatchReport } from "./WatcherMessages.ts"

export interface RequestWorldOptions {
  readonly folder: string
  readonly command: Command
  readonly storage: "sqlite" | "postgres"
}

/** Stands in every text of the second tenant. */
export const marker = "Zq9SecondTenant"
const upstreamKey = "sk-of-the-upstream-which-nobody-sees"
const installationSecret = "the secret of the installation, which is long enough"
const numbers = { first: "2001", second: "3001" }

class Bystander {
  readonly child: ChildProcess
  readonly #listeners: Array<(report: WatchReport) => void> = []

  constructor(says: string) {
    this.child = fork(new URL("Watcher.ts", import.meta.url), [JSON.stringify({ says })], { execArgv: [] })
    this.child.on("message", (report: WatchReport) => {
      for (const listen of this.#listeners.splice(0)) listen(report)
    })
  }

  next(): Promise<WatchReport> {
    return new Promise((resolve) => this.#listeners.push(resolve))
  }

  order(order: WatchOrder): void {
    if (this.child.connected) this.child.send(order)
  }
}

const portOf = async (bystander: Bystander): Promise<number> => {
  const report = await bystander.next()
  if (!("port" in report)) throw new Error("a bystander has not started")
  return report.port
}

const configOf = (neighbours: string, mine: number, calm: number): object => {
  const at = (port: number, path: string) => `http://127.0.0.1:${port}${path}`
  return {
    auth: { jwt: { secret: tokenSecret } },
    messaging: {
      ...{ base_url: `${neighbours}/p0/chat/v23.0`, app_secret: appSecret, verify_token: "the token of verification" },
      ...{ app_id: "990001", public_url: "https://product.example" },
      ...{
        reply: { quiet_ms: 200, max_wait_ms: 1000 },
        web_chat: { secret: "the secret of all web chats, long enough" }
      }
    },
    models: {
      upstreams: {
        local: { kind: "openai", base_url: at(mine, "/v1"), api_key: upstreamKey },
        calm: { kind: "openai", base_url: at(calm, "/v1") },
        failing: { kind: "openai", base_url: at(mine, "/failing/v1") }
      },
      routes: {
        "*": { upstream: "local" },
        [models.calm]: { upstream: "calm" },
        [models.failing]: { upstream: "failing" }
      },
      embedded_fallback: false
    },
    webhooks: { allow_networks: ["127.0.0.1/32"] },
    search: { providers: { web: { kind: "searxng", base_url: at(mine, "/") } } },
    limits: { per_ip_per_minute: 100_000 }
  }
}

const deliver = async (url: string, number: string, message: string, text: string): Promise<void> => {
  const body = JSON.stringify(inbound(`1555${number}001`, message, text, number))
  const signature = createHmac("sha256", appSecret).update(body).digest("hex")
  const headers = { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` }
  const { status } = await fetch(`${url}/api/v1/messaging/inbound`, { method: "POST", body, headers })
  if (status !== 200) throw new Error(`a delivery was answered with ${status}`)
}

interface Made {
  readonly client: Client
  readonly key: string
  readonly ids: ReadonlyArray<string>
  readonly secrets: ReadonlyArray<string>
}

const accountOf = async (product: Product, name: string): Promise<{ readonly id: string; readonly key: string }> => {
  const { id } = await product.run("account", "create", "--name", name, "--plan", "enterprise")
  const [, { key }] = await Promise.all([
    product.run("credits", "add", "--account", id, "--amount", "100000000"),
    product.run("key", "create", "--account", id, "--concurrency", "400", "--rpm", "1000000")
  ])
  return { id, key }
}

/** One record of each kind. `text` stands in all of them. */
const furnish = async (
  product: Product,
  text: string,
  number: string,
  receivers: string,
  pool: RecordPool | null
): Promise<Made> => {
  const { id, key } = await accountOf(product, text)
  const client = new Client(text, id, key, [product.url])
  const ids = [id]
  const secrets: Array<string> = [key]
  const make = async (path: string, body: object, name: string, places = {}): Promise<string> => {
    const { body: record, status, text: answer } = await client.ask("POST", filledIn(path, places), body)
    if (status >= 300 || status === 0) throw new Error(`${path}: ${status} ${answer}`)
    ids.push(record.id)
    if (typeof record.secret === "string") secrets.push(record.secret)
    pool?.add(path, { ...places, [name]: record.id })
    return record.id
  }
  const bot_id = await make("/api/v1/bots", { name: text, system_prompt: `${text}: answer.` }, "bot_id")
  await make("/api/v1/bots/{bot_id}/knowledge", { title: text, content: text }, "entry_id", { bot_id })
  const campaign_id = await make("/api/v1/voice-campaigns", { name: text }, "campaign_id")
  const contacts = [{ phone: `+4930${number}0001`, name: text }]
  await client.ask("POST", `/api/v1/voice-campaigns/${campaign_id}/contacts`, { contacts })
  const { body: listed } = await client.ask("GET", `/api/v1/voice-campaigns/${campaign_id}/contacts`)
  for (const { id: contact_id } of listed) {
    ids.push(contact_id)
    pool?.add("/api/v1/voice-campaigns/{campaign_id}/contacts", { campaign_id, contact_id })
  }
  await make("/api/v1/telephony/numbers", { phone: `+1415${number}111`, label: text }, "number_id")
  await make("/api/v1/voicemail-templates", { name: text, text }, "template_id")
  await make(
    "/api/v1/webhooks",
    { url: `${receivers}/${text}`, events: ["call.started", "message.received"] },
    "webhook_id"
  )
  await make("/api/v1/voice-alerts", { name: text, metric: "call_volume", threshold: 100_000 }, "alert_id")
  await make("/v1/voice/sessions", { bot_id }, "session_id")
  await make(
    "/v1/responses",
    { model: pool === null ? models.calm : models.chat[0], input: text, max_output_tokens: 9 },
    "response_id"
  )
  const connected = {
    phone_number_id: number,
    business_account_id: businessOf(number),
    access_token: "EAAG-token-of-a-tenant"
  }
  const phone_id = await make("/api/v1/messaging/phone_numbers", connected, "phone_id")
  await client.ask("POST", `/api/v1/messaging/phone_numbers/${phone_id}/link-bot`, { bot_id })
  await deliver(product.url, number, `of-${number}`, text)
  return { client, key, ids, secrets }
}

const filledIn = (path: string, places: Readonly<Record<string, string>>): string =>
  path.replace(/\{([^}]+)\}/g, (_, name) => places[name]!)

/** A conversation is there as soon as its first message was taken in. */
const learnConversations = async ({ client, ids }: Made, pool: RecordPool | null): Promise<ReadonlyArray<string>> => {
  const { body } = await client.ask("GET", "/api/v1/messaging/conversations")
  const found = (body as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
  for (const conversation_id of found) pool?.add("/api/v1/messaging/conversations", { conversation_id })
  return [...ids, ...found]
}

export interface RequestWorld {
  readonly product: Product
  readonly description: Description
  readonly asking: World
  readonly marks: Marks
  /** Starts the second tenant's requests. */
  readonly watch: () => void
  /** What it has measured since it was last asked. */
  readonly samples: () => Promise<ReadonlyArray<Sample>>
  readonly start: () => Promise<string>
  readonly close: () => Promise<void>
}

const serverOptions = ["--expose-gc", "--import", new URL("ServerProbe.ts", import.meta.url).href]

const webChat = async (client: Client): Promise<void> => {
  const settings = { id: "shop", origins: ["https://shop.example.com"] }
  const { status, text } = await client.ask("POST", "/api/v1/messaging/channels/web-chat/connections", { settings })
  if (status >= 300 || status === 0) throw new Error(`the web chat: ${status} ${text}`)
}

const furnishBoth = async (product: Product, receivers: string) => {
  const document = await (await fetch(`${product.url}/openapi.json`)).json()
  const description = describedBy(document)
  const pool = new RecordPool(description.operations)
  const first = await furnish(product, "First", numbers.first, `${receivers}/p0/receivers`, pool)
  const second = await furnish(product, marker, numbers.second, `${receivers}/p0/receivers`, null)
  await webChat(first.client)
  pool.add("/api/v1/messaging", { phone_number_id: numbers.first, version: "v23.0" })
  for (const channel of ["web-chat", "telegram", "cloud-api"]) pool.add("/api/v1/messaging/channels", { channel })
  for (const media_id of ["1000001", "none"]) pool.add("/api/v1/messaging/media", { media_id })
  for (const model of [models.chat[0], "saaras:v3", models.unknown]) pool.add("/v1/models", { model })
  await learnConversations(first, pool)
  const others = await learnConversations(second, null)
  const asking: World = {
    ...{ pool, description, operations: description.operations, receivers: `${receivers}/p0/receivers` },
    ...{ access: { key: first.key, others }, tenant: first.client.accountId, othersNumber: numbers.second, appSecret }
  }
  const secrets = [
    ...second.secrets,
    appSecret,
    authToken,
    upstreamKey,
    tokenSecret,
    installationSecret,
    "EAAG-token-of-a-tenant"
  ]
  return { description, asking, second, marks: { others: [...others, marker], secrets } }
}

export const makeRequestWorld = async ({ command, folder, storage }: RequestWorldOptions): Promise<RequestWorld> => {
  const database: Database = storage === "sqlite" ? sqliteDatabase(folder, false) : await postgresDatabase({})
  // Not before the database: they report their ports once.
  const [mine, calm] = [new Bystander("Words of a model."), new Bystander(`${marker} says the model.`)]
  const [mineAt, calmAt, { child, order, port }] = await Promise.all([
    ...[portOf(mine), portOf(calm)],
    startNeighbours({ folder, seed: 1, trouble: 0 }).then((started) => ({
      ...started,
      order: (sent: object) => started.child.send(sent)
    }))
  ] as const)
  const neighbours = `http://127.0.0.1:${port}`
  const product = await Product.make(
    {
      ...{ folder, command, database: database.url, neighbours, say: sayIn(folder), library: null },
      config: configOf(neighbours, mineAt, calmAt),
      variables: { TRUST_PROXY: "127.0.0.1", REQUESTS_PROBE: `${folder}/probe.jsonl` }
    },
    0
  )
  order({ order: "processes", addresses: [product.url] })
  const start = () => product.start(0, serverOptions)
  const close = async (): Promise<void> => {
    product.signal("SIGKILL")
    await product.ended()
    for (const one of [mine.child, calm.child, child]) one.kill("SIGKILL")
    await database.close()
  }
  try {
    await start()
    const { asking, description, marks, second } = await furnishBoth(product, neighbours)
    const watch = () =>
      calm.order({ order: "watch", url: product.url, key: second.key, model: models.calm, number: numbers.second })
    const samples = async (): Promise<ReadonlyArray<Sample>> => {
      calm.order({ order: "samples" })
      const report = await calm.next()
      return "samples" in report ? report.samples : []
    }
    return { product, description, asking, marks, watch, samples, start, close }
  } catch (error) {
    await close()
    throw error
  }
}
