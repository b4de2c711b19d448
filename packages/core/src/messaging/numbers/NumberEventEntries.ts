/** What becomes of numbers, as receivers of events see it. Pure. */
import * as Schema from "effect/Schema"
import { EventFields } from "../../platform/events/index.ts"
import { event } from "../../platform/room/index.ts"
import { qualities } from "../channels/index.ts"
import { factChanges } from "./FactChanges.ts"

const { count, exampleId, instant, means, orNull, payload, text, uuid } = EventFields

const NumberData = payload("NumberEventData", {
  phone_id: means(uuid, "The number, by our own id, as lists of numbers show it"),
  phone_number_id: means(text, "The number, by the upstream platform's id"),
  change: means(Schema.Literals(factChanges), "What has changed of it"),
  status: means(orNull(text), "Its status, in the upstream platform's words; null where it is not known"),
  quality_rating: means(
    orNull(Schema.Literals(qualities)),
    "How customers take its messages; null where it is not known"
  ),
  messaging_limit: means(
    orNull(
      Schema.Struct({
        tier: means(text, "The limit in the upstream platform's words"),
        per_day: means(orNull(count), "The limit as a number; null for no limit")
      })
    ),
    "How many people outside of an open reply window it may write to in 24 hours; null where that is not known"
  ),
  throughput: means(
    orNull(
      Schema.Struct({
        level: means(text, "The throughput in the upstream platform's words"),
        per_second: means(count, "The throughput as a number")
      })
    ),
    "How many messages a second it sends at most; null where that is not known"
  ),
  verified_name: means(orNull(text), "The name that customers see; null where it is not known"),
  name_status: means(orNull(text), "Whether that name is approved, in the upstream platform's words"),
  code_verification_status: means(orNull(text), "Whether the number is verified, in the upstream platform's words"),
  is_pin_enabled: means(orNull(Schema.Boolean), "Whether a PIN is set; null where it is not known"),
  restriction: means(
    orNull(
      Schema.Struct({
        type: means(text, "The restriction in the upstream platform's words"),
        until: means(orNull(instant), "When it ends; null where it has no end")
      })
    ),
    "What the upstream platform does not let it do for now; null for nothing"
  ),
  checked_at: means(orNull(instant), "When the upstream platform was last asked; null where it never was")
})

export const numberStatus = event({
  name: "number.status",
  surface: "platform",
  place: 15,
  category: "Templates and numbers",
  fires: "when the quality, the messaging limit, the name or a restriction of a connected number has changed",
  source: "product",
  data: NumberData,
  example: {
    phone_id: exampleId("f0e1"),
    phone_number_id: "106540352242922",
    change: "messaging_limit",
    status: "CONNECTED",
    quality_rating: "GREEN",
    messaging_limit: { tier: "TIER_2K", per_day: 2000 },
    throughput: { level: "STANDARD", per_second: 80 },
    verified_name: "Northwind",
    name_status: "APPROVED",
    code_verification_status: "VERIFIED",
    is_pin_enabled: true,
    restriction: null,
    checked_at: "2026-11-21T09:30:00.000Z"
  }
})
