/** What a conversation takes while its agent's model is at work: a thousand at one time in one process. */
import { request } from "undici"
import { customer, delivery, world } from "./ChatWorld.ts"
import { folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"

const active = 1000
const warmUp = 20

const main = async (): Promise<void> => {
  const { count, memory, origin, stop } = await world(folder(1), -1)
  const write = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 10) {
      const { body, headers } = delivery(Array.from({ length: 10 }, (_, i) => customer(n + i)))
      const answer = await request(`${origin}/api/v1/messaging/inbound`, { method: "POST", headers, body })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`an acknowledgement is ${answer.statusCode}`)
    }
    for (let tries = 0; (await count("waiting")) < to; tries++) {
      if (tries > 600) throw new Error(`only ${await count("waiting")} of ${to} conversations came to their model`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  progress(`${warmUp} conversations, then ${active} more`)
  await write(0, warmUp)
  const before = await memory()
  await write(warmUp, warmUp + active)
  const after = await memory()
  stop()
  const each = (after - before) / active / 1000
  const figures: ReadonlyArray<Figure> = [
    {
      what: `memory of each of ${active} active conversations`,
      measured: `${((after - before) / 1e6).toFixed(1)} MB in all`,
      judged: { value: each, unit: " kB", bar: { atMost: 50 } }
    }
  ]
  report(figures)
}

await main()
