/**
 * One look at the queue that claims what there is room for, with 1,000,000 finished rows in the log, against one with
 * 1,000. The attempts that it begins wait at the first thing that they do, until it has been measured.
 */

import { Instant, Storage } from "@trunkline/core/effect"
import { Ids, Outbound, outboundProvider } from "@trunkline/core/provider"
import { DeliveryStore } from "@trunkline/core/storage"
import { Deliverer, neutralBrand, services } from "@trunkline/core/testing"
import { simulator } from "@trunkline/providers/simulator"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { encryptionKey, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { interleaved, median, ratio, timed } from "./Rounds.ts"
import { data, event, networks, product, subscribe, type World, worlds } from "./WebhooksWorld.ts"

const finished = { small: 1_000, large: 1_000_000 } as const
const endpoints = 60
/** One tick claims them all: as many as there are slots, and for every endpoint fewer than it may have. */
const due = 60
const looks = 30
const idleLooks = 200
const plan = { rounds: 7, warmUp: 2 }

type Size = keyof typeof finished

/** Text that both databases know: the n-th id of finished rows, all of them older than what the product makes. */
const idOf = {
  SQLite: "'01900000-0000-7000-8000-' || printf('%012x', n)",
  Postgres: "('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid"
} as const

const numbers = {
  SQLite: (count: number) => `numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`,
  Postgres: (count: number) => `numbers (n) as (select generate_series(1, ${count}))`
} as const

/** Nine of ten have arrived. */
const fillLog = async ({ name, sql }: World, accountId: string, ids: ReadonlyArray<string>, count: number) => {
  const cast = name === "Postgres" ? "::uuid" : ""
  const lanes = ids.map((id, place) => `when ${place} then '${id}'${cast}`).join(" ")
  const at = Date.now() - Instant.day
  await sql(
    `with recursive ${numbers[name](count)}
    insert into webhook_deliveries (id, tenant_id, webhook_id, surface, event, payload, status, attempts, status_code, error,
      created_at, last_attempt_at, delivered_at)
    select ${idOf[name]}, '${accountId}'${cast}, case n % ${ids.length} ${lanes} end, 'platform', '${event}',
      '${JSON.stringify({ event, data })}', case when n % 10 = 0 then 'failed' else 'delivered' end,
      case when n % 10 = 0 then 5 else 1 end, case when n % 10 = 0 then 500 else 204 end, null, ${at} + n, ${at} + n,
      case when n % 10 = 0 then null else ${at} + n end
    from numbers`
  )
  // What autovacuum does within minutes.
  await sql(name === "Postgres" ? "vacuum analyze webhook_deliveries" : "pragma wal_checkpoint(truncate)")
}

const make = async (world: World, size: Size) => {
  const whole = await product(world)
  const { accountId, ids } = await subscribe(
    whole,
    Array.from({ length: endpoints }, (_, n) => `http://receiver.example/${n}`)
  )
  await whole.stop()
  progress(`filling ${world.name}: ${finished[size]} finished rows`)
  await fillLog(world, accountId, ids, finished[size])
  const filledAt = Date.now() - 1

  let gate = Deferred.makeUnsafe<void>()
  const outbound = Outbound.of({
    resolve: () =>
      Effect.as(
        Effect.suspend(() => Deferred.await(gate)),
        ["127.0.0.1"]
      ),
    post: () => Effect.succeed({ status: 204 }),
    request: () => Effect.never
  })
  const runtime = ManagedRuntime.make(
    services(
      {
        storage: world.storage(),
        telephony: simulator(),
        outbound: outboundProvider(Layer.succeed(Outbound, outbound)),
        encryptionKey,
        webhooks: { allowNetworks: networks }
      },
      neutralBrand
    ) as Layer.Layer<Deliverer | DeliveryStore | Storage, unknown>
  )
  const { deliverer, storage, store } = await runtime.runPromise(
    Effect.all({ deliverer: Deliverer, storage: Storage, store: DeliveryStore })
  )
  runtime.runFork(deliverer.settle)

  const queue = Effect.gen(function* () {
    gate = Deferred.makeUnsafe()
    const at = yield* Instant.now
    const next = yield* Ids.source
    const rows = Array.from({ length: due }, (_, n) => ({
      id: Ids.as<"Delivery">(next()),
      tenantId: Ids.as<"Account">(accountId),
      webhookId: Ids.as<"Webhook">(ids[n % ids.length]!),
      surface: "platform" as const,
      event,
      payload: JSON.stringify({ event, data }),
      status: "pending" as const,
      attempts: 0,
      statusCode: null,
      error: null,
      sendId: null,
      createdAt: at,
      lastAttemptAt: null,
      deliveredAt: null,
      nextAt: at,
      claim: null
    }))
    yield* storage.transact(store.add(rows))
  })
  const look = (expected: number) =>
    Effect.gen(function* () {
      const begun = yield* deliverer.tick
      if (begun !== expected) yield* Effect.die(new Error(`${size}: a look began ${begun} attempts, not ${expected}`))
    })

  /** What the looks have finished is gone before the next round, lest the small log grow with each. */
  const forget = async () => {
    await world.sql(`delete from webhook_deliveries where created_at > ${filledAt}`)
    if (world.name === "Postgres") await world.sql("vacuum webhook_deliveries")
  }

  return {
    claiming: async () => {
      const times: Array<number> = []
      for (let n = 0; n < looks; n++) {
        await runtime.runPromise(queue)
        times.push(await timed(() => runtime.runPromise(look(due))))
        Deferred.doneUnsafe(gate, Effect.void)
        await runtime.runPromise(deliverer.idle)
      }
      await forget()
      // A checkpoint of the log falls into one look or another.
      return median(times)
    },
    idle: () => timed(() => runtime.runPromise(Effect.repeat(look(0), { times: idleLooks - 1 }))),
    close: () => runtime.dispose()
  }
}

const main = async (): Promise<void> => {
  const home = folder(3)
  const all = await worlds(home)
  if (all.missing !== undefined) progress(`without Postgres: ${all.missing}`)
  const figures: Array<Figure> = []
  for (const world of all.worlds) {
    const other = await world.another()
    const few = await make(world, "small")
    const many = await make(other, "large")
    progress(`looks on ${world.name}`)
    const claiming = await interleaved(plan, { small: few.claiming, large: many.claiming })
    const idle = await interleaved(plan, { small: few.idle, large: many.idle })
    await few.close()
    await many.close()
    await other.close()
    const figure = (what: string, times: Record<Size, ReadonlyArray<number>>, count: number): Figure => {
      const each = (size: Size) => `${((median(times[size]) * 1000) / count).toFixed(0)} µs`
      return {
        what: `${what} on ${world.name}`,
        measured: `${each("large")} with ${finished.large} rows`,
        against: `${each("small")} with ${finished.small}`,
        judged: { value: ratio(times, "large", "small"), bar: { atMost: 1.2 } }
      }
    }
    figures.push(figure(`a look that claims ${due}`, claiming, 1), figure("a look at an empty queue", idle, idleLooks))
  }
  await all.close()
  report(figures)
}

await main()
