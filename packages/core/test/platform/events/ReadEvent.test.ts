/** What a host may publish: docs/reference/events.md#publishing. */

import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { eventExamples, readEvent } from "../../../src/host/Everything.ts"
import { platformEvents } from "./AllEvents.ts"

const faults = (event: string, data: unknown) => {
  const read = readEvent(event, data)
  return Result.isFailure(read) ? read.failure.map(({ message, path }) => [path.join("."), message]) : []
}

describe("a published event", () => {
  // Verifies: W-87.
  it.each(platformEvents)("%s is read when it is like its example", (name) => {
    expect(readEvent(name, eventExamples[name])).toEqual(Result.succeed({ event: name, data: eventExamples[name] }))
  })

  it("keeps fields that the catalogue does not know, at any depth", () => {
    const data = { payment_id: "p1", coupon: { code: "A", lines: [1, null, true] } }
    expect(readEvent("payment.succeeded", data)).toEqual(Result.succeed({ event: "payment.succeeded", data }))
  })

  it("may leave out all that a host might not have", () => {
    expect(faults("invoice.created", { invoice_id: "i1" })).toEqual([])
    expect(faults("voice_analysis.completed", { analysis_id: "a1" })).toEqual([])
  })

  // Verifies: E-44.
  it("under an unknown name is refused with the names that there are; those of emails are not among them", () => {
    for (const name of ["payment.succeded", "email.bounced", "toString", ""]) {
      expect(faults(name, {})).toEqual([["event", `Expected one of ${platformEvents.join(", ")}`]])
    }
  })

  it("is refused with every fault of its data, each with its path", () => {
    expect(
      faults("budget.alert", { budget: "500", period: "week", period_started_at: "2026-11-01", spent: null })
    ).toEqual([
      ["data.key_id", "Field required"],
      ["data.key_name", "Field required"],
      ["data.budget", "Expected number"],
      ["data.spent", "Expected number"],
      ["data.period", 'Expected "total" | "month"'],
      ["data.period_started_at", "Expected an ISO 8601 instant such as 2026-11-21T09:30:00.000Z"]
    ])
    const { msgid: _, ...withoutId } = eventExamples["message.status"] as Readonly<Record<string, unknown>>
    expect(faults("message.status", { ...withoutId, conversation_id: "7" })).toEqual([
      ["data.conversation_id", "Expected a UUID"],
      ["data.msgid", "Field required"]
    ])
  })

  it("has data that are a JSON object", () => {
    for (const data of [null, [], "text", 1, undefined])
      expect(faults("payment.failed", data), `${data}`).toHaveLength(1)
    const notJson = { payment_id: "p1", at: new Date(0), nested: [{ big: 1n }], nan: Number.NaN }
    expect(faults("payment.failed", notJson).map(([path]) => path)).toEqual(["data.at", "data.nested", "data.nan"])
  })
})
