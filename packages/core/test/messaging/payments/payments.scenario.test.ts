/** Bills when processes die. Verifies: PAYM-1. */

import { Payments } from "@trunkline/core/testing"
import type { ReplyWorld } from "@trunkline/testing/messaging"
import { sampleNumber } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { scenario } from "../ReplyScenarios.ts"

const bill = {
  phoneNumberId: sampleNumber.phoneNumberId,
  to: { _tag: "Phone", digits: "16505551234" },
  referenceId: "order-1",
  configuration: "shop",
  kind: "digital",
  currency: "INR",
  items: [{ retailerId: "tea", name: "Tea", amount: 500, quantity: 1, saleAmount: null }],
  tax: null,
  shipping: null,
  discount: null,
  body: "Your order",
  footer: null,
  headerImage: null,
  expiresAt: null
} as const

const shop = {
  name: "shop",
  status: "Active",
  provider: "razorpay",
  merchantId: null,
  vpa: null,
  categoryCode: null,
  purposeCode: null,
  updatedAt: null
}

const requests = (world: ReplyWorld) =>
  world.run(Payments.use((payments) => Effect.result(payments.create(world.tenant, bill))))

const stored = (world: ReplyWorld) =>
  world.run(
    Payments.use((payments) =>
      payments.list(world.tenant, { status: null, referenceId: null }, { limit: 9, offset: 0 })
    )
  )

describe("a bill whose process is killed", () => {
  for (const [title, when, sent] of [
    ["between its claim and the request is not sent, and its reference is not asked for again", "before", 0],
    ["after the request is not sent again", "after", 1]
  ] as const) {
    scenario(title, function* (world) {
      world.platform.configurations.push(shop)
      yield* world.writes("Hello")
      world.crashAfter(1, when, "platform")
      expect(yield* requests(world)).toBeNull()
      yield* world.revive
      expect(world.platform.of("send")).toHaveLength(sent)
      expect((yield* stored(world))?.items).toMatchObject([
        { referenceId: "order-1", status: "requested", msgid: null }
      ])
      expect(yield* requests(world)).toMatchObject({ _tag: "Failure", failure: { _tag: "ReferenceUsed" } })
      expect(world.platform.of("send")).toHaveLength(sent)
    })
  }
})
