/**
 * Decides which metrics of calls and voice sessions are watched, what they come to, and when an alert fires.
 *
 * Promises  VALT-1 an alert is evaluated once in each interval, whatever number of processes runs.
 *           VALT-2 it fires on the edge alone: voice_alert.triggered is committed together with is_firing.
 *           VALT-3 after it has fired it fires again only once it has recovered and its cooldown is over.
 *           VALT-4 a rate of fewer than five calls or sessions is no reading, and changes nothing.
 *           VALT-5 another rule disarms the alert without an event; metric and agent stay.
 *           VALT-6 an account has at most 50 alerts, also when they are made side by side, and sees nobody else's.
 *           VALT-7 keys need one scope for all routes; of people owners and admins write, the others read.
 * Needs     AlertStore, AlertReadingStore, Bots, Outbox.
 * Emits     voice_alert.triggered.
 * Not here  calls (calling/calls), sessions (voice/sessions), deliveries of the event (webhooks).
 * Read      Alert.ts, AlertReadings.ts, then AlertWorker.ts. Source: docs/reference/voice-alerts.md.
 */
export {
  type Alert,
  type AlertChange,
  type AlertComparison,
  type AlertMetric,
  AlertRecord,
  type AlertRule,
  alertEntity
} from "./Alert.ts"
export { VoiceAlertNotFound, VoiceAlertRefused } from "./AlertErrors.ts"
export { AlertReadingStore, type Window as AlertWindow } from "./AlertReadingStore.ts"
export type { EndedCalls, EndedSessions } from "./AlertReadings.ts"
export { AlertSettings } from "./AlertSettings.ts"
export { AlertStore } from "./AlertStore.ts"
export { type AlertWorker, makeAlertWorker } from "./AlertWorker.ts"
export { VoiceAlerts } from "./VoiceAlerts.ts"
