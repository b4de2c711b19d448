/** What monitoring reads of template campaigns: docs/reference/operations.md#metrics. Verifies: HOST-6. */
import { Instant } from "@trunkline/core/effect"
import { campaignsOf, listed, phoneOf, type ReplyWorld, refuses, silent } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { ProductMetrics } from "../../../src/host/index.ts"
import { scenario } from "../ReplyScenarios.ts"

const { second } = Instant

/** The samples of template campaigns in one process, by their metric's name. */
const figures = (world: ReplyWorld, which = 0) =>
  Effect.map(
    world.run(
      ProductMetrics.use(({ read }) => read),
      which
    ),
    (all) =>
      Object.fromEntries(
        all!.flatMap(({ name, samples }) => (name.startsWith("trunkline_template_") ? [[name, samples] as const] : []))
      )
  )

/** Requests that took no time at all: a histogram has all of its parts from the beginning. */
const durationsOf = (count: number) => [
  ...["0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "30", "+Inf"].map((le) => ({
    part: "bucket",
    labels: { le },
    value: count
  })),
  { part: "sum", labels: {}, value: 0 },
  { part: "count", labels: {}, value: count }
]

const one = (value: number) => [{ labels: {}, value }]

describe("the metrics of template campaigns", () => {
  scenario("count what each request to send has come to", function* (world) {
    const campaigns = campaignsOf(world)
    expect(yield* figures(world)).toEqual({
      trunkline_template_campaigns_running: one(0),
      trunkline_template_messages_total: [],
      trunkline_template_send_seconds: durationsOf(0)
    })
    for (const nth of [4, 5]) world.platform.toward(phoneOf(nth), refuses(131026))
    world.platform.toward(phoneOf(6), silent(true))
    yield* campaigns.begun([1, 2, 3, 4, 5, 6].map((nth) => listed(phoneOf(nth))))
    yield* campaigns.work(2 * second)
    const found = yield* figures(world)
    expect(found.trunkline_template_messages_total).toHaveLength(3)
    expect(found.trunkline_template_messages_total).toEqual(
      expect.arrayContaining([
        { labels: { outcome: "accepted" }, value: 3 },
        { labels: { outcome: "refused" }, value: 2 },
        { labels: { outcome: "unknown" }, value: 1 }
      ])
    )
    expect(found.trunkline_template_send_seconds).toEqual(durationsOf(6))
  })

  scenario("show how long requests take until their answers", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.toward(phoneOf(2), (_, accept) => Effect.delay(accept, 300))
    yield* campaigns.begun([1, 2].map((nth) => listed(phoneOf(nth))))
    yield* campaigns.work(2 * second)
    const samples = (yield* figures(world)).trunkline_template_send_seconds!
    expect(samples.map(({ value }) => value)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 0.3, 2])
  })

  scenario("show how many campaigns of the installation run", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun([listed(phoneOf(1))])
    yield* campaigns.begun([listed(phoneOf(2))])
    yield* campaigns.draft([listed(phoneOf(3))])
    expect((yield* figures(world)).trunkline_template_campaigns_running).toEqual(one(2))
    yield* campaigns.move(id, "paused")
    // What is counted in the database is counted every five seconds.
    yield* world.jump(5 * second)
    expect((yield* figures(world)).trunkline_template_campaigns_running).toEqual(one(1))
  })
})
