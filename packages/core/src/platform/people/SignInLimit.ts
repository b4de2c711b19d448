/** How many sign-ins may fail before others must wait. Pure. Source: docs/reference/sign-in.md#limit. */
import { Instant, sha256Hex } from "../kernel/index.ts"

/** What is counted together: the tries for one email, or from one address. */
export interface FailureCount {
  readonly key: string
  readonly most: number
}

export const windowMs = 15 * Instant.minute

/** The email itself may be anything that somebody has typed: it is not kept. */
export const ofEmail = (emailKey: string): FailureCount => ({ key: `email:${sha256Hex(emailKey)}`, most: 10 })

export const ofAddress = (client: string): FailureCount => ({ key: `address:${client}`, most: 50 })

/** The instants after which a failure still counts at `at`. */
export const countedSince = (at: Instant.Instant): Instant.Instant => Instant.plus(at, -windowMs)

/**
 * The seconds until one more may be tried; null where it may be now. `failures` are the newest ones that count, the newest first, as
 * many as the limit has at most.
 */
export const waitSeconds = (
  failures: ReadonlyArray<Instant.Instant>,
  most: number,
  at: Instant.Instant
): number | null => {
  const oldest = failures[most - 1]
  return oldest === undefined ? null : Math.max(1, Math.ceil((oldest + windowMs - at) / Instant.second))
}
