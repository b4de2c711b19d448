/** How often one client address may ask: a sliding minute, in this process alone. Pure but for its memory. */
import { Instant } from "../kernel/index.ts"

const windowMs = Instant.minute

/** Addresses that are remembered before those that have been quiet are forgotten. */
const remembered = 10_000

interface Log {
  /** The instants of the last requests, as a ring as long as the limit. */
  readonly ring: Float64Array
  next: number
}

export interface AddressLimit {
  /** Null when the request may go on; else the seconds after which another one may. A request that is refused does not count. */
  readonly take: (address: string, at: Instant.Instant) => number | null
}

export const addressLimit = (perMinute: number): AddressLimit => {
  const logs = new Map<string, Log>()

  const forgetQuiet = (at: number): void => {
    for (const [address, { next, ring }] of logs) {
      if (ring[(next + perMinute - 1) % perMinute]! <= at - windowMs) logs.delete(address)
    }
  }

  return {
    take: (address, at) => {
      let log = logs.get(address)
      if (log === undefined) {
        if (logs.size >= remembered) forgetQuiet(at)
        log = { ring: new Float64Array(perMinute).fill(Number.NEGATIVE_INFINITY), next: 0 }
        logs.set(address, log)
      }
      const oldest = log.ring[log.next]!
      if (oldest > at - windowMs) return Math.max(1, Math.ceil((oldest + windowMs - at) / Instant.second))
      log.ring[log.next] = at
      log.next = (log.next + 1) % perMinute
      return null
    }
  }
}
