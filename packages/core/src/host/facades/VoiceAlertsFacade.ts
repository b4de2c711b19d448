/** Alerts on metrics of calls and voice sessions, for a host that uses promises. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Ids, type Instant, type Paged, Wire } from "../../kernel/index.ts"
import {
  type Alert,
  type AlertComparison,
  type AlertMetric,
  AlertRecord,
  VoiceAlerts
} from "../../voice-alerts/index.ts"
import * as VoiceAlertsApi from "../../voice-alerts/VoiceAlertsApi.ts"
import * as VoiceAlertsHttp from "../../voice-alerts/VoiceAlertsHttp.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, ofAccount, type PageOptions, shownPage } from "../Facade.ts"

/** Source: docs/voice-alerts.md#alert. */
export interface NewVoiceAlert {
  readonly name: string
  readonly metric: AlertMetric
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

/** Absent fields keep their values; another rule disarms the alert. Source: docs/voice-alerts.md#firing. */
export interface VoiceAlertChange {
  readonly name?: string
  readonly threshold?: number
  readonly comparison?: AlertComparison
  readonly windowSeconds?: number
  readonly enabled?: boolean
  readonly cooldownSeconds?: number
}

/** Source: docs/voice-alerts.md#alert. */
export interface VoiceAlertRecord {
  readonly id: Ids.VoiceAlertId
  readonly name: string
  readonly metric: AlertMetric
  readonly comparison: AlertComparison
  readonly threshold: number
  readonly windowSeconds: number
  /** Null for all agents. */
  readonly botId: Ids.BotId | null
  readonly enabled: boolean
  readonly cooldownSeconds: number
  /** True from the event until the metric has recovered, or the rule is changed. */
  readonly isFiring: boolean
  /** The last reading. */
  readonly lastValue: number | null
  readonly lastFiredAt: Instant.Instant | null
  readonly lastEvaluatedAt: Instant.Instant | null
  readonly createdAt: Instant.Instant
  readonly updatedAt: Instant.Instant
}

export interface VoiceAlertsFacade {
  readonly create: (accountId: string, alert: NewVoiceAlert, options?: CallOptions) => Promise<VoiceAlertRecord>
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<VoiceAlertRecord>
  /** Newest first. */
  readonly list: (accountId: string, options?: PageOptions) => Promise<Paged<VoiceAlertRecord>>
  readonly change: (
    accountId: string,
    id: string,
    change: VoiceAlertChange,
    options?: CallOptions
  ) => Promise<VoiceAlertRecord>
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
