/** The schema's history. One text serves both databases; `{words}` stand for what the dialects name differently. */
import { accessVersionStatements } from "./AccessVersionTriggers.ts"
import { accountTotalStatements } from "./AccountTotalTriggers.ts"
import type { SqlDialect } from "./dialect/SqlDialect.ts"
import {
  backfill,
  index,
  type MonthlyKey,
  type OnlineStep,
  partition,
  plainTexts,
  type Step,
  stepsOf,
  type Text
} from "./MigrationSteps.ts"
import { prepareKey } from "./MonthlyKeys.ts"
import { numbersReadAnew } from "./NumbersReadAnew.ts"

export interface Migration {
  readonly version: number
  readonly name: string
  readonly steps: ReadonlyArray<Step>
  /** The texts of the steps, for a database that nobody else uses; rewritings have none. */
  readonly statements: ReadonlyArray<string>
}

/** Texts run in one transaction, online steps by themselves. */
interface Both extends Pick<Migration, "version" | "name"> {
  readonly statements: ReadonlyArray<Text | OnlineStep>
}

/** All migrations, in order, in the words of one database. */
export const migrationsOf = (dialect: SqlDialect): ReadonlyArray<Migration> =>
  migrations.map(({ name, statements, version }) => {
    const steps = stepsOf(statements, dialect)
    return { name, version, steps, statements: steps.flatMap(plainTexts) }
  })

/** Adds a constraint to an existing table. Errors of the database contain its name. */
const check = (table: string, name: string, condition: string): string =>
  `alter table ${table} add constraint ${table}_${name} check (${condition})`

/** A column with a closed set of values; a column that may be null may still be null. */
const oneOf = (table: string, column: string, words: string): string =>
  check(
    table,
    column,
    `${column} in (${words
      .split(" ")
      .map((word) => `'${word}'`)
      .join(", ")})`
  )

/** The bounds of a campaign since version 6. */
const campaignHours =
  "quiet_hours_start between 0 and 23 and quiet_hours_end between 1 and 24 and quiet_hours_end > quiet_hours_start"
const campaignBounds = `status in ('draft', 'scheduled', 'running', 'paused', 'insufficient_balance', 'completed', 'cancelled')
  and dial_mode in ('preview', 'power', 'parallel') and length(name) between 1 and 255 and timezone <> '' and ${campaignHours}
  and max_attempts between 1 and 5 and pace_seconds between 5 and 3600 and parallel_lines between 1 and 5
  and (parallel_lines = 1 or dial_mode = 'parallel')`

const clamped = (column: string, minimum: number, maximum: number): string =>
  `${column} = case when ${column} < ${minimum} then ${minimum} when ${column} > ${maximum} then ${maximum} else ${column} end`

const callKeys: ReadonlyArray<MonthlyKey> = [
  {
    name: "calls_record",
    table: "calls",
    columns: ["provider", "provider_call_id"],
    where: "{row}.provider_call_id is not null",
    duplicate: "fail",
    isLasting: true,
    isSearched: true
  },
  {
    name: "calls_open_contact",
    table: "calls",
    columns: ["contact_id"],
    where: "{row}.ended_at is null and {row}.contact_id is not null",
    duplicate: "fail",
    isLasting: false,
    isSearched: false
  }
]

const messageKeys: ReadonlyArray<MonthlyKey> = [
  {
    name: "chat_messages_msgid",
    table: "chat_messages",
    columns: ["phone_id", "msgid"],
    where: "{row}.msgid is not null",
    duplicate: "skip",
    isLasting: true,
    isSearched: true
  }
]

/** Rows of a table belong to the account of another row. `account` finds it, for a row that goes by the name of `row`. */
interface OwnedTable {
  readonly table: string
  readonly key: ReadonlyArray<string>
  readonly account: (row: string) => string
}

const ofParent =
  (parent: string, column: string) =>
  (row: string): string =>
    `(select p.tenant_id from ${parent} p where p.id = ${row}.${column})`

const ownedTables: ReadonlyArray<OwnedTable> = [
  { table: "key_expiries", key: ["key_id"], account: ofParent("api_keys", "key_id") },
  { table: "key_windows", key: ["key_id"], account: ofParent("api_keys", "key_id") },
  { table: "key_requests", key: ["key_id", "at", "seq"], account: ofParent("api_keys", "key_id") },
  { table: "key_places", key: ["key_id", "id"], account: ofParent("api_keys", "key_id") },
  // What is no key is an account.
  {
    table: "spends",
    key: ["owner_id", "period"],
    account: (row) => `coalesce(${ofParent("api_keys", "owner_id")(row)}, ${row}.owner_id)`
  },
  { table: "bot_secrets", key: ["id"], account: ofParent("bots", "id") },
  { table: "knowledge_passages", key: ["position"], account: ofParent("knowledge", "entry_id") },
  { table: "knowledge_terms", key: ["bot_id", "term"], account: ofParent("bots", "bot_id") },
  { table: "reply_jobs", key: ["customer_id"], account: ofParent("chat_customers", "customer_id") },
  { table: "unmatched_statuses", key: ["id"], account: ofParent("connected_numbers", "phone_id") },
  { table: "file_chunks", key: ["file_id", "n"], account: ofParent("files", "file_id") },
  { table: "batch_lines", key: ["batch_id", "n"], account: ofParent("batches", "batch_id") },
  { table: "voice_transcripts", key: ["session_id", "n"], account: ofParent("voice_sessions", "session_id") },
  // The campaign and the webhook are gone: what they left says whose it was.
  {
    table: "removed_campaigns",
    key: ["id"],
    account: (row) => `(select c.tenant_id from campaign_contacts c where c.campaign_id = ${row}.id limit 1)`
  },
  {
    table: "removed_webhooks",
    key: ["id"],
    account: (row) => `(select d.tenant_id from webhook_deliveries d where d.webhook_id = ${row}.id limit 1)`
  }
]

/**
 * The account of each row. Writers that do not know it, and processes of an earlier release, leave it to the database, which
 * finds it by the row that this one belongs to: so the column may be null, and a row of nobody stays without an account.
 */
const accountOfRows = ({ account, key, table }: OwnedTable): ReadonlyArray<Text | OnlineStep> => [
  ...(table === "voice_transcripts" ? [] : [`alter table ${table} add column tenant_id {uuid}`]),
  {
    sqlite: [
      `create trigger ${table}_account after insert on ${table} when new.tenant_id is null begin
        update ${table} set tenant_id = ${account("new")} where ${key.map((column) => `${column} = new.${column}`).join(" and ")};
      end`
    ],
    postgres: [
      `create function ${table}_account() returns trigger language plpgsql as $$
        begin new.tenant_id := ${account("new")}; return new; end $$`,
      `create trigger ${table}_account before insert on ${table} for each row when (new.tenant_id is null)
        execute function ${table}_account()`
    ]
  },
  // From here on the trigger writes it for new rows.
  backfill(table, key[0]!, `update ${table} set tenant_id = ${account(table)} where tenant_id is null and {range}`)
]

const migrations: ReadonlyArray<Both> = [
  {
    version: 1,
    name: "campaigns",
    statements: [
      `create table accounts (
        id {uuid} primary key, name text not null, plan text not null, status text not null, voice_campaigns {bool} not null,
        payment_method text not null, payment_deadline {instant}, monthly_budget {big},
        created_at {instant} not null, updated_at {instant} not null){strict}`,
      `create table api_keys (
        id {uuid} primary key, tenant_id {uuid} not null references accounts (id), hash text not null unique, prefix text not null,
        name text, scopes {json} not null, permissions {json} not null, budget {big}, budget_period text not null,
        allowed_models {json}, allowed_domains {json}, search_providers {json}, requests_per_minute {int}, concurrency {int},
        expires_at {instant}, revoked_at {instant}, created_at {instant} not null){strict}`,
      `create index api_keys_tenant on api_keys (tenant_id, id)`,
      `create table audit_log (
        id {uuid} primary key, tenant_id {uuid} not null, actor text not null, action text not null, target_id text,
        at {instant} not null){strict}`,
      `create index audit_log_tenant on audit_log (tenant_id, id)`,

      `create table credit_accounts (
        tenant_id {uuid} primary key, balance {big} not null, reserved {big} not null,
        check (reserved >= 0 and balance >= reserved)){strict}`,
      `create table credit_holds (
        id {uuid} primary key, tenant_id {uuid} not null, amount {big} not null, created_at {instant} not null){strict}`,
      `create table credit_ledger (
        id {uuid} primary key, tenant_id {uuid} not null, amount {big} not null, kind text not null, ref text,
        created_at {instant} not null){strict}`,
      `create index credit_ledger_tenant on credit_ledger (tenant_id, id)`,

      `create table outbox (
        {outbox-order}, id {uuid} not null, tenant_id {uuid} not null, event text not null, bot_id {uuid}, data {json} not null,
        at {instant} not null){strict}`,

      `create table bots (
        id {uuid} primary key, tenant_id {uuid} not null, name text not null, type text not null, system_prompt text,
        is_active {bool} not null, config {json} not null, created_at {instant} not null, updated_at {instant} not null){strict}`,
      `create index bots_tenant on bots (tenant_id, id)`,
      `create table phone_numbers (
        id {uuid} primary key, tenant_id {uuid} not null, phone text not null, label text, created_at {instant} not null){strict}`,
      `create index phone_numbers_tenant on phone_numbers (tenant_id, id)`,
      `create table voicemail_templates (
        id {uuid} primary key, tenant_id {uuid} not null, name text not null, text text, audio_url text,
        created_at {instant} not null, updated_at {instant} not null){strict}`,
      `create index voicemail_templates_tenant on voicemail_templates (tenant_id, id)`,

      `create table suppression_entries (
        id {uuid} primary key, tenant_id {uuid} not null, phone text not null, match_key text {bytes} not null, reason text,
        created_at {instant} not null){strict}`,
      `create unique index suppression_entries_key on suppression_entries (tenant_id, match_key)`,
      `create index suppression_entries_tenant on suppression_entries (tenant_id, id)`,

      `create table crm_contacts (
        id {uuid} primary key, tenant_id {uuid} not null, phone text not null, match_key text {bytes} not null, name text,
        first_name text, last_name text, email text, company text, tags {json} not null, notes text, opted_in {bool} not null,
        custom {json} not null, created_at {instant} not null, updated_at {instant} not null){strict}`,
      `create unique index crm_contacts_key on crm_contacts (tenant_id, match_key)`,
      `create index crm_contacts_tenant on crm_contacts (tenant_id, id)`,
      `create {scratch}table import_rows (
        import_id {uuid} not null, match_key text {bytes} not null, row_no {int} not null, occurrences {int} not null,
        fields {merged-json} not null, custom {merged-json} not null, opted_in {bool} not null, phone text not null, name text,
        crm_id {uuid} not null, contact_id {uuid} not null, attach {bool} not null, created_at {instant} not null,
        primary key (import_id, match_key)){strict}`,

      `create table campaigns (
        id {uuid} primary key, tenant_id {uuid} not null, name text not null, status text not null,
        total_contacts {int} not null, completed_contacts {int} not null, failed_contacts {int} not null,
        timezone text not null, quiet_hours_start {int} not null, quiet_hours_end {int} not null, max_attempts {int} not null,
        dial_mode text not null, pace_seconds {int} not null, parallel_lines {int} not null, amd_enabled {bool} not null,
        bot_id {uuid}, from_number_id {uuid}, scheduled_at {instant}, voicemail_template_id {uuid},
        created_at {instant} not null, updated_at {instant} not null,
        next_dial_at {instant}, last_dial_at {instant}, refusals {int} not null, next_seq {int} not null){strict}`,
      `create index campaigns_tenant on campaigns (tenant_id, id)`,
      `create index campaigns_due on campaigns (next_dial_at, id) where next_dial_at is not null`,
      `create table removed_campaigns (id {uuid} primary key, created_at {instant} not null){strict}`,

      `create table campaign_contacts (
        id {uuid} primary key, tenant_id {uuid} not null, campaign_id {uuid} not null, seq {int} not null, phone text not null,
        match_key text {bytes} not null, name text, status text not null, attempts {int} not null,
        next_attempt_at {instant}, approved_at {instant}, last_error text, call_id {uuid}, created_at {instant} not null){strict}`,
      `create index campaign_contacts_order on campaign_contacts (campaign_id, seq)`,
      `create index campaign_contacts_key on campaign_contacts (campaign_id, match_key)`,
      `create index campaign_contacts_fresh on campaign_contacts (campaign_id, seq)
        where next_attempt_at is null and status in ('pending', 'approved')`,
      `create index campaign_contacts_retry on campaign_contacts (campaign_id, next_attempt_at, seq)
        where next_attempt_at is not null and status in ('pending', 'approved')`,
      `create index campaign_contacts_approved on campaign_contacts (campaign_id, approved_at, seq)
        where approved_at is not null and status in ('pending', 'approved')`,

      `create table calls (
        id {uuid} primary key, tenant_id {uuid} not null, campaign_id {uuid}, contact_id {uuid}, attempt {int}, bot_id {uuid},
        from_number_id {uuid}, "from" text, "to" text not null, to_key text {bytes} not null, status text not null,
        answered_by text, burst_id {uuid}, is_winner {bool} not null, abandoned {bool} not null,
        provider text not null, provider_call_id text, started_at {instant} not null, rang_at {instant}, answered_at {instant},
        ended_at {instant}, duration_seconds {int}, end_reason text, failure text, credits {big} not null,
        created_at {instant} not null, detect_machine {bool} not null, voicemail_template_id {uuid}, window_closes_at {instant},
        stop_reason text, message_at {instant}, paid_until {instant}, look_ups {int} not null, first_look_up_at {instant},
        look_up_at {instant} not null, check_at {instant}){strict}`,
      `create index calls_tenant on calls (tenant_id, id)`,
      `create index calls_status on calls (tenant_id, status, id)`,
      `create index calls_campaign on calls (tenant_id, campaign_id, id) where campaign_id is not null`,
      `create index calls_contact on calls (tenant_id, contact_id, id) where contact_id is not null`,
      `create index calls_burst on calls (burst_id, id) where burst_id is not null`,
      `create index calls_answered on calls (campaign_id, started_at, abandoned, answered_at, answered_by)
        where campaign_id is not null and answered_at is not null`,
      `create index calls_check on calls (check_at, id) where check_at is not null`,
      `create index calls_open on calls (tenant_id, id) where ended_at is null`,
      `create index calls_open_campaign on calls (campaign_id, id) where ended_at is null and campaign_id is not null`,
      `create unique index calls_open_contact on calls (contact_id) where ended_at is null and contact_id is not null`,
      `create table carrier_slots (carrier text primary key, next_start_at {instant} not null){strict}`,
      `create table carrier_book (
        call_id {uuid} primary key, provider_call_id text not null, "to" text not null, "from" text, detect_machine {bool} not null,
        accepted_at {instant} not null, stopped_at {instant}, message_at {instant}, closed_at {instant}){strict}`,
      `create index carrier_book_open on carrier_book (accepted_at, call_id) where closed_at is null`
    ]
  },
  {
    version: 2,
    name: "webhooks",
    statements: [
      `create table key_expiries (key_id {uuid} primary key, expires_at {instant} not null){strict}`,
      `create index key_expiries_at on key_expiries (expires_at, key_id)`,
      `insert into key_expiries (key_id, expires_at) select id, expires_at from api_keys where expires_at is not null`,
      `create table webhooks (
        id {uuid} primary key, tenant_id {uuid} not null, surface text not null, url text not null, description text,
        events {json} not null, secret text not null, secret_hint text not null, previous_secret text, previous_until {instant},
        is_active {bool} not null, bot_id {uuid}, retry_schedule text not null, pause_after_days {int}, failing_since {instant},
        created_at {instant} not null, updated_at {instant} not null){strict}`,
      `create index webhooks_tenant on webhooks (tenant_id, surface, id)`,
      `create table webhook_deliveries (
        id {uuid} primary key, tenant_id {uuid} not null, webhook_id {uuid} not null, surface text not null, event text not null,
        payload text not null, status text not null, attempts {int} not null, status_code {int}, error text, send_id text,
        created_at {instant} not null, last_attempt_at {instant}, delivered_at {instant}, next_at {instant}, claim {uuid}){strict}`,
      `create index webhook_deliveries_log on webhook_deliveries (webhook_id, id)`,
      `create index webhook_deliveries_email on webhook_deliveries (tenant_id, id) where surface = 'email'`,
      `create index webhook_deliveries_failed on webhook_deliveries (webhook_id, id) where status = 'failed'`,
      `create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_at, id) where next_at is not null`,
      `create table removed_webhooks (id {uuid} primary key, created_at {instant} not null){strict}`,
      `create table email_suppressions (
        id {uuid} primary key, tenant_id {uuid} not null, email text not null, reason text not null, detail text,
        created_at {instant} not null){strict}`,
      `create unique index email_suppressions_email on email_suppressions (tenant_id, email)`,
      `create index email_suppressions_tenant on email_suppressions (tenant_id, id)`,
      `create table publish_keys (
        tenant_id {uuid} not null, key text not null, event_id {uuid} not null, created_at {instant} not null,
        primary key (tenant_id, key)){strict}`
    ]
  },
  {
    version: 3,
    name: "inference",
    statements: [
      // What was used. Its credits are those of the ledger's entry of the same id.
      `create table usage_log (
        id {uuid} primary key, tenant_id {uuid} not null, created_at {instant} not null, request_id text not null, key_id {uuid},
        service text not null, model text not null, http_status {int} not null, units {int} not null, unit text not null,
        input_tokens {int} not null, output_tokens {int} not null, cache_read_tokens {int} not null, cache_creation_tokens {int} not null,
        credits {big} not null, latency_ms {int} not null, session_id text, trace_id text){strict}`,
      // In the order in which it is read, for an account and for each filter that finds few rows.
      `create index usage_log_tenant on usage_log (tenant_id, created_at, id)`,
      `create index usage_log_key on usage_log (tenant_id, key_id, created_at, id) where key_id is not null`,
      `create index usage_log_session on usage_log (tenant_id, session_id, created_at, id) where session_id is not null`,
      `create index usage_log_trace on usage_log (tenant_id, trace_id, created_at, id) where trace_id is not null`,
      // What running requests hold. A hold whose time is over has given everything back, and stays a while for a late end.
      `create table usage_holds (
        id {uuid} primary key, tenant_id {uuid} not null, key_id {uuid}, service text not null, month text not null,
        period text, amount {big} not null, reserved {big} not null, lapsed {bool} not null, expires_at {instant} not null){by-key}`,
      `create index usage_holds_expiry on usage_holds (lapsed, expires_at, id)`,
      // Calls of a service in a calendar month of UTC: those that are over, and those that run.
      `create table usage_counts (
        tenant_id {uuid} not null, service text not null, month text not null, used {int} not null, pending {int} not null,
        primary key (tenant_id, service, month), check (used >= 0 and pending >= 0)){by-key}`,
      // Credit of a key (period: "total" or a month) or of a whole account (a month): spent, and held by what runs.
      `create table spends (
        owner_id {uuid} not null, period text not null, spent {big} not null, pending_amount {big} not null,
        alerted {bool} not null, exceeded {bool} not null, primary key (owner_id, period),
        check (spent >= 0 and pending_amount >= 0)){by-key}`,
      `create table bonus_grants (
        tenant_id {uuid} not null, month text not null, plan text not null, primary key (tenant_id, month, plan)){strict}`,
      `create index accounts_bonus on accounts (id) where plan in ('starter', 'pro')`,
      // The sliding minute of a key: the row that writers queue at, the n-th request of it, and when.
      `create table key_windows (key_id {uuid} primary key, seq {int} not null){by-key}`,
      `create table key_requests (
        key_id {uuid} not null, at {instant} not null, seq {int} not null, primary key (key_id, at, seq)){by-key}`,
      `create table key_places (
        key_id {uuid} not null, id {uuid} not null, until {instant} not null, primary key (key_id, id)){by-key}`,
      `create table idempotency_keys (
        tenant_id {uuid} not null, key text not null, fingerprint text not null, claim text, lease_until {instant}, answer {json},
        expires_at {instant} not null, primary key (tenant_id, key)){strict}`,
      `create index idempotency_keys_expiry on idempotency_keys (expires_at)`,
      `create table voice_sessions (
        id {uuid} primary key, tenant_id {uuid} not null, key_id {uuid}, bot_id {uuid} not null, status text not null, token text,
        token_expires_at {instant} not null, max_duration_seconds {int} not null, stt_model text, language text, started_at {instant},
        ended_at {instant}, duration_seconds {int}, end_reason text, created_at {instant} not null, due_at {instant}){strict}`,
      `create index voice_sessions_due on voice_sessions (due_at, id) where due_at is not null`
    ]
  },
  {
    version: 4,
    name: "messaging",
    statements: [
      // What agents know, the passages that it is found in, and how many entries of an agent have a term.
      `create table knowledge (
        id {uuid} primary key, tenant_id {uuid} not null, bot_id {uuid} not null, title text not null, content text not null,
        created_at {instant} not null){strict}`,
      `create index knowledge_bot on knowledge (bot_id, id)`,
      `create table knowledge_passages (
        {numbered}, entry_id {uuid} not null, bot_id {uuid} not null, first_unit {int} not null, end_unit {int} not null,
        title_terms text not null, terms text not null{searchable}){strict}`,
      `create index knowledge_passages_bot on knowledge_passages (bot_id, entry_id)`,
      `create table knowledge_terms (
        bot_id {uuid} not null, term text {bytes} not null, entries {int} not null, primary key (bot_id, term)){by-key}`,
      // Every term carries the end of its agent's id, or a search would cost what all agents together know.
      {
        sqlite: [
          // Only letters and digits are in a term: the tokenizer that takes whatever is not ASCII for letters keeps it whole.
          `create virtual table knowledge_search using fts5
            (terms, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
          `create trigger knowledge_passages_added after insert on knowledge_passages begin
            insert into knowledge_search (rowid, terms) values (new.position,
              replace(' ' || new.title_terms || ' ' || new.terms, ' ', ' ' || substr(new.bot_id, -8)) ||
              replace(' ' || new.title_terms, ' ', ' t' || substr(new.bot_id, -8)));
          end`,
          `create trigger knowledge_passages_removed after delete on knowledge_passages begin
            delete from knowledge_search where rowid = old.position;
          end`
        ],
        // Entries are added now and then, and looked for while a customer waits: the index has no list of what is new.
        postgres: [
          `create index knowledge_passages_search on knowledge_passages using gin (search) with (fastupdate = off)`
        ]
      },
      // A number that was disconnected keeps its conversations, and may be connected by another account.
      `create table connected_numbers (
        id {uuid} primary key, tenant_id {uuid} not null, phone_number_id text not null, business_account_id text not null,
        display_phone_number text, token text not null, bot_id {uuid}, ai_autoreply_enabled {bool} not null,
        created_at {instant} not null, updated_at {instant} not null, disconnected_at {instant}){strict}`,
      `create unique index connected_numbers_platform on connected_numbers (phone_number_id) where disconnected_at is null`,
      `create index connected_numbers_tenant on connected_numbers (tenant_id, id)`,
      `create index connected_numbers_known on connected_numbers (tenant_id, phone_number_id, id)`,
      // One person on one number, and the job by which that person's replies are made. A claimed job stands in the index of due
      // jobs at the end of its claim, so that a query finds the jobs that may be claimed and nothing else.
      `create table chat_customers (
        id {uuid} primary key, tenant_id {uuid} not null, phone_id {uuid} not null, phone text, user_ref text, name text,
        conversation_id {uuid} not null, window_expires_at {instant}, last_message_at {instant} not null, created_at {instant} not null,
        due_at {instant}, claim text, claimed_until {instant}, handled_up_to {uuid}, waiting_since {instant}, failures {int} not null){strict}`,
      `create unique index chat_customers_phone on chat_customers (phone_id, phone) where phone is not null`,
      `create unique index chat_customers_ref on chat_customers (phone_id, user_ref) where user_ref is not null`,
      `create index chat_customers_due on chat_customers
        ((case when claimed_until > due_at then claimed_until else due_at end), id) where due_at is not null`,
      `create table conversations (
        id {uuid} primary key, tenant_id {uuid} not null, phone_id {uuid} not null, customer_id {uuid} not null,
        ai_autoreply_enabled {bool} not null, status text not null, last_message_at {instant} not null, created_at {instant} not null){strict}`,
      `create index conversations_tenant on conversations (tenant_id, last_message_at, id)`,
      `create index conversations_phone on conversations (tenant_id, phone_id, last_message_at, id)`,
      `create index conversations_status on conversations (tenant_id, status, last_message_at, id)`,
      `create index conversations_customer on conversations (customer_id)`,
      // A message of the platform's is known by its id for ever: what is delivered again changes nothing. The position is the order in
      // which messages were added: ids of two processes, whose clocks differ, are not in it.
      `create table chat_messages (
        {arrival}, id {uuid} not null unique, tenant_id {uuid} not null, phone_id {uuid} not null, customer_id {uuid} not null,
        conversation_id {uuid} not null, msgid text, direction text not null, role text not null, type text not null, text text,
        body {json} not null, context text, status text not null, fault {json}, turn_id {uuid}, part {int}, created_at {instant} not null){strict}`,
      `create unique index chat_messages_msgid on chat_messages (phone_id, msgid) where msgid is not null`,
      `create index chat_messages_customer on chat_messages (customer_id, position, conversation_id)`,
      `create index chat_messages_open on chat_messages (customer_id, position) where turn_id is not null and status in ('queued', 'sending')`,
      `create index chat_messages_sending on chat_messages (created_at, id) where turn_id is null and status = 'sending'`,
      `create index chat_messages_turns on chat_messages (customer_id, created_at) where part = 0`,
      `create table early_statuses (
        id text primary key, phone_id {uuid} not null, msgid text not null, status text not null, fault {json}, at {instant} not null){strict}`,
      `create index early_statuses_msgid on early_statuses (phone_id, msgid)`,
      `create index early_statuses_at on early_statuses (at, id)`
    ]
  },
  {
    version: 5,
    name: "callback data of messages",
    statements: [`alter table chat_messages add column callback_data text`]
  },
  {
    version: 6,
    name: "bounds",
    statements: [
      // Earlier, the library's promises stored campaigns that the routes refuse: such a campaign is paused, with values within the bounds.
      `update campaigns set
        status = case
          when status in ('draft', 'paused', 'insufficient_balance', 'completed', 'cancelled') then status else 'paused' end,
        next_dial_at = null,
        dial_mode = case when dial_mode in ('preview', 'power', 'parallel') then dial_mode else 'power' end,
        name = case when name = '' then '-' else substr(name, 1, 255) end,
        timezone = case when timezone = '' then 'UTC' else timezone end,
        quiet_hours_start = case when ${campaignHours} then quiet_hours_start else 9 end,
        quiet_hours_end = case when ${campaignHours} then quiet_hours_end else 21 end,
        ${clamped("max_attempts", 1, 5)}, ${clamped("pace_seconds", 5, 3600)},
        parallel_lines = case
          when dial_mode <> 'parallel' or parallel_lines < 1 then 1 when parallel_lines > 5 then 5 else parallel_lines end
        where not (${campaignBounds})`,
      check("campaigns", "bounds", campaignBounds),
      oneOf("accounts", "plan", "free starter pro enterprise"),
      oneOf("accounts", "status", "active inactive terminated"),
      oneOf("accounts", "payment_method", "verified grace missing"),
      oneOf("api_keys", "budget_period", "total month"),
      oneOf("campaign_contacts", "status", "pending approved calling done failed"),
      oneOf(
        "campaign_contacts",
        "last_error",
        "busy no_answer machine invalid_number blocked_number do_not_call provider_error outcome_unknown canceled"
      ),
      oneOf("calls", "status", "queued dialing ringing in_progress completed busy no_answer failed canceled"),
      oneOf("calls", "answered_by", "human machine unknown"),
      oneOf(
        "calls",
        "end_reason",
        "hangup_remote hangup_local busy no_answer failed canceled do_not_call window_closed lost_race credits unknown"
      ),
      oneOf("calls", "stop_reason", "hangup_local canceled do_not_call window_closed lost_race credits"),
      oneOf("calls", "failure", "invalid_number blocked_number provider_error"),
      oneOf("webhooks", "surface", "platform email"),
      oneOf("webhooks", "retry_schedule", "standard long"),
      check("webhooks", "pause_after_days", "pause_after_days between 1 and 30"),
      oneOf("webhook_deliveries", "surface", "platform email"),
      oneOf("webhook_deliveries", "status", "pending delivered failed blocked"),
      oneOf("email_suppressions", "reason", "bounced complained"),
      oneOf("voice_sessions", "status", "created active completed failed timeout"),
      check("voice_sessions", "max_duration_seconds", "max_duration_seconds between 1 and 7200"),
      oneOf("conversations", "status", "open ended"),
      oneOf("chat_messages", "direction", "inbound outbound"),
      oneOf("chat_messages", "role", "user assistant agent"),
      oneOf("chat_messages", "status", "received queued sending unknown sent delivered read failed"),
      oneOf("early_statuses", "status", "received queued sending unknown sent delivered read failed")
    ]
  },
  {
    version: 7,
    name: "spending",
    statements: [
      // What a call holds of its account's monthly budget.
      `alter table credit_holds add column budgeted {big} not null default 0`,
      `create index key_places_until on key_places (until)`
    ]
  },
  {
    version: 8,
    name: "call records",
    statements: [
      `alter table calls add column silent_since {instant}`,
      `alter table calls add column end_requests {int} not null default 0`,
      // Earlier releases could give a record to several calls: it stays with the one that began first.
      `create index calls_shared_record on calls (provider, provider_call_id, id) where provider_call_id is not null`,
      `update calls set provider_call_id = null where provider_call_id is not null and exists (select 1 from calls owner
        where owner.provider = calls.provider and owner.provider_call_id = calls.provider_call_id and owner.id < calls.id)`,
      `drop index calls_shared_record`,
      `create unique index calls_record on calls (provider, provider_call_id) where provider_call_id is not null`,
      // Calls that the carrier may know under an id that we do not.
      `create index calls_unnamed on calls (to_key, started_at)
        where provider_call_id is null and (ended_at is null or end_reason = 'unknown')`
    ]
  },
  {
    version: 9,
    name: "reply jobs",
    statements: [
      // A customer who has never written has no job. A job that is claimed stands in the index of what is due where its claim runs
      // out, so that a look finds what may be claimed and nothing else.
      `create table reply_jobs (
        customer_id {uuid} primary key, due_at {instant}, claim text, claimed_until {instant}, handled_up_to {uuid},
        waiting_since {instant}, failures {int} not null){by-key}`,
      `insert into reply_jobs (customer_id, due_at, claim, claimed_until, handled_up_to, waiting_since, failures)
        select id, due_at, claim, claimed_until, handled_up_to, waiting_since, failures from chat_customers
        where due_at is not null or claim is not null or handled_up_to is not null or waiting_since is not null or failures > 0`,
      `create index reply_jobs_due on reply_jobs
        ((case when claimed_until > due_at then claimed_until else due_at end), customer_id) where due_at is not null`,
      `drop index chat_customers_due`,
      ...["due_at", "claim", "claimed_until", "handled_up_to", "waiting_since", "failures"].map(
        (column) => `alter table chat_customers drop column ${column}`
      ),
      `alter table early_statuses rename to unmatched_statuses`,
      `drop index early_statuses_msgid`,
      `drop index early_statuses_at`,
      `create index unmatched_statuses_msgid on unmatched_statuses (phone_id, msgid)`,
      `create index unmatched_statuses_at on unmatched_statuses (at, id)`
    ]
  },
  {
    version: 10,
    name: "channels of numbers",
    // Every number that was connected before is on the one channel that there was.
    statements: [`alter table connected_numbers add column channel text not null default 'cloud-api'`]
  },
  {
    version: 11,
    name: "starts of calls",
    // How many calls of a campaign were started since an instant.
    statements: [`create index calls_started on calls (campaign_id, started_at) where campaign_id is not null`]
  },
  {
    version: 12,
    name: "calls per day",
    statements: [
      `alter table campaigns add column max_calls_per_day {int}`,
      check("campaigns", "max_calls_per_day", "max_calls_per_day between 1 and 100000")
    ]
  },
  {
    version: 13,
    name: "states of providers",
    statements: [
      `create table provider_states (
        provider text not null, key text {bytes} not null, state {json} not null, is_open {bool} not null,
        primary key (provider, key)){strict}`,
      `create index provider_states_open on provider_states (is_open, provider, key) where is_open = true`,
      // The calls of the simulated carrier had a table of their own.
      {
        sqlite: [
          `insert into provider_states (provider, key, state, is_open)
            select 'simulator', call_id, json_object('providerCallId', provider_call_id, 'to', "to", 'from', "from",
              'detectMachine', json(case when detect_machine then 'true' else 'false' end), 'acceptedAt', accepted_at,
              'stoppedAt', stopped_at, 'messageAt', message_at, 'closedAt', closed_at), closed_at is null
            from carrier_book`
        ],
        postgres: [
          `insert into provider_states (provider, key, state, is_open)
            select 'simulator', call_id::text, json_build_object('providerCallId', provider_call_id, 'to', "to", 'from', "from",
              'detectMachine', detect_machine, 'acceptedAt', accepted_at,
              'stoppedAt', stopped_at, 'messageAt', message_at, 'closedAt', closed_at), closed_at is null
            from carrier_book`
        ]
      },
      `drop table carrier_book`
    ]
  },
  {
    version: 14,
    name: "kept responses",
    statements: [
      `create table kept_responses (
        id text {bytes} primary key, tenant_id {uuid} not null, response {json} not null, before {json} not null,
        expires_at {instant} not null){strict}`,
      `create index kept_responses_expiry on kept_responses (expires_at, id)`,
      // Its own input and its output. The key is a digest of the id, which a caller may have written, at any length.
      `create table kept_items (
        response_id text {bytes} not null references kept_responses (id) on delete cascade, place {int} not null,
        tenant_id {uuid} not null, item_key text {bytes} not null, item_id text not null, item {json} not null,
        is_input {bool} not null, expires_at {instant} not null, primary key (response_id, place)){strict}`,
      `create index kept_items_key on kept_items (tenant_id, item_key, response_id)`
    ]
  },
  {
    version: 15,
    name: "calls of a reservation",
    // Every request had reserved one.
    statements: [`alter table usage_holds add column calls {int} not null default 1`]
  },
  {
    version: 16,
    name: "conversations of the plan",
    statements: [
      `alter table voice_sessions add column was_counted {bool} not null default false`,
      `alter table conversations add column is_counted {bool} not null default false`,
      // What an agent has answered before does not count in a later month.
      `update conversations set is_counted = true where status = 'open' and exists (
        select 1 from chat_messages m where m.customer_id = conversations.customer_id
          and m.conversation_id = conversations.id and m.role = 'assistant')`
    ]
  },
  {
    version: 17,
    name: "files",
    statements: [
      `create table files (
        id {uuid} primary key, tenant_id {uuid} not null, status text not null check (status in ('staged', 'ready', 'removed')),
        purpose text not null, filename text not null, bytes {big} not null, readers {int} not null,
        created_at {instant} not null, expires_at {instant}, sweep_at {instant}){strict}`,
      `create index files_tenant on files (tenant_id, id) where status = 'ready'`,
      `create index files_sweep on files (sweep_at, id) where sweep_at is not null and readers = 0`,
      `create table file_chunks (
        file_id {uuid} not null, n {int} not null, chunk {blob} not null, primary key (file_id, n)){strict}`
    ]
  },
  {
    version: 18,
    name: "batches",
    statements: [
      `create table batches (
        id {uuid} primary key, tenant_id {uuid} not null, key_id {uuid}, status text not null check (status in
          ('validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled')),
        endpoint text not null, input_file_id {uuid} not null, input_bytes {big} not null, output_file_id {uuid}, error_file_id {uuid},
        faults {json}, labels {json}, is_checked {bool} not null, is_open {bool} not null, total {int} not null,
        completed {int} not null, failed {int} not null, input_tokens {big} not null, cached_tokens {big} not null,
        output_tokens {big} not null, reasoning_tokens {big} not null, created_at {instant} not null, due_at {instant} not null,
        in_progress_at {instant}, finalizing_at {instant}, completed_at {instant}, failed_at {instant}, expired_at {instant},
        cancelling_at {instant}, cancelled_at {instant}, sweep_at {instant}){strict}`,
      `create index batches_tenant on batches (tenant_id, id)`,
      `create index batches_open on batches (tenant_id, id) where is_open = true`,
      `create index batches_sweep on batches (sweep_at, id) where sweep_at is not null`,
      `create table batch_lines (
        batch_id {uuid} not null, n {int} not null, custom_id text not null, from_byte {big} not null, byte_length {int} not null,
        outcome text check (outcome in ('succeeded', 'failed')), result text, primary key (batch_id, n)){strict}`,
      `create index batch_lines_pending on batch_lines (batch_id, n) where outcome is null`,
      `create table batch_queue (tenant_id {uuid} primary key, due_at {instant} not null, claim text){by-key}`,
      `create index batch_queue_due on batch_queue (due_at, tenant_id)`
    ]
  },
  {
    version: 19,
    name: "voice agent",
    statements: [
      // A client that has an API key describes its own agent.
      `alter table voice_sessions alter column bot_id drop not null`,
      ...[
        "call_id {uuid}",
        "token_digest text",
        "llm_model text",
        "tts_model text",
        "voice text",
        "variables {json} not null default '{}'",
        "metadata {json} not null default '{}'",
        "turn_count {int} not null default 0",
        "credits {big} not null default 0",
        "recording text not null default 'none'",
        "claim text",
        "lease_until {instant}",
        "last_seen_at {instant}",
        "resumes {int} not null default 0"
      ].map((column) => `alter table voice_sessions add column ${column}`),
      oneOf("voice_sessions", "recording", "none available deleted"),
      `create unique index voice_sessions_token on voice_sessions (token_digest) where token_digest is not null`,
      `create index voice_sessions_tenant on voice_sessions (tenant_id, id)`,
      `create index voice_sessions_status on voice_sessions (tenant_id, status, id)`,
      `create index voice_sessions_bot on voice_sessions (tenant_id, bot_id, id) where bot_id is not null`,
      `create index voice_sessions_call on voice_sessions (call_id, id) where call_id is not null`,
      `create index voice_sessions_active on voice_sessions (tenant_id, lease_until) where status = 'active'`,
      `create index voice_sessions_lease on voice_sessions (lease_until, id) where status = 'active' and lease_until is not null`,
      `create index voice_sessions_recorded on voice_sessions (ended_at, id) where recording = 'available'`,
      `create table voice_transcripts (
        id {uuid} not null, session_id {uuid} not null, n {int} not null, role text not null check (role in ('user', 'assistant', 'tool')),
        text text not null, started_at {instant} not null, offset_ms {int} not null, duration_ms {int}, interrupted {bool} not null,
        model text, eou_ms {int}, stt_ms {int}, llm_ms {int}, tts_ms {int}, total_ms {int}, tool {json},
        primary key (session_id, n)){strict}`
    ]
  },
  {
    version: 20,
    name: "analyses and alerts",
    statements: [
      `create table voice_analyses (
        session_id {uuid} primary key, tenant_id {uuid} not null, id {uuid} not null,
        status text not null check (status in ('pending', 'completed', 'failed')), summary text, outcome text,
        sentiment text check (sentiment in ('positive', 'neutral', 'negative')), score {real}, results {json}, model text, error text,
        created_at {instant} not null, completed_at {instant}, attempts {int} not null, due_at {instant}, claim text){strict}`,
      `create index voice_analyses_due on voice_analyses (due_at, session_id) where due_at is not null`,
      `create table voice_alerts (
        id {uuid} primary key, tenant_id {uuid} not null, name text not null, metric text not null check (metric in
          ('connect_rate', 'failure_rate', 'call_volume', 'session_failure_rate', 'hangup_rate', 'latency_p95', 'average_duration')),
        comparison text not null check (comparison in ('above', 'below')), threshold {real} not null,
        window_seconds {int} not null check (window_seconds between 60 and 86400), bot_id {uuid}, enabled {bool} not null,
        cooldown_seconds {int} not null check (cooldown_seconds between 0 and 604800), is_firing {bool} not null, last_value {real},
        last_fired_at {instant}, last_evaluated_at {instant}, created_at {instant} not null, updated_at {instant} not null,
        due_at {instant}){strict}`,
      `create index voice_alerts_tenant on voice_alerts (tenant_id, id)`,
      `create index voice_alerts_due on voice_alerts (due_at, id) where due_at is not null`,
      // What alerts measure in a window.
      `create index calls_ended on calls (tenant_id, ended_at) where ended_at is not null`,
      // The conditions of these two say nothing new: they keep statements that count all rows on the index that lists them.
      `create index calls_placed on calls (tenant_id, started_at) where started_at is not null`,
      `create index voice_sessions_created on voice_sessions (tenant_id, created_at) where created_at is not null`,
      `create index voice_sessions_ended on voice_sessions (tenant_id, ended_at) where ended_at is not null`
    ]
  },
  {
    version: 21,
    name: "secrets of agents",
    statements: [`create table bot_secrets (id {uuid} primary key, secret text not null){by-key}`]
  },
  {
    version: 22,
    name: "calls with agents",
    statements: [
      `alter table calls add column voice_session_id {uuid}`,
      `alter table calls add column media_token text`
    ]
  },
  {
    version: 23,
    name: "latencies of replies",
    statements: [
      `alter table voice_transcripts add column tenant_id {uuid}`,
      `alter table voice_transcripts add column bot_id {uuid}`,
      // What an alert needs to know of a reply stands in the index.
      `create index voice_transcripts_replies on voice_transcripts (tenant_id, started_at, total_ms, bot_id) where total_ms is not null`
    ]
  },
  {
    version: 24,
    name: "calls that will be conversations",
    statements: [
      `alter table calls add column awaits_agent {bool} not null default false`,
      `create index calls_awaiting on calls (tenant_id, awaits_agent) where awaits_agent = true`
    ]
  },
  {
    version: 25,
    name: "accounts of all rows",
    statements: ownedTables.flatMap(accountOfRows)
  },
  {
    version: 26,
    name: "moves of accounts",
    statements: [
      `create table account_moves (
        tenant_id {uuid} primary key, move_id {uuid} not null, phase text not null check (phase in ('leaving', 'moved', 'arriving')),
        other text not null, place {int} not null, cursor text, updated_at {instant} not null){strict}`
    ]
  },
  {
    version: 30,
    name: "months of the usage log",
    statements: [partition("usage_log")]
  },
  {
    version: 31,
    name: "months of deliveries",
    statements: [
      // Where the ids of pending rows begin: what is before it need not be looked at.
      `create table queue_floors (name text primary key, floor {uuid} not null){by-key}`,
      partition("webhook_deliveries")
    ]
  },
  {
    version: 32,
    name: "months of events",
    statements: [partition("outbox", { key: "epoch, position, id" })]
  },
  {
    version: 33,
    name: "timeline of the server",
    statements: [
      // What is stored about the server itself is no row of the product, and no copy of a database has it.
      {
        sqlite: [],
        postgres: [
          `create table server_timeline (
            id integer primary key check (id = 1), timeline integer not null, lost_since bigint, promoted_at bigint)`
        ]
      }
    ]
  },
  {
    version: 34,
    name: "months of calls",
    statements: [...callKeys.flatMap(prepareKey), partition("calls", { keys: callKeys })]
  },
  {
    version: 35,
    name: "months of messages",
    statements: [
      ...messageKeys.flatMap(prepareKey),
      partition("chat_messages", { key: "id", replaced: "chat_messages_id_key", keys: messageKeys })
    ]
  },
  {
    version: 36,
    name: "clocks of start slots",
    statements: [`alter table carrier_slots add column stored_at {instant}`]
  },
  {
    version: 40,
    name: "totals of accounts",
    statements: accountTotalStatements
  },
  {
    version: 41,
    name: "numbers that were proven",
    statements: [
      `alter table connected_numbers add column is_proven {bool} not null default false`,
      `create index connected_numbers_ids on connected_numbers (phone_number_id, id)`
    ]
  },
  {
    version: 42,
    name: "uploads under way",
    statements: [`create index files_staged on files (tenant_id, id) where status = 'staged'`]
  },
  {
    version: 43,
    name: "edits of messages and forms of phones",
    statements: [
      `alter table chat_messages add column written_at {instant}`,
      `alter table chat_messages add column edited_at {instant}`,
      `alter table chat_messages add column original {json}`,
      `alter table chat_messages add column deleted_at {instant}`,
      `alter table chat_messages add column is_handled {bool} not null default false`,
      `alter table reply_jobs add column answered_at {instant}`,
      `alter table unmatched_statuses add column change {json}`,
      `create table phone_forms (
        tenant_id {uuid} not null, phone_id {uuid} not null, phone text not null, form_of text not null,
        primary key (phone_id, phone)){by-key}`,
      `create index phone_forms_form on phone_forms (phone_id, form_of, phone)`
    ]
  },
  {
    version: 44,
    name: "numbers read anew",
    statements: numbersReadAnew
  },
  {
    version: 45,
    name: "requests that have acted",
    statements: [`alter table idempotency_keys add column has_acted {bool} not null default false`]
  },
  {
    version: 46,
    name: "versions of accounts and keys",
    statements: accessVersionStatements
  },
  {
    version: 47,
    name: "what processes hold",
    statements: [
      // What a process holds lapses once its lease is over. Processes of an earlier release have usage_holds and key_places instead.
      `create table processes (id {uuid} primary key, until {instant} not null){by-key}`,
      `create table process_holds (
        tenant_id {uuid} not null, process_id {uuid} not null, owner_id {uuid} not null, service text not null, month text not null,
        period text not null, running {int} not null, calls {int} not null, amount {big} not null, reserved {big} not null,
        primary key (tenant_id, process_id, owner_id, service, month, period),
        check (running >= 0 and calls >= 0 and amount >= 0 and reserved >= 0)){by-key}`,
      `create table process_slots (
        tenant_id {uuid} not null, key_id {uuid} not null, process_id {uuid} not null, acquired {int} not null,
        primary key (tenant_id, key_id, process_id), check (acquired >= 0)){by-key}`
    ]
  },
  {
    version: 48,
    name: "names in the audit log",
    statements: [`alter table audit_log add column actor_name text`]
  },
  {
    version: 49,
    name: "changes for other processes",
    statements: [
      `create table change_watches (
        tenant_id {uuid} not null, process_id {uuid} not null, until {instant} not null, primary key (tenant_id, process_id)){by-key}`,
      `create index change_watches_until on change_watches (until)`,
      `create table change_notes (
        id {uuid} primary key, process_id {uuid} not null, changes {json} not null, at {instant} not null){by-key}`,
      `create index change_notes_process on change_notes (process_id)`,
      `create index change_notes_at on change_notes (at)`
    ]
  },
  {
    version: 50,
    name: "members and their sessions",
    statements: [
      `create table members (
        id {uuid} primary key, tenant_id {uuid} not null, email text not null, email_key text {bytes} not null, name text,
        role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
        status text not null check (status in ('invited', 'active')), password text, last_seen_at {instant},
        created_at {instant} not null, removed_at {instant}){strict}`,
      // An email is one member's in the whole installation.
      `create unique index members_email on members (email_key) where removed_at is null`,
      `create index members_tenant on members (tenant_id, id)`,
      `create index members_active on members (status, id) where status = 'active' and removed_at is null`,
      `create table member_links (
        id {uuid} primary key, tenant_id {uuid} not null, member_id {uuid}, purpose text not null
        check (purpose in ('setup', 'invitation', 'reset')), digest text {bytes} not null unique, expires_at {instant} not null,
        created_at {instant} not null){strict}`,
      `create index member_links_member on member_links (tenant_id, member_id)`,
      `create index member_links_expiry on member_links (expires_at, id)`,
      `create table sign_in_sessions (
        id {uuid} primary key, tenant_id {uuid} not null, member_id {uuid} not null, digest text {bytes} not null unique,
        created_at {instant} not null, last_used_at {instant} not null, expires_at {instant} not null, user_agent text,
        address text){strict}`,
      `create index sign_in_sessions_member on sign_in_sessions (member_id, id)`,
      `create index sign_in_sessions_expiry on sign_in_sessions (expires_at, id)`,
      `create table sign_in_failures (
        key text {bytes} not null, at {instant} not null, id {uuid} not null, primary key (key, at, id)){by-key}`,
      `create index sign_in_failures_at on sign_in_failures (at, key)`
    ]
  },
  {
    version: 51,
    name: "contact lists by status",
    statements: [
      `alter table campaign_contacts add column approved_by text`,
      index("campaign_contacts_status", "campaign_contacts", "campaign_id, status, seq"),
      index("campaign_contacts_error", "campaign_contacts", "campaign_id, last_error, seq", {
        where: "last_error is not null"
      })
    ]
  },
  {
    version: 52,
    name: "outcomes of calls",
    statements: [
      `alter table calls add column outcome text`,
      `alter table calls add column outcome_note text`,
      `alter table calls add column outcome_by text`,
      `alter table calls add column outcome_by_name text`,
      `alter table calls add column outcome_at {instant}`
    ]
  },
  {
    version: 53,
    name: "preview desk",
    statements: [
      `alter table campaign_contacts add column skipped_at {instant}`,
      `create table preview_holds (
        tenant_id {uuid} not null, campaign_id {uuid} not null, actor text not null, contact_id {uuid} not null,
        subject text not null, name text, until {instant} not null, primary key (campaign_id, actor)){by-key}`,
      `create unique index preview_holds_contact on preview_holds (contact_id)`,
      index("campaign_contacts_skipped", "campaign_contacts", "campaign_id, skipped_at, seq", {
        where: "skipped_at is not null and status = 'pending' and approved_at is null"
      }),
      // Calls to a person; and those of which something was noted.
      index("calls_to", "calls", "tenant_id, to_key, id"),
      index("calls_outcome", "calls", "tenant_id, outcome, id", { where: "outcome is not null" })
    ]
  },
  {
    version: 54,
    name: "members whom an issuer knows",
    statements: [`alter table members add column oidc_issuer text`, `alter table members add column oidc_subject text`]
  },
  {
    version: 55,
    name: "imports of the do-not-call list",
    statements: [
      `create {scratch}table import_entries (
        import_id {uuid} not null, match_key text {bytes} not null, occurrences {int} not null, phone text not null, reason text,
        entry_id {uuid} not null, created_at {instant} not null, primary key (import_id, match_key)){strict}`
    ]
  },
  {
    version: 56,
    name: "secrets and uses of keys",
    statements: [
      `alter table api_keys add column previous_hash text`,
      `alter table api_keys add column previous_prefix text`,
      `alter table api_keys add column previous_until {instant}`,
      // Until then operators alone made keys.
      `alter table api_keys add column created_by text not null default 'operator'`,
      `create table key_uses (key_id {uuid} primary key, tenant_id {uuid} not null, used_at {instant} not null){by-key}`,
      `create index key_uses_tenant on key_uses (tenant_id)`,
      index("api_keys_previous", "api_keys", "previous_hash", {
        isUnique: true,
        where: "previous_hash is not null"
      }),
      `alter table audit_log add column target_name text`,
      // What keys without a budget have spent was counted nowhere.
      backfill(
        "api_keys",
        "id",
        `insert into spends (owner_id, tenant_id, period, spent, pending_amount, alerted, exceeded)
          select id, tenant_id, 'total', (select sum(u.credits) from usage_log u
            where u.tenant_id = api_keys.tenant_id and u.key_id = api_keys.id), 0, false, false
          from api_keys where {range} and exists (select 1 from usage_log u
            where u.tenant_id = api_keys.tenant_id and u.key_id = api_keys.id)
          on conflict (owner_id, period) do nothing`
      )
    ]
  },
  {
    version: 57,
    name: "inbox",
    statements: [
      `alter table conversations add column awaits text not null default 'nobody'`,
      `alter table conversations add column unread_count {int} not null default 0`,
      `alter table conversations add column last_message_id {uuid}`,
      `alter table conversations add column assigned_to text`,
      `alter table conversations add column assigned_name text`,
      `alter table chat_messages add column sent_by text`,
      `alter table chat_messages add column sent_by_name text`,
      // Nobody knows any more whether an agent has given up a reply: it may answer whatever stands last.
      backfill(
        "conversations",
        "id",
        `update conversations set
          last_message_id = (select m.id from chat_messages m where m.customer_id = conversations.customer_id
            and m.conversation_id = conversations.id order by m.position desc limit 1),
          awaits = case when status = 'open' then coalesce(
            (select case when m.direction = 'inbound' then 'agent' else 'nobody' end from chat_messages m
              where m.customer_id = conversations.customer_id and m.conversation_id = conversations.id
              order by m.position desc limit 1), 'nobody') else 'nobody' end,
          unread_count = (select count(*) from chat_messages m where m.customer_id = conversations.customer_id
            and m.conversation_id = conversations.id and m.direction = 'inbound' and m.position > coalesce(
              (select max(o.position) from chat_messages o where o.customer_id = conversations.customer_id
                and o.conversation_id = conversations.id and o.direction = 'outbound'), 0))
          where {range} and last_message_id is null`
      ),
      oneOf("conversations", "awaits", "nobody agent person"),
      index("conversations_unread", "conversations", "tenant_id, last_message_at, id", { where: "unread_count > 0" }),
      index("conversations_waiting", "conversations", "tenant_id, last_message_at, id", {
        where: "awaits <> 'nobody'"
      }),
      index("conversations_assigned", "conversations", "tenant_id, assigned_to, last_message_at, id", {
        where: "assigned_to is not null"
      }),
      // Customers whose numbers end alike.
      index("chat_customers_end", "chat_customers", "tenant_id, substr(phone, length(phone) - 6)")
    ]
  },
  {
    version: 58,
    name: "what is known of numbers and templates",
    statements: [
      `alter table connected_numbers add column platform {json}`,
      `alter table connected_numbers add column facts_due_at {instant}`,
      `create table known_templates (
        tenant_id {uuid} not null, channel text {bytes} not null, business_account_id text {bytes} not null, id text {bytes} not null,
        name text, language text, status text, category text, quality text, components {json}, reason text, rejection {json},
        disable_at {instant}, reported_at {instant}, read_due_at {instant}, updated_at {instant} not null,
        primary key (tenant_id, channel, business_account_id, id)){by-key}`,
      `create index known_templates_due on known_templates (read_due_at, tenant_id, channel, business_account_id, id)
        where read_due_at is not null`,
      // A delivery about a business account names no number.
      index("connected_numbers_business", "connected_numbers", "business_account_id, channel, id", {
        where: "disconnected_at is null"
      }),
      index("connected_numbers_facts", "connected_numbers", "facts_due_at, id", {
        where: "disconnected_at is null and facts_due_at is not null"
      })
    ]
  },
  {
    version: 59,
    name: "people who have opted out",
    statements: [
      // The keys stand backwards, so that a match on trailing digits is one seek.
      `create table opt_outs (
        id {uuid} primary key, tenant_id {uuid} not null, phone text, match_key text {bytes}, user_id text {bytes},
        phone_number_id text {bytes}, scope text not null check (scope in ('marketing', 'all')),
        source text not null check (source in ('keyword', 'platform', 'button', 'api')), detail text,
        created_at {instant} not null){strict}`,
      `create index opt_outs_tenant on opt_outs (tenant_id, id)`,
      `create index opt_outs_key on opt_outs (tenant_id, match_key, id) where match_key is not null`,
      `create index opt_outs_user on opt_outs (tenant_id, user_id, id) where user_id is not null`,
      index(
        "known_templates_name",
        "known_templates",
        "tenant_id, channel, business_account_id, name, language, updated_at, id"
      )
    ]
  },
  {
    version: 60,
    name: "template campaigns",
    statements: [
      `create table template_campaigns (
        id {uuid} primary key, tenant_id {uuid} not null, name text not null, phone_id {uuid} not null,
        phone_number_id text {bytes} not null, template_name text {bytes} not null, template_language text {bytes} not null,
        parameters {json} not null,
        status text not null check (status in ('draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled')),
        pause_reason text, scheduled_at {instant}, timezone text not null check (timezone <> ''),
        quiet_hours_start {int} not null, quiet_hours_end {int} not null,
        max_per_second {int} check (max_per_second between 1 and 1000),
        max_per_day {int} check (max_per_day between 1 and 1000000), require_opt_in {bool} not null,
        respect_do_not_call {bool} not null, pause_on_quality text not null check (pause_on_quality in ('red', 'yellow', 'never')),
        max_failure_percent {int} not null check (max_failure_percent between 1 and 100), retry_marketing_limit {bool} not null,
        reply_window_hours {int} not null check (reply_window_hours between 1 and 168), counts {json} not null,
        pricing {json} not null, started_at {instant}, completed_at {instant}, created_at {instant} not null,
        updated_at {instant} not null, next_turn_at {instant}, next_seq {int} not null,
        category_at_start text, next_slot {instant} not null, day_start {instant}, day_messages {int} not null, failures_since {instant},
        invalid_in_row {int} not null,
        check (length(name) between 1 and 255),
        check (${campaignHours})){strict}`,
      `create index template_campaigns_tenant on template_campaigns (tenant_id, id)`,
      `create index template_campaigns_due on template_campaigns (next_turn_at, id) where next_turn_at is not null`,
      `create index template_campaigns_phone on template_campaigns (phone_id, status, id)`,
      `create index template_campaigns_running on template_campaigns (id) where status = 'running'`,
      // What is `unknown` is settled some time after it was sent: without that instant it would stay so for ever.
      `create table template_contacts (
        id {uuid} primary key, tenant_id {uuid} not null, campaign_id {uuid} not null, seq {int} not null, phone text,
        match_key text {bytes}, user_id text {bytes}, name text, variables {json} not null, opted_in {bool} not null,
        status text not null
        check (status in ('queued', 'sending', 'sent', 'delivered', 'read', 'skipped', 'failed', 'unknown')),
        reason text, fault {json}, attempts {int} not null, next_attempt_at {instant}, pair_waits {int} not null,
        has_waited_for_marketing {bool} not null, held {bool} not null, "values" {json}, message_id {uuid}, msgid text,
        conversation_id {uuid}, settle_by {instant}, outcome_at {instant}, sent_at {instant}, delivered_at {instant},
        read_at {instant}, failed_at {instant}, replied_at {instant}, reply {json}, pricing {json}, created_at {instant} not null,
        check (status not in ('sending', 'unknown') or settle_by is not null)){strict}`,
      // Failures are counted by code out of their index alone.
      {
        sqlite: [
          `alter table template_contacts add column error_code integer generated always as (fault ->> 'code') virtual`
        ],
        postgres: [
          `alter table template_contacts add column error_code integer generated always as ((fault ->> 'code')::integer) stored`
        ]
      },
      `create index template_contacts_order on template_contacts (campaign_id, seq)`,
      `create index template_contacts_status on template_contacts (campaign_id, status, seq)`,
      `create index template_contacts_reason on template_contacts (campaign_id, reason, seq, error_code)
        where reason is not null`,
      `create index template_contacts_replied on template_contacts (campaign_id, seq) where replied_at is not null`,
      `create index template_contacts_key on template_contacts (campaign_id, match_key, id) where match_key is not null`,
      `create index template_contacts_user on template_contacts (campaign_id, user_id) where user_id is not null`,
      `create index template_contacts_queued on template_contacts (campaign_id, next_attempt_at, seq) where status = 'queued'`,
      `create index template_contacts_settle on template_contacts (settle_by, id) where settle_by is not null`,
      `create index template_contacts_outcome on template_contacts (campaign_id, outcome_at, seq) where outcome_at is not null`,
      // Campaigns that are gone and whose contacts still have to go.
      `create table removed_template_campaigns (id {uuid} primary key, tenant_id {uuid} not null, created_at {instant} not null){by-key}`,
      `create table contact_changes (
        campaign_id {uuid} not null, id {uuid} not null, tenant_id {uuid} not null, contact_id {uuid} not null,
        "from" text not null, "to" text not null, is_reply {bool} not null, meaning text, pricing {json},
        at {instant} not null, primary key (campaign_id, id)){by-key}`,
      `create table sender_paces (
        phone_id {uuid} primary key, tenant_id {uuid} not null, next_slot {instant} not null, held_until {instant},
        throttles {int} not null, slowed_at {instant}, slowed_to {real} not null, troubles {int} not null){by-key}`,
      // A person is a match key or the network's id: of one who is known by both there are two rows.
      `create table blocked_people (
        phone_id {uuid} not null, tenant_id {uuid} not null, person text {bytes} not null,
        primary key (phone_id, person)){by-key}`,
      // People are counted over all accounts that share a business account: so the account stands last.
      `create table template_recipients (
        tenant_id {uuid} not null, channel text {bytes} not null, business_account_id text {bytes} not null,
        person text {bytes} not null, at {instant} not null,
        primary key (business_account_id, channel, person, tenant_id)){by-key}`,
      `create index template_recipients_business on template_recipients (business_account_id, channel, at, person)`,
      // An expression: along the instants themselves Postgres would look for the oldest of one business account among those of all.
      `create index template_recipients_swept on template_recipients ((at + 0))`,
      `alter table chat_messages add column campaign_id {uuid}`,
      `alter table chat_messages add column contact_id {uuid}`,
      index("chat_messages_contact", "chat_messages", "customer_id, position", {
        where: "direction = 'outbound' and contact_id is not null"
      })
    ]
  },
  {
    version: 61,
    name: "flows",
    statements: [
      // The network names a flow only once it has the address at which it asks about it.
      `create table flow_endpoints (
        id {uuid} primary key, tenant_id {uuid} not null, channel text {bytes} not null, business_account_id text {bytes} not null,
        flow_id text {bytes}, url text not null, secret text not null, created_at {instant} not null,
        updated_at {instant} not null){strict}`,
      `create index flow_endpoints_tenant on flow_endpoints (tenant_id, id)`,
      `create index flow_endpoints_flow on flow_endpoints (tenant_id, channel, business_account_id, flow_id, id)
        where flow_id is not null`,
      `create table flow_keys (
        phone_id {uuid} primary key, tenant_id {uuid} not null, private_key text not null, fingerprint text not null,
        created_at {instant} not null){by-key}`,
      `alter table chat_messages add column flow_token text {bytes}`,
      `alter table chat_messages add column flow_id text`,
      index("chat_messages_flow", "chat_messages", "tenant_id, flow_token", { where: "flow_token is not null" })
    ]
  },
  {
    version: 62,
    name: "payments",
    statements: [
      `create table payments (
        id {uuid} primary key, tenant_id {uuid} not null, phone_number_id text {bytes} not null,
        reference_id text {bytes} not null, configuration text not null, phone text, user_id text,
        status text not null check (status in ('requested', 'pending', 'captured', 'failed', 'expired', 'cancelled')),
        amount {big} not null check (amount > 0), currency text not null, message_id {uuid} not null, msgid text,
        conversation_id {uuid} not null, transactions {json} not null, order_status text, expires_at {instant},
        look_up_at {instant}, look_ups {int} not null, due_at {instant}, created_at {instant} not null,
        updated_at {instant} not null){strict}`,
      `create index payments_tenant on payments (tenant_id, id)`,
      `create unique index payments_reference on payments (tenant_id, phone_number_id, reference_id)`,
      `create index payments_references on payments (tenant_id, reference_id, id)`,
      `create index payments_message on payments (message_id)`,
      `create index payments_due on payments (due_at, id) where due_at is not null`,
      `create table known_configurations (
        tenant_id {uuid} not null, channel text {bytes} not null, business_account_id text {bytes} not null,
        name text {bytes} not null, status text not null, reported_at {instant} not null,
        primary key (tenant_id, channel, business_account_id, name)){by-key}`
    ]
  },
  {
    version: 63,
    name: "counts of messages",
    statements: [
      // An account's messages are those of its numbers.
      index("chat_messages_phone", "chat_messages", "phone_id, created_at"),
      index("chat_messages_campaign", "chat_messages", "campaign_id, created_at", { where: "campaign_id is not null" }),
      index("template_contacts_replied_at", "template_contacts", "campaign_id, replied_at", {
        where: "replied_at is not null"
      })
    ]
  },
  {
    version: 64,
    name: "messages of campaigns that have begun, and contacts in trouble",
    statements: [
      // Of what was sending before nobody knows whether it has begun.
      `alter table template_contacts add column has_begun {bool} not null default true`,
      // How many were in trouble says nothing of who: the count begins anew.
      `alter table sender_paces drop column troubles`,
      `alter table sender_paces add column troubled {json} not null default '[]'`
    ]
  }
]

/** The version that this release works with. */
export const latestVersion = Math.max(...migrations.map(({ version }) => version))
