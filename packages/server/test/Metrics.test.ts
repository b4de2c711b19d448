/** `GET /metrics`: docs/reference/operations.md#metrics, and the names that Prometheus's own linter accepts. */
import { readFileSync } from "node:fs"
import { createTrunkline } from "@trunkline/core"
import { metricCatalogue } from "@trunkline/core/testing"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import { afterAll, beforeAll, expect, it } from "vitest"
import { metricsOf } from "../src/Metrics.ts"

const core = await createTrunkline({
  storage: sqlite(":memory:"),
  telephony: simulator(),
  encryptionKey: "the key of an installation for tests"
})
const metrics = metricsOf(core, new Set(["/metrics"]))

let text = ""
beforeAll(async () => {
  const { id } = await core.admin.createAccount({ name: "A", voiceCampaigns: true })
  await core.calls.create(id, { to: "+14155550101" })
  metrics.ended({ method: "GET", path: "/metrics", status: 200, seconds: 0.01 })
  text = await metrics.text()
})
afterAll(() => core.stop())

interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
}

const families = (): ReadonlyArray<Family> =>
  [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE (\S+) (\S+)$/gm)].map(([, name, help, , type]) => ({
    name: name!,
    help: help!,
    type: type!
  }))

// Verifies: D-266.
it("has every metric that its page has, of the same type and meaning, and no other", () => {
  const page = readFileSync(new URL("../../../docs/reference/operations.md", import.meta.url), "utf8")
  const rows = [...page.matchAll(/^\| `(trunkline_\w+)` \| (\w+) \| (.*) \| (\w+) \| (.*) \|$/gm)].map(
    ([, name, type, labels, of, help]) => ({ name, type, labels: [...labels!.matchAll(/\w+/g)].map(String), of, help })
  )
  const ours = Object.entries(metricCatalogue).map(([name, declared]) => ({ name, ...declared }))
  const server = ["trunkline_build_info", "trunkline_http_request_duration_seconds"]
  const own = rows.filter(({ name }) => server.includes(name!))
  expect(own.map(({ name }) => name)).toEqual(server)
  expect(rows).toEqual([...own, ...ours])
  const served = families().filter(({ name }) => name.startsWith("trunkline_"))
  for (const { help, name, type } of served) expect(rows).toContainEqual(expect.objectContaining({ name, type, help }))
  expect(served.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      ...server,
      "trunkline_calls_open",
      "trunkline_queue_lag_seconds",
      "trunkline_credits_reserved"
    ])
  )
})

// Verifies: D-266.
it("has names as Prometheus's linter wants them: a help, counters that end in _total and nothing else does, base units", () => {
  const all = families()
  expect(all.length).toBeGreaterThan(30)
  for (const { help, name, type } of all) {
    expect(help, name).not.toBe("")
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/)
    expect(name.endsWith("_total"), name).toBe(type === "counter")
    expect(name, name).not.toMatch(/_(gauge|counter|histogram|summary)(_|$)/)
    expect(name, name).not.toMatch(/(^|_)(ms|milliseconds|minutes|hours|us|ns|kb|kilobytes|mb|megabytes|sec)(_|$)/)
    if (type !== "histogram" && type !== "summary") expect(name, name).not.toMatch(/_(count|sum|bucket)$/)
  }
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
})

it("has no account and no id in any label", () => {
  expect(text).toMatch(/^trunkline_calls_open\{status="(queued|dialing)"\} 1$/m)
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/)
})
