/**
 * When what has changed is read again: at once while changes are few, and ever more seldom while they do not end, so that a page
 * stays below twenty requests a minute. Pure.
 */

export interface Stale {
  readonly key: string
  /** Read before all others: what people watch, such as the calls under way. */
  readonly isUrgent: boolean
  /** What the person at the page has ordered, such as a call: it changes a few times, and costs nothing. */
  readonly isOwn?: boolean
  /** When it was last read. */
  readonly readAt: number
}

export interface Budget {
  readonly tokens: number
  readonly at: number
}

/** Reads that may follow each other at once. */
const burst = 6
/** One more read is allowed each time this has passed: fourteen a minute, and twenty with the burst. */
const refillMs = 4300
/** What is not urgent leaves this number of reads to what is. */
const reserve = 3
/** The same thing is read at most twice a second. */
const apartMs = 500
const seldomMs = 10_000
/** What has waited for this time is as urgent as the rest, or it would never be read. */
const overdueMs = 30_000

export const fullBudget = (at: number): Budget => ({ tokens: burst, at })

const refilled = ({ at, tokens }: Budget, now: number): Budget => ({
  tokens: Math.min(burst, tokens + Math.max(0, now - at) / refillMs),
  at: now
})

/** What is read now, and when to look again; null where nothing is left. */
export const nextReads = (
  stale: ReadonlyArray<Stale>,
  budget: Budget,
  now: number
): { readonly read: ReadonlyArray<string>; readonly budget: Budget; readonly againInMs: number | null } => {
  let { tokens } = refilled(budget, now)
  const read: Array<string> = []
  const waits: Array<number> = []
  const rankOf = ({ isUrgent, readAt }: Stale): number => (now - readAt >= overdueMs ? 0 : isUrgent ? 1 : 2)
  const inOrder = stale.toSorted((a, b) => rankOf(a) - rankOf(b) || a.readAt - b.readAt)
  for (const one of inOrder) {
    const { isOwn = false, key, readAt } = one
    const isUrgent = isOwn || rankOf(one) < 2
    const early = readAt + (isUrgent || tokens >= burst - 1 ? apartMs : seldomMs) - now
    const lacking = isOwn ? 0 : (isUrgent ? 1 : 1 + reserve) - tokens
    if (early <= 0 && lacking <= 0) {
      tokens -= isOwn ? 0 : 1
      read.push(key)
    } else waits.push(Math.max(early, lacking * refillMs, 50))
  }
  return { read, budget: { tokens, at: now }, againInMs: waits.length === 0 ? null : Math.min(...waits) }
}
