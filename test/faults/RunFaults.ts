/** `npm run test:faults -- --seed 1 --kills 50 --storage sqlite --minutes 5`: docs/reference/reliability.md#run. */
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { clockLibrary } from "../Clock.ts"
import { aims } from "./Aims.ts"
import { faultRun } from "./FaultRun.ts"
import { commandOf } from "./Processes.ts"
import { reportOf } from "./Report.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    kills: { type: "string", default: "50" },
    storage: { type: "string", default: "sqlite" },
    minutes: { type: "string", default: "5" },
    load: { type: "string", default: "1" },
    settle: { type: "string", default: "240" },
    aim: { type: "string" },
    product: { type: "string", default: fileURLToPath(new URL("../..", import.meta.url)) },
    keep: { type: "boolean", default: false }
  }
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const main = async (): Promise<number> => {
  const { storage } = values
  const aim = values.aim === undefined ? undefined : aims[values.aim]
  if ((storage !== "sqlite" && storage !== "postgres") || (values.aim !== undefined && aim === undefined)) {
    say(`--storage is sqlite or postgres; --aim is one of ${Object.keys(aims).join(", ")}`)
    return 2
  }
  const began = new Date()
  say(`${began.toISOString()} seed ${values.seed}, kills ${values.kills}, ${storage}, ${values.minutes} minutes`)
  const result = await faultRun({
    ...{ seed: Number(values.seed), kills: Number(values.kills), storage, minutes: Number(values.minutes) },
    ...{ load: Number(values.load), isWide: true, settleMs: Number(values.settle) * 1000, keeps: values.keep },
    ...{ command: await commandOf(values.product), library: clockLibrary, log: say },
    ...(aim === undefined ? {} : { aim })
  })
  for (const line of reportOf(result)) say(line)
  const violations = result.findings.reduce((sum, { violations }) => sum + violations.length, 0)
  say(`${violations} violations, ${Math.round((Date.now() - began.getTime()) / 1000)} s`)
  return violations === 0 ? 0 : 1
}

process.exit(await main())
