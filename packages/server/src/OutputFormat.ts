/** Records as people and programs read them: wire names, ISO instants, credits as numbers. Pure. */

import { Instant, Money } from "@trunkline/core/effect"
import type { AccountOverview, AuditRecord, KeyOverview, KeyRecord } from "@trunkline/core/provider"
import { ApiKeys, Scopes } from "@trunkline/core/storage"

export type Printed = Readonly<Record<string, unknown>>

/** Records of which people see some columns; programs get everything. */
export interface Table {
  readonly records: ReadonlyArray<Printed>
  readonly columns: ReadonlyArray<string>
}

/** What a command prints. */
export type Answer = Printed | ReadonlyArray<Printed> | Table

const isTable = (answer: Answer): answer is Table => "records" in answer && "columns" in answer

/** A JSON number with all of its digits: a double would round it. Node has it; the types' library does not yet. */
const rawJson = (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON

/** Decimal text as a number. */
export const number = (decimal: string): unknown => rawJson(decimal)

const amount = (nano: Money.Nano | null): unknown => (nano === null ? null : number(Money.formatCredits(nano)))

const iso = (at: Instant.Instant | null): string | null => (at === null ? null : Instant.toIso(at))

export const account = (record: AccountOverview): Printed => ({
  id: record.id,
  name: record.name,
  plan: record.plan,
  status: record.status,
  features: { voice_campaigns: record.voiceCampaigns },
  payment_method: record.paymentMethod,
  payment_deadline: iso(record.paymentDeadline),
  monthly_budget: amount(record.monthlyBudget),
  monthly_spent: amount(record.spentThisMonth),
  credits: amount(record.balance),
  reserved: amount(record.reserved),
  created_at: iso(record.createdAt),
  updated_at: iso(record.updatedAt)
})

/** `channel` is the brand's word in scopes. */
export const key = (record: KeyRecord, channel: string): Printed => ({
  prefix: record.prefix,
  tenant_id: record.tenantId,
  name: record.name,
  scopes: record.scopes.map((scope) => Scopes.render(scope, channel)),
  permissions: record.permissions,
  budget: amount(record.budget),
  budget_period: record.budgetPeriod,
  models: record.allowedModels,
  domains: record.allowedDomains,
  search_providers: record.searchProviders,
  rpm: record.requestsPerMinute,
  concurrency: record.concurrency,
  expires_at: iso(record.expiresAt),
  revoked_at: iso(record.revokedAt),
  previous_prefix: record.previousPrefix,
  previous_until: iso(record.previousUntil),
  created_at: iso(record.createdAt),
  created_by: record.createdBy
})

/** Keys of one account as they are at an instant. */
export const keys = (records: ReadonlyArray<KeyOverview>, channel: string, at: Instant.Instant): Table => ({
  records: records.map((record) => {
    const { budget, ...rest } = key(record, channel)
    const [state, spent] = [ApiKeys.stateOf(record, at), amount(record.spent)]
    return { id: record.id, state, budget, spent, last_used_at: iso(record.lastUsedAt), ...rest }
  }),
  columns: [
    ...["id", "prefix", "name", "state", "scopes", "permissions", "budget", "spent"],
    ...["expires_at", "last_used_at", "created_at"]
  ]
})

export const accounts = (records: ReadonlyArray<AccountOverview>): Table => ({
  records: records.map(account),
  columns: ["id", "plan", "status", "credits", "created_at", "name"]
})

export const audit = (entry: AuditRecord): Printed => ({
  at: iso(entry.at),
  action: entry.action,
  actor: entry.actor,
  actor_name: entry.actorName,
  target_id: entry.targetId,
  target_name: entry.targetName
})

/** `available` is the credit for new calls and requests. */
export const credits = (tenantId: string, { balance, reserved }: Pick<AccountOverview, "balance" | "reserved">) => ({
  tenant_id: tenantId,
  balance: amount(balance),
  reserved: amount(reserved),
  available: amount(balance - reserved)
})

/** One JSON value on one line. */
export const json = (answer: Answer): string => `${JSON.stringify(isTable(answer) ? answer.records : answer)}\n`

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  if (Array.isArray(value)) return value.join(",")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

const isList = (answer: Answer): answer is ReadonlyArray<Printed> => Array.isArray(answer)

/** A record as lines of name and value, several as a table. */
export const text = (answer: Answer): string => {
  if (isList(answer)) return text({ records: answer, columns: Object.keys(answer[0] ?? {}) })
  return aligned(
    isTable(answer)
      ? [answer.columns, ...answer.records.map((record) => answer.columns.map((name) => cell(record[name])))]
      : Object.entries(answer).map(([name, value]) => [name, cell(value)])
  )
}

const aligned = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map(
      (row) =>
        `${row
          .map((value, i) => value.padEnd(widths[i]!))
          .join("  ")
          .trimEnd()}\n`
    )
    .join("")
}
