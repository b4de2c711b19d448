/** Rows for benchmarks at size, made inside Postgres: accounts, campaigns with people to call, do-not-call lists, logs of deliveries. */
import pg from "pg"

const credit = 1_000_000_000_000_000n

/** The n-th id of a kind: ids of one kind ascend, as the product's own do. `n` is SQL. */
export const idSql = (kind: number, n: string): string =>
  `('019a0000-0000-7000-8${kind.toString(16).padStart(3, "0")}-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** The same for JavaScript. */
export const idOf = (kind: number, n: number): string =>
  `019a0000-0000-7000-8${kind.toString(16).padStart(3, "0")}-${n.toString(16).padStart(12, "0")}`

export const kinds = { account: 1, campaign: 2, contact: 3, entry: 4, webhook: 5, delivery: 6 } as const

/** Runs SQL in the product's schema. */
export interface Seeder {
  readonly run: (sql: string) => Promise<number>
  readonly accounts: (range: Range) => Promise<void>
  /** Campaigns that run at all hours, with one line each, spread over the accounts; due at an instant, or not. */
  readonly campaigns: (range: Range, accounts: Range, dueAt?: number) => Promise<void>
  /** People to call, as many on each campaign. */
  readonly contacts: (range: Range, campaigns: Range, accounts: number) => Promise<void>
  /** Do-not-call entries in no order, spread over the accounts; no contact is among them. */
  readonly suppressed: (range: Range, accounts: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** Rows from a number on. */
export interface Range {
  readonly from: number
  readonly count: number
}

const series = ({ count, from }: Range): string => `generate_series(${from}::bigint, ${from + count - 1}) as n`

/** Ten digits for each number, in no order: the prime is coprime to 10^10. Contacts have the even ones, entries the odd. */
const digits = (n: string): string => `lpad(((${n} * 387420489::bigint) % 10000000000)::text, 10, '0')`

export const seeder = async (url: string): Promise<Seeder> => {
  const client = new pg.Client({ connectionString: url, options: "-c search_path=trunkline -c synchronous_commit=off" })
  client.on("error", () => undefined)
  await client.connect()
  const run = async (sql: string) => (await client.query(sql)).rowCount ?? 0
  const { account, campaign, contact, entry } = kinds
  return {
    run,
    accounts: async (range) => {
      await run(`insert into accounts (id, name, plan, status, voice_campaigns, payment_method, created_at, updated_at)
        select ${idSql(account, "n")}, 'Account ' || n, 'pro', 'active', true, 'verified', 0, 0 from ${series(range)}`)
      await run(`insert into credit_accounts select ${idSql(account, "n")}, ${credit}, 0 from ${series(range)}`)
    },
    campaigns: async (range, accounts, dueAt) => {
      const owner = idSql(account, `${accounts.from} + n % ${accounts.count}`)
      await run(`insert into campaigns (id, tenant_id, name, status, total_contacts, completed_contacts, failed_contacts, timezone,
          quiet_hours_start, quiet_hours_end, max_attempts, dial_mode, pace_seconds, parallel_lines, amd_enabled, created_at,
          updated_at, next_dial_at, refusals, next_seq)
        select ${idSql(campaign, "n")}, ${owner}, 'Campaign ' || n, 'running', 1000000, 0, 0, 'UTC', 0, 24, 3, 'parallel', 5, 1, false,
          0, 0, ${dueAt ?? "null::bigint"}, 0, 1000000 from ${series(range)}`)
    },
    contacts: async (range, campaigns, accounts) => {
      const of = `${campaigns.from} + n % ${campaigns.count}`
      await run(`insert into campaign_contacts (id, tenant_id, campaign_id, seq, phone, match_key, name, status, attempts, created_at)
        select ${idSql(contact, "n")}, ${idSql(account, `(${of}) % ${accounts}`)}, ${idSql(campaign, of)}, n / ${campaigns.count},
          '+91' || reverse(${digits("2 * n")}), ${digits("2 * n")}, 'Person ' || n, 'pending', 0, 0 from ${series(range)}`)
    },
    suppressed: async (range, accounts) => {
      await run(`insert into suppression_entries (id, tenant_id, phone, match_key, created_at)
        select ${idSql(entry, "n")}, ${idSql(account, `n % ${accounts}`)}, '+91' || reverse(${digits("2 * n + 1")}), ${digits("2 * n + 1")}, 0
        from ${series(range)}`)
    },
    close: () => client.end()
  }
}
