/**
 * One of the processes that WebhooksThroughput compares: the product on one database, or a bare loop that resolves, signs and
 * POSTs as much with the same client, as many at a time, and keeps nothing. `prepare` fills the queue, `deliver` empties it,
 * and `received` says that the receiver has all.
 */

import { once } from "node:events"
import { Signature } from "@trunkline/core/domain"
import { Outbound } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import {
  data,
  event,
  fullQueue,
  host,
  logged,
  outboundToHere,
  product,
  publish,
  subscribe,
  type World,
  worldAt
} from "./WebhooksWorld.ts"

/** What the product is set to where nothing is said. */
const slots = 64

export type Asked = "prepare" | "deliver" | "received"

export interface Spent {
  readonly ms: number
  /** Of this process, in microseconds for each delivery. */
  readonly cpu: number
}

/** What a process is asked for, one after the other. */
interface Work {
  readonly prepare: () => Promise<void>
  /** Resolves when the work is done, which is known once `received` resolves. */
  readonly deliver: (received: Promise<void>) => Promise<void>
  readonly finish: () => Promise<void>
}

/** The least that sends a signed webhook: nothing is judged, claimed or written. */
const bare = (port: string): Work => {
  const secrets = [Signature.makeSecret(crypto.getRandomValues(new Uint8Array(32)))] as const
  const body = new TextEncoder().encode(JSON.stringify({ event, data, timestamp: "2026-11-21T09:30:00.000+00:00" }))
  const url = new URL(`http://${host}:${port}/bare`)
  const one = Effect.gen(function* () {
    const { post, resolve } = yield* Outbound
    const [address] = yield* resolve(host)
    const id = crypto.randomUUID()
    yield* post({
      url,
      address: address!,
      body,
      remainingMs: 10_000,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "webhooks/1",
        "X-Service-Event": event,
        "X-Service-Delivery": id,
        ...Signature.signatureHeaders({ headerPrefix: "X-Service-", secrets, body }),
        ...Signature.standardHeaders({ id, at: Date.now(), body, secrets })
      }
    })
  })
  const all = Effect.suspend(() => {
    let left = fullQueue.deliveries
    const slot = Effect.whileLoop({ while: () => left-- > 0, body: () => one, step: () => undefined })
    return Effect.all(
      Array.from({ length: slots }, () => slot),
      { concurrency: "unbounded", discard: true }
    )
  })
  const deliver = async (received: Promise<void>) => {
    await Promise.all([received, Effect.runPromise(Effect.provide(all, outboundToHere))])
  }
  return { prepare: async () => undefined, deliver, finish: async () => undefined }
}

const whole = async (world: World, port: string): Promise<Work> => {
  let core = await product(world)
  const urls = Array.from({ length: fullQueue.endpoints }, (_, n) => `http://${host}:${port}/${n}`)
  const { accountId } = await subscribe(core, urls)
  await core.stop()
  return {
    prepare: async () => {
      core = await product(world)
      await publish(core, accountId, fullQueue.events)
    },
    deliver: async (received) => {
      await core.start()
      await received
      await logged(world)
    },
    finish: () => core.stop()
  }
}

const next = async (wanted: Asked): Promise<void> => {
  const [asked] = (await once(process, "message")) as [Asked]
  if (asked !== wanted) throw new Error(`it was sent ${asked} for ${wanted}`)
}

const main = async (name: "bare" | World["name"], port: string, address: string): Promise<void> => {
  const work = name === "bare" ? bare(port) : await whole(worldAt({ name, address }), port)
  process.once("disconnect", () => process.exit())
  process.send!("ready")
  for (;;) {
    await next("prepare")
    await work.prepare()
    const asked = next("deliver")
    process.send!("ready")
    await asked
    const received = next("received")
    const cpu = process.cpuUsage()
    const began = performance.now()
    await work.deliver(received)
    const ms = performance.now() - began
    const { system, user } = process.cpuUsage(cpu)
    await work.finish()
    process.send!({ ms, cpu: (system + user) / fullQueue.deliveries } satisfies Spent)
  }
}

await main(...(process.argv.slice(2) as [World["name"], string, string]))
