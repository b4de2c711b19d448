/** Rows that belong to another row, as an earlier release writes them: without an account. */
const uuid = (n: number): string => `01890000-0000-7000-8000-${String(n).padStart(12, "0")}`

/** How a database writes what the two write differently. */
interface Literals {
  readonly no: string
  readonly bytes: string
}

/** Whose all of them are. */
export const owner = uuid(1)

/** The migration since which they have their account. */
export const ownedRowsVersion = 25

/** The rows that they belong to. */
const parents = ({ no }: Literals): ReadonlyArray<string> => [
  `insert into accounts (id, name, plan, status, voice_campaigns, payment_method, created_at, updated_at)
    values ('${owner}', 'a', 'free', 'active', ${no}, 'verified', 0, 0)`,
  `insert into api_keys (id, tenant_id, hash, prefix, scopes, permissions, budget_period, created_at)
    values ('${uuid(2)}', '${owner}', 'h', 'p', '[]', '[]', 'total', 0)`,
  `insert into bots (id, tenant_id, name, type, is_active, config, created_at, updated_at)
    values ('${uuid(3)}', '${owner}', 'b', 'voice', ${no}, '{}', 0, 0)`,
  `insert into knowledge (id, tenant_id, bot_id, title, content, created_at)
    values ('${uuid(4)}', '${owner}', '${uuid(3)}', 't', 'c', 0)`,
  ...[5, 6].map(
    (n) => `insert into chat_customers (id, tenant_id, phone_id, phone, conversation_id, last_message_at, created_at)
      values ('${uuid(n)}', '${owner}', '${uuid(7)}', '${n}', '${uuid(8)}', 0, 0)`
  ),
  `insert into connected_numbers (id, tenant_id, phone_number_id, business_account_id, token, ai_autoreply_enabled, created_at, updated_at)
    values ('${uuid(7)}', '${owner}', 'n', 'b', 't', ${no}, 0, 0)`,
  `insert into files (id, tenant_id, status, purpose, filename, bytes, readers, created_at)
    values ('${uuid(9)}', '${owner}', 'ready', 'batch', 'f', 1, 0, 0)`,
  `insert into batches (id, tenant_id, status, endpoint, input_file_id, input_bytes, is_checked, is_open, total, completed, failed,
      input_tokens, cached_tokens, output_tokens, reasoning_tokens, created_at, due_at)
    values ('${uuid(10)}', '${owner}', 'completed', '/', '${uuid(9)}', 1, ${no}, ${no}, 0, 0, 0, 0, 0, 0, 0, 0, 0)`,
  `insert into voice_sessions (id, tenant_id, status, token_expires_at, max_duration_seconds, created_at)
    values ('${uuid(11)}', '${owner}', 'completed', 0, 60, 0)`,
  ...[12, 13].map(
    (
      n
    ) => `insert into campaign_contacts (id, tenant_id, campaign_id, seq, phone, match_key, status, attempts, created_at)
      values ('${uuid(n)}', '${owner}', '${uuid(n + 10)}', 1, '1', '1', 'done', 0, 0)`
  ),
  ...[14, 15].map(
    (
      n
    ) => `insert into webhook_deliveries (id, tenant_id, webhook_id, surface, event, payload, status, attempts, created_at)
      values ('${uuid(n)}', '${owner}', '${uuid(n + 10)}', 'platform', 'e', '{}', 'delivered', 1, 0)`
  )
]

/** One row of each table; `n` is 0 for those before the migration and 1 for those after it. */
const children = ({ bytes, no }: Literals, n: 0 | 1): ReadonlyArray<string> => [
  `insert into key_expiries (key_id, expires_at) values ('${n === 0 ? uuid(2) : uuid(3)}', 9)`,
  `insert into key_windows (key_id, seq) values ('${n === 0 ? uuid(2) : uuid(3)}', 1)`,
  `insert into key_requests (key_id, at, seq) values ('${uuid(2)}', ${n}, ${n})`,
  `insert into key_places (key_id, id, until) values ('${uuid(2)}', '${uuid(30 + n)}', 0)`,
  `insert into spends (owner_id, period, spent, pending_amount, alerted, exceeded) values ('${uuid(2)}', '${n}', 1, 0, ${no}, ${no})`,
  `insert into spends (owner_id, period, spent, pending_amount, alerted, exceeded) values ('${owner}', '${n}', 1, 0, ${no}, ${no})`,
  `insert into bot_secrets (id, secret) values ('${n === 0 ? uuid(3) : uuid(16)}', 's')`,
  `insert into knowledge_passages (entry_id, bot_id, first_unit, end_unit, title_terms, terms)
    values ('${uuid(4)}', '${uuid(3)}', 0, 1, 't', 'c')`,
  `insert into knowledge_terms (bot_id, term, entries) values ('${uuid(3)}', '${n}', 1)`,
  `insert into reply_jobs (customer_id, failures) values ('${uuid(5 + n)}', 0)`,
  `insert into unmatched_statuses (id, phone_id, msgid, status, at) values ('${n}', '${uuid(7)}', 'm', 'sent', 0)`,
  `insert into file_chunks (file_id, n, chunk) values ('${uuid(9)}', ${n}, ${bytes})`,
  `insert into batch_lines (batch_id, n, custom_id, from_byte, byte_length) values ('${uuid(10)}', ${n}, 'c', 0, 1)`,
  `insert into voice_transcripts (id, session_id, n, role, text, started_at, offset_ms, interrupted)
    values ('${uuid(40 + n)}', '${uuid(11)}', ${n}, 'user', 't', 0, 0, ${no})`,
  `insert into removed_campaigns (id, created_at) values ('${uuid(22 + n)}', 0)`,
  `insert into removed_webhooks (id, created_at) values ('${uuid(24 + n)}', 0)`
]

/** Rows that are there before the migration. */
export const rowsBefore = (of: Literals): string => [...parents(of), ...children(of, 0)].join(";\n")

/** What a process of the earlier release adds after it; a second agent and key, which have one row each. */
export const rowsAfter = (of: Literals): string =>
  [
    `insert into bots (id, tenant_id, name, type, is_active, config, created_at, updated_at)
      values ('${uuid(16)}', '${owner}', 'b', 'voice', ${of.no}, '{}', 0, 0)`,
    `insert into api_keys (id, tenant_id, hash, prefix, scopes, permissions, budget_period, created_at)
      values ('${uuid(3)}', '${owner}', 'i', 'p', '[]', '[]', 'total', 0)`,
    ...children(of, 1)
  ].join(";\n")

export const ownedTables = [
  ...["key_expiries", "key_windows", "key_requests", "key_places", "spends", "bot_secrets", "knowledge_passages"],
  ...["knowledge_terms", "reply_jobs", "unmatched_statuses", "file_chunks", "batch_lines", "voice_transcripts"],
  ...["removed_campaigns", "removed_webhooks"]
]

/** Each table, with its rows of the account and all of its rows. */
export const countOwned = ownedTables
  .map(
    (table) =>
      `select '${table}' as name, count(case when tenant_id = '${owner}' then 1 end) as own, count(*) as n from ${table}`
  )
  .join(" union all ")

/** Two of each, and of spends two more: of the account itself. */
export const countedOwned = ownedTables.map((table) => [table, ...(table === "spends" ? [4, 4] : [2, 2])])

/** Tables whose rows are no account's. */
export const withoutAccount: Readonly<Record<string, string>> = {
  accounts: "a row is an account, under its own id",
  carrier_slots: "when the next call may start at a carrier, for all accounts together",
  change_notes: "a process hears of changes of all accounts that it watches",
  processes: "a process runs requests of all accounts",
  provider_states: "rows of a provider's own, which knows calls and no accounts",
  queue_floors: "where the ids of what is pending in a table begin",
  sign_in_failures: "about emails and addresses of the installation, whatever account somebody tries to sign in to",
  import_entries: "numbers of an import that is under way: they end with it",
  import_rows: "people of an import that is under way: they end with it",
  trunkline_migrations: "the history of the schema"
}
