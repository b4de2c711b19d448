/** The catalogue of events: docs/reference/events.md#catalogue. */

import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { CallRecord } from "../../../src/calling/calls/Call.ts"
import { CampaignStatus } from "../../../src/calling/campaigns/Campaign.ts"
import { DialMode } from "../../../src/calling/campaigns/DialingSettings.ts"
import { eventCatalogue } from "../../../src/host/Everything.ts"
import type { EventName } from "../../../src/platform/events/index.ts"
import { catalogueEntry, emailEvents, platformEvents } from "./AllEvents.ts"
import { strictly } from "./StrictEvents.ts"

type Json = Readonly<Record<string, unknown>>

const names: ReadonlyArray<EventName> = [...platformEvents, ...emailEvents]

interface Fields {
  readonly properties: Readonly<Record<string, Json>>
  readonly required: ReadonlyArray<string>
}

const jsonSchemaOf = (schema: Schema.Top): Fields => {
  const { definitions, schema: whole } = Schema.toJsonSchemaDocument(schema)
  const [named] = Object.values(definitions)
  return (named ?? whole) as unknown as Fields
}

/** The words that a field may have, null apart. */
const wordsOf = (field: Json | undefined): unknown =>
  field?.enum ?? (field?.anyOf as ReadonlyArray<Json> | undefined)?.find((one) => one.enum !== undefined)?.enum

describe("the catalogue", () => {
  // Verifies: W-84, W-118.
  it("has 31 platform events and 6 email events", () => {
    expect([...platformEvents].sort()).toEqual([
      "api_key.expired",
      "budget.alert",
      "budget.exceeded",
      "call.amd_detected",
      "call.completed",
      "call.failed",
      "call.started",
      "campaign.completed",
      "campaign.failed",
      "campaign.started",
      "contact.preference",
      "conversation.ended",
      "conversation.started",
      "credits.low",
      "invoice.created",
      "message.received",
      "message.sent",
      "message.status",
      "number.status",
      "payment.failed",
      "payment.succeeded",
      "payment_request.cancelled",
      "payment_request.expired",
      "payment_request.paid",
      "payment_request.partially_paid",
      "template.status",
      "voice_alert.triggered",
      "voice_analysis.completed",
      "voice_session.ended",
      "voice_session.failed",
      "voice_session.started"
    ])
    expect([...emailEvents].sort()).toEqual([
      "email.bounced",
      "email.complained",
      "email.delivered",
      "email.opened",
      "email.received",
      "email.sent"
    ])
  })

  it("knows a name by the surface that it is of, and no inherited one", () => {
    const surfaces = names.map((name) => eventCatalogue.find(name)?.surface)
    expect(names.filter((_, at) => surfaces[at] === "platform")).toEqual(platformEvents)
    expect(names.filter((_, at) => surfaces[at] === "email")).toEqual(emailEvents)
    expect(["toString", "call", ""].map(eventCatalogue.find)).toEqual([null, null, null])
  })

  it("says of every field what it means", () => {
    const silent = names.flatMap((name) =>
      Object.entries(jsonSchemaOf(catalogueEntry(name).data).properties)
        .filter(([, { description }]) => typeof description !== "string")
        .map(([field]) => `${name}: ${field}`)
    )
    expect(silent).toEqual([])
  })

  // Verifies: G-147.
  it.each(names)("has an example of %s that is one, with every field", (name) => {
    expect(strictly(name, catalogueEntry(name).example)).toEqual([])
    expect(Object.keys(catalogueEntry(name).example).sort()).toEqual(
      Object.keys(jsonSchemaOf(catalogueEntry(name).data).properties).sort()
    )
  })

  // Verifies: E-51.
  it("promises every field of what the product itself emits", () => {
    const own = names.filter((name) => catalogueEntry(name).source === "product")
    expect(own).toHaveLength(27)
    // A host with calls or requests to pay of its own publishes these as well, and may not know every field.
    const shared = [
      ...["voice_analysis.completed", "voice_alert.triggered"],
      ...["payment_request.paid", "payment_request.expired", "payment_request.cancelled"]
    ]
    for (const name of own.filter((one) => !shared.includes(one))) {
      const { properties, required } = jsonSchemaOf(catalogueEntry(name).data)
      // A host may leave out what was said.
      const always = Object.keys(properties).filter((field) => !field.startsWith("transcript"))
      expect(required, name).toEqual(always)
    }
  })

  it("speaks of calls and campaigns in the words of their rooms", () => {
    const call = jsonSchemaOf(catalogueEntry("call.completed").data).properties
    const record = jsonSchemaOf(CallRecord.schema).properties
    expect(Object.keys(call)).toEqual(Object.keys(record))
    for (const field of ["status", "answered_by", "end_reason"]) {
      expect(wordsOf(call[field]), field).toEqual(wordsOf(record[field]))
    }
    const campaign = jsonSchemaOf(catalogueEntry("campaign.started").data).properties
    expect(wordsOf(campaign.status)).toEqual(CampaignStatus.literals)
    expect(wordsOf(campaign.dial_mode)).toEqual(DialMode.literals)
  })
})
