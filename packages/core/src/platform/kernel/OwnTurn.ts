/** Large values take turns of the event loop: between two passes over one of them, and beside those over others, everybody else is served. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/** From this size on a value gets turns of its own. A pass over a smaller one takes a few milliseconds. */
export const largeBytes = 256 * 1024

/** One for the whole process, which has one event loop. */
const turns = Semaphore.makeUnsafe(1)

const next = turns.withPermit(Effect.yieldNow)

/**
 * Runs a pass over a value of this many bytes. That over a large one waits for a turn of the event loop in which no other such pass
 * begins; any other runs at once.
 */
export const ownTurn = <A, E, R>(bytes: number, pass: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  bytes < largeBytes ? pass() : Effect.flatMap(next, pass)
