/** Vectors of 128 inputs through the gateway, against a client that asks the upstream itself. */
import { sqlite } from "@trunkline/storage-sqlite"
import { database, folder } from "./Database.ts"
import { progress, report } from "./Figures.ts"
import { load } from "./GatewayLoad.ts"
import { embeddingsTo } from "./GatewayRequests.ts"
import { newMonth, ours, prepare, type Target, upstream } from "./GatewayTargets.ts"
import { interleaved, median } from "./Rounds.ts"

const answers = 200

const main = async (): Promise<void> => {
  const path = await database(folder(1), "gateway-embeddings.db")
  const key = await prepare(sqlite(path))
  const soon = await upstream()
  const product = await ours("product", soon.port, path, key)
  const direct: Target = { port: soon.port, headers: {}, server: null, stop: soon.stop }

  const asking = (target: Target) => async () => {
    newMonth(path)
    const found = await load({ port: target.port, request: embeddingsTo(target), connections: 1, until: { answers } })
    return median(found.ends)
  }
  const waits = await interleaved({ rounds: 5, warmUp: 1 }, { product: asking(product), upstream: asking(direct) })
  const added = median(waits.product.map((wait, round) => wait - waits.upstream[round]!))
  progress(`rounds: ${waits.product.map((wait) => wait.toFixed(2)).join(", ")} ms`)
  report([
    {
      what: "vectors of 128 inputs, whole, added, p50",
      measured: `${median(waits.product).toFixed(2)} ms`,
      against: `upstream ${median(waits.upstream).toFixed(2)} ms`,
      judged: { value: added, unit: " ms", bar: { atMost: 2 } }
    }
  ])
  product.stop()
  soon.stop()
}

await main()
