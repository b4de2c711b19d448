/** What the native send adds to a message: key, window, conversation and its rows, against the same message sent by hand. */
import { Pool } from "undici"
import { customer, delivery, percentile, sent, world } from "./ChatWorld.ts"
import { folder } from "./Database.ts"
import { type Figure, report } from "./Figures.ts"
import { interleaved, median } from "./Rounds.ts"

const each = 200

const main = async (): Promise<void> => {
  const { headers, origin, stop, upstream } = await world(folder(1), -1)
  const [here, there] = [new Pool(origin, { connections: 1 }), new Pool(upstream, { connections: 1 })]
  const open = delivery([customer(1)])
  const taken = await here.request({ method: "POST", path: "/api/v1/messaging/inbound", ...open })
  await taken.body.dump()
  const asking = (pool: Pool, path: string, body: object) => async () => {
    const waits: Array<number> = []
    for (let n = 0; n < each; n++) {
      const began = performance.now()
      const answer = await pool.request({ method: "POST", path, headers, body: JSON.stringify(body) })
      await answer.body.dump()
      waits.push(performance.now() - began)
      if (answer.statusCode !== 200) throw new Error(`a send is ${answer.statusCode}`)
    }
    return percentile(waits, 0.5)
  }
  const text = "Your room is ready."
  const times = await interleaved(
    { rounds: 9, warmUp: 3 },
    {
      product: asking(here, "/api/v1/messaging/messages", {
        phone_number_id: sent.phoneNumberId,
        to: `+${customer(1)}`,
        text
      }),
      "by hand": asking(there, `/${sent.phoneNumberId}/messages`, {
        messaging_product: "whatsapp",
        to: customer(1),
        type: "text",
        text: { body: text }
      })
    }
  )
  await Promise.all([here.close(), there.close()])
  stop()
  const added = median(times.product.map((wait, round) => wait - times["by hand"][round]!))
  const figures: ReadonlyArray<Figure> = [
    {
      what: "native send, added",
      measured: `p50 ${median(times.product).toFixed(2)} ms`,
      against: `by hand ${median(times["by hand"]).toFixed(2)} ms`,
      judged: { value: added, unit: " ms", bar: { atMost: 2 } }
    }
  ]
  report(figures)
}

await main()
