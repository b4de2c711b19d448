/** What can be wrong with a request about alerts. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../../platform/room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const alertErrors = {
  VoiceAlertNotFound: { status: 404, code: "voice_alert_not_found" },
  VoiceAlertRefused: { status: 422, code: "voice_alert_refused" }
} as const satisfies ErrorTable

export class VoiceAlertNotFound extends Schema.TaggedError<VoiceAlertNotFound>()("VoiceAlertNotFound", {
  id: Schema.String
}) {
  override get message() {
    return "Alert not found"
  }
}

/** Fields that contradict each other. */
export class VoiceAlertRefused extends Schema.TaggedError<VoiceAlertRefused>()("VoiceAlertRefused", {
  faults: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String }))
}) {
  override get message() {
    return this.faults.map(({ message }) => message).join("; ")
  }
}
