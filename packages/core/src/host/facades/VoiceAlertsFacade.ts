/** Alerts on metrics of calls and voice sessions, for a host that uses promises. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Instant, type Paged, Wire } from "../../platform/kernel/index.ts"
import {
  type Alert,
  type AlertComparison,
  type AlertMetric,
  AlertRecord,
  VoiceAlerts
} from "../../voice/alerts/index.ts"
import * as VoiceAlertsApi from "../../voice/alerts/VoiceAlertsApi.ts"
import * as VoiceAlertsHttp from "../../voice/alerts/VoiceAlertsHttp.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, ofAccount, type PageOptions, shownPage } from "../Facade.ts"
import * as Ids from "../HostIds.ts"

/** Source: docs/reference/voice-alerts.md#alert. */
export interface NewVoiceAlert {
  /** The name that people see. */
  readonly name: string
  /** The metric that is measured. It cannot be changed later. */
  readonly metric: AlertMetric
  /** The value beyond which the alert fires; between 0 and 1 for a rate. */
  readonly threshold: number
  /** Default `above`. */
  readonly comparison?: AlertComparison | null
  /** 60 to 86,400. Default 3600. */
  readonly windowSeconds?: number | null
  /** Limits it to one agent. */
  readonly botId?: string | null
  /** Default true. */
  readonly enabled?: boolean | null
  /** 0 to 604,800. Default 3600. */
  readonly cooldownSeconds?: number | null
}

/** Absent fields keep their values; another rule disarms the alert. Source: docs/reference/voice-alerts.md#firing. */
export interface VoiceAlertChange {
  /** The name that people see. */
  readonly name?: string
  /** The value beyond which the alert fires; between 0 and 1 for a rate. */
  readonly threshold?: number
  /** The side of the threshold on which the alert fires. */
  readonly comparison?: AlertComparison
  /** The time before now over which the metric is measured: 60 to 86,400 seconds. */
  readonly windowSeconds?: number
  /** Whether the alert is evaluated. */
  readonly enabled?: boolean
  /** Seconds after it fired in which it does not fire again: 0 to 604,800. */
  readonly cooldownSeconds?: number
}

/** Source: docs/reference/voice-alerts.md#alert. */
export interface VoiceAlertRecord {
  /** The id of the alert. */
  readonly id: Ids.VoiceAlertId
  /** The name that people see. */
  readonly name: string
  /** The metric that is measured. */
  readonly metric: AlertMetric
  /** The side of the threshold on which the alert fires. */
  readonly comparison: AlertComparison
  /** The value beyond which the alert fires; between 0 and 1 for a rate. */
  readonly threshold: number
  /** The time before now over which the metric is taken, in seconds. */
  readonly windowSeconds: number
  /** Null for all agents. */
  readonly botId: Ids.BotId | null
  /** Whether the alert is evaluated. */
  readonly enabled: boolean
  /** The shortest time between two firings, in seconds. */
  readonly cooldownSeconds: number
  /** True from the event until the metric has recovered, or the rule is changed. */
  readonly isFiring: boolean
  /** The last reading. */
  readonly lastValue: number | null
  /** When it last fired; null before the first time. */
  readonly lastFiredAt: Instant.Instant | null
  /** When it was last evaluated; null before the first time. */
  readonly lastEvaluatedAt: Instant.Instant | null
  /** When it was made. */
  readonly createdAt: Instant.Instant
  /** When it was last changed. */
  readonly updatedAt: Instant.Instant
}

export interface VoiceAlertsFacade {
  /** Makes an alert, which is evaluated from now on. */
  readonly create: (accountId: string, alert: NewVoiceAlert, options?: CallOptions) => Promise<VoiceAlertRecord>
  /** One alert. Throws `voice_alert_not_found` where the account has no such alert. */
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<VoiceAlertRecord>
  /** Newest first. */
  readonly list: (accountId: string, options?: PageOptions) => Promise<Paged<VoiceAlertRecord>>
  /** Changes the fields that are there and leaves the others. */
  readonly change: (
    accountId: string,
    id: string,
    change: VoiceAlertChange,
    options?: CallOptions
  ) => Promise<VoiceAlertRecord>
  /** Removes an alert. */
  readonly remove: (accountId: string, id: string, options?: CallOptions) => Promise<void>
}

const newAlert = Arguments.given<NewVoiceAlert>()(Schema.Struct(Wire.fromWire(VoiceAlertsApi.NewVoiceAlert.fields)))
const alertChange = Arguments.given<VoiceAlertChange>()(
  Schema.Struct(Wire.fromWire(VoiceAlertsApi.VoiceAlertChange.fields))
)

const { accountId, argument, callOptions, paged, record } = Arguments
const id = argument("id", Ids.schema<"VoiceAlert">())
const pages = paged(VoiceAlertsApi.alertPages)

const shown: (alert: Alert) => VoiceAlertRecord = AlertRecord.shown

export const voiceAlertsFacade = (method: Method): VoiceAlertsFacade => ({
  create: method([accountId, record("alert", newAlert), callOptions], (tenantId, alert) =>
    ofAccount(
      tenantId,
      Effect.map(
        VoiceAlerts.use((a) => a.create(tenantId, VoiceAlertsHttp.ruleOf(alert))),
        shown
      )
    )
  ),
  get: method([accountId, id, callOptions], (tenantId, id) =>
    Effect.map(
      VoiceAlerts.use((a) => a.get(tenantId, id)),
      shown
    )
  ),
  list: method([accountId, pages], (tenantId, page) =>
    Effect.map(
      VoiceAlerts.use((a) => a.list(tenantId, page)),
      shownPage(shown)
    )
  ),
  change: method([accountId, id, record("change", alertChange), callOptions], (tenantId, id, change) =>
    Effect.map(
      VoiceAlerts.use((a) => a.change(tenantId, id, change)),
      shown
    )
  ),
  remove: method([accountId, id, callOptions], (tenantId, id) => VoiceAlerts.use((a) => a.remove(tenantId, id)))
})
