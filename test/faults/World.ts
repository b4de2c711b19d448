/** A world to break: neighbours, a database, processes of the product, and accounts with what the load needs. */
import { type ChildProcess, fork } from "node:child_process"
import { mkdirSync } from "node:fs"
import { businessAccountId, phoneNumberId } from "./ChatPlatform.ts"
import { Client } from "./Client.ts"
import type { Database } from "./Databases.ts"
import { type Say, sayIn } from "./Lines.ts"
import type { Aimed, NeighbourOrder, NeighbourReport, NeighbourSettings } from "./NeighbourMessages.ts"
import type { AccountName } from "./Plan.ts"
import { type Command, Product } from "./Processes.ts"

export interface WorldOptions {
  readonly folder: string
  readonly seed: number
  readonly command: Command
  readonly database: Database
  readonly processes: number
  readonly trouble: number
  /** What a schedule aims at. */
  readonly aimed: Aimed
  readonly library: string | null
  readonly config?: object
  /** Whether there is a second account with many credits. */
  readonly hasOther: boolean
  /** Of Node, for each process of the product. */
  readonly options?: ReadonlyArray<string>
}

export interface Account {
  readonly client: Client
  readonly granted: number
  readonly webhooks: ReadonlyArray<string>
}

export interface FaultyWorld {
  readonly folder: string
  readonly products: ReadonlyArray<Product>
  readonly accounts: Readonly<Record<string, Account>>
  readonly clients: Readonly<Record<AccountName, Client>>
  readonly say: Say
  readonly order: (order: NeighbourOrder) => void
  /** Called for every signal that the neighbours have sent, or could not send. */
  readonly onSignal: (listen: (id: number, wasSent: boolean) => void) => void
  /** Starts a process; does nothing where it runs. Rejects where it ends instead. */
  readonly start: (process: number, skewMs?: number) => Promise<string>
  readonly close: () => Promise<void>
}

/** Starts the process of the neighbours. */
export const startNeighbours = async (settings: NeighbourSettings) => {
  const child = fork(new URL("Neighbours.ts", import.meta.url), [JSON.stringify(settings)], { execArgv: [] })
  const listeners: Array<(report: NeighbourReport) => void> = []
  child.on("message", (report: NeighbourReport) => {
    for (const listen of listeners) listen(report)
  })
  const port = await new Promise<number>((resolve, reject) => {
    listeners.push((report) => "port" in report && resolve(report.port))
    child.once("exit", () => reject(new Error("the neighbours ended")))
  })
  return { child, port, listeners }
}

const isSubscribed = ["call.started", "call.completed", "call.failed", "message.received", "message.sent"]

interface Access {
  readonly id: string
  readonly key: string
  /** Credits at the beginning. */
  readonly granted: number
}

/** Makes an account with credits and a key. */
const accountOf = async (product: Product, name: AccountName): Promise<Access> => {
  const { id } = await product.run("account", "create", "--name", name, "--plan", "pro")
  const [{ balance }, { key }] = await Promise.all([
    product.run("credits", "add", "--account", id, "--amount", "1000000"),
    product.run("key", "create", "--account", id, "--concurrency", "200", "--rpm", "100000")
  ])
  return { id, key, granted: balance }
}

/** The account that the very first start makes: few credits, which its calls use up. */
const firstAccount = (printed: string): Access => ({
  ...{ id: /account ([0-9a-f-]{36})/.exec(printed)![1]!, key: /svc_\w+/.exec(printed)![0], granted: 1000 }
})

const subscribe = async (client: Client, url: string, order: (order: NeighbourOrder) => void, endpoint: string) => {
  const made = await client.ask("POST", "/api/v1/webhooks", {
    url: `${url}/p0/receivers/${endpoint}`,
    events: isSubscribed
  })
  if (made.status !== 201) throw new Error(`subscription: ${made.status} ${made.text}`)
  order({ order: "secret", endpoint, secret: made.body.secret })
  return String(made.body.id)
}

const connectAgent = async (client: Client): Promise<void> => {
  const agent = { name: "Ann", system_prompt: "Answer." }
  const { body: bot } = await client.insist("POST", "/api/v1/bots", agent)
  const {
    body: number,
    status,
    text
  } = await client.insist("POST", "/api/v1/messaging/phone_numbers", {
    ...{ phone_number_id: phoneNumberId, business_account_id: businessAccountId, access_token: "EAAG-token" }
  })
  if (status >= 300) throw new Error(`number: ${status} ${text}`)
  await client.insist("POST", `/api/v1/messaging/phone_numbers/${number.id}/link-bot`, { bot_id: bot.id })
}

interface Parts {
  readonly products: ReadonlyArray<Product>
  readonly neighbours: string
  readonly order: (order: NeighbourOrder) => void
}

const makeAccounts = async ({ neighbours, order, products }: Parts, printed: string, hasOther: boolean) => {
  const urls = products.map(({ url }) => url)
  const make = async (name: AccountName, { granted, id, key }: Access): Promise<Account> => {
    const client = new Client(name, id, key, urls)
    const endpoints = name === "main" ? ["main-1", "main-2"] : [name]
    const webhooks = []
    for (const endpoint of endpoints) webhooks.push(await subscribe(client, neighbours, order, endpoint))
    return { client, granted, webhooks }
  }
  const [main, limited] = await Promise.all([
    accountOf(products[0]!, "main").then((access) => make("main", access)),
    make("limited", firstAccount(printed))
  ])
  await connectAgent(main.client)
  if (!hasOther) return { main, limited }
  return { main, limited, other: await make("other", await accountOf(products[0]!, "other")) }
}

export const makeWorld = async (options: WorldOptions): Promise<FaultyWorld> => {
  const { aimed, command, config, database, folder, library, processes, seed, trouble } = options
  mkdirSync(folder, { recursive: true })
  const say = sayIn(folder)
  const { child, listeners, port } = await startNeighbours({ folder, seed, trouble, ...aimed })
  const order = (message: NeighbourOrder): void => void (child.connected && child.send(message))
  const neighbours = `http://127.0.0.1:${port}`
  const world = {
    folder,
    command,
    database: database.url,
    neighbours,
    say,
    library,
    ...(config === undefined ? {} : { config })
  }
  const products = await Promise.all(Array.from({ length: processes }, (_, process) => Product.make(world, process)))
  order({ order: "processes", addresses: products.map(({ url }) => url) })
  const start = (process: number, skewMs = 0): Promise<string> => {
    const product = products[process]!
    if (product.isRunning) return Promise.resolve("")
    const ready = product.start(skewMs, options.options)
    if (product.child?.pid !== undefined) order({ order: "pid", process, pid: product.child.pid })
    return ready
  }
  const close = () => closeAll(products, child, database)
  try {
    const printed = await start(0)
    await Promise.all(products.slice(1).map(({ process }) => start(process)))
    const accounts = await makeAccounts({ products, neighbours, order }, printed, options.hasOther)
    const { limited, main } = accounts
    const clients = { main: main.client, limited: limited.client, other: (accounts.other ?? main).client }
    const onSignal = (listen: (id: number, wasSent: boolean) => void): void => {
      listeners.push((report) => {
        if ("fired" in report) listen(report.fired, true)
        if ("missed" in report) listen(report.missed, false)
      })
    }
    return { folder, products, accounts, clients, say, order, onSignal, start, close }
  } catch (error) {
    await close()
    throw error
  }
}

const closeAll = async (
  products: ReadonlyArray<Product>,
  neighbours: ChildProcess,
  database: Database
): Promise<void> => {
  for (const product of products) product.signal("SIGKILL")
  await Promise.all(products.map((product) => product.ended()))
  neighbours.kill("SIGKILL")
  await database.close()
}
