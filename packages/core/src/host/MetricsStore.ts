/** Port: what is under way and what waits, counted over the whole installation, for its operator. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Money, Service } from "../billing/index.ts"
import type { Read, StorageError } from "../storage/index.ts"
import type { CallStatus } from "../telephony/index.ts"

/** Queues that are longer are counted no further. */
export const mostCounted = 100_000

export interface UnderWay {
  /** Calls that have not ended. */
  readonly calls: ReadonlyArray<{ readonly status: CallStatus; readonly n: number }>
  /** Deliveries whose next attempt is to come or under way. */
  readonly deliveries: number
  /** Customers with messages to be answered or parts to be sent. */
  readonly replies: number
  /** Requests to models that hold something, and what they hold of balances. */
  readonly inference: ReadonlyArray<{ readonly service: Service; readonly n: number; readonly reserved: Money.Nano }>
  /** What open calls hold of balances. */
  readonly reservedByCalls: Money.Nano
}

export class MetricsStore extends Context.Service<
  MetricsStore,
  {
    /** Costs what is under way and what waits, not what there is. */
    readonly underWay: Effect.Effect<UnderWay, StorageError, Read>
  }
>()("@trunkline/core/host/MetricsStore") {}
