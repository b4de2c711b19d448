/**
 * How long the platform waits for its acknowledgement: 200 deliveries a second with ten messages each, all of them stored before
 * the answer, with an agent on the number. Once with a model that answers at once, once with one that never does.
 */
import { Pool } from "undici"
import { customer, delivery, percentile, world } from "./ChatWorld.ts"
import { folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"

const perSecond = 200
const each = 10
const seconds = 15
const warmUpSeconds = 3
/** Each writes four times a second: message groups that go on. */
const customers = 500

const measure = async (lateMs: number): Promise<ReadonlyArray<number>> => {
  const { origin, stop } = await world(folder(1), lateMs)
  const pool = new Pool(origin, { connections: 32 })
  const waits: Array<number> = []
  let next = 0
  const one = async (isMeasured: boolean): Promise<void> => {
    const from = Array.from({ length: each }, () => customer(next++ % customers))
    const { body, headers } = delivery(from)
    const began = performance.now()
    const answer = await pool.request({ method: "POST", path: "/api/v1/messaging/inbound", headers, body })
    if (isMeasured) waits.push(performance.now() - began)
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`an acknowledgement is ${answer.statusCode}`)
  }
  const open: Array<Promise<void>> = []
  const began = performance.now()
  const all = (seconds + warmUpSeconds) * perSecond
  for (let n = 0; n < all; n++) {
    // At its time, whatever became of those before it.
    const wait = began + (n * 1000) / perSecond - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    open.push(one(n >= warmUpSeconds * perSecond))
  }
  await Promise.all(open)
  await pool.close()
  stop()
  return waits
}

const main = async (): Promise<void> => {
  const figures: Array<Figure> = []
  const medians: Array<number> = []
  for (const [name, lateMs] of [
    ["a model that answers at once", 0],
    ["a model that never answers", -1]
  ] as const) {
    progress(`${perSecond} deliveries a second for ${seconds} s, ${name}`)
    const waits = await measure(lateMs)
    const [p50, p99] = [percentile(waits, 0.5), percentile(waits, 0.99)]
    medians.push(p50)
    figures.push(
      {
        what: `acknowledgement, ${name}`,
        measured: `p50 ${p50.toFixed(2)} ms, at most ${Math.max(...waits).toFixed(0)} ms`,
        judged: { value: p50, unit: " ms", bar: { atMost: 5 } }
      },
      {
        what: "  its slowest of a hundred",
        measured: `p99 ${p99.toFixed(1)} ms`,
        judged: { value: p99, unit: " ms", bar: { atMost: 50 } }
      }
    )
  }
  figures.push({
    what: "  the first against the second",
    measured: `${medians[0]!.toFixed(2)} ms`,
    against: `${medians[1]!.toFixed(2)} ms`
  })
  report(figures)
}

await main()
