/** Every statement finds its rows by an index, in tables that are large enough for it to matter. */
import { bind, postgresDialect, statements } from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { migratedDatabase, missing } from "../../../test/TestPostgres.ts"
import { expectedIndexes, walks } from "../../storage-kysely/test/ExpectedIndexes.ts"
import { storeStatements } from "../../storage-kysely/test/StoreStatements.ts"
import { prepare } from "../src/Partitions.ts"

/** Ten accounts, forty campaigns, most of what they ever did in the past. */
const fill = `
  create function some_id(text, bigint) returns uuid language sql immutable as 'select md5($1 || $2)::uuid';
  insert into campaign_contacts (id, tenant_id, campaign_id, seq, phone, match_key, status, attempts, next_attempt_at, approved_at, created_at)
    select some_id('contact', n), some_id('tenant', n % 10), some_id('campaign', n % 40), n, '+1', lpad(n::text, 10, '0'),
      case when n % 4 = 0 then case when n % 3 = 0 then 'approved' else 'pending' end else 'done' end, 1,
      case when n % 8 = 0 then n end, case when n % 12 = 0 then n end, 0
    from generate_series(1, 40000) n;
  insert into calls (id, tenant_id, campaign_id, contact_id, "to", to_key, status, is_winner, abandoned, provider, started_at, answered_at, ended_at,
      burst_id, credits, created_at, detect_machine, look_ups, look_up_at, check_at)
    select some_id('call', n), some_id('tenant', n % 10), some_id('campaign', n % 40), some_id('contact', n), '+1', '1',
      case when n % 500 = 0 then 'ringing' else 'completed' end, false, n % 50 = 0, 'simulator', n, case when n % 2 = 0 then n end,
      case when n % 500 = 0 then null else n end, some_id('burst', n / 4), 0, n, false, 0, 0, case when n % 500 = 0 then n end
    from generate_series(1, 40000) n;
  insert into campaigns (id, tenant_id, name, status, total_contacts, completed_contacts, failed_contacts, timezone, quiet_hours_start, quiet_hours_end,
      max_attempts, dial_mode, pace_seconds, parallel_lines, amd_enabled, created_at, updated_at, next_dial_at, refusals, next_seq)
    select some_id('campaign', n), some_id('tenant', n % 10), 'c', 'running', 0, 0, 0, 'UTC', 0, 24, 1, 'power', 5, 1, false, 0, 0,
      case when n % 100 = 0 then n end, 0, 0
    from generate_series(1, 10000) n;
  insert into suppression_entries (id, tenant_id, phone, match_key, created_at)
    select some_id('entry', n), some_id('tenant', n % 10), '+1', lpad(n::text, 10, '0'), 0 from generate_series(1, 20000) n;
  insert into provider_states (provider, key, state, is_open)
    select 'p' || n % 2, some_id('call', n), '{}', n % 500 = 0 from generate_series(1, 10000) n;
  insert into webhooks (id, tenant_id, surface, url, events, secret, secret_hint, is_active, retry_schedule, created_at, updated_at)
    select some_id('webhook', n), some_id('tenant', n % 10), case when n % 4 = 0 then 'email' else 'platform' end, 'u', '[]', 's', 'h', true, 'standard', 0, 0
    from generate_series(1, 400) n;
  insert into webhook_deliveries (id, tenant_id, webhook_id, surface, event, payload, status, attempts, created_at, next_at)
    select some_id('delivery', n), some_id('tenant', n % 10), some_id('webhook', n % 400), case when n % 4 = 0 then 'email' else 'platform' end, 'e', '{}',
      case when n % 100 = 0 then 'pending' when n % 7 = 0 then 'failed' else 'delivered' end, 1, n, case when n % 100 = 0 then n end
    from generate_series(1, 40000) n;
  insert into email_suppressions (id, tenant_id, email, reason, created_at)
    select some_id('email', n), some_id('tenant', n % 10), n::text, 'bounced', 0 from generate_series(1, 5000) n;
  insert into key_expiries (key_id, expires_at) select some_id('key', n), n from generate_series(1, 5000) n;
  insert into connected_numbers (id, tenant_id, phone_number_id, business_account_id, token, ai_autoreply_enabled, created_at, updated_at, disconnected_at)
    select some_id('phone', n), some_id('tenant', n % 10), n / 2, 'b' || n / 4, 't', true, 0, 0, case when n % 2 = 0 then n end from generate_series(1, 400) n;
  insert into flow_endpoints (id, tenant_id, channel, business_account_id, flow_id, url, secret, created_at, updated_at)
    select some_id('flow', n), some_id('tenant', n % 10), 'cloud-api', 'b' || n % 100, n::text, 'u', 's', 0, 0 from generate_series(1, 10000) n;
  insert into opt_outs (id, tenant_id, phone, match_key, user_id, scope, source, created_at)
    select some_id('opt-out', n), some_id('tenant', n % 10), '+1', lpad(n::text, 10, '0'), 'u' || n, 'all', 'keyword', 0
    from generate_series(1, 20000) n;
  insert into payments (id, tenant_id, phone_number_id, reference_id, configuration, status, amount, currency, message_id,
      conversation_id, transactions, look_ups, due_at, created_at, updated_at)
    select some_id('payment', n), some_id('tenant', n % 10), n % 50, 'order-' || n / 50, 'shop', 'requested', 1, 'INR',
      some_id('message', n), some_id('conversation', n), '[]', 0, case when n % 40 = 0 then n end, 0, 0
    from generate_series(1, 20000) n;
  insert into blocked_people (phone_id, tenant_id, person)
    select some_id('phone', n % 400), some_id('tenant', n % 10), lpad(n::text, 10, '0') from generate_series(1, 20000) n;
  insert into chat_customers (id, tenant_id, phone_id, phone, user_ref, conversation_id, last_message_at, created_at)
    select some_id('customer', n), some_id('tenant', n % 10), some_id('phone', n % 50), n, case when n % 3 = 0 then 'r' || n end,
      some_id('conversation', n), n, n
    from generate_series(1, 10000) n;
  insert into reply_jobs (customer_id, due_at, claim, claimed_until, failures)
    select some_id('customer', n), case when n % 40 = 0 then n end, case when n % 80 = 0 then 'c' end, case when n % 80 = 0 then 2000000 end, 0
    from generate_series(1, 10000) n;
  insert into conversations (id, tenant_id, phone_id, customer_id, ai_autoreply_enabled, status, last_message_at, created_at)
    select some_id('conversation', n), some_id('tenant', n % 10), some_id('phone', n % 50), some_id('customer', n % 5000), true,
      case when n % 20 = 0 then 'open' else 'ended' end, n, n
    from generate_series(1, 10000) n;
  insert into chat_messages (id, tenant_id, phone_id, customer_id, conversation_id, msgid, direction, role, type, body, status, turn_id, part, created_at)
    select some_id('message', n), some_id('tenant', n % 10), some_id('phone', n % 50), some_id('customer', n % 1000), some_id('conversation', n % 2000), n,
      case when n % 3 = 0 then 'outbound' else 'inbound' end, 'user', 'text', '{}', case when n % 200 = 0 then 'sending' else 'read' end,
      case when n % 3 = 0 then some_id('turn', n) end, case when n % 3 = 0 then n % 2 end, n
    from generate_series(1, 20000) n;
  insert into unmatched_statuses (id, phone_id, msgid, status, at)
    select n, some_id('phone', n % 50), n, 'read', n from generate_series(1, 2000) n;
  insert into voice_sessions (id, tenant_id, bot_id, call_id, status, token_expires_at, max_duration_seconds, started_at, ended_at,
       duration_seconds, end_reason, created_at, was_counted, lease_until)
     select some_id('session', n), some_id('account', n % 500), some_id('bot', n % 1000),
       case when n % 3 = 0 then some_id('call', n) end, case when n % 10 = 0 then 'active' else 'completed' end, n, 60, n,
       case when n % 10 = 0 then null else n end, 0, 'caller_hangup', n, true, case when n % 10 = 0 then n end
     from generate_series(1, 20000) n;
  insert into voice_analyses (session_id, tenant_id, id, status, created_at, attempts, due_at)
    select some_id('session', n), some_id('tenant', n % 10), some_id('analysis', n), 'completed', n, 1, case when n % 100 = 0 then n end
    from generate_series(1, 20000) n;
  insert into voice_alerts (id, tenant_id, name, metric, comparison, threshold, window_seconds, enabled, cooldown_seconds, is_firing,
      created_at, updated_at, due_at)
    select some_id('alert', n), some_id('tenant', n % 10), 'a', 'call_volume', 'above', 1, 3600, true, 3600, false, 0, 0,
      case when n % 20 = 0 then n end
    from generate_series(1, 400) n;
  insert into template_campaigns (id, tenant_id, name, phone_id, phone_number_id, template_name, template_language, parameters, status,
      timezone, quiet_hours_start, quiet_hours_end, require_opt_in, respect_do_not_call, pause_on_quality, max_failure_percent,
      retry_marketing_limit, reply_window_hours, counts, pricing, created_at, updated_at, next_turn_at, next_seq, next_slot, day_messages,
      invalid_in_row)
    select some_id('template campaign', n), some_id('tenant', n % 10), 'c', some_id('phone', n % 50), n % 50, 't' || n % 7, 'en', '{}',
      case when n % 40 = 0 then 'running' else 'completed' end, 'UTC', 0, 24, true, true, 'red', 30, false, 72, '{}', '{}', 0, 0,
      case when n % 40 = 0 then n end, 0, 0, 0, 0
    from generate_series(1, 10000) n;
  insert into template_contacts (id, tenant_id, campaign_id, seq, phone, match_key, user_id, variables, opted_in, status, reason, fault, attempts,
      next_attempt_at, pair_waits, has_waited_for_marketing, held, settle_by, outcome_at, sent_at, replied_at, created_at)
    select some_id('template contact', n), some_id('tenant', n % 10), some_id('template campaign', n % 40), n, '+1', lpad(n::text, 10, '0'),
      case when n % 3 = 0 then 'u' || n end, '{}', true,
      case when n % 400 = 0 then 'sending' when n % 401 = 0 then 'unknown' when n % 4 = 0 then 'queued' when n % 9 = 0 then 'failed' else 'sent' end,
      case when n % 9 = 0 then 'platform' end, case when n % 9 = 0 then '{"code":131000,"message":"m"}'::json end, 1,
      case when n % 16 = 0 then n end, 0, false, false, case when n % 400 = 0 or n % 401 = 0 then n end, case when n % 4 > 0 then n end,
      case when n % 4 > 0 then n end, case when n % 20 = 1 then n end, 0
    from generate_series(1, 40000) n;
  insert into contact_changes (campaign_id, id, tenant_id, contact_id, "from", "to", is_reply, at)
    select some_id('template campaign', n % 40), some_id('change', n), some_id('tenant', n % 10), some_id('template contact', n), 'sent', 'read', false, n
    from generate_series(1, 20000) n;
  insert into sender_paces (phone_id, tenant_id, next_slot, throttles, slowed_to)
    select some_id('phone', n), some_id('tenant', n % 10), n, 0, 100 from generate_series(1, 400) n;
  insert into template_recipients (tenant_id, channel, business_account_id, person, at)
    select some_id('tenant', n % 10), 'cloud-api', 'b' || n % 20, n, n from generate_series(1, 20000) n;
  insert into removed_campaigns values (some_id('campaign', 1), 0);
  analyze;
  -- Tables that are empty here are read from end to end however many indexes they have.
  set enable_seqscan = off;
`

interface Node {
  readonly "Node Type": string
  readonly "Index Name"?: string
  readonly "Index Cond"?: string
  readonly "Relation Name"?: string
  /** Of `explain analyze`, for each loop. */
  readonly "Actual Rows": number
  readonly "Rows Removed by Filter"?: number
  readonly "Actual Loops": number
  readonly Plans?: ReadonlyArray<Node>
}

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** With a thousand rows in its table each claim names the ids that it looks for at the index of ids. */
const expectLookUps = async (client: pg.Client): Promise<void> => {
  await client.query("set search_path to trunkline; set enable_seqscan to off")
  await client.query(`insert into webhook_deliveries (id, tenant_id, webhook_id, surface, event, payload, status, attempts, created_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, gen_random_uuid(),
      ('00000000-0000-7000-8000-' || lpad((n % 60)::text, 12, '0'))::uuid, 'platform', 'e', '{}', 'delivered', 1, n from generate_series(1, 1000) n`)
  await client.query("vacuum analyze")
  const indexesOf = async (name: string) => {
    const { sql } = statements()
      .find((declared) => declared.name === name)!
      .compile(postgresDialect)
    const { rows } = await client.query(`explain (generic_plan, format json) ${sql}`)
    return nodesOf(rows[0]["QUERY PLAN"][0].Plan)
      .map((node) => ({ condition: node["Index Cond"] ?? "", index: node["Index Name"] ?? "" }))
      .filter(({ index }) => index.startsWith("webhook_deliveries_"))
  }
  for (const name of ["deliveries.claimable", "deliveries.claim", "deliveries.end"]) {
    const byId = (await indexesOf(name)).filter(({ index }) => index.endsWith("_pkey"))
    assert.isAbove(byId.length, 0, name)
    for (const { condition } of byId) assert.match(condition, /\(id = /, name)
  }
  // What is due is found in the index of what is pending alone.
  const due = await indexesOf("deliveries.due")
  assert.isAbove(due.length, 0)
  for (const { index } of due) assert.match(index, /_due$|_webhook_id_next_at_/)
}

/** Behind two years of empty months the log of what is pending is still read by its own index. */
const expectPendingIndex = async (client: pg.Client): Promise<void> => {
  await client.query("set search_path to trunkline; set enable_seqscan to off")
  await prepare(client, "trunkline", Date.now() + 2 * 366 * 86_400_000)
  await client.query(`insert into webhook_deliveries (id, tenant_id, webhook_id, surface, event, payload, status, attempts, created_at, next_at)
    select md5('delivery' || n)::uuid, md5('tenant' || n % 10)::uuid, md5('webhook' || n % 400)::uuid, 'platform', 'e', '{}',
      case when n % 100 = 0 then 'pending' else 'delivered' end, 1, n, case when n % 100 = 0 then n end
    from generate_series(1, 40000) n`)
  await client.query("vacuum analyze")
  const { sql } = statements()
    .find(({ name }) => name === "deliveries.pendingLog")!
    .compile(postgresDialect)
  const { rows } = await client.query(`explain (generic_plan, format json) ${sql}`)
  const indexes = nodesOf(rows[0]["QUERY PLAN"][0].Plan).flatMap((node) => node["Index Name"] ?? [])
  assert.isAbove(indexes.length, 24)
  assert.deepStrictEqual(
    indexes.filter((index) => index.includes("pkey")),
    []
  )
}

const reason = missing()

describe.skipIf(reason !== null)(`plans of Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  const scope = Effect.runSync(Scope.make())
  let client: pg.Client
  /** Of a partition, and of an index of one. */
  let parents: ReadonlyMap<string, string>
  const whole = (name: string | undefined) => parents.get(name ?? "") ?? name

  beforeAll(async () => {
    const url = await Effect.runPromise(Effect.provideService(migratedDatabase, Scope.Scope, scope))
    client = new pg.Client({ connectionString: url })
    client.on("error", () => undefined)
    await client.connect()
    await client.query("set search_path to trunkline")
    const { rows } = await client.query(
      "select c.relname as child, p.relname as parent from pg_inherits join pg_class c on c.oid = inhrelid join pg_class p on p.oid = inhparent"
    )
    parents = new Map(rows.map(({ child, parent }) => [child, parent]))
    await client.query(fill)
  })
  afterAll(async () => {
    await client.end()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const planOf = async (statement: ReturnType<typeof statements>[number]): Promise<ReadonlyArray<Node>> => {
    const { sql } = statement.compile(postgresDialect)
    const answer = await client.query(`explain (generic_plan, format json) ${sql}`)
    return nodesOf(answer.rows[0]["QUERY PLAN"][0].Plan)
  }

  it.each(storeStatements())("$name walks no table", async (statement) => {
    const plan = await planOf(statement)
    const scanned = plan.filter((node) => node["Node Type"] === "Seq Scan").map((node) => whole(node["Relation Name"]))
    assert.deepStrictEqual(
      scanned.filter((table) => ![walks[statement.name]?.table, "import_rows", "import_entries"].includes(table)),
      []
    )
  })

  it.each(Object.entries(expectedIndexes))("%s uses %s", async (name, index) => {
    const statement = statements().find((declared) => declared.name === name)
    assert.isDefined(statement)
    const plan = await planOf(statement!)
    assert.include(
      plan.map((node) => whole(node["Index Name"])),
      index,
      JSON.stringify(plan, null, 1)
    )
  })

  it("counts of messages read the periods of their own numbers alone", async () => {
    for (const name of ["deliveryCounts.ofAccount", "deliveryCounts.ofNumber"]) {
      const plan = await planOf(statements().find((declared) => declared.name === name)!)
      const found = plan.filter((node) => whole(node["Index Name"]) === "chat_messages_phone")
      assert.isAbove(found.length, 0, name)
      for (const { "Index Cond": condition } of found) assert.match(condition!, /phone_id = ANY.*created_at >=/, name)
    }
  })

  it("what is due is read in the order of its index, not sorted", async () => {
    for (const name of ["calls.due", "campaigns.due", "contacts.due", "calls.nextCheck"]) {
      const plan = await planOf(statements().find((declared) => declared.name === name)!)
      assert.isFalse(
        plan.some((node) => node["Node Type"].includes("Sort")),
        name
      )
    }
  })

  // The planner has seen the queue at its fullest, and then nearly all of it was delivered.
  it("a look at what is pending costs what is pending, whatever the statistics say", async () => {
    const pending = "update webhook_deliveries set status = 'pending', next_at = created_at"
    const maxDone = "update webhook_deliveries set status = 'delivered', next_at = null where created_at % 1000 <> 0"
    await client.query(`begin; set local enable_seqscan = on; ${pending}; analyze webhook_deliveries; ${maxDone}`)
    try {
      const [first, last] = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"]
      const values = { at: 1_000_000, perEndpoint: 16, limit: 256, full: [], suspect: [], first, last }
      for (const name of ["deliveries.due", "deliveries.nextDue"]) {
        const compiled = statements()
          .find((declared) => declared.name === name)!
          .compile(postgresDialect)
        const { rows } = await client.query(
          `explain (analyze, format json) ${compiled.sql}`,
          bind(compiled, values, postgresDialect.encode)
        )
        const touched = nodesOf(rows[0]["QUERY PLAN"][0].Plan)
          .filter((node) => whole(node["Relation Name"]) === "webhook_deliveries")
          .map((node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"])
        // 40 of 40,000 rows are pending.
        assert.isAbove(Math.max(...touched), 0, name)
        assert.isBelow(Math.max(...touched), 1000, name)
      }
    } finally {
      await client.query("rollback")
    }
  })

  it.each([
    ["claims look their rows up one by one, however small the table was when they were planned", expectLookUps],
    [
      "what one endpoint has not got yet is found by its own index, behind two years of empty months",
      expectPendingIndex
    ]
  ])("%s", async (_, expectPlans) => {
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const url = yield* migratedDatabase
          const young = new pg.Client({ connectionString: url })
          yield* Effect.acquireRelease(
            Effect.promise(() => young.connect()),
            () => Effect.promise(() => young.end())
          )
          yield* Effect.promise(() => expectPlans(young))
        })
      )
    )
  })

  // The planner has seen all jobs due. Of 10,000 jobs 50 still are, and half of those are claimed.
  it("claiming reply jobs costs what may be claimed, however many customers are idle", async () => {
    const idle = `update reply_jobs set due_at = null, claimed_until = null
      where customer_id not in (select some_id('customer', n) from generate_series(200, 10000, 200) n)`
    await client.query("begin; set local enable_seqscan = on; update reply_jobs set due_at = 1")
    await client.query(`analyze reply_jobs; ${idle}`)
    try {
      const values = { at: 1_000_000, until: 1_060_000, claim: "c", limit: 1024 }
      for (const [name, most] of [
        ["replyJobs.nextDue", 1],
        ["replyJobs.claimDue", 25]
      ] as const) {
        const compiled = statements()
          .find((declared) => declared.name === name)!
          .compile(postgresDialect)
        const { rows } = await client.query(
          `explain (analyze, format json) ${compiled.sql}`,
          bind(compiled, values, postgresDialect.encode)
        )
        const touched = nodesOf(rows[0]["QUERY PLAN"][0].Plan)
          .filter((node) => node["Relation Name"] === "reply_jobs")
          .map((node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"])
        assert.strictEqual(Math.max(...touched), most, name)
      }
    } finally {
      await client.query("rollback")
    }
  })

  it("events are read from the order of their transactions", async () => {
    const plan = await planOf(statements().find(({ name }) => name === "outbox.after")!)
    assert.include(
      plan.map((node) => whole(node["Index Name"])),
      "outbox_pkey"
    )
  })
})
