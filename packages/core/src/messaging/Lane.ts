/** When a customer's lane is to be looked at: for a burst that is over, and again after a failure. Pure. Source: docs/messaging.md#lanes. */
import { Instant } from "../kernel/index.ts"

/** What waits in a lane. Both are moments at which we were told, not those at which the customer wrote. */
export interface Waiting {
  /** When the first message came that was not looked at yet. */
  readonly waitingSince: Instant.Instant
  readonly lastMessageAt: Instant.Instant
}

export interface Patience {
  /** So long nothing may follow for a burst to be over; 0 answers at once. */
  readonly quietMs: number
  /** So long a burst waits at most, however steadily more of it comes. */
  readonly maxWaitMs: number
}

/** When a burst is answered. Source: docs/messaging.md#lanes. */
export const dueOf = ({ lastMessageAt, waitingSince }: Waiting, { maxWaitMs, quietMs }: Patience): Instant.Instant =>
  Instant.earlier(Instant.plus(lastMessageAt, quietMs), Instant.plus(waitingSince, maxWaitMs))

const runWaits: ReadonlyArray<number> = [2, 8, 30].map((seconds) => seconds * Instant.second)

/**
 * Milliseconds to wait after a turn's run has failed for the `failures`-th time, counted from 1; null when the turn is given
 * up. Source: docs/messaging.md#lanes.
 */
export const waitAfterRun = (failures: number): number | null => runWaits[failures - 1] ?? null

const firstWait = 4 * Instant.second
const longestWait = 60 * Instant.second

/** Of what the platform asks for: a customer who waits for longer has gone. */
const longestAsked = 10 * Instant.minute

/** What was throttled so often is given up: eight minutes after the first time, where the platform asks for nothing else. */
const mostThrottled = 12

/**
 * Milliseconds to wait after a message was throttled for the `times`-th time, counted from 1; null when it is given up. What
 * the platform asks for counts, between a second and ten minutes. Source: docs/messaging.md#lanes.
 */
export const waitAfterThrottling = (times: number, retryAfterSeconds: number | null): number | null => {
  if (times >= mostThrottled) return null
  if (retryAfterSeconds === null) return Math.min(firstWait * 2 ** (times - 1), longestWait)
  return Math.min(Math.max(retryAfterSeconds * Instant.second, Instant.second), longestAsked)
}

/** The platform shows for 25 seconds that an answer is being written, or until it is there. */
export const typingEveryMs = 20 * Instant.second

const longestRestMs = Instant.second / 4

/**
 * Milliseconds that the reply worker rests after it has begun work in some lanes, when the process was `lateMs` late with
 * something else then. Who is to be answered waits for seconds, and who delivers to us for milliseconds: answers take about a
 * fifth of a process that has more to do than it can. Source: docs/messaging.md#lanes.
 */
export const restAfter = (lateMs: number): number => Math.min(Math.max(0, lateMs) * 4, longestRestMs)
