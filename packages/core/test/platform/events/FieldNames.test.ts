/** Names that a brand gives to fields of events: docs/reference/configuration.md#brand. */
import { describe, expect, it } from "vitest"
import type { creditsLow } from "../../../src/platform/billing/BillingEventEntries.ts"
import { type EventOf, neutralFieldNames, toCatalogueNames, toWireNames } from "../../../src/platform/events/index.ts"
import { Ids } from "../../../src/platform/kernel/index.ts"

const brand = { messageIdField: "wamid", userIdField: "wa_id" }
const data = { conversation_id: "c", msgid: "m", user_id: null, text: "msgid" }

describe("the data of an event", () => {
  it("have the brand's names on the wire, in the same order, and get the catalogue's names back", () => {
    const wire = toWireNames(data, brand)
    expect(Object.entries(wire)).toEqual([
      ["conversation_id", "c"],
      ["wamid", "m"],
      ["wa_id", null],
      ["text", "msgid"]
    ])
    expect(toCatalogueNames(wire, brand)).toEqual(data)
  })

  it("stay as they are without a brand", () => {
    expect(toWireNames(data, neutralFieldNames)).toBe(data)
    expect(toCatalogueNames(data, neutralFieldNames)).toEqual(data)
  })
})

describe("an event of the product", () => {
  const about = { tenantId: Ids.as<"Account">(crypto.randomUUID()), botId: null }

  // Verifies: E-51.
  it("does not compile with data that its catalogue entry does not have", () => {
    type Low = EventOf<typeof creditsLow>
    const low: Low = { ...about, event: "credits.low", data: { balance: 1, threshold: 100 } }
    // @ts-expect-error: a balance is a number.
    const text: Low = { ...about, event: "credits.low", data: { balance: "1", threshold: 100 } }
    // @ts-expect-error: the threshold is missing.
    const lacking: Low = { ...about, event: "credits.low", data: { balance: 1 } }
    // @ts-expect-error: nobody knows of a currency.
    const more: Low = { ...about, event: "credits.low", data: { balance: 1, threshold: 100, currency: "EUR" } }
    // @ts-expect-error: the data are those of another event.
    const other: Low = { ...about, event: "api_key.expired", data: { balance: 1, threshold: 100 } }
    expect([low, text, lacking, more, other]).toHaveLength(5)
  })
})
