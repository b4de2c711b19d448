/** Reads what is due at the channels' networks, several at a time. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import { Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import type { PlatformDown, PlatformThrottled } from "../channels/MessagingErrors.ts"

/** Longer than a read takes. */
const leaseMs = 2 * Instant.minute

const readsAtATime = 16

/** Takes rows that are due at `at`: nobody else takes them before `until`. */
type Claim<A> = (
  at: Instant.Instant,
  until: Instant.Instant,
  limit: number
) => Effect.Effect<ReadonlyArray<A>, StorageError, Tx>

/** Claims what is due and reads each; returns how many. What the network cannot answer now is due again once its claim has lapsed. */
export const dueReads = Effect.fnUntraced(function* <A>(
  claim: Claim<A>,
  read: (one: A) => Effect.Effect<void, PlatformDown | PlatformThrottled | StorageError>
) {
  const storage = yield* Storage
  const at = yield* Instant.now
  const due = yield* storage.transact(claim(at, Instant.plus(at, leaseMs), readsAtATime))
  const later = () => Effect.void
  yield* Effect.forEach(due, (one) => Effect.catchTags(read(one), { PlatformDown: later, PlatformThrottled: later }), {
    concurrency: readsAtATime,
    discard: true
  })
  return due.length
})
