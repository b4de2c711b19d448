/** Records as people and programs read them: wire names, ISO instants, credits as numbers. Pure. */
import { type Account, type AuditEntry, Instant, type KeyRecord, Money, Scopes } from "@trunkline/core/effect"

export type Printed = Readonly<Record<string, unknown>>

/** A JSON number with all of its digits: a double would round it. Node has it; the types' library does not yet. */
const rawJson = (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON

/** Decimal text as a number. */
export const number = (decimal: string): unknown => rawJson(decimal)

const credits = (nano: Money.Nano | null): unknown => (nano === null ? null : number(Money.formatCredits(nano)))

const iso = (at: Instant.Instant | null): string | null => (at === null ? null : Instant.toIso(at))

export const account = (record: Account, balance: string): Printed => ({
  id: record.id,
  name: record.name,
  plan: record.plan,
  status: record.status,
  features: { voice_campaigns: record.voiceCampaigns },
  payment_method: record.paymentMethod,
  payment_deadline: iso(record.paymentDeadline),
  monthly_budget: credits(record.monthlyBudget),
  credits: number(balance),
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
  budget: credits(record.budget),
  budget_period: record.budgetPeriod,
  models: record.allowedModels,
  domains: record.allowedDomains,
  search_providers: record.searchProviders,
  rpm: record.requestsPerMinute,
  concurrency: record.concurrency,
  expires_at: iso(record.expiresAt),
  revoked_at: iso(record.revokedAt),
  created_at: iso(record.createdAt)
})

export const audit = (entry: AuditEntry): Printed => ({
  at: iso(entry.at),
  action: entry.action,
  actor: entry.actor,
  target_id: entry.targetId
})

/** One JSON value on one line. */
export const json = (answer: Printed | ReadonlyArray<Printed>): string => `${JSON.stringify(answer)}\n`

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  if (Array.isArray(value)) return value.join(",")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** A record as lines of name and value, several as a table. */
export const text = (answer: Printed | ReadonlyArray<Printed>): string => {
  const rows = Array.isArray(answer)
    ? [Object.keys(answer[0] ?? {}), ...answer.map((record: Printed) => Object.values(record).map(cell))]
    : Object.entries(answer).map(([name, value]) => [name, cell(value)])
  return aligned(rows)
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
