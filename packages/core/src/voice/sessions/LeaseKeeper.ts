/** Keeps the leases of the sessions that this process runs, and notices when it has lost one. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { Instant } from "../../platform/kernel/index.ts"
import { Storage } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { LiveSessionStore, type SessionLease } from "./LiveSessionStore.ts"
import { SessionChanges } from "./SessionChanges.ts"
import { isEnded, sessionLeaseMs, type VoiceSession } from "./VoiceSession.ts"

/** A session that this process runs no more. */
export interface LostLease {
  /** `ended`: the session is over. `taken`: another process, or another line, has it. */
  readonly why: "ended" | "taken"
  /** As it is now. */
  readonly session: VoiceSession | null
}

interface Attached {
  readonly lease: SessionLease
  readonly lost: (lost: LostLease) => void
}

/** Time between two renewals. Four of them may fail before a session is taken for abandoned. */
export const renewMs = 5 * Instant.second

const lossOf = (session: VoiceSession | null): LostLease => ({
  session,
  why: session === null || isEnded(session) ? "ended" : "taken"
})

export class LeaseKeeper extends Context.Service<
  LeaseKeeper,
  {
    /** The same lease may be attached again: the new listener takes the place of the earlier one. */
    readonly attach: (lease: SessionLease, onLost: (lost: LostLease) => void) => Effect.Effect<void, never, Scope.Scope>
    /** The process itself ends the session: it is not to be notified. */
    readonly release: (lease: SessionLease) => void
  }
>()("@trunkline/core/voice/sessions/LeaseKeeper") {
  static readonly layer = Layer.effect(
    LeaseKeeper,
    Effect.gen(function* () {
      const changes = yield* SessionChanges
      const live = yield* LiveSessionStore
      const storage = yield* Storage
      const home = yield* Effect.scope
      const attached = new Map<Ids.VoiceSessionId, Attached>()
      let isRenewing = false

      const isOwn = ({ claim, id }: SessionLease) => attached.get(id)?.lease.claim === claim

      const release = (lease: SessionLease) => {
        if (isOwn(lease)) attached.delete(lease.id)
      }

      const lose = (lease: SessionLease, lost: LostLease) => {
        if (!isOwn(lease)) return
        const { lost: notify } = attached.get(lease.id)!
        attached.delete(lease.id)
        notify(lost)
      }

      // A commit of a lease that a power cut undoes is renewed by nobody: the process is gone too.
      const renewed = storage.transactWith({ durability: "relaxed" })

      const renewOnce = Effect.gen(function* () {
        const leases = [...attached.values()].map(({ lease }) => lease)
        if (leases.length === 0) return
        const lastSeenAt = yield* Instant.now
        const times = { lastSeenAt, leaseUntil: Instant.plus(lastSeenAt, sessionLeaseMs) }
        const kept = new Set(yield* renewed(live.renew(leases, times)))
        const lost = leases.filter(({ id }) => !kept.has(id))
        if (lost.length === 0) return
        const found = yield* storage.read(live.byIds(lost.map(({ id }) => id)))
        for (const lease of lost) {
          lose(lease, lossOf(found.find(({ id }) => id === lease.id) ?? null))
        }
      }).pipe(Effect.catchCause((cause) => Effect.logWarning("leases of voice sessions could not be renewed", cause)))

      const renewing = Effect.gen(function* () {
        while (attached.size > 0) {
          yield* Effect.sleep(renewMs)
          yield* renewOnce
        }
        isRenewing = false
      })

      /** What has happened to the session before anybody listened. */
      const check = (lease: SessionLease) =>
        Effect.map(storage.read(live.byIds([lease.id])), ([session = null]) => {
          if (session?.claim !== lease.claim || isEnded(session)) lose(lease, lossOf(session))
        }).pipe(
          Effect.catchCause((cause) => Effect.logWarning("a lease of a voice session could not be checked", cause))
        )

      const attach = Effect.fnUntraced(function* (lease: SessionLease, onLost: (lost: LostLease) => void) {
        const { id } = lease
        const before = attached.get(id)
        if (before !== undefined && !isOwn(lease)) lose(before.lease, { why: "taken", session: null })
        const own: Attached = { lease, lost: onLost }
        attached.set(id, own)
        const stop = changes.onEnd(id, (session) => lose(lease, { why: "ended", session }))
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            stop()
            if (attached.get(id) === own) release(lease)
          })
        )
        yield* check(lease)
        if (isRenewing) return
        isRenewing = true
        yield* Effect.forkIn(renewing, home)
      })

      return LeaseKeeper.of({ attach, release })
    })
  )
}
