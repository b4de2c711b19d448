/** The values of the metrics. Pure. Source: docs/reference/voice-alerts.md#metrics. */

/** Calls that ended in a window. */
export interface EndedCalls {
  readonly ended: number
  readonly answered: number
}

/** Voice sessions that ended in a window. */
export interface EndedSessions {
  readonly ended: number
  /** Status `failed` or `timeout`. */
  readonly unsuccessful: number
  /** Ended by the caller: `caller_hangup` or `client_disconnect`. */
  readonly hungUp: number
  /** Those that were connected, and how long they took together. */
  readonly connected: number
  readonly seconds: number
}

/** The minimum of calls or sessions for a share of them. */
const minForRate = 5

/** A share; null where there are too few for one. */
export const rateOf = (count: number, of: number): number | null => (of < minForRate ? null : count / of)

export const averageOf = ({ connected, seconds }: EndedSessions): number | null =>
  connected === 0 ? null : seconds / connected

/** The rank of the value, from 1, that 95 of 100 values do not exceed. */
export const rankOfP95 = (count: number): number => Math.ceil((count * 95) / 100)
