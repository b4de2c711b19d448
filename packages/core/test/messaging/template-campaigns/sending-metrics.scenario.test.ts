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

const one = (value: number) => [{ labels: {}, value }]

describe("the metrics of template campaigns", () => {
  scenario("count what each request to send has come to", function* (world) {
    const campaigns = campaignsOf(world)
    expect(yield* figures(world)).toEqual({
      trunkline_template_campaigns_running: one(0),
      trunkline_template_messages_total: []
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
