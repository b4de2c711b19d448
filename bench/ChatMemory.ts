/** What a conversation takes while its agent's model is at work: a thousand at one time in one process. */
import { request } from "undici"
import { customer, delivery, world } from "./ChatWorld.ts"
import { folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"

const active = 1000
const warmUp = 20
/** Until the nursery of the heap has the size to which any work makes it grow. */
const warmUpDeliveries = 1500

const main = async (): Promise<void> => {
  const { count, memory, origin, stop } = await world(folder(1), -1)
  const deliver = async (from: ReadonlyArray<string>): Promise<void> => {
    const { body, headers } = delivery(from)
    const answer = await request(`${origin}/api/v1/messaging/inbound`, { method: "POST", headers, body })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`an acknowledgement is ${answer.statusCode}`)
  }
  const write = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 10) await deliver(Array.from({ length: 10 }, (_, i) => customer(n + i)))
    for (let tries = 0; (await count("waiting")) < to; tries++) {
      if (tries > 600) throw new Error(`only ${await count("waiting")} of ${to} conversations came to their model`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  progress(`${warmUp} conversations, ${warmUpDeliveries} deliveries from them, then ${active} conversations more`)
  await write(0, warmUp)
  for (let n = 0; n < warmUpDeliveries; n++) await deliver(Array.from({ length: 10 }, (_, i) => customer(i % warmUp)))
  const before = await memory()
  await write(warmUp, warmUp + active)
  const after = await memory()
  stop()
  const grown = { resident: after.resident - before.resident, held: after.held - before.held }
  // The system may give what it had given before, and the heap may be elsewhere than in itself: the greater one counts.
  const each = Math.max(grown.resident, grown.held) / active / 1000
  const figures: ReadonlyArray<Figure> = [
    {
      what: `memory of each of ${active} active conversations`,
      measured: `held ${(grown.held / active / 1000).toFixed(1)} kB, resident ${(grown.resident / active / 1000).toFixed(1)} kB`,
      judged: { value: each, unit: " kB", bar: { atMost: 50 } }
    }
  ]
  report(figures)
}

await main()
