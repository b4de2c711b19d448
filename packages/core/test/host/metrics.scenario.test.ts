/** What monitoring reads: docs/reference/operations.md#metrics. Verifies: HOST-6. */

import { Ids } from "@trunkline/core/effect"
import type { UsageDetails } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import { type Metric, metricCatalogue, ProductMetrics, prometheusText } from "../../src/host/index.ts"
import { Workers } from "../../src/host/Workers.ts"
import { Metering } from "../../src/platform/billing/index.ts"
import { Durations } from "../../src/platform/room/index.ts"
import { type Stage, scenario } from "../calling/calls/Scenarios.ts"

const [a, b] = ["+14155550101", "+14155550102"]
const credit = 1_000_000_000n

const metrics = (stage: Stage) => stage.run(ProductMetrics.use(({ read }) => read))

/** The value of a sample, by the metric's name and the value of its label. */
const valueOf = (all: ReadonlyArray<Metric>, name: string, label?: string): number | undefined =>
  all
    .find((metric) => metric.name === name)
    ?.samples.find(({ labels }) => label === undefined || Object.values(labels).includes(label))?.value

const used: Omit<UsageDetails, "httpStatus"> = {
  ...{ requestId: "r", model: "m", units: 3, unit: "seconds", inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 },
  ...{ cacheCreationTokens: 0, latencyMs: 1, sessionId: null, traceId: null }
}

describe("metrics", () => {
  scenario("show calls, what they reserve and what they have cost", function* (stage) {
    yield* stage.dial(a)
    yield* stage.dial(b)
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.ring(b)
    const during = yield* metrics(stage)
    expect(valueOf(during, "trunkline_calls_open", "in_progress")).toBe(1)
    expect(valueOf(during, "trunkline_calls_open", "ringing")).toBe(1)
    expect(valueOf(during, "trunkline_credits_reserved", "call")).toBe(2)
    yield* stage.wait(70_000)
    yield* stage.end(a)
    yield* stage.end(b, "no_answer")
    const after = yield* metrics(stage)
    expect(after.find(({ name }) => name === "trunkline_calls_open")?.samples).toEqual([])
    expect(valueOf(after, "trunkline_calls_total", "completed")).toBe(1)
    expect(valueOf(after, "trunkline_calls_total", "no_answer")).toBe(1)
    expect(valueOf(after, "trunkline_credits_spent_total", "call")).toBe(2)
    expect(valueOf(after, "trunkline_credits_reserved", "call")).toBe(0)
    expect(valueOf(after, "trunkline_events_total", "call.completed")).toBe(1)
  })

  scenario("show requests to models, what they reserve and what they have cost", function* (stage) {
    const payer = { tenantId: stage.tenant, plan: "pro", monthlyBudget: null, key: null } as const
    const wanted = (id: string) => ({ id: Ids.as<"Usage">(id), payer, service: "stt", maxCost: 3n * credit }) as const
    const ids = yield* Effect.forEach([1, 2, 3], () => Ids.fresh<"Usage">())
    const [one, two, three] = ids.map((id) => wanted(id))
    const run = <A, E>(use: (metering: Metering["Service"]) => Effect.Effect<A, E>) => stage.run(Metering.use(use))
    for (const each of [one, two, three]) yield* run((metering) => metering.reserve(each!))
    const during = yield* metrics(stage)
    expect(valueOf(during, "trunkline_inference_running", "stt")).toBe(3)
    expect(valueOf(during, "trunkline_credits_reserved", "inference")).toBe(9)
    yield* run((metering) => metering.settle(one!, credit / 2n, { ...used, httpStatus: 200 }))
    // A second end counts nothing.
    yield* run((metering) => metering.settle(one!, credit / 2n, { ...used, httpStatus: 200 }))
    yield* run((metering) => metering.release(two!, { ...used, httpStatus: 502 }))
    yield* run((metering) => metering.release(three!, null))
    yield* TestClock.adjust(5_000)
    const after = yield* metrics(stage)
    expect(after.find(({ name }) => name === "trunkline_inference_requests_total")?.samples).toEqual([
      { labels: { service: "stt", status: "200" }, value: 1 },
      { labels: { service: "stt", status: "502" }, value: 1 }
    ])
    expect(valueOf(after, "trunkline_credits_spent_total", "inference")).toBe(0.5)
    expect(valueOf(after, "trunkline_credits_reserved", "inference")).toBe(0)
  })

  // Verifies: D-266.
  scenario("show for how long work has been due that no process has begun", function* (stage) {
    const lag = (all: ReadonlyArray<Metric>) => valueOf(all, "trunkline_queue_lag_seconds", "calls")
    // Nobody's background work runs: the call that is checked later is late once that time has passed.
    yield* stage.dial(a)
    yield* stage.rest
    expect(lag(yield* metrics(stage))).toBe(0)
    yield* TestClock.adjust(3_600_000)
    const late = lag(yield* metrics(stage))!
    expect(late).toBeGreaterThan(1_800)
    // The database is looked at every five seconds; time goes on in between.
    yield* TestClock.adjust(2_000)
    expect(lag(yield* metrics(stage))).toBe(late + 2)
    yield* stage.run(Workers.use(({ start }) => start))
    yield* stage.elapse(10_000, 1_000)
    expect(lag(yield* metrics(stage))).toBe(0)
    yield* stage.run(Workers.use(({ stop }) => stop))
  })

  // Verifies: D-266.
  scenario("go on without what the storage counts while that is away, and say so", function* (stage) {
    yield* stage.run(Workers.use(({ start }) => start))
    yield* stage.dial(a)
    expect(valueOf(yield* metrics(stage), "trunkline_deliveries_waiting")).toBe(0)
    stage.isDown = true
    yield* stage.elapse(10_000, 1_000)
    const away = yield* metrics(stage)
    expect(valueOf(away, "trunkline_deliveries_waiting")).toBeUndefined()
    expect(valueOf(away, "trunkline_storage_unavailable")).toBe(1)
    expect(valueOf(away, "trunkline_storage_failures_total")).toBeGreaterThan(10)
    expect(valueOf(away, "trunkline_workers_running")).toBe(1)
    stage.isDown = false
    yield* stage.elapse(10_000, 1_000)
    const back = yield* metrics(stage)
    expect(valueOf(back, "trunkline_storage_unavailable")).toBe(0)
    expect(valueOf(back, "trunkline_deliveries_waiting")).toBe(0)
    yield* stage.run(Workers.use(({ stop }) => stop))
  })

  scenario(
    "are those of the catalogue, and what is counted in the database is not counted for each look",
    function* (stage) {
      const first = yield* metrics(stage)
      expect(first.map(({ name, type }) => [name, type])).toEqual(
        Object.entries(metricCatalogue).map(([name, { type }]) => [name, type])
      )
      yield* stage.dial(a)
      yield* TestClock.adjust(4_999)
      expect(valueOf(yield* metrics(stage), "trunkline_credits_reserved", "call")).toBe(0)
      yield* TestClock.adjust(1)
      expect(valueOf(yield* metrics(stage), "trunkline_credits_reserved", "call")).toBe(1)
    }
  )
})

describe("the text of metrics", () => {
  it("is Prometheus's: help, type, one sample a line, with escaped labels", () => {
    const durations = new Durations([0.1, 1])
    for (const seconds of [0.125, 0.1, 2]) durations.observe(seconds)
    const text = prometheusText([
      { name: "trunkline_a_total", type: "counter", help: "How many", samples: [{ labels: {}, value: 3 }] },
      { name: "trunkline_b", type: "gauge", help: "Nothing yet", samples: [] },
      {
        name: "trunkline_c",
        type: "gauge",
        help: "By label",
        samples: [{ labels: { a: 'x"y\\z\n', b: "2" }, value: 0.5 }]
      },
      { name: "trunkline_d_seconds", type: "histogram", help: "How long", samples: durations.samples }
    ])
    expect(text.split("\n")).toEqual([
      "# HELP trunkline_a_total How many",
      "# TYPE trunkline_a_total counter",
      "trunkline_a_total 3",
      "# HELP trunkline_c By label",
      "# TYPE trunkline_c gauge",
      'trunkline_c{a="x\\"y\\\\z\\n",b="2"} 0.5',
      "# HELP trunkline_d_seconds How long",
      "# TYPE trunkline_d_seconds histogram",
      'trunkline_d_seconds_bucket{le="0.1"} 1',
      'trunkline_d_seconds_bucket{le="1"} 2',
      'trunkline_d_seconds_bucket{le="+Inf"} 3',
      "trunkline_d_seconds_sum 2.225",
      "trunkline_d_seconds_count 3",
      ""
    ])
  })
})
