/**
 * Port: statuses that the platform reported, and changes that it delivered, before their message was known. Lock ("report", msgid) before a status is added
 * because its message is not known, and before a message gets the msgid that a status may name: or the two miss each other.
 * Look again under the lock.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { MessageError, StoredContent } from "./Message.ts"
import type { ReportedStatus } from "./StatusOrder.ts"

/** A change of a message that is not known yet. */
export interface KeptChange {
  /** What the message says from then on; null where it is deleted. */
  readonly edited: StoredContent | null
  /** When the message was changed. */
  readonly at: Instant.Instant
  /** By the business, in the number's own app. */
  readonly isEcho: boolean
}

export interface UnmatchedStatus {
  readonly id: string
  readonly phoneId: Ids.PhoneId
  readonly msgid: string
  readonly status: ReportedStatus
  readonly fault: MessageError | null
  /** What the message's writer has changed; null of a status. Who can change a message has sent it: then the status is `sent`. */
  readonly change: KeptChange | null
  /** When it came. */
  readonly at: Instant.Instant
}

export class UnmatchedStatusStore extends Context.Service<
  UnmatchedStatusStore,
  {
    readonly add: (status: UnmatchedStatus) => Effect.Effect<void, StorageError, Tx>
    /** Of which of these messages of a number something is kept. */
    readonly among: (
      phoneId: Ids.PhoneId,
      msgids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, StorageError, Read>
    /** Removes and returns the statuses of one message, in the order in which they came; one caller gets each. */
    readonly claim: (
      phoneId: Ids.PhoneId,
      msgid: string
    ) => Effect.Effect<ReadonlyArray<UnmatchedStatus>, StorageError, Tx>
    /** Removes those that came before an instant, up to `limit`; returns how many. */
    readonly sweep: (before: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/messaging/messages/UnmatchedStatusStore") {}
