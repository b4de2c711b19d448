/** What can be wrong with a request about alerts. */
import * as Schema from "effect/Schema"

export class VoiceAlertNotFound extends Schema.TaggedError<VoiceAlertNotFound>()("VoiceAlertNotFound", {
  id: Schema.String
}) {
  override get message() {
    return "Alert not found"
  }
}

export class TooManyVoiceAlerts extends Schema.TaggedError<TooManyVoiceAlerts>()("TooManyVoiceAlerts", {
  max: Schema.Int
}) {
  override get message() {
    return `The account has ${this.max} alerts already: delete one first`
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
