/** Requests and deliveries about payments, exactly as the platform has them: docs/reference/payments.md. */
import { assert, describe, it } from "@effect/vitest"
import { decodeInbound } from "@trunkline/providers/cloud-api"
import { inboundStatuses, sampleBodies } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { clientOf, failureOf, fakePlatform, number } from "./Numbers.ts"

const shop = {
  configuration_name: "the shop/1",
  status: "Active",
  provider_name: "Razorpay",
  provider_mid: "acc_1",
  merchant_category_code: { code: "5411", description: "Groceries" },
  purpose_code: { code: "00", description: "Payment" },
  created_timestamp: 1_795_253_300,
  updated_timestamp: 1_795_253_400
}

const read = {
  name: "the shop/1",
  status: "Active",
  provider: "razorpay",
  merchantId: "acc_1",
  vpa: null,
  categoryCode: "5411",
  purposeCode: "00",
  updatedAt: 1_795_253_400_000
}

const transaction = {
  id: "pay_1",
  type: "razorpay",
  status: "success",
  created_timestamp: 1_795_253_400,
  method: { type: "upi" },
  error: { code: "e1", reason: "no_funds" }
}

const bill = { configuration: "the shop/1", referenceId: "order.1" }

describe("requests about payments", () => {
  it.live("name a configuration and a reference as one segment each", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      fake.configurations.push(shop, { status: "without a name" })
      fake.payments.push({ reference_id: "order.1", status: "pending" })
      const { payment, paymentConfiguration, paymentConfigurations } = yield* clientOf(fake)
      assert.deepStrictEqual<unknown>(yield* paymentConfigurations(number), [read])
      assert.deepStrictEqual<unknown>(yield* paymentConfiguration(number, "the shop/1"), read)
      assert.isNull(yield* paymentConfiguration(number, "another"))
      assert.isNotNull(yield* payment(number, bill))
      assert.isNull(yield* payment(number, { ...bill, referenceId: "another" }))
      assert.deepStrictEqual(
        fake.requests.map(({ method, path }) => `${method} ${path}`),
        [
          `GET /${number.accountId}/payment_configurations`,
          `GET /${number.accountId}/payment_configuration/the%20shop%2F1`,
          `GET /${number.accountId}/payment_configuration/another`,
          `GET /${number.id}/payments/the%20shop%2F1/order.1`,
          `GET /${number.id}/payments/the%20shop%2F1/another`
        ]
      )
      assert.strictEqual((yield* failureOf(payment(number, { ...bill, referenceId: ".." })))._tag, "PlatformRefused")
      assert.strictEqual((yield* failureOf(paymentConfiguration(number, ".")))._tag, "PlatformRefused")
      assert.strictEqual(fake.requests.length, 5)
    })
  )

  it.live("read a payment that names its amount as the bill does", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      fake.payments.push({
        ...{ reference_id: "order.1", status: "captured", currency: "INR" },
        total_amount: { value: 55_000, offset: 100 }
      })
      const { payment } = yield* clientOf(fake)
      const found = yield* payment(number, bill)
      assert.deepStrictEqual<unknown>([found?.amount, found?.status], [55_000, "captured"])
    })
  )

  it.live("read a payment in the smallest unit, and an amount that is none as missing", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { payment } = yield* clientOf(fake)
      for (const [amount, expected] of [
        [{ value: 55_000, offset: 100 }, 55_000],
        [{ value: 55, offset: 1 }, 5500],
        [{ value: 550_000, offset: 1000 }, 55_000],
        [{ value: 550_001, offset: 1000 }, null],
        [{ value: 1.5, offset: 100 }, null],
        [{ value: 1, offset: 0 }, null],
        [undefined, null]
      ] as const) {
        fake.payments.length = 0
        fake.payments.push({
          ...{ reference_id: "order.1", status: "captured", currency: "INR", amount },
          transactions: [transaction, { status: "without an id" }]
        })
        assert.deepStrictEqual<unknown>(yield* payment(number, bill), {
          referenceId: "order.1",
          status: "captured",
          amount: expected,
          currency: "INR",
          transactions: [{ id: "pay_1", type: "upi", status: "success", at: 1_795_253_400_000, error: "no_funds" }]
        })
      }
    })
  )
})

describe("deliveries about payments", () => {
  it("say nothing of the message that is the bill", () => {
    const report = {
      id: "wamid.1",
      type: "payment",
      status: "captured",
      timestamp: "1795253400",
      recipient_id: "16505551234",
      payment: { reference_id: "order.1", amount: { value: 55_000, offset: 100 }, currency: "INR", transaction }
    }
    const [change] = decodeInbound(
      inboundStatuses(
        report,
        { ...report, status: "a word of tomorrow" },
        { ...report, payment: {} },
        { ...report, payment: { ...report.payment, reference_id: "a\u0000b" } },
        sampleBodies.inboundStatus("wamid.2", "delivered")
      )
    )
    expect(change?.statuses).toMatchObject([{ msgid: "wamid.2", status: "delivered" }])
    expect(change?.payments).toMatchObject([
      { referenceId: "order.1", status: "captured", amount: 55_000, transactions: [{ id: "pay_1", type: "upi" }] },
      { referenceId: "order.1", status: null }
    ])
  })
})
