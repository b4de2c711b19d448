/** Proves that a delivery comes from the platform. Pure. Source: docs/reference/messaging.md#inbound. */
import { hmacSha256Hex, timingSafeEqual } from "@trunkline/core/provider"

/** The header of a signature, and its form. */
export const proof = { header: "x-hub-signature-256", form: /^sha256=([0-9a-f]{64})$/ }

/**
 * True when the header is `sha256=` and the HMAC-SHA256 of exactly these bytes under the app secret, in 64 hexadecimal
 * digits. A body that was parsed and written again has other bytes: the platform escapes what is not ASCII. Never throws;
 * no secret proves nothing. Source: docs/reference/messaging.md#inbound.
 */
export const verifyInbound = (secret: string, header: string | null | undefined, rawBytes: Uint8Array): boolean => {
  const [, given] = proof.form.exec(header ?? "") ?? []
  if (secret === "" || given === undefined) return false
  return timingSafeEqual(given, hmacSha256Hex(secret, rawBytes))
}
