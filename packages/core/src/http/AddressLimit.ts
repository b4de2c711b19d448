/** Rate limit of one client address: a sliding minute, in this process alone. */
import { Instant } from "../kernel/index.ts"

const windowMs = Instant.minute

/** Addresses in memory before those without requests in the last minute are dropped. */
const maxAddresses = 10_000

interface Log {
  /** Instants of the last requests; the ring is as long as the limit. */
  readonly ring: Float64Array
  next: number
}

export interface AddressLimit {
  /** Null when the request is admitted, else the seconds until the next one is. A refused request does not count. */
  readonly acquire: (address: string, at: Instant.Instant) => number | null
}

export const addressLimit = (perMinute: number): AddressLimit => {
  const logs = new Map<string, Log>()

  const dropIdle = (at: number): void => {
    for (const [address, { next, ring }] of logs) {
      if (ring[(next + perMinute - 1) % perMinute]! <= at - windowMs) logs.delete(address)
    }
  }

  return {
    acquire: (address, at) => {
      let log = logs.get(address)
      if (log === undefined) {
        if (logs.size >= maxAddresses) dropIdle(at)
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
