/**
 * What one claim takes while tables grow: people to call, numbers on do-not-call lists, finished deliveries, accounts. One at a
 * time, because a queue would be measured along.
 */

import { PhoneNumber, Storage, Suppression } from "@trunkline/core/effect"
import { Carrier, type Ids, Outbound, outboundProvider, telephonyProvider } from "@trunkline/core/provider"
import { storageProvider } from "@trunkline/core/storage"
import { Deliverer, Dialer, neutralBrand, services } from "@trunkline/core/testing"
import { layer } from "@trunkline/storage-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { percentile } from "./ChatWorld.ts"
import { encryptionKey } from "./Database.ts"
import { type Figure, progress } from "./Figures.ts"
import type { PostgresServer } from "./Postgres.ts"
import { carrier } from "./Product.ts"
import { timed } from "./Rounds.ts"
import type { Curve } from "./ScaleCurves.ts"
import type { Found } from "./ScaleProcesses.ts"
import { idOf, idSql, kinds, type Seeder, seeder } from "./ScaleSeed.ts"
import { networks } from "./WebhooksWorld.ts"

export interface Sizes {
  readonly contacts: ReadonlyArray<number>
  readonly listed: ReadonlyArray<number>
  readonly finished: ReadonlyArray<number>
  readonly accounts: ReadonlyArray<number>
  readonly samples: number
}

/** A call that is accepted at once and never reported, and endpoints that answer at once. */
export const runtimeOf = (url: string) =>
  ManagedRuntime.make(
    services(
      {
        storage: storageProvider(layer({ url })),
        telephony: telephonyProvider(Layer.succeed(Carrier, carrier)),
        outbound: outboundProvider(
          Layer.succeed(Outbound, {
            resolve: () => Effect.succeed(["127.0.0.1"]),
            post: () => Effect.succeed({ status: 204 }),
            request: () => Effect.never
          })
        ),
        encryptionKey,
        webhooks: { allowNetworks: networks }
      },
      neutralBrand
    )
  )

const warmUp = 30

const latencies = async (samples: number, prepare: () => Promise<unknown>, work: () => Promise<unknown>) => {
  const times: Array<number> = []
  for (let n = -warmUp; n < samples; n++) {
    await prepare()
    const ms = await timed(work)
    if (n >= 0) times.push(ms)
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

type Latency = Awaited<ReturnType<typeof latencies>>

/** What follows an import within minutes, and is not measured: the disk gets what was added. */
const settled = async (seed: Seeder): Promise<void> => {
  await seed.run("vacuum analyze")
  await seed.run("checkpoint")
}

const campaigns = 2000

/** Where accounts and campaigns begin that are not due: `later` is after every benchmark. */
const others = 1_000_000
const later = 9_000_000_000_000

/** Another campaign is due, and the dialer claims a call for it. */
const claims = (seed: Seeder, runtime: ReturnType<typeof runtimeOf>, samples: number) => {
  let next = 0
  return latencies(
    samples,
    () => {
      next = (next + 1) % campaigns
      const id = idSql(kinds.campaign, String(next))
      return seed.run(`delete from calls; update campaigns set next_dial_at = null where next_dial_at is not null;
        update campaigns set next_dial_at = 1 where id = ${id}`)
    },
    () =>
      runtime.runPromise(
        Effect.gen(function* () {
          const { calls } = yield* (yield* Dialer).tick
          if (calls !== 1) yield* Effect.die(new Error(`a pass opened ${calls} calls`))
        })
      )
  )
}

const lookUps = (runtime: ReturnType<typeof runtimeOf>, samples: number, accounts: number) => {
  let n = 0
  return latencies(
    samples * 5,
    async () => {
      n += 7919
    },
    () =>
      runtime.runPromise(
        Effect.gen(function* () {
          const suppression = yield* Suppression
          const storage = yield* Storage
          const tenant = idOf(kinds.account, n % accounts) as Ids.AccountId
          const key = PhoneNumber.as(String((BigInt(n) * 387_420_489n) % 10_000_000_000n).padStart(10, "0"))
          yield* storage.read(suppression.listed(tenant, key))
        })
      )
  )
}

type Points = ReadonlyArray<readonly [number, Latency]>

const curveOf = (name: string, title: string, xLabel: string, points: Points): Curve => ({
  name,
  title,
  xLabel,
  yLabel: "milliseconds",
  isLogarithmic: true,
  series: [
    { name: "p50", points: points.map(([x, { p50 }]) => [x, Number(p50.toFixed(2))]) },
    { name: "p99", points: points.map(([x, { p99 }]) => [x, Number(p99.toFixed(2))]) }
  ]
})

const shown = ({ p50, p99 }: Latency) => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`

const figureOf = (what: string, points: Points, atMost?: number): Figure => {
  const [[least, first], [most, last]] = [points[0]!, points.at(-1)!]
  return {
    what: `${what}, ${most.toLocaleString("en")}`,
    measured: shown(last),
    against: `${least.toLocaleString("en")}: ${shown(first)}`,
    ...(atMost === undefined ? {} : { judged: { value: last.p99, unit: " ms", bar: { atMost } } })
  }
}

/** Grows one table of a database to each size, and measures at each. */
const grow = async (
  sizes: ReadonlyArray<number>,
  add: (range: { readonly from: number; readonly count: number }) => Promise<unknown>,
  measure: () => Promise<Latency>
): Promise<Points> => {
  const points: Array<readonly [number, Latency]> = []
  let filled = 0
  for (const size of sizes) {
    if (size > filled) await add({ from: filled, count: size - filled })
    filled = Math.max(filled, size)
    points.push([size, await measure()])
    progress(`${size}: ${shown(points.at(-1)![1])}`)
  }
  return points
}

const dialing = async (server: PostgresServer, sizes: Sizes): Promise<Found> => {
  const url = await server.database("scale_sizes")
  const runtime = runtimeOf(url)
  await runtime.runPromise(Effect.asVoid(Dialer))
  const seed = await seeder(url)
  const owners = 100
  await seed.accounts({ from: 0, count: owners })
  await seed.campaigns({ from: 0, count: campaigns }, { from: 0, count: owners })
  const samples = Math.min(sizes.samples, campaigns - warmUp)
  progress("people to call")
  const contacts = await grow(
    sizes.contacts,
    async (range) => {
      await seed.contacts(range, { from: 0, count: campaigns }, owners)
      await settled(seed)
    },
    () => claims(seed, runtime, samples)
  )
  progress("numbers on do-not-call lists, beside them")
  const listed: Array<readonly [number, Latency]> = []
  const claimsListed = await grow(
    sizes.listed,
    async (range) => {
      await seed.suppressed(range, owners)
      await settled(seed)
    },
    async () => {
      listed.push([sizes.listed[listed.length]!, await lookUps(runtime, sizes.samples, owners)])
      return claims(seed, runtime, samples)
    }
  )
  progress("accounts, beside them")
  const accounts = await grow(
    sizes.accounts,
    async ({ count, from }) => {
      const added = { from: from + others, count }
      await seed.accounts(added)
      await seed.campaigns(added, { from: 0, count: others + from + count }, later)
      await settled(seed)
    },
    () => claims(seed, runtime, samples)
  )
  await runtime.dispose()
  await seed.close()
  return {
    figures: [
      figureOf("a dial claim, people to call", contacts),
      figureOf("a dial claim, numbers on do-not-call lists", claimsListed, 10),
      figureOf("a look-up, numbers on do-not-call lists", listed, 10),
      figureOf("a dial claim, accounts with a campaign", accounts)
    ],
    curves: [
      curveOf("contacts", "A dial claim while campaigns grow", "people to call", contacts),
      curveOf("suppression", "A dial claim while do-not-call lists grow", "numbers on do-not-call lists", claimsListed),
      curveOf("accounts", "A dial claim while accounts are added", "accounts with a running campaign", accounts)
    ]
  }
}

const deliveries = async (server: PostgresServer, { finished, samples }: Sizes): Promise<Found> => {
  const url = await server.database("scale_log")
  const runtime = runtimeOf(url)
  const deliverer = await runtime.runPromise(Deliverer)
  runtime.runFork(deliverer.settle)
  const seed = await seeder(url)
  const endpoints = 60
  const [account, webhook, row] = [idSql(kinds.account, "0"), (n: string) => idSql(kinds.webhook, n), kinds.delivery]
  await seed.accounts({ from: 0, count: 1 })
  await seed.run(`insert into webhooks (id, tenant_id, surface, url, events, secret, secret_hint, is_active, retry_schedule, created_at, updated_at)
    select ${webhook("n")}, ${account}, 'platform', 'http://receiver.example/' || n, '[]', 'v0.whsec_AAAA', 'h', true, 'standard', 0, 0
    from generate_series(0, ${endpoints - 1}) n`)
  const add = (from: number, count: number, status: string, nextAt: string) =>
    seed.run(`insert into webhook_deliveries (id, tenant_id, webhook_id, surface, event, payload, status, attempts, created_at, next_at)
      select ${idSql(row, "n")}, ${account}, ${webhook(`n % ${endpoints}`)}, 'platform', 'message.received', '{}', '${status}', 0, n, ${nextAt}
      from generate_series(${from}::bigint, ${from + count - 1}) n`)
  let next = 1_000_000_000
  const looks = () =>
    latencies(
      samples,
      async () => {
        await runtime.runPromise(deliverer.idle)
        await add(next, endpoints, "pending", "1")
        next += endpoints
      },
      () => runtime.runPromise(deliverer.tick)
    )
  progress("finished deliveries")
  const points = await grow(
    finished,
    async ({ count, from }) => {
      await add(from, count, "delivered", "null")
      await settled(seed)
    },
    looks
  )
  await runtime.runPromise(deliverer.idle)
  await runtime.dispose()
  await seed.close()
  return {
    figures: [figureOf("a claim of 60 deliveries, finished ones", points)],
    curves: [curveOf("log", "A claim of 60 deliveries while the log grows", "finished deliveries", points)]
  }
}

export const bySize = async (server: PostgresServer, sizes: Sizes): Promise<Found> => {
  const parts = [await dialing(server, sizes), await deliveries(server, sizes)]
  return { figures: parts.flatMap(({ figures }) => figures), curves: parts.flatMap(({ curves }) => curves) }
}
