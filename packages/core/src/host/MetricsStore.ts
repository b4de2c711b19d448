/** Port: what is under way and what waits, counted over the whole installation, for its operator. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallStatus } from "../calling/calls/index.ts"
import type { Money, Service } from "../platform/billing/index.ts"
import type { Instant } from "../platform/kernel/index.ts"
import type { Read, StorageError } from "../platform/storage/index.ts"

/** Queues that are longer are counted no further. */
export const maxCounted = 100_000

/** Queues of the installation: what a worker does when it is due. */
export type Queue = "campaigns" | "calls" | "deliveries" | "replies" | "batches" | "analyses"

export interface UnderWay {
  /** Calls that have not ended. */
  readonly calls: ReadonlyArray<{ readonly status: CallStatus; readonly n: number }>
  /** Deliveries whose next attempt is to come or under way. */
  readonly deliveries: number
  /** Customers with messages to be answered or parts to be sent. */
  readonly replies: number
  /** Requests to models with a reservation, and the credit that they have reserved. */
  readonly inference: ReadonlyArray<{ readonly service: Service; readonly n: number; readonly reserved: Money.Nano }>
  /** Credit that open calls have reserved. */
  readonly reservedByCalls: Money.Nano
  /** When the first row of each queue that no process has claimed was due, or will be; null where there is none. */
  readonly due: Readonly<Record<Queue, Instant.Instant | null>>
}

export class MetricsStore extends Context.Service<
  MetricsStore,
  {
    /** Its cost grows with the work that is under way or waits, not with what is stored. */
    readonly underWay: Effect.Effect<UnderWay, StorageError, Read>
  }
>()("@trunkline/core/host/MetricsStore") {}
