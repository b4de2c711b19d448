/** An alert: a metric that is watched, and when it fires. Pure. Source: docs/reference/voice-alerts.md. */
import * as Schema from "effect/Schema"
import type { EventOf } from "../../platform/events/index.ts"
import { Entity, Ids, Instant } from "../../platform/kernel/index.ts"
import type { voiceAlertTriggered } from "./AlertEventEntries.ts"

export const metrics = [
  "connect_rate",
  "failure_rate",
  "call_volume",
  "session_failure_rate",
  "hangup_rate",
  "latency_p95",
  "average_duration"
] as const

export const AlertMetric = Schema.Literals(metrics)
export type AlertMetric = (typeof metrics)[number]

const comparisons = ["above", "below"] as const

export const AlertComparison = Schema.Literals(comparisons)
export type AlertComparison = (typeof comparisons)[number]

/** Shares of calls or sessions, from 0 to 1. */
const isRate = (metric: AlertMetric): boolean => metric.endsWith("_rate")

/** Its row. */
export const alertEntity = Schema.Struct({
  id: Ids.schema<"VoiceAlert">(),
  tenantId: Ids.schema<"Account">(),
  name: Schema.String,
  metric: AlertMetric,
  comparison: AlertComparison,
  threshold: Schema.Finite,
  windowSeconds: Schema.Int,
  /** Null for all agents. */
  botId: Schema.NullOr(Ids.schema<"Bot">()),
  enabled: Schema.Boolean,
  cooldownSeconds: Schema.Int,
  /** True from the event until the metric has recovered, or the rule is changed. */
  isFiring: Schema.Boolean,
  /** The last reading. */
  lastValue: Schema.NullOr(Schema.Finite),
  lastFiredAt: Schema.NullOr(Instant.Iso),
  lastEvaluatedAt: Schema.NullOr(Instant.Iso),
  createdAt: Instant.Iso,
  updatedAt: Instant.Iso,
  /** When it is evaluated next; null while it is disabled. */
  dueAt: Schema.NullOr(Instant.Iso)
})
export interface Alert extends Schema.Struct.Type<typeof alertEntity.fields> {}

/** How an alert is shown. */
export const AlertRecord = Entity.recordOf(alertEntity, [
  "id",
  "name",
  "metric",
  "comparison",
  "threshold",
  "windowSeconds",
  "botId",
  "enabled",
  "cooldownSeconds",
  "isFiring",
  "lastValue",
  "lastFiredAt",
  "lastEvaluatedAt",
  "createdAt",
  "updatedAt"
])

/** The fields of an alert that its account sets. */
export type AlertRule = Pick<
  Alert,
  "name" | "metric" | "comparison" | "threshold" | "windowSeconds" | "botId" | "enabled" | "cooldownSeconds"
>

/** The fields that can be changed. */
export type AlertChange = Partial<Omit<AlertRule, "metric" | "botId">>

/** The fault of a threshold; null for none. No metric is ever below 0, and a rate never above 1. */
export const thresholdFault = ({ metric, threshold }: Pick<AlertRule, "metric" | "threshold">): string | null => {
  if (isRate(metric)) return threshold < 0 || threshold > 1 ? `Expected 0 to 1: ${metric} is a rate` : null
  return threshold < 0 ? `Expected 0 or more: ${metric} is never below 0` : null
}

export const newAlert = (
  rule: AlertRule,
  { at, everyMs, ...own }: Pick<Alert, "id" | "tenantId"> & Evaluation
): Alert => ({
  ...rule,
  ...own,
  isFiring: false,
  lastValue: null,
  lastFiredAt: null,
  lastEvaluatedAt: null,
  createdAt: at,
  updatedAt: at,
  dueAt: rule.enabled ? Instant.plus(at, everyMs) : null
})

/** The alert under another rule. A rule that compares otherwise disarms it, since its readings no longer apply. */
export const changed = (alert: Alert, change: AlertChange, { at, everyMs }: Evaluation): Alert => {
  const next = { ...alert, ...change, updatedAt: at }
  const isSame = (["comparison", "threshold", "windowSeconds", "enabled"] as const).every(
    (field) => next[field] === alert[field]
  )
  return isSame ? next : { ...next, isFiring: false, dueAt: next.enabled ? Instant.plus(at, everyMs) : null }
}

/** The instant of an evaluation, and the time until the next one. */
interface Evaluation {
  readonly at: Instant.Instant
  readonly everyMs: number
}

const isCrossed = ({ comparison, threshold }: Alert, value: number): boolean =>
  comparison === "above" ? value > threshold : value < threshold

/**
 * The alert after an evaluation, and whether it fires. It fires where the metric is beyond the threshold and it was not firing, but not
 * before its cooldown is over. Without a reading it neither fires nor recovers.
 */
export const evaluated = (
  alert: Alert,
  value: number | null,
  { at, everyMs }: Evaluation
): { readonly next: Alert; readonly fires: boolean } => {
  const seen: Alert = { ...alert, lastEvaluatedAt: at, dueAt: Instant.plus(at, everyMs) }
  if (value === null) return { next: seen, fires: false }
  const read: Alert = { ...seen, lastValue: value }
  if (!isCrossed(alert, value)) return { next: { ...read, isFiring: false }, fires: false }
  const { cooldownSeconds, lastFiredAt } = alert
  const isCool = lastFiredAt === null || at >= Instant.plus(lastFiredAt, cooldownSeconds * Instant.second)
  if (alert.isFiring || !isCool) return { next: read, fires: false }
  return { next: { ...read, isFiring: true, lastFiredAt: at }, fires: true }
}

/** What receivers learn of an alert that has just fired. */
export const eventOf = (alert: Alert, value: number, at: Instant.Instant): EventOf<typeof voiceAlertTriggered> => ({
  event: "voice_alert.triggered",
  tenantId: alert.tenantId,
  botId: alert.botId,
  data: {
    alert_id: alert.id,
    name: alert.name,
    metric: alert.metric,
    value,
    threshold: alert.threshold,
    comparison: alert.comparison,
    window_seconds: alert.windowSeconds,
    bot_id: alert.botId,
    triggered_at: Instant.toIso(at)
  }
})
