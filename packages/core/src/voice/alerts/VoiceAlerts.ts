/** Alerts of an account: making, listing, finding, changing and removing them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type BotNotFound, Bots } from "../../agents/bots/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import { type LimitReached, roomFor, Storage, type StorageError } from "../../platform/storage/index.ts"
import * as Ids from "../VoiceIds.ts"
import { type Alert, type AlertChange, type AlertRule, changed, newAlert, thresholdFault } from "./Alert.ts"
import { VoiceAlertNotFound, VoiceAlertRefused } from "./AlertErrors.ts"
import { AlertSettings } from "./AlertSettings.ts"
import { AlertStore } from "./AlertStore.ts"

export class VoiceAlerts extends Context.Service<
  VoiceAlerts,
  {
    readonly create: (
      tenantId: Ids.AccountId,
      rule: AlertRule
    ) => Effect.Effect<Alert, BotNotFound | LimitReached | VoiceAlertRefused | StorageError>
    readonly get: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceAlertId
    ) => Effect.Effect<Alert, VoiceAlertNotFound | StorageError>
    /** Newest first. */
    readonly list: (tenantId: Ids.AccountId, page: Page) => Effect.Effect<Paged<Alert>, StorageError>
    /** Changes the fields that are given. A rule that compares otherwise disarms the alert. */
    readonly change: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceAlertId,
      change: AlertChange
    ) => Effect.Effect<Alert, VoiceAlertNotFound | VoiceAlertRefused | StorageError>
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceAlertId
    ) => Effect.Effect<void, VoiceAlertNotFound | StorageError>
  }
>()("@trunkline/core/voice/alerts/VoiceAlerts") {
  static readonly layer = Layer.effect(
    VoiceAlerts,
    Effect.gen(function* () {
      const bots = yield* Bots
      const { everySeconds } = yield* AlertSettings
      const storage = yield* Storage
      const store = yield* AlertStore
      const everyMs = everySeconds * Instant.second
      const roomForOne = yield* roomFor("voiceAlerts")

      const locked = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.VoiceAlertId) {
        return (yield* store.lock(tenantId, id)) ?? (yield* new VoiceAlertNotFound({ id }))
      })

      const create = tracedFn("VoiceAlerts.create")(function* (tenantId: Ids.AccountId, rule: AlertRule) {
        yield* checkThreshold(rule)
        if (rule.botId !== null) yield* bots.owned(tenantId, rule.botId)
        yield* roomForOne(tenantId, store.count(tenantId))
        const id = yield* Ids.fresh<"VoiceAlert">()
        const alert = newAlert(rule, { id, tenantId, at: yield* Instant.now, everyMs })
        yield* store.add(alert)
        return alert
      }, storage.transact)

      const get = tracedFn("VoiceAlerts.get")(function* (tenantId: Ids.AccountId, id: Ids.VoiceAlertId) {
        return (yield* store.find(tenantId, id)) ?? (yield* new VoiceAlertNotFound({ id }))
      }, storage.read)

      const change = tracedFn("VoiceAlerts.change")(function* (
        tenantId: Ids.AccountId,
        id: Ids.VoiceAlertId,
        given: AlertChange
      ) {
        const alert = changed(yield* locked(tenantId, id), given, { at: yield* Instant.now, everyMs })
        yield* checkThreshold(alert)
        yield* store.save(alert)
        return alert
      }, storage.transact)

      const remove = tracedFn("VoiceAlerts.remove")(function* (tenantId: Ids.AccountId, id: Ids.VoiceAlertId) {
        yield* locked(tenantId, id)
        yield* store.remove(tenantId, id)
      }, storage.transact)

      const list = (tenantId: Ids.AccountId, page: Page) =>
        storage.read(Effect.all({ items: store.list(tenantId, page), total: store.count(tenantId) }))

      return VoiceAlerts.of({ create, get, list, change, remove })
    })
  )
}

const checkThreshold = (rule: Pick<AlertRule, "metric" | "threshold">) => {
  const message = thresholdFault(rule)
  return message === null ? Effect.void : new VoiceAlertRefused({ faults: [{ field: "threshold", message }] })
}
