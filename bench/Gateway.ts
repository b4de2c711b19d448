/**
 * One transcription of a megabyte through the gateway, with key, limits, reserve, settle and a row of the usage log, in front
 * of an upstream on the loopback that answers at once: against a route by hand that passes the upload through and does none
 * of it, and against another gateway for Node.
 */
import { sqlite } from "@trunkline/storage-sqlite"
import { database, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { load, percentile } from "./GatewayLoad.ts"
import { uploadTo } from "./GatewayRequests.ts"
import {
  another,
  cpuOf,
  newMonth,
  otherGateway,
  ours,
  peakOf,
  prepare,
  type Target,
  upstream
} from "./GatewayTargets.ts"
import { interleaved, median, ratio, type Times } from "./Rounds.ts"

const plan = { rounds: 5, warmUp: 1 }
const milliseconds = 3000
/** What the memory is measured with: all uploads are in the server at one time. */
const together = 64
const lateMs = 300

const uploads = (target: Target, connections: number, milliseconds: number) =>
  load({ port: target.port, request: uploadTo(target), connections, until: { milliseconds } })

const main = async (): Promise<void> => {
  const home = folder(1)
  const path = await database(home, "gateway.db")
  const key = await prepare(sqlite(path))
  const soon = await upstream()
  const targets: Record<string, Target> = {
    "by hand": await ours("by hand", soon.port, path, key),
    product: await ours("product", soon.port, path, key)
  }
  const other = await another(home, soon.port)
  if (typeof other === "string") progress(`without the other gateway: ${other}`)
  else targets.other = other

  const figures: Array<Figure> = []
  const cpu: Record<string, Array<number>> = {}
  const waits: Record<number, Times<string>> = {}
  const rates: Record<number, Times<string>> = {}
  for (const connections of [1, 16]) {
    const rate: Record<string, Array<number>> = {}
    const asking = (name: string) => async (round: number) => {
      const target = targets[name]!
      newMonth(path)
      const before = target.server === null ? 0 : await cpuOf(target.server)
      const answered = await uploads(target, connections, milliseconds)
      if (round >= 0) {
        rate[name] = [...(rate[name] ?? []), answered.perSecond]
        if (target.server !== null && connections === 16) {
          const each = ((await cpuOf(target.server)) - before) / answered.count
          cpu[name] = [...(cpu[name] ?? []), each]
        }
      }
      progress(
        `${name}, ${connections} at a time: ${answered.perSecond.toFixed(0)}/s, p50 ${percentile(answered, 50).toFixed(2)} ms, p99 ${percentile(answered, 99).toFixed(2)} ms`
      )
      return percentile(answered, 50)
    }
    waits[connections] = await interleaved(
      plan,
      Object.fromEntries(Object.keys(targets).map((name) => [name, asking(name)]))
    )
    rates[connections] = rate
  }
  for (const { stop } of Object.values(targets)) stop()
  soon.stop()

  const cpuRatio = median(cpu.product!.map((each, round) => each / cpu["by hand"]![round]!))
  figures.push({
    what: "CPU of the server for one",
    measured: `${(median(cpu.product!) / 1000).toFixed(2)} ms`,
    against: `passed through ${(median(cpu["by hand"]!) / 1000).toFixed(2)} ms`,
    judged: { value: cpuRatio, bar: { atMost: 2.5 } }
  })
  const added = median(waits[1]!.product!.map((wait, round) => wait - waits[1]!["by hand"]![round]!))
  figures.push({
    what: "first byte, added, one at a time",
    measured: `p50 ${median(waits[1]!.product!).toFixed(2)} ms`,
    against: `passed through ${median(waits[1]!["by hand"]!).toFixed(2)} ms`,
    judged: { value: added, unit: " ms", bar: { atMost: 3 } }
  })
  figures.push({
    what: "first byte, 16 at a time",
    measured: `p50 ${median(waits[16]!.product!).toFixed(1)} ms`,
    against: `passed through ${median(waits[16]!["by hand"]!).toFixed(1)} ms`,
    judged: { value: ratio(waits[16]!, "product", "by hand"), bar: { atMost: 1.6 } }
  })
  for (const connections of [1, 16]) {
    if (targets.other === undefined) break
    const found = rates[connections]!
    figures.push({
      what: `requests a second, ${connections} at a time`,
      measured: `${median(found.product!).toFixed(0)}/s`,
      against: `${otherGateway.name} ${median(found.other!).toFixed(0)}/s, passed through ${median(found["by hand"]!).toFixed(0)}/s`,
      judged: { value: ratio(found, "product", "other"), bar: { atLeast: 1.8 } }
    })
  }

  progress(`${together} uploads at one time`)
  const late = await upstream(lateMs)
  const grown = (name: "product" | "by hand") => async () => {
    newMonth(path)
    const target = await ours(name, late.port, path, key)
    await uploads(target, 2, 1)
    await peakOf(target.server!)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const before = await peakOf(target.server!)
    await uploads(target, together, 3 * lateMs)
    const peak = await peakOf(target.server!)
    target.stop()
    return (peak - before) / 1e6
  }
  const memory = await interleaved({ rounds: 5, warmUp: 0 }, { "by hand": grown("by hand"), product: grown("product") })
  late.stop()
  figures.push({
    what: `memory that ${together} uploads of 1 MB take`,
    measured: `${median(memory.product).toFixed(0)} MB`,
    against: `passed through ${median(memory["by hand"]).toFixed(0)} MB`,
    judged: { value: ratio(memory, "product", "by hand"), bar: { atMost: 1.2 } }
  })
  report(figures)
}

await main()
