/** Reports to a listener, each at its instant, all that happens to the open calls, and closes those whose end is reported. */
import { type CallNews, type CallReport, type Ids, Instant, Storage } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { type NetworkEvent, timeline } from "./Network.ts"
import type { SimulatedCall, SimulatedCalls } from "./SimulatedCalls.ts"

/** How often the storage is searched for calls that this process does not know of, or that another has changed. */
const refreshEveryMs = 2 * Instant.second

/** Calls whose end was reported within this time are closed together: a commit for each would cost more than the calls. */
const closeEveryMs = Instant.second

interface Watched {
  call: SimulatedCall
  /** The kinds of news that were reported: no call has two of a kind, and a stop changes which there will be. */
  readonly reported: Set<CallNews["_tag"]>
  /** One reporter of the call at a time, so that reports keep their order. */
  readonly turn: Semaphore.Semaphore
}

export interface CallEventReplay {
  /** Reports a call from now on, or, where it is being reported, the future that it has now. */
  readonly follow: (call: SimulatedCall) => void
  /** The same, and returns when all that is due has been reported. */
  readonly catchUp: (call: SimulatedCall) => Effect.Effect<void>
}

export interface ReplayParts {
  readonly calls: SimulatedCalls
  readonly speed: number
  /** The answer of a call has been reported. */
  readonly onAnswered: (call: SimulatedCall) => void
}

/**
 * Starts to report, first the calls that are open already; ends with the scope.
 *
 * Every open call is reported, whichever process accepted it, from its beginning: no process knows what an earlier one had
 * reported, and on one database several may report the same. Reports may be repeated, so this costs work and nothing else.
 */
export const startReplay = Effect.fnUntraced(function* (
  report: (report: CallReport) => Effect.Effect<void>,
  { calls, onAnswered, speed }: ReplayParts
): Effect.fn.Return<CallEventReplay, never, Storage | Scope.Scope> {
  const storage = yield* Storage
  const watches = new Map<Ids.CallId, Watched>()
  const fibers = yield* FiberMap.make<Ids.CallId, void>()
  // In the listener's own context: a call lasts far longer than the request that placed it.
  const run = yield* FiberMap.runtime(fibers)()

  /** What comes next; nothing for a call that is not watched any more. */
  const unreported = (watched: Watched): NetworkEvent | undefined =>
    watches.get(watched.call.callId) === watched
      ? timeline(watched.call, speed).find(({ news }) => !watched.reported.has(news._tag))
      : undefined

  const reportOne = ({ call, reported }: Watched, { at, news }: NetworkEvent) =>
    // A new future of the call interrupts the fiber that waits for the old one, but not within a report.
    report({ callId: call.callId, providerCallId: call.providerCallId, at, news }).pipe(
      Effect.catchCause((cause) => Effect.logError("reporting a simulated call", call.callId, cause)),
      Effect.andThen(
        Effect.sync(() => {
          reported.add(news._tag)
          if (news._tag === "Answered") onAnswered(call)
        })
      ),
      Effect.uninterruptible
    )

  const endIn = (call: SimulatedCall): Instant.Instant => timeline(call, speed).at(-1)!.at

  /** Reads a call again. True where it ends at another instant than was known. */
  const isMoved = (watched: Watched) =>
    storage.read(calls.find(watched.call.callId)).pipe(
      Effect.catch((error) => Effect.as(Effect.logError("a simulated call could not be read", error), null)),
      Effect.map((stored) => {
        const before = endIn(watched.call)
        if (stored !== null) watched.call = merged(watched.call, stored)
        return endIn(watched.call) !== before
      })
    )

  /** Reports the events that are due, and returns the next one. */
  const reportDue = (watched: Watched): Effect.Effect<NetworkEvent | undefined> =>
    Semaphore.withPermit(
      watched.turn,
      Effect.gen(function* () {
        let next = unreported(watched)
        while (next !== undefined && next.at <= (yield* Instant.now)) {
          // Its callee may be spoken for in another process, where the end is a later one.
          const isOutdated = next.news._tag === "Ended" && watched.call.hasAgent && (yield* isMoved(watched))
          if (!isOutdated) yield* reportOne(watched, next)
          next = unreported(watched)
        }
        return next
      })
    )

  const reportAll = Effect.fnUntraced(function* (watched: Watched) {
    // The process that placed the call learns that it was accepted before anything else about it.
    yield* Effect.yieldNow
    let next = yield* reportDue(watched)
    while (next !== undefined) {
      yield* Effect.sleep(next.at - (yield* Instant.now))
      next = yield* reportDue(watched)
    }
  })

  const watch = (call: SimulatedCall): Watched => {
    const known = watches.get(call.callId)
    const watched = known ?? { call, reported: new Set(), turn: Semaphore.makeUnsafe(1) }
    watches.set(call.callId, watched)
    const before = watched.call
    watched.call = merged(before, call)
    if (known === undefined || futures.some((fact) => watched.call[fact] !== before[fact]))
      run(call.callId, reportAll(watched))
    return watched
  }

  const refresh = Effect.gen(function* () {
    const before = new Set(watches.keys())
    for (const call of yield* storage.read(calls.open)) {
      // A call that was closed after the storage was read only looks open.
      if (watches.has(call.callId) || !before.has(call.callId)) watch(call)
      before.delete(call.callId)
    }
    // Another process knew of an earlier end, and has reported it.
    for (const callId of before) watches.delete(callId)
  })

  const close = Effect.gen(function* () {
    const over = [...watches].filter(([, { reported }]) => reported.has("Ended")).map(([callId]) => callId)
    if (over.length === 0) return
    const closedAt = yield* Instant.now
    // In one order, for other processes close the same calls.
    yield* storage.transact(
      Effect.forEach(over.sort(), (callId) => closeOne(calls, callId, closedAt), { discard: true })
    )
    for (const callId of over) watches.delete(callId)
  })

  const every = <E>(ms: number, work: Effect.Effect<void, E>) =>
    work.pipe(
      Effect.catchCause((cause) => Effect.logError("the simulator and its stored calls", cause)),
      Effect.andThen(Effect.sleep(ms)),
      Effect.forever,
      Effect.forkScoped
    )

  yield* every(refreshEveryMs, refresh)
  yield* every(closeEveryMs, close)

  return {
    follow: (call) => void watch(call),
    catchUp: (call) => Effect.suspend(() => Effect.asVoid(reportDue(watch(call))))
  }
})

/** Facts that change what becomes of a call. */
const futures = ["stoppedAt", "messageAt", "hungUpAt", "heldUntil"] as const

/** Instants are set once, or move on: a row that was read a moment ago may lack some that this process knows. */
const merged = (known: SimulatedCall, read: SimulatedCall): SimulatedCall => ({
  ...known,
  stoppedAt: known.stoppedAt ?? read.stoppedAt,
  messageAt: known.messageAt ?? read.messageAt,
  hungUpAt: known.hungUpAt ?? read.hungUpAt,
  heldUntil:
    known.heldUntil === null || read.heldUntil === null
      ? (known.heldUntil ?? read.heldUntil)
      : Instant.later(known.heldUntil, read.heldUntil)
})

/** Closes a call that no other process has closed. */
const closeOne = Effect.fnUntraced(function* (calls: SimulatedCalls, callId: Ids.CallId, closedAt: Instant.Instant) {
  const call = yield* calls.lock(callId)
  if (call !== null && call.closedAt === null) yield* calls.save({ ...call, closedAt })
})
