/** Claims due deliveries, in one transaction: those that there are slots for, and those that may wait for one. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import { WebhookSettings } from "../WebhookSettings.ts"
import type { DeliveryPool } from "./DeliveryPool.ts"
import { type ClaimedDelivery, DeliveryStore } from "./DeliveryStore.ts"
import { selectDeliveries } from "./FairScheduler.ts"

/** How much longer than the deadline of an attempt a claim lasts: the end must be written within it. */
export const settleMs = 20 * Instant.second

/** Candidates that are read for each delivery that may be claimed, because most endpoints may have one attempt only. */
const candidatesPerClaim = 4

interface ClaimDue {
  readonly claim: string
  readonly at: Instant.Instant
}

interface ClaimsMade {
  /** How many deliveries were due, of those that were looked at. */
  readonly found: number
  /** Those that are claimed, in the order in which they are to begin. */
  readonly rows: ReadonlyArray<ClaimedDelivery>
}

/** What was claimed while the caller was interrupted goes to `interrupted`. */
export const makeClaimDue = (pool: DeliveryPool) =>
  Effect.gen(function* () {
    const { limits, timeoutMs } = yield* WebhookSettings
    const storage = yield* Storage
    const store = yield* DeliveryStore

    const claimRows = Effect.fnUntraced(
      function* ({ at, claim }: ClaimDue, made: (claims: ClaimsMade) => void) {
        const candidates = yield* store.due({
          at,
          perEndpoint: limits.perEndpoint,
          limit: (pool.freeSlots + pool.aheadSlots) * candidatesPerClaim,
          full: pool.fullEndpoints,
          suspect: pool.suspectEndpoints
        })
        const ids = selectDeliveries(candidates, limits, pool).map(({ id }) => id)
        const until = Instant.plus(at, timeoutMs + settleMs)
        const rows = ids.length === 0 ? [] : yield* store.claim({ ids, claim, at, until })
        const place = new Map(ids.map((id, index) => [id, index]))
        made({ found: candidates.length, rows: rows.toSorted((a, b) => place.get(a.id)! - place.get(b.id)!) })
        // A power cut that loses a claim loses the end of its attempt too: both ways the attempt is made again.
      },
      storage.transactWith({ durability: "relaxed" })
    )

    return (due: ClaimDue, interrupted: (row: ClaimedDelivery) => void) =>
      Effect.suspend((): Effect.Effect<ClaimsMade, StorageError> => {
        let claims: ClaimsMade = { found: 0, rows: [] }
        const made = (found: ClaimsMade) => {
          claims = found
        }
        return claimRows(due, made).pipe(
          Effect.map(() => claims),
          Effect.onInterrupt(() => Effect.sync(() => claims.rows.forEach(interrupted)))
        )
      })
  })
