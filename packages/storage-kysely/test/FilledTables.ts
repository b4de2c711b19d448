/** Rows of every table, with values of every kind, for the tests that copy them. */
import { fieldsOf, kindOf, migrationsOf, postgresDialect, type tables } from "@trunkline/storage-kysely"

type Table = keyof typeof tables
type Row = Readonly<Record<string, unknown>>

const snake = (name: string): string => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

/** Columns that hold uuids, as `table.column`: read from the history of the schema. */
const uuids: ReadonlySet<string> = new Set(
  migrationsOf(postgresDialect)
    .flatMap(({ statements }) => statements)
    .flatMap((text) => {
      const [, created = "", body = ""] = /^create (?:unlogged )?table (\w+) \(([\s\S]*)/.exec(text) ?? []
      const [, altered = "", added = ""] = /^alter table (\w+) add column (\w+) uuid/.exec(text) ?? []
      const name = created === "early_statuses" ? "unmatched_statuses" : created
      return [
        ...[...body.matchAll(/(?:^|[,\s])"?(\w+)"? uuid\b/g)].map(([, column]) => `${name}.${column}`),
        ...(altered === "" ? [] : [`${altered}.${added}`])
      ]
    })
)

/** Numbers that follow from a seed alone. */
const seeded = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

export const uuidOf = (n: number): string => `01890000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`

const words = ["", "plain", "quote ' and \" and \\", "Zoë 漢字 🙂", "line\nbreak\ttab", "100%_like"]

/** What the constraints of tables allow, where they do not allow everything; what ends all work. */
const fixed: Readonly<Record<string, Row>> = {
  accounts: { plan: "pro", status: "active", paymentMethod: "verified" },
  apiKeys: { budgetPeriod: "month" },
  creditAccounts: { balance: 9_007_199_254_740_993n, reserved: 7n },
  campaigns: {
    ...{ status: "running", dialMode: "power", name: "c", timezone: "UTC", quietHoursStart: 9, quietHoursEnd: 21 },
    ...{ maxAttempts: 3, paceSeconds: 5, parallelLines: 1, maxCallsPerDay: 10 }
  },
  members: { role: "admin", status: "active", removedAt: null },
  memberLinks: { purpose: "reset" },
  campaignContacts: { status: "done", lastError: "busy" },
  calls: {
    ...{ status: "completed", answeredBy: "human", endReason: "hangup_remote", stopReason: "credits" },
    ...{ failure: "provider_error", endedAt: 5, checkAt: null }
  },
  webhooks: { surface: "platform", retrySchedule: "standard", pauseAfterDays: 3 },
  webhookDeliveries: { surface: "platform", status: "pending", claim: null },
  emailSuppressions: { reason: "bounced" },
  voiceSessions: { status: "completed", maxDurationSeconds: 60, recording: "none", leaseUntil: null },
  conversations: { status: "open", awaits: "person" },
  chatMessages: { direction: "inbound", role: "user", status: "received" },
  unmatchedStatuses: { status: "sent" },
  payments: { status: "captured" },
  optOuts: { scope: "all", source: "keyword" },
  templateCampaigns: {
    ...{
      status: "paused",
      name: "c",
      timezone: "UTC",
      quietHoursStart: 9,
      quietHoursEnd: 21,
      maxPerSecond: 10,
      maxPerDay: 100
    },
    ...{ pauseOnQuality: "red", maxFailurePercent: 30, replyWindowHours: 72 }
  },
  templateContacts: { status: "unknown" },
  files: { status: "ready" },
  batches: { status: "completed", isOpen: false },
  batchLines: { outcome: "succeeded" },
  batchQueue: { claim: null },
  replyJobs: { claim: null, claimedUntil: null },
  idempotencyKeys: { claim: null },
  voiceTranscripts: { role: "user" },
  voiceAnalyses: { status: "completed", sentiment: "positive", claim: null, results: { a: 1 } },
  voiceAlerts: { metric: "call_volume", comparison: "above", windowSeconds: 60, cooldownSeconds: 0 },
  usageHolds: { lapsed: true }
}

/** Rows that others belong to: `child.field` has the id of the n-th row of a table. */
const parents: Readonly<Record<string, Table>> = {
  "keyExpiries.keyId": "apiKeys",
  "keyWindows.keyId": "apiKeys",
  "keyRequests.keyId": "apiKeys",
  "keyPlaces.keyId": "apiKeys",
  "spends.ownerId": "apiKeys",
  "botSecrets.id": "bots",
  "knowledgePassages.entryId": "knowledge",
  "knowledgePassages.botId": "bots",
  "knowledgeTerms.botId": "bots",
  "replyJobs.customerId": "chatCustomers",
  "chatMessages.customerId": "chatCustomers",
  "unmatchedStatuses.phoneId": "connectedNumbers",
  "fileChunks.fileId": "files",
  "batchLines.batchId": "batches",
  "voiceTranscripts.sessionId": "voiceSessions",
  "keptItems.responseId": "keptResponses"
}

/** An account has one row of these. */
const single: ReadonlySet<Table> = new Set(["accounts", "creditAccounts", "batchQueue"])

export interface Filling {
  readonly account: string
  /** Ids and values differ from those of another filling. */
  readonly seed: number
  readonly rows: number
  /** Makes what stands in place of a secret. */
  readonly secret: (table: string, field: string) => string
}

/** Each id is one number: of the filling, the table and the row. */
const idOf = ({ seed }: Filling, place: number, n: number): string => uuidOf(seed * 1_000_000 + place * 10_000 + n)

/** The rows of one table, in the list of `names`. */
export const rowsOf = (
  table: Table,
  names: ReadonlyArray<string>,
  filling: Filling,
  secrets: ReadonlyArray<string>
): ReadonlyArray<Row> => {
  const placeOf = (name: string) => names.indexOf(snake(name))
  const next = seeded(filling.seed * 100 + placeOf(table))
  const valueOf = (field: string, n: number): unknown => {
    const of = fixed[table] ?? {}
    if (table === "accounts" && field === "id") return filling.account
    if (field === "tenantId") return filling.account
    const parent = parents[`${table}.${field}`]
    if (parent !== undefined)
      return parent === "keptResponses" ? `kept-${filling.seed}-${n}` : idOf(filling, placeOf(parent), n)
    if (field in of) return of[field]
    if (secrets.includes(field)) return filling.secret(table, field)
    if (field === "id" && table === "keptResponses") return `kept-${filling.seed}-${n}`
    if (uuids.has(`${snake(table)}.${snake(field)}`))
      return idOf(filling, placeOf(table), field === "id" ? n : n + 5000)
    const kind = kindOf(table, field as never)
    switch (kind) {
      case "text":
        // A key must differ; other texts may be anything.
        return `${words[next(words.length)]!}${filling.seed}-${n}`
      case "int":
        return n
      case "big":
        // Near the largest, so that a sum of them does not fit 64 bits.
        return 9_007_199_254_740_993n * 1000n + BigInt(next(1000))
      case "bool":
        return next(2) === 1
      case "instant":
        return 1_800_000_000_000 + next(1_000_000)
      case "json":
        return { b: [1, 2.5, null, true], a: { text: words[next(words.length)], "2": "two" } }
      case "bytes":
        return new Uint8Array([0, 255, n, next(256)])
    }
  }
  return Array.from({ length: single.has(table) ? 1 : filling.rows }, (_, n) =>
    Object.fromEntries(fieldsOf(table).map((field) => [field, valueOf(field, n)]))
  )
}

/** Tables that hold nothing of an account that moves: what is in them is waited for. */
export const emptyBefore: ReadonlySet<string> = new Set([
  ...["removed_campaigns", "removed_template_campaigns", "removed_webhooks"]
])

export const tableOf = (name: string): Table =>
  name.replace(/_([a-z])/g, (_, first: string) => first.toUpperCase()) as Table
