import { database, folder } from "./Database.ts"
import { load, percentile } from "./GatewayLoad.ts"
import { uploadTo } from "./GatewayRequests.ts"
import { cpuOf, newMonth, ours, prepare, upstream } from "./GatewayTargets.ts"
const home = folder(1)
const path = await database(home, "gateway.db")
const key = await prepare(path)
const soon = await upstream()
const [, , n = "16", ...names] = process.argv
for (const name of names as Array<"product" | "by hand">) {
  const target = await ours(name, soon.port, path, key)
  for (let i = 0; i < 3; i++) {
    newMonth(path)
    const before = await cpuOf(target.server!)
    const answered = await load({ port: target.port, request: uploadTo(target), connections: Number(n), until: { milliseconds: 4000 } })
    console.log(name, answered.perSecond.toFixed(0), "p50", percentile(answered, 50).toFixed(1), "p90", percentile(answered, 90).toFixed(1), "p99", percentile(answered, 99).toFixed(1), "cpu ms", (((await cpuOf(target.server!)) - before) / answered.count / 1000).toFixed(2))
  }
  target.stop()
}
soon.stop()
process.exit(0)
