/** The contract of alerts. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsManager, NeedsScope, PlatformAuth, RolesRead } from "../../platform/http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors } from "../../platform/http/PlatformErrors.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { AlertComparison, AlertMetric, AlertRecord } from "./Alert.ts"

const AlertBody = AlertRecord.schema.annotate({ identifier: "VoiceAlert" })

const rule = {
  name: Fields.name(120),
  comparison: AlertComparison,
  threshold: Schema.Finite,
  window_seconds: Fields.integer(60, 86_400),
  enabled: Schema.Boolean,
  cooldown_seconds: Fields.integer(0, 604_800)
}

export const NewVoiceAlert = Schema.Struct({
  name: rule.name,
  metric: AlertMetric,
  threshold: rule.threshold,
  comparison: Fields.optional(rule.comparison),
  window_seconds: Fields.optional(rule.window_seconds),
  bot_id: Fields.optional(Ids.schema<"Bot">()),
  enabled: Fields.optional(rule.enabled),
  cooldown_seconds: Fields.optional(rule.cooldown_seconds)
}).annotate({ identifier: "NewVoiceAlert" })

/** The fields that can be changed. A record as it was read has others beside them, which are passed over. */
export const VoiceAlertChange = Schema.Struct({
  name: Schema.optionalKey(rule.name),
  comparison: Schema.optionalKey(rule.comparison),
  threshold: Schema.optionalKey(rule.threshold),
  window_seconds: Schema.optionalKey(rule.window_seconds),
  enabled: Schema.optionalKey(rule.enabled),
  cooldown_seconds: Schema.optionalKey(rule.cooldown_seconds)
}).annotate({ identifier: "VoiceAlertChange" })

export const alertPages = { limit: 200, standard: 50, offset: 1_000_000 }

const one = { alert_id: Ids.schema<"VoiceAlert">() }

export const voiceAlertsGroup = HttpApiGroup.make("voiceAlerts")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewVoiceAlert,
      success: AlertBody.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict]
    })
      .annotate(NeedsManager, "voice alerts")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create an alert",
          description: "Creates an alert that watches a metric of calls or voice sessions."
        })
      ),
    HttpApiEndpoint.get("list", "/", { query: Fields.page(alertPages), success: Schema.Array(AlertBody) })
      .annotate(RolesRead, true)
      .annotateMerge(
        OpenApi.annotations({ summary: "List alerts", description: "Returns the account's alerts, newest first." })
      ),
    HttpApiEndpoint.get("get", "/:alert_id", { params: one, success: AlertBody, error: NotFound })
      .annotate(RolesRead, true)
      .annotateMerge(
        OpenApi.annotations({ summary: "Get an alert", description: "Returns one alert with its last reading." })
      ),
    HttpApiEndpoint.patch("change", "/:alert_id", {
      params: one,
      payload: VoiceAlertChange,
      success: AlertBody,
      error: NotFound
    })
      .annotate(NeedsManager, "voice alerts")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change an alert",
          description:
            "Changes the fields that you send, ignores those that cannot be changed and keeps the others; another rule disarms the alert."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:alert_id", {
      params: one,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(NeedsManager, "voice alerts")
      .annotateMerge(OpenApi.annotations({ summary: "Delete an alert", description: "Deletes an alert." }))
  )
  .prefix("/api/v1/voice-alerts")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotateEndpoints(NeedsScope, "webhooks:write")
  .annotate(OpenApi.Description, "Metrics of calls and voice sessions that are watched")
  .annotate(BodyExamples, {
    create: {
      name: "Too many failed calls",
      metric: "failure_rate",
      threshold: 0.2,
      comparison: "above",
      window_seconds: 3600
    },
    change: { threshold: 0.3 }
  })
  .annotate(FieldTexts, {
    name: "Name; 1 to 120 characters",
    metric: "What is measured; it cannot be changed",
    comparison: "Side of the threshold on which the alert fires; default `above`",
    threshold: "Value beyond which the alert fires; 0 or more, 0 to 1 for a rate",
    window_seconds: "Seconds over which the metric is measured; 60 to 86400, default 3600",
    bot_id: "Agent whose calls and sessions count; null for all; it cannot be changed",
    enabled: "False while the alert is not evaluated; default true",
    cooldown_seconds: "Seconds after it fired in which it does not fire again; 0 to 604800, default 3600",
    is_firing: "True from the event until the metric has recovered",
    last_value: "Last reading of the metric; null before the first",
    last_fired_at: "Time at which it last fired; null when it never did",
    last_evaluated_at: "Time at which it was last evaluated; null before"
  })
