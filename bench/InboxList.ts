/**
 * The inbox of an account with 100,000 conversations: how long a page of fifty takes over HTTP, under each filter, beside a page of an
 * account with a hundred.
 */
import { createTrunkline, type StorageProvider } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { postgres } from "@trunkline/storage-postgres"
import { sqlite } from "@trunkline/storage-sqlite"
import Sqlite from "better-sqlite3"
import pg from "pg"
import { database, encryptionKey, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { postgresServer } from "./Postgres.ts"

const conversations = 100_000
const few = 100
const rounds = 40
/** A hundred milliseconds are seen as at once. */
const barMs = 100
/** A search has no index: it reads the names of all customers, once for the page and once for the count. */
const searchBarMs = 300

/** Ids of this moment, that ascend: what Postgres has in months lies in the present one. */
const idSql = (kind: number, n: string, hex: (n: string) => string): string => {
  const time = Date.now().toString(16).padStart(12, "0")
  return `'${time.slice(0, 8)}-${time.slice(8)}-7${kind}00-8000-' || ${hex(n)}`
}

const firstNames = ["Ada", "Anna", "Jörg", "Priya", "Mohammed", "Li", "Maria", "John", "Fatima", "Sven", "Olga"]
const lastNames = ["Lovelace", "Müller", "Sharma", "Khan", "Wang", "Silva", "Smith", "Hassan", "Petrov", "Strauß"]

const oneOf = (names: ReadonlyArray<string>): string =>
  `case n % ${names.length} ${names.map((name, nth) => `when ${nth} then '${name}'`).join(" ")} end`

interface Words {
  readonly id: (kind: number, n: string) => string
  readonly series: (last: number) => string
  readonly bool: (condition: string) => string
}

const words: Readonly<Record<"sqlite" | "postgres", Words>> = {
  sqlite: {
    id: (kind, n) => `(${idSql(kind, n, (n) => `printf('%012x', ${n})`)})`,
    series: (last) =>
      `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${last}) select n from s) s`,
    bool: (condition) => `(${condition})`
  },
  postgres: {
    id: (kind, n) => `(${idSql(kind, n, (n) => `lpad(to_hex(${n}), 12, '0')`)})::uuid`,
    series: (last) => `generate_series(1, ${last}) s(n)`,
    bool: (condition) => `(${condition})`
  }
}

/** Of ten conversations three are unread, one waits for a person, and one is assigned; each has two messages. */
const seed = ({ bool, id, series }: Words, account: string, all: number, at: number): ReadonlyArray<string> => {
  const [number, bot] = [id(at, "1"), id(at, "2")]
  const tenant = `'${account}'`
  const when = `(1780000000000 + n * 1000)`
  const conversation = (n: string) => id(at + 1, n)
  const customer = (n: string) => id(at + 2, n)
  const message = (n: string) => id(at + 3, n)
  return [
    `insert into bots (id, tenant_id, name, type, system_prompt, is_active, config, created_at, updated_at)
      values (${bot}, ${tenant}, 'Asha', 'messaging', 'Be kind.', true, '{}', 0, 0)`,
    `insert into connected_numbers (id, tenant_id, phone_number_id, business_account_id, token, bot_id, ai_autoreply_enabled, created_at, updated_at)
      values (${number}, ${tenant}, 'n${at}', 'b', 't', ${bot}, true, 0, 0)`,
    `insert into chat_customers (id, tenant_id, phone_id, phone, name, conversation_id, last_message_at, created_at)
      select ${customer("n")}, ${tenant}, ${number}, '49' || (15100000000 + n), ${oneOf(firstNames)} || ' ' || ${oneOf(lastNames)} || ' ' || n, ${conversation("n")}, ${when}, ${when}
      from ${series(all)}`,
    `insert into conversations (id, tenant_id, phone_id, customer_id, ai_autoreply_enabled, status, is_counted, awaits, unread_count,
        last_message_id, assigned_to, assigned_name, last_message_at, created_at)
      select ${conversation("n")}, ${tenant}, ${number}, ${customer("n")}, ${bool("n % 10 <> 4")}, 'open', ${bool("n % 2 = 0")},
        case when n % 10 = 4 then 'agent' else 'nobody' end, case when n % 10 < 3 then 1 else 0 end, ${message("2 * n")},
        case when n % 10 = 7 then 'someone' end, case when n % 10 = 7 then 'Ada' end, ${when}, ${when}
      from ${series(all)}`,
    `insert into chat_messages (id, tenant_id, phone_id, customer_id, conversation_id, msgid, direction, role, type, text, body, status, created_at)
      select ${message("n")}, ${tenant}, ${number}, ${customer("((n + 1) / 2)")}, ${conversation("((n + 1) / 2)")}, 'wamid.${at}.' || n,
        case when n % 2 = 0 then 'outbound' else 'inbound' end, case when n % 2 = 0 then 'assistant' else 'user' end, 'text',
        'Is my order on its way? I have ordered it last week.', '{"body":"Is my order on its way?"}',
        case when n % 2 = 0 then 'read' else 'received' end, ${when}
      from ${series(2 * all)}`
  ]
}

const percentile = (times: ReadonlyArray<number>, part: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * part)]!

const queries: Readonly<Record<string, string>> = {
  "the newest": "limit=50",
  "in the middle": `limit=50&offset=${conversations / 2}`,
  unread: "limit=50&unread=true",
  "that need a person": "limit=50&needs_person=true",
  "of one person": "limit=50&assigned_to=someone",
  "of nobody": "limit=50&assigned_to=none",
  "by a name": "limit=50&q=lovelace%2099",
  "by a name that nobody has": "limit=50&q=nobody",
  "by a name that many have": "limit=50&q=STRAUSS",
  "by a number": "limit=50&phone=5100050000",
  "of one number, open and read": "limit=50&status=open&unread=false&needs_person=false"
}

type Run = (statements: ReadonlyArray<string>) => Promise<void>

const measured = async (
  name: "sqlite" | "postgres",
  storage: StorageProvider,
  run: Run
): Promise<ReadonlyArray<Figure>> => {
  const core = await createTrunkline({
    storage,
    telephony: simulator(),
    encryptionKey,
    limits: { perIpPerMinute: null }
  })
  const accounts = await Promise.all(["Large", "Small"].map((title) => core.admin.createAccount({ name: title })))
  const [large, small] = await Promise.all(
    accounts.map(async ({ id }) => (await core.admin.createKey(id, { scopes: ["*"] })).text)
  )
  await run([
    ...seed(words[name], accounts[0]!.id, conversations, 0),
    ...seed(words[name], accounts[1]!.id, few, 5),
    "analyze"
  ])
  progress(`${name}: ${conversations} conversations`)
  const read = async (key: string, query: string): Promise<readonly [ms: number, total: number]> => {
    const headers = { authorization: `Bearer ${key}` }
    const began = performance.now()
    const answer = await core.fetch(
      new Request(`http://localhost/api/v1/messaging/conversations?${query}`, { headers })
    )
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text}`)
    return [performance.now() - began, Number(answer.headers.get("x-total-count"))]
  }
  const figures: Array<Figure> = []
  for (const [what, query] of Object.entries(queries)) {
    const [times, floor]: [Array<number>, Array<number>] = [[], []]
    let total = 0
    for (let round = 0; round < rounds + 3; round++) {
      const [ms, found] = await read(large!, query)
      const [least] = await read(small!, "limit=50")
      total = found
      if (round >= 3) {
        times.push(ms)
        floor.push(least)
      }
    }
    const median = percentile(times, 0.5)
    figures.push({
      what: `${name}: fifty ${what}, of ${total.toLocaleString("en")}`,
      measured: `${median.toFixed(1)} ms`,
      against: `p95 ${percentile(times, 0.95).toFixed(1)} ms, least ${percentile(times, 0).toFixed(1)} ms; fifty of a hundred ${percentile(floor, 0.5).toFixed(1)} ms`,
      judged: { value: median, unit: " ms", bar: { atMost: query.includes("q=") ? searchBarMs : barMs } }
    })
  }
  await core.stop()
  return figures
}

const home = folder(1)
const path = await database(home, "inbox.db")
const figures = [
  ...(await measured("sqlite", sqlite(path), async (statements) => {
    const db = new Sqlite(path)
    for (const statement of statements) db.exec(statement)
    db.close()
  }))
]
const server = await postgresServer()
if ("missing" in server) progress(`postgres is not measured: ${server.missing}`)
else {
  try {
    const url = await server.database("inbox")
    figures.push(
      ...(await measured("postgres", postgres(url), async (statements) => {
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        await client.query("set search_path to trunkline")
        for (const statement of statements) await client.query(statement)
        await client.end()
      }))
    )
  } finally {
    await server.stop()
  }
}
report(figures)
