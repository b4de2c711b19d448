/** Proves that a delivery comes from the platform. Pure. Source: docs/messaging.md#inbound. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/**
 * True when the header is `sha256=` and the HMAC-SHA256 of exactly these bytes under the app secret, in 64 hexadecimal
 * digits. A body that was parsed and written again has other bytes: the platform escapes what is not ASCII. Never throws;
 * no secret proves nothing. Source: docs/messaging.md#inbound.
 */
export const verifyInbound = (secret: string, header: string | null | undefined, rawBytes: Uint8Array): boolean => {
  const [, given] = /^sha256=([0-9a-f]{64})$/.exec(header ?? "") ?? []
  if (secret === "" || given === undefined) return false
  return same(given, bytesToHex(hmac(sha256, utf8ToBytes(secret), rawBytes)))
}

/**
 * True when a secret was given that is the expected one; it takes the same time whatever is given, its length included. No
 * secret is nobody's. Source: docs/messaging.md#inbound.
 */
export const sameSecret = (expected: string, given: string): boolean =>
  expected !== "" && same(digestOf(expected), digestOf(given))

const digestOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** Takes the same time wherever two texts of one length differ. */
const same = (a: string, b: string): boolean => {
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
