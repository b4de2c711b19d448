/** What can be wrong with a request about alerts. */
import * as Schema from "effect/Schema"

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
