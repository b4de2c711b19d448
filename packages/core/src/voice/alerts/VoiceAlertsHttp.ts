/** Handlers of alerts. */
import * as Effect from "effect/Effect"
import { botErrors } from "../../agents/bots/index.ts"
import { CurrentPrincipal } from "../../platform/accounts/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { AlertRecord, type AlertRule } from "./Alert.ts"
import { alertErrors } from "./AlertErrors.ts"
import { VoiceAlerts } from "./VoiceAlerts.ts"
import { alertPages, type NewVoiceAlert, voiceAlertsGroup } from "./VoiceAlertsApi.ts"

const answer = answering({ ...botErrors, ...alertErrors, ...storageErrors })

const api = contract.add(voiceAlertsGroup)

const record = AlertRecord.toWire

/** A new rule with the defaults of what was left out. */
export const ruleOf = (given: Wire.CamelKeys<(typeof NewVoiceAlert)["Type"]>): AlertRule => ({
  name: given.name,
  metric: given.metric,
  threshold: given.threshold,
  comparison: given.comparison ?? "above",
  windowSeconds: given.windowSeconds ?? 3600,
  botId: given.botId ?? null,
  enabled: given.enabled ?? true,
  cooldownSeconds: given.cooldownSeconds ?? 3600
})

export const layer = () =>
  RouteHandlers.group(
    api,
    "voiceAlerts",
    Effect.fnUntraced(function* (handlers) {
      const alerts = yield* VoiceAlerts
      return handlers.handleAll({
        create: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          return record(yield* answer(alerts.create(tenantId, ruleOf(Wire.fromWire(payload)))))
        }),
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(yield* answer(alerts.list(tenantId, pageOf(query, alertPages.standard))), record)
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return record(yield* answer(alerts.get(tenantId, params.alert_id)))
        }),
        change: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          return record(yield* answer(alerts.change(tenantId, params.alert_id, Wire.fromWire(payload))))
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(alerts.remove(tenantId, params.alert_id))
        })
      })
    })
  )
