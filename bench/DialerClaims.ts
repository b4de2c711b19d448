/**
 * The dialer's claims on Postgres: campaigns are due, and for each a call is opened with every check, over four
 * connections. Against the same statements by hand over four connections of `pg`: the campaign under its lock, whom to call, the
 * account, the open calls, the do-not-call list under its lock, the caller's number, the carrier's pause, budget, credit, and the rows
 * of reservation, call, contact and campaign in one commit. The carrier is not asked before all are claimed.
 */

import { Carrier, telephonyProvider } from "@trunkline/core/provider"
import { storageProvider } from "@trunkline/core/storage"
import { CallPlacer, Dialer, neutralBrand, services } from "@trunkline/core/testing"
import { layer } from "@trunkline/storage-postgres"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import pg from "pg"
import { encryptionKey } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { postgresServer } from "./Postgres.ts"
import { carrier } from "./Product.ts"
import { interleaved, median, ratio, timed } from "./Rounds.ts"
import { type Seeder, seeder } from "./ScaleSeed.ts"

const clients = 4
const accounts = 100
const campaigns = 300
const contactsOfEach = 20
const listed = 1_000_000
const plan = { rounds: 7, warmUp: 2 }

const texts = {
  campaign: "select * from campaigns where id = $1 for update",
  retries: `select * from campaign_contacts where campaign_id = $1 and status in ('pending', 'approved')
    and next_attempt_at is not null and next_attempt_at <= $2 order by next_attempt_at, seq limit $3`,
  fresh: `select * from campaign_contacts where campaign_id = $1 and status in ('pending', 'approved')
    and next_attempt_at is null order by seq limit $2`,
  account: "select * from accounts where id = $1",
  open: "select id from calls where campaign_id = $1 and ended_at is null order by id",
  lockNumber: "select pg_advisory_xact_lock(hashtextextended($1, 0))",
  suppressed: "select match_key from suppression_entries where tenant_id = $1 and match_key >= $2 and match_key < $3",
  caller: "select id, phone from phone_numbers where tenant_id = $1 order by id limit 1",
  pause: "select next_start_at from carrier_slots where carrier = $1",
  budget: `insert into spends (owner_id, period, spent, pending_amount, alerted, exceeded) values ($1, $2, 0, $3, false, false)
    on conflict (owner_id, period) do update set pending_amount = spends.pending_amount + excluded.pending_amount`,
  credit: "update credit_accounts set reserved = reserved + $2 where tenant_id = $1 and balance - reserved >= $2",
  reservation: "insert into credit_holds (id, tenant_id, amount, created_at, budgeted) values ($1, $2, $3, $4, $3)",
  call: `insert into calls (id, tenant_id, campaign_id, contact_id, attempt, "to", to_key, status, burst_id, is_winner, abandoned,
      provider, started_at, credits, created_at, detect_machine, look_ups, look_up_at, check_at)
    values ($1, $2, $3, $4, $5, $6, $7, 'queued', $8, false, false, 'bench', $9, 0, $9, false, 0, $10, $10)`,
  contact: "update campaign_contacts set status = 'calling', next_attempt_at = null, call_id = $2 where id = $1",
  dialed: "update campaigns set last_dial_at = $2, next_dial_at = null where id = $1",
  due: "select id from campaigns where next_dial_at is not null and next_dial_at <= $1 order by next_dial_at, id limit 100"
} as const

type Row = Record<string, string>

const minute = 1_000_000_000n

/** One claim, as one would write it by hand. */
const claimByHand = async (client: pg.PoolClient, id: string): Promise<void> => {
  const run = async (name: keyof typeof texts, ...values: ReadonlyArray<unknown>) =>
    (await client.query<Row>({ name, text: texts[name], values: [...values] })).rows
  await client.query("begin")
  const [campaign] = await run("campaign", id)
  const at = Date.now()
  const [contact] = [...(await run("retries", id, at, 1)), ...(await run("fresh", id, 1))]
  const tenant = campaign!.tenant_id!
  const key = contact!.match_key!
  const [account] = await run("account", tenant)
  const open = await run("open", id)
  await run("lockNumber", `suppression:${tenant}:${key.slice(0, 7)}`)
  const near = await run("suppressed", tenant, key.slice(0, 7), `${key.slice(0, 7)}:`)
  await run("caller", tenant)
  const [pause] = await run("pause", "bench")
  if (
    account!.status !== "active" ||
    open.length > 0 ||
    near.some((row) => row.match_key === key) ||
    pause !== undefined
  ) {
    throw new Error("a call that was to be opened is refused")
  }
  const call = crypto.randomUUID()
  await run("budget", tenant, new Date(at).toISOString().slice(0, 7), minute)
  await run("credit", tenant, minute)
  await run("reservation", call, tenant, minute, at)
  const burst = crypto.randomUUID()
  await run(
    "call",
    call,
    tenant,
    id,
    contact!.id,
    Number(contact!.attempts) + 1,
    contact!.phone,
    key,
    burst,
    at,
    at + 60_000
  )
  await run("contact", contact!.id, call)
  await run("dialed", id, at)
  await client.query("commit")
}

const byHand = async (pool: pg.Pool): Promise<void> => {
  for (;;) {
    const { rows } = await pool.query<Row>({ name: "due", text: texts.due, values: [Date.now()] })
    if (rows.length === 0) return
    const one = async () => {
      const client = await pool.connect()
      for (let row = rows.pop(); row !== undefined; row = rows.pop()) await claimByHand(client, row.id!)
      client.release()
    }
    await Promise.all(Array.from({ length: clients }, one))
  }
}

/** The product's services, whose carrier answers a round's calls once all of them are claimed. */
const product = async (url: string) => {
  let gate = Deferred.makeUnsafe<void>()
  const waiting: Carrier["Service"] = {
    ...carrier,
    place: (permit) => Effect.andThen(Deferred.await(gate), carrier.place(permit))
  }
  const runtime = ManagedRuntime.make(
    services(
      {
        storage: storageProvider(layer({ url, connections: clients })),
        telephony: telephonyProvider(Layer.succeed(Carrier, waiting)),
        encryptionKey
      },
      neutralBrand
    )
  )
  const { dialer, placer } = await runtime.runPromise(Effect.all({ dialer: Dialer, placer: CallPlacer }))
  return {
    claimAll: () => runtime.runPromise(Effect.repeat(dialer.tick, { until: (passed) => passed.campaigns === 0 })),
    answerAll: async () => {
      Deferred.doneUnsafe(gate, Effect.void)
      await runtime.runPromise(placer.idle)
      gate = Deferred.makeUnsafe()
    },
    close: () => runtime.dispose()
  }
}

/** Every campaign is due, and nobody is being called. */
const reset = async (seed: Seeder): Promise<void> => {
  await seed.run("delete from calls")
  await seed.run("delete from credit_holds")
  await seed.run("update credit_accounts set reserved = 0")
  await seed.run("update campaign_contacts set status = 'done' where status = 'calling'")
  await seed.run("update campaigns set next_dial_at = created_at")
  await seed.run("vacuum analyze calls, credit_holds, credit_accounts, campaign_contacts, campaigns, spends")
  await seed.run("checkpoint")
}

/** Each campaign has one call, each with its reservation. */
const check = async (seed: Seeder): Promise<void> => {
  const calls = await seed.run(
    "select 1 from calls join credit_holds using (id) join campaign_contacts on call_id = calls.id and campaign_contacts.status = 'calling'"
  )
  const campaignsDue = await seed.run("select 1 from campaigns where next_dial_at is not null")
  if (calls !== campaigns || campaignsDue > 0)
    throw new Error(`${calls} calls were opened, ${campaignsDue} campaigns are still due`)
}

const main = async (): Promise<void> => {
  const server = await postgresServer()
  if ("missing" in server) {
    progress(`nothing is measured: ${server.missing}`)
    return report([])
  }
  const url = await server.database("claims")
  const { answerAll, claimAll, close } = await product(url)
  const seed = await seeder(url)
  progress(`${campaigns} campaigns, ${listed} numbers on the do-not-call lists`)
  const owners = { from: 0, count: accounts }
  await seed.accounts(owners)
  await seed.campaigns({ from: 0, count: campaigns }, owners)
  await seed.contacts({ from: 0, count: campaigns * contactsOfEach }, { from: 0, count: campaigns }, accounts)
  await seed.suppressed({ from: 0, count: listed }, accounts)
  await seed.run("vacuum analyze")
  const pool = new pg.Pool({
    connectionString: url,
    max: clients,
    options: "-c search_path=trunkline -c plan_cache_mode=force_generic_plan -c enable_seqscan=off"
  })
  pool.on("error", () => undefined)

  const times = await interleaved(plan, {
    "by hand": async () => {
      await reset(seed)
      const ms = await timed(() => byHand(pool))
      await check(seed)
      return ms
    },
    product: async () => {
      await reset(seed)
      const ms = await timed(claimAll)
      await check(seed)
      // What was claimed is over: nothing of it is placed.
      await seed.run("update calls set status = 'completed', ended_at = created_at, check_at = null")
      await answerAll()
      return ms
    }
  })
  await pool.end()
  await close()
  await seed.close()
  await server.stop()

  const perSecond = (name: "product" | "by hand") => `${((campaigns / median(times[name])) * 1000).toFixed(0)}/s`
  const figures: ReadonlyArray<Figure> = [
    {
      what: `dial claims a second with every check, ${clients} clients`,
      measured: perSecond("product"),
      against: `${perSecond("by hand")} by hand`,
      judged: { value: ratio(times, "by hand", "product"), bar: { atLeast: 0.7 } }
    }
  ]
  report(figures)
}

await main()
