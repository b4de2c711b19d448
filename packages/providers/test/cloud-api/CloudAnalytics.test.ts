/** What the platform is asked for its counts, and how they are read. Verifies: ANLY-3. */
import { assert, describe, it } from "@effect/vitest"
import { Instant } from "@trunkline/core/provider"
import type { FakePlatform } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { messagesIn, pricingIn, templateResultsIn } from "../../src/cloud-api/AnalyticsAnswers.ts"
import { cloudChannel } from "../../src/cloud-api/index.ts"
import { clientOf, fakePlatform, number } from "./Numbers.ts"

const analyticsAt = (fake: FakePlatform) =>
  Effect.map(clientOf(fake), (client) => cloudChannel(client, { signing: null, verification: null }).network.analytics!)

const period = { start: Instant.make(1_763_596_800_000), end: Instant.make(1_763_683_199_001) }
const [start, end] = ["1763596800", "1763683200"]

const requests = (fake: FakePlatform) => fake.requests.map(({ method, path, query }) => [method, path, query])

const missing = { start: null, end: null }

describe("what a network counts", () => {
  it.live("is asked for by fields of the business account with their filters", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const analytics = yield* analyticsAt(fake)
      fake.counts.set(number.accountId, {
        analytics: { data_points: [{ start: 1_763_596_800, end: 1_763_683_200, sent: 3, delivered: 2 }] }
      })
      const asked = { ...period, phone: null } as const
      assert.deepStrictEqual(yield* analytics.messages(number, { ...asked, interval: "day", phone: "15550783881" }), [
        { start: period.start, end: Instant.make(1_763_683_200_000), sent: 3, delivered: 2 }
      ])
      yield* analytics.messages(number, { ...asked, interval: "month" })
      assert.deepStrictEqual(
        yield* analytics.pricing(number, { ...period, interval: "half_hour", dimensions: ["pricing_type", "country"] }),
        []
      )
      yield* analytics.pricing(number, { ...period, interval: "day", dimensions: [] })
      yield* analytics.enableTemplates(number)
      const path = `/${number.accountId}`
      const of = (fields: string) => ["GET", path, { fields }]
      assert.deepStrictEqual(requests(fake), [
        of(`analytics.start(${start}).end(${end}).granularity(DAY).phone_numbers([15550783881])`),
        of(`analytics.start(${start}).end(${end}).granularity(MONTH)`),
        of(
          `pricing_analytics.start(${start}).end(${end}).granularity(HALF_HOUR).dimensions(["PRICING_TYPE","COUNTRY"])`
        ),
        of(`pricing_analytics.start(${start}).end(${end}).granularity(DAILY)`),
        ["POST", path, { is_enabled_for_insights: "true" }]
      ])
    })
  )

  it.live("of templates is read page by page to the end", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const analytics = yield* analyticsAt(fake)
      for (let day = 0; day < 60; day += 1) fake.templateCounts.push({ data_points: [{ template_id: "7", sent: day }] })
      const read = yield* analytics.templates(number, { ...period, templateIds: ["7", "8"] })
      assert.deepStrictEqual(
        read.map(({ sent }) => sent),
        Array.from({ length: 60 }, (_, day) => day)
      )
      const query = {
        ...{ start, end, granularity: "daily", template_ids: "[7,8]" },
        metric_types: "sent,delivered,read,clicked"
      }
      assert.deepStrictEqual(requests(fake), [
        ["GET", `/${number.accountId}/template_analytics`, query],
        ["GET", `/${number.accountId}/template_analytics`, { ...query, after: "25" }],
        ["GET", `/${number.accountId}/template_analytics`, { ...query, after: "50" }]
      ])
    })
  )
})

describe("an answer", () => {
  it("without counts has no rows, and what it leaves out of a row is null", () => {
    for (const answer of [{}, { analytics: null }, { analytics: [] }, { analytics: { data_points: "x" } }]) {
      assert.deepStrictEqual(messagesIn(answer), [])
    }
    assert.deepStrictEqual(messagesIn({ analytics: { data_points: [{ sent: "many", delivered: 0 }] } }), [
      { ...missing, sent: null, delivered: 0 }
    ])
    const rest = { country: null, pricingType: null, pricingCategory: null, tier: null }
    assert.deepStrictEqual(
      pricingIn({
        pricing_analytics: { data: [{ data_points: [{ volume: 2, cost: 0.5, phone_number: 49301234567 }] }] }
      }),
      [{ ...missing, ...rest, volume: 2, cost: 0.5, phone: "49301234567" }]
    )
    assert.deepStrictEqual(pricingIn({}), [])
    assert.deepStrictEqual(templateResultsIn([null, {}, { data_points: [{ clicked: [{}] }, { template_id: 5 }] }]), [
      {
        ...{ templateId: null, start: null, sent: null, delivered: null, read: null },
        clicked: [{ type: null, button: null, count: null }]
      },
      { templateId: "5", start: null, sent: null, delivered: null, read: null, clicked: null }
    ])
  })
})
