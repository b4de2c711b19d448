/** Alerts, as receivers of events see them. Pure. */
import * as Schema from "effect/Schema"
import { EventFields } from "../../platform/events/index.ts"
import { event } from "../../platform/room/index.ts"

const { means, known, payload, uuid, instant, text, hostId, count, number, orNull, exampleId } = EventFields

const VoiceAlertData = payload("VoiceAlertEventData", {
  alert_id: means(hostId, "The alert"),
  name: known(text, "Its name"),
  metric: known(text, "What is measured, such as `connect_rate`"),
  value: known(number, "What was measured, in the metric's unit"),
  threshold: known(number, "The value at which the alert is triggered, in the same unit"),
  comparison: known(Schema.Literals(["above", "below"]), "On which side of the threshold it is triggered"),
  window_seconds: known(count, "Over how many seconds it was measured"),
  bot_id: known(orNull(uuid), "The agent that the alert is about; null for all"),
  triggered_at: known(instant, "When it fired")
})

export const voiceAlertTriggered = event({
  name: "voice_alert.triggered",
  surface: "platform",
  place: 60,
  category: "Alerts",
  fires: "when a watched metric crosses its threshold",
  source: "product",
  data: VoiceAlertData,
  example: {
    alert_id: "al_17",
    name: "Few people answer",
    metric: "connect_rate",
    value: 0.21,
    threshold: 0.3,
    comparison: "below",
    window_seconds: 3600,
    bot_id: exampleId("b0a1"),
    triggered_at: "2026-11-21T10:00:00.000Z"
  }
})

export const alertEvents = [voiceAlertTriggered] as const
