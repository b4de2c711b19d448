/** Port: what running requests have reserved, beside what the ledger adds and removes. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Nano } from "./Money.ts"
import type { Month } from "./Month.ts"
import type { Service } from "./Plans.ts"

/** The reservation of a running request. */
export interface Reservation {
  readonly id: Ids.UsageId
  readonly tenantId: Ids.AccountId
  readonly keyId: Ids.KeyId | null
  readonly service: Service
  /** In which it was made: it counts there, whenever it ends. */
  readonly month: Month
  /** Of the key's budget: a month, or `total`; null where it has none. */
  readonly period: string | null
  /** Reserved of the plan. */
  readonly calls: number
  /** Reserved of the budgets. */
  readonly amount: Nano
  /** Reserved of the balance: nothing where the plan deducts nothing. */
  readonly reserved: Nano
  /** True once it has expired and everything was released. It is kept for a late settlement. */
  readonly lapsed: boolean
  /** When it lapses, or, once it has, when it is removed. */
  readonly expiresAt: Instant.Instant
}

export class ReservationStore extends Context.Service<
  ReservationStore,
  {
    /** Makes a reservation last until then; one that has ended or lapsed stays as it is. */
    readonly renew: (id: Ids.UsageId, expiresAt: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
    /** Reservations that have expired and have not lapsed, the oldest first; of one account, or of all. */
    readonly findExpired: (
      tenantId: Ids.AccountId | null,
      at: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Pick<Reservation, "id" | "tenantId">>, StorageError, Read>
    /** Marks an expired reservation as lapsed and returns it; null when it has ended or lapsed already. */
    readonly lapse: (
      id: Ids.UsageId,
      when: { readonly at: Instant.Instant; readonly removeAt: Instant.Instant }
    ) => Effect.Effect<Reservation | null, StorageError, Tx>
    /** Removes up to `limit` lapsed reservations that can no longer be settled; returns how many. */
    readonly removeLapsed: (at: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/platform/billing/ReservationStore") {}
