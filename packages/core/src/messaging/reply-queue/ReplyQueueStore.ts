/**
 * Port: the reply queue, with one job for each customer who has written. Lock ("customer", id) before a job is read and written.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { ReplyJob, ReplyJobState } from "./ReplyJob.ts"

export class ReplyQueueStore extends Context.Service<
  ReplyQueueStore,
  {
    /** Null for a customer who has never written. */
    readonly find: (customerId: Ids.CustomerId) => Effect.Effect<ReplyJob | null, StorageError, Read>
    /** Adds the customer's job, or writes all of it but the claim, which another process may have made meanwhile. */
    readonly save: (job: ReplyJobState) => Effect.Effect<void, StorageError, Tx>
    /**
     * Two customers are one person: returns the last of their messages that comes before all that either job has not handled, null where
     * there is none. What either has handled behind it is marked as handled. Lock both, and do it before they are merged.
     */
    readonly joinHandled: (
      jobs: readonly [HandledUpTo, HandledUpTo]
    ) => Effect.Effect<Ids.MessageId | null, StorageError, Tx | Read>
    readonly remove: (customerId: Ids.CustomerId) => Effect.Effect<void, StorageError, Tx>
    /**
     * Claims jobs that are due and that no worker has, oldest first, for `claim` until `until` in one statement; two processes
     * never get the same job. A job whose claim ran out is due again, from that instant on. `claim` is a new one each time.
     * Acquires no locks and waits for no other transaction: nothing else belongs into its own.
     */
    readonly claimDue: (wanted: {
      readonly at: Instant.Instant
      readonly until: Instant.Instant
      readonly claim: string
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ReplyJob>, StorageError, Tx>
    /**
     * Renews a claim; false where the job is not the claim's any more. Once true, no other process can claim the job before the end of
     * this transaction: a worker that writes for a customer renews or releases its claim first.
     */
    readonly renew: (
      customerId: Ids.CustomerId,
      claim: string,
      until: Instant.Instant
    ) => Effect.Effect<boolean, StorageError, Tx>
    /** Ends a claim, whether the job is due or not; false where the job is not the claim's any more. */
    readonly release: (customerId: Ids.CustomerId, claim: string) => Effect.Effect<boolean, StorageError, Tx>
    /** When the next unclaimed job is due, or a claim expires. */
    readonly nextDue: () => Effect.Effect<Instant.Instant | null, StorageError, Read>
  }
>()("@trunkline/core/messaging/reply-queue/ReplyQueueStore") {}

type HandledUpTo = Pick<ReplyJob, "customerId" | "handledUpTo">
