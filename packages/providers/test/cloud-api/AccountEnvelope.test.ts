/** What deliveries say of business accounts: docs/reference/messaging.md#account-news. */
import { assert, describe, it } from "@effect/vitest"
import { Instant } from "@trunkline/core/provider"
import { decodeAccounts } from "../../src/cloud-api/AccountEnvelope.ts"
import { factsIn, limitOf } from "../../src/cloud-api/NumberAnswers.ts"

const second = 1_795_253_400
const accountId = "102290129340398"

const reportsOf = (field: string, value: unknown) => {
  const [news] = decodeAccounts({ entry: [{ id: accountId, time: second, changes: [{ field, value }] }] })
  return news?.reports ?? []
}

const ofTemplate = (value: object) => ({
  message_template_id: 594425479261596,
  message_template_name: "welcome",
  message_template_language: "en_US",
  ...value
})

const template = { _tag: "Template", id: "594425479261596", name: "welcome", language: "en_US" }

describe("a delivery about a business account", () => {
  it("names the account and when it was written", () => {
    assert.deepStrictEqual(
      decodeAccounts({
        entry: [
          {
            id: accountId,
            time: second,
            changes: [{ field: "message_template_components_update", value: ofTemplate({}) }]
          }
        ]
      }),
      [
        { accountId, at: Instant.make(second * 1000), reports: [{ ...template, news: { _tag: "Components" } }] }
      ] as never
    )
  })

  const statuses = [
    ["APPROVED", "APPROVED"],
    ["REJECTED", "REJECTED"],
    ["PAUSED", "PAUSED"],
    ["DISABLED", "DISABLED"],
    ["PENDING_DELETION", "PENDING_DELETION"],
    ["UNARCHIVED", "APPROVED"],
    ["REINSTATED", "APPROVED"],
    ["FLAGGED", "APPROVED"],
    ["A_STATUS_OF_TOMORROW", "A_STATUS_OF_TOMORROW"]
  ] as const
  for (const [event, status] of statuses) {
    it(`has ${event} of a template as the status ${status}`, () => {
      const value = ofTemplate({ event, reason: "NONE", disable_info: { disable_date: second } })
      assert.deepStrictEqual(reportsOf("message_template_status_update", value), [
        {
          ...template,
          news: {
            _tag: "Status",
            status,
            reason: "NONE",
            rejection: null,
            disableAt: event === "FLAGGED" ? Instant.make(second * 1000) : null
          }
        }
      ] as never)
    })
  }

  it("says the quality of a template, and a category once it holds", () => {
    assert.deepStrictEqual(reportsOf("message_template_quality_update", ofTemplate({ new_quality_score: "RED" })), [
      { ...template, news: { _tag: "Quality", quality: "RED" } }
    ] as never)
    assert.deepStrictEqual(reportsOf("template_category_update", ofTemplate({ new_category: "MARKETING" })), [
      { ...template, news: { _tag: "Category", category: "MARKETING" } }
    ] as never)
    assert.deepStrictEqual(reportsOf("template_category_update", ofTemplate({ correct_category: "MARKETING" })), [])
  })

  it("says the limit of one number, by its digits, or of all of them", () => {
    const of = (value: object) =>
      reportsOf("phone_number_quality_update", { display_phone_number: "+1 555-078-3881", ...value })
    const number = { _tag: "Number", phone: "15550783881" }
    assert.deepStrictEqual(of({ max_daily_conversations_per_business: "TIER_2K", current_limit: "TIER_250" }), [
      { ...number, limit: { tier: "TIER_2K", perDay: 2000 } }
    ] as never)
    assert.deepStrictEqual(of({ current_limit: "TIER_250" }), [
      { ...number, limit: { tier: "TIER_250", perDay: 250 } }
    ] as never)
    assert.deepStrictEqual(of({}), [{ ...number, limit: null }] as never)
    assert.deepStrictEqual(reportsOf("business_capability_update", { max_daily_conversations_per_business: -1 }), [
      { _tag: "Limit", limit: { tier: "-1", perDay: null } }
    ] as never)
    assert.deepStrictEqual(reportsOf("business_capability_update", { max_daily_conversation_per_phone: 1000 }), [
      { _tag: "Limit", limit: { tier: "1000", perDay: 1000 } }
    ] as never)
  })

  it("says the restriction that ends last, and when there is none any more", () => {
    const restricted = (...all: ReadonlyArray<object>) => reportsOf("account_update", { restriction_info: all })
    const until = (iso: string) => Instant.make(Date.parse(iso))
    assert.deepStrictEqual(
      restricted(
        { restriction_type: "A", expiration: second },
        { restriction_type: "B", expiration: "2026-12-01T00:00:00Z" },
        { restriction_type: "C", expiration: "2026-11-30T00:00:00Z" }
      ),
      [{ _tag: "Restriction", restriction: { type: "B", until: until("2026-12-01T00:00:00Z") } }] as never
    )
    assert.deepStrictEqual(restricted({ restriction_type: "A", expiration: second }, { restriction_type: "D" }), [
      { _tag: "Restriction", restriction: { type: "D", until: null } }
    ] as never)
    const disabled = (state: string) =>
      reportsOf("account_update", { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: state } })
    assert.deepStrictEqual(disabled("DISABLE"), [
      { _tag: "Restriction", restriction: { type: "DISABLE", until: null } }
    ] as never)
    assert.deepStrictEqual(disabled("REINSTATE"), [{ _tag: "Restriction", restriction: null }] as never)
  })

  it("says the status of a payment configuration, by its name", () => {
    const of = (configuration_name: unknown, status: unknown) =>
      reportsOf("payment_configuration_update", { configuration_name, status })
    assert.deepStrictEqual(of("shop", "Needs Testing"), [
      { _tag: "PaymentConfiguration", name: "shop", status: "Needs Testing" }
    ])
    for (const [name, status] of [["shop"], [null, "Active"], ["s\u0000", "Active"], ["shop", "A\u0000"]]) {
      assert.deepStrictEqual(of(name, status), [])
    }
  })

  it("changes nothing where it cannot be read", () => {
    for (const body of [null, 1, "x", [], {}, { entry: null }, { entry: "x" }, { entry: [null, 1, { changes: {} }] }]) {
      assert.deepStrictEqual(decodeAccounts(body), [])
    }
    const fields = [
      "message_template_status_update",
      "message_template_quality_update",
      "template_category_update",
      "message_template_components_update",
      "phone_number_quality_update",
      "phone_number_name_update",
      "business_capability_update",
      "account_update",
      "a_field_of_tomorrow"
    ]
    for (const field of fields) {
      for (const value of [
        null,
        1,
        "x",
        [],
        {},
        { event: {}, message_template_id: {} },
        { restriction_info: [null, {}] }
      ]) {
        assert.deepStrictEqual(reportsOf(field, value), [], `${field} ${JSON.stringify(value)}`)
      }
    }
  })
})

describe("a messaging limit", () => {
  const limits = [
    ["TIER_50", 50],
    ["TIER_250", 250],
    ["TIER_1K", 1000],
    ["TIER_2K", 2000],
    ["TIER_10K", 10_000],
    ["TIER_100K", 100_000],
    ["TIER_7K", 7000],
    ["TIER_UNLIMITED", null]
  ] as const
  for (const [tier, perDay] of limits) {
    it(`${tier} is ${perDay ?? "no limit"}`, () => {
      assert.deepStrictEqual(limitOf(tier), { tier, perDay })
    })
  }

  it("is unknown where it is written in another way", () => {
    for (const given of ["", "TIER_", "TIER_K", "TIER_2M", "-2", "1e3", null, {}, [], true])
      assert.isNull(limitOf(given))
  })
})

describe("facts of a number", () => {
  it("are missing where the platform does not say them, or says something else", () => {
    const nothing = {
      status: null,
      qualityRating: null,
      messagingLimit: null,
      throughput: null,
      verifiedName: null,
      nameStatus: null,
      codeVerificationStatus: null,
      isPinEnabled: null,
      displayPhoneNumber: null
    }
    assert.deepStrictEqual(factsIn({}), nothing)
    assert.deepStrictEqual(
      factsIn({ status: {}, throughput: "HIGH", is_pin_enabled: "true", quality_rating: [] }),
      nothing
    )
    assert.deepInclude(factsIn({ quality_rating: "NA", throughput: { level: "NOT_APPLICABLE" } }), {
      qualityRating: "UNKNOWN",
      throughput: { level: "NOT_APPLICABLE", perSecond: 80 }
    } as never)
  })
})
