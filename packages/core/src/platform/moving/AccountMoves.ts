/** Refuses the work of accounts that move or have moved. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { type Read, Storage, type StorageError } from "../storage/index.ts"
import { everyAccount, type MovePhase, refusalOf } from "./AccountMove.ts"
import { MoveStore } from "./MoveStore.ts"
import type { AccountMoved, AccountMoving } from "./MovingErrors.ts"

/** A process knows after this time at the latest that an account moves: the move waits for longer. */
export const knownWithinMs = Instant.second

export class AccountMoves extends Context.Service<
  AccountMoves,
  {
    /** Fails where the account moves, or has moved. Reads at most once a second, whatever the number of requests. */
    readonly check: (tenantId: Ids.AccountId) => Effect.Effect<void, AccountMoving | AccountMoved | StorageError>
    /** `check` within a transaction. */
    readonly checkWithin: (
      tenantId: Ids.AccountId
    ) => Effect.Effect<void, AccountMoving | AccountMoved | StorageError, Read>
    /** Whether `check` succeeds at this instant without reading. */
    readonly staysHere: (tenantId: Ids.AccountId, at: Instant.Instant) => boolean
  }
>()("@trunkline/core/platform/moving/AccountMoves") {
  static readonly layer = Layer.effect(
    AccountMoves,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* MoveStore
      let known: ReadonlyMap<string, MovePhase> = new Map()
      let readAt = Number.NEGATIVE_INFINITY

      const look = (at: Instant.Instant) =>
        Effect.map(store.list, (moves) => {
          known = new Map(moves.map(({ phase, tenantId }) => [tenantId, phase]))
          readAt = at
        })

      const refused = (tenantId: Ids.AccountId) =>
        known.size === 0 ? null : refusalOf(known.get(tenantId) ?? known.get(everyAccount))

      const verdict = (tenantId: Ids.AccountId) =>
        Effect.suspend(() => {
          const refusal = refused(tenantId)
          return refusal === null ? Effect.void : Effect.fail(refusal)
        })

      // A clock that was set back is no reason to believe what was read.
      const isFresh = (at: Instant.Instant) => at - readAt < knownWithinMs && at >= readAt

      // Every request comes through here, as functions: a generator would cost as much as a look into a table in memory.
      const checked =
        <R>(read: (at: Instant.Instant) => Effect.Effect<void, StorageError, R>) =>
        (tenantId: Ids.AccountId) =>
          Effect.flatMap(Instant.now, (at) =>
            isFresh(at) ? verdict(tenantId) : Effect.andThen(read(at), verdict(tenantId))
          )

      return AccountMoves.of({
        check: checked((at) => storage.read(look(at))),
        staysHere: (tenantId, at) => isFresh(at) && refused(tenantId) === null,
        checkWithin: checked(look)
      })
    })
  )
}
