/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import type { Brand } from "../../platform/brand/index.ts"
import { nothing, storeTopics } from "../../platform/changes/index.ts"
import { paymentRequestOutcomes } from "../../platform/events/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import * as BilledMessages from "./BilledMessages.ts"
import { paymentErrors } from "./PaymentErrors.ts"
import { KnownConfigurationStore, PaymentStore } from "./PaymentStore.ts"
import { Payments } from "./Payments.ts"
import { paymentsGroup } from "./PaymentsApi.ts"
import * as PaymentsHttp from "./PaymentsHttp.ts"

const workers = Effect.map(
  Payments,
  ({ nextDue, settleDue }) =>
    [
      {
        name: "confirming and expiring payments",
        switch: "replies",
        nextDue,
        onlyWhenDue: true,
        tick: Effect.as(settleDue, "more" as const)
      }
    ] satisfies ReadonlyArray<Worker<StorageError>>
)

/** No page shows payments yet. */
const changes = [
  storeTopics(PaymentStore, { add: nothing, save: nothing, remove: nothing, claimDue: nothing }),
  storeTopics(KnownConfigurationStore, { save: nothing })
]

export const Room = room({
  name: "messaging/payments",
  stores: [PaymentStore, KnownConfigurationStore],
  changes,
  ports: BilledMessages.layer,
  layer: Payments.layer,
  api: (brand: Brand) => [paymentsGroup(brand)] as const,
  handlers: (brand: Brand) => PaymentsHttp.layer(brand),
  workers,
  events: paymentRequestOutcomes,
  errors: paymentErrors
})
