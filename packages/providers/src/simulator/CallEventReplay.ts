/** Tells a listener, each at its instant, all that happens to the calls in the book, and closes those told to the end. */
import {
  type BookedCall,
  type CallNews,
  type CallReport,
  CarrierBook,
  type Ids,
  Instant,
  Storage
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { type NetworkEvent, timeline } from "./Network.ts"

/** How often the book is searched for calls that no listener of this process has heard of, or that another has changed. */
const lookEveryMs = 2 * Instant.second

/** Calls that were told to the end in so long are closed together: a commit for each would cost more than the calls. */
const closeEveryMs = Instant.second

interface Watched {
  call: BookedCall
  /** The kinds of news told: no call has two of a kind, and a stop changes which there will be. */
  readonly told: Set<CallNews["_tag"]>
  /** Whoever tells of the call: one at a time, so that reports keep their order. */
  readonly turn: Semaphore.Semaphore
}

export interface CallEventReplay {
  /** Tells of a call from now on, or, where it is being told of, of the future that it has now. */
  readonly learn: (call: BookedCall) => void
  /** The same, and answers when all that is due has been told. */
  readonly catchUp: (call: BookedCall) => Effect.Effect<void>
}

/**
 * Starts to tell, first of the calls that are open in the book already; ends with the scope.
 *
 * Every open call is told of, whichever process accepted it, from its beginning: nobody remembers what the process before
 * had told, and on one database several may tell the same. Reports may be repeated, so this costs work and nothing else.
 */
export const startReplay = Effect.fnUntraced(function* (
  tell: (report: CallReport) => Effect.Effect<void>,
  speed: number
): Effect.fn.Return<CallEventReplay, never, CarrierBook | Storage | Scope.Scope> {
  const book = yield* CarrierBook
  const storage = yield* Storage
  const watches = new Map<Ids.CallId, Watched>()
  const fibers = yield* FiberMap.make<Ids.CallId, void>()
  // In the listener's own context: a call outlives by far the request that placed it.
  const run = yield* FiberMap.runtime(fibers)()

  /** What comes next; nothing for a call that is not watched any more. */
  const untold = (watched: Watched): NetworkEvent | undefined =>
    watches.get(watched.call.callId) === watched
      ? timeline(watched.call, speed).find(({ news }) => !watched.told.has(news._tag))
      : undefined

  const report = ({ call, told }: Watched, { at, news }: NetworkEvent) =>
    // A new future of the call interrupts whoever waits for the old one, but not in the middle of a sentence.
    tell({ callId: call.callId, providerCallId: call.providerCallId, at, news }).pipe(
      Effect.catchCause((cause) => Effect.logError("telling of a simulated call", call.callId, cause)),
      Effect.andThen(Effect.sync(() => told.add(news._tag))),
      Effect.uninterruptible
    )

  /** Tells what is due, and answers what comes next. */
  const tellDue = (watched: Watched): Effect.Effect<NetworkEvent | undefined> =>
    Semaphore.withPermit(
      watched.turn,
      Effect.gen(function* () {
        let next = untold(watched)
        while (next !== undefined && next.at <= (yield* Instant.now)) {
          yield* report(watched, next)
          next = untold(watched)
        }
        return next
      })
    )

  const follow = Effect.fnUntraced(function* (watched: Watched) {
    // Whoever placed the call hears that it was taken before anything else of it.
    yield* Effect.yieldNow
    let next = yield* tellDue(watched)
    while (next !== undefined) {
      yield* Effect.sleep(next.at - (yield* Instant.now))
      next = yield* tellDue(watched)
    }
  })

  const watch = (call: BookedCall): Watched => {
    const known = watches.get(call.callId)
    const watched = known ?? { call, told: new Set(), turn: Semaphore.makeUnsafe(1) }
    watches.set(call.callId, watched)
    // Instants are set once: the book as it was read a moment ago may know less than we do.
    const stoppedAt = watched.call.stoppedAt ?? call.stoppedAt
    const messageAt = watched.call.messageAt ?? call.messageAt
    if (known === undefined || stoppedAt !== known.call.stoppedAt || messageAt !== known.call.messageAt) {
      watched.call = { ...watched.call, stoppedAt, messageAt }
      run(call.callId, follow(watched))
    }
    return watched
  }

  const look = Effect.gen(function* () {
    const before = new Set(watches.keys())
    for (const call of yield* storage.read(book.open)) {
      // Told to the end and closed since the book was asked, it only looks open.
      if (watches.has(call.callId) || !before.has(call.callId)) watch(call)
      before.delete(call.callId)
    }
    // Another process knew of an earlier end, and has told it.
    for (const callId of before) watches.delete(callId)
  })

  const close = Effect.gen(function* () {
    const over = [...watches].filter(([, { told }]) => told.has("Ended")).map(([callId]) => callId)
    if (over.length === 0) return
    const at = yield* Instant.now
    // In one order, for other processes close the same calls.
    yield* storage.transact(Effect.forEach(over.sort(), (callId) => book.close(callId, at), { discard: true }))
    for (const callId of over) watches.delete(callId)
  })

  const every = <E>(ms: number, work: Effect.Effect<void, E>) =>
    work.pipe(
      Effect.catchCause((cause) => Effect.logError("the simulator and its book", cause)),
      Effect.andThen(Effect.sleep(ms)),
      Effect.forever,
      Effect.forkScoped
    )

  yield* every(lookEveryMs, look)
  yield* every(closeEveryMs, close)

  return {
    learn: (call) => void watch(call),
    catchUp: (call) => Effect.suspend(() => Effect.asVoid(tellDue(watch(call))))
  }
})
