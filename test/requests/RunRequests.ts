/** `npm run test:requests -- --seed 1 --requests 100000`: docs/contributing.md#generated-requests. */
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { commandOf } from "../faults/Processes.ts"
import { findingsOf, reportOf } from "./RequestReport.ts"
import { requestRun } from "./RequestRun.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    requests: { type: "string", default: "100000" },
    storage: { type: "string", default: "sqlite" },
    concurrency: { type: "string", default: "8" },
    minutes: { type: "string", default: "60" },
    only: { type: "string" },
    like: { type: "string" },
    checkout: { type: "string", default: fileURLToPath(new URL("../..", import.meta.url)) },
    p99: { type: "string", default: "250" },
    keep: { type: "boolean", default: false }
  }
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const main = async (): Promise<number> => {
  const { checkout, storage } = values
  if (storage !== "sqlite" && storage !== "postgres") {
    say("--storage is sqlite or postgres")
    return 2
  }
  const began = Date.now()
  say(
    `seed ${values.seed}, ${values.only === undefined ? `${values.requests} requests` : `request ${values.only} alone`}, ${storage}`
  )
  const bounds = {
    p99: Number(values.p99),
    times: 0,
    upload: 10_000,
    turn: 250,
    peak: 700e6,
    kept: 120e6,
    unsent: 0,
    stop: 15_000
  }
  const result = await requestRun({
    ...{ seed: Number(values.seed), requests: Number(values.requests), storage, keeps: values.keep, log: say },
    ...{
      concurrency: Number(values.concurrency),
      maxMs: Number(values.minutes) * 60_000,
      calmMs: 5000,
      settleMs: 6000
    },
    ...{ command: await commandOf(resolve(checkout)) },
    ...(values.only === undefined ? {} : { only: Number(values.only) }),
    ...(values.like === undefined ? {} : { like: values.like.split("|") })
  })
  for (const line of reportOf(result, bounds)) say(line)
  const count = findingsOf(result, bounds).length
  say(`${count} findings, ${Math.round((Date.now() - began) / 1000)} s`)
  return count === 0 ? 0 : 1
}

process.exit(await main())
