/**
 * Port: statuses that the platform reported before their message was known. Lock ("report", msgid) before a status is added
 * because its message is not known, and before a message gets the msgid that a status may name: or the two miss each other.
 * Look again under the lock.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant } from "../kernel/index.ts"
import type { StorageError, Tx } from "../storage/index.ts"
import type { MessageError } from "./Message.ts"
import type { ReportedStatus } from "./StatusOrder.ts"

export interface UnmatchedStatus {
  readonly id: string
  readonly phoneId: Ids.PhoneId
  readonly msgid: string
  readonly status: ReportedStatus
  readonly fault: MessageError | null
  /** When it came. */
  readonly at: Instant.Instant
}

export class UnmatchedStatusStore extends Context.Service<
  UnmatchedStatusStore,
  {
    readonly add: (status: UnmatchedStatus) => Effect.Effect<void, StorageError, Tx>
    /** Removes and returns the statuses of one message, in the order in which they came; one caller gets each. */
    readonly claim: (
      phoneId: Ids.PhoneId,
      msgid: string
    ) => Effect.Effect<ReadonlyArray<UnmatchedStatus>, StorageError, Tx>
    /** Removes those that came before an instant, up to `limit`; returns how many. */
    readonly sweep: (before: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/messaging/UnmatchedStatusStore") {}
