/** Compares secrets in constant time. Pure. */
import { sha256Hex, timingSafeEqual } from "@trunkline/core/provider"

/**
 * True when a secret was given that is the expected one; it takes the same time whatever is given, its length included. No
 * secret is nobody's. Source: docs/reference/messaging.md#inbound.
 */
export const sameSecret = (expected: string, given: string): boolean =>
  expected !== "" && timingSafeEqual(sha256Hex(expected), sha256Hex(given))
