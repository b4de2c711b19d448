/** Compares secrets in constant time. Pure. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/**
 * True when a secret was given that is the expected one; it takes the same time whatever is given, its length included. No
 * secret is nobody's. Source: docs/messaging.md#inbound.
 */
export const sameSecret = (expected: string, given: string): boolean =>
  expected !== "" && sameText(digestOf(expected), digestOf(given))

const digestOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** Takes the same time wherever two texts of one length differ. */
export const sameText = (a: string, b: string): boolean => {
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
