/** What proves a webhook: keyed hashes of its body. Pure. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"

const marker = "whsec_"

/** The value of the sender's own header: HMAC-SHA256 of the body, keyed with the whole text of the secret. */
export const digest = (secret: string, body: Uint8Array): string =>
  `sha256=${bytesToHex(hmac(sha256, utf8ToBytes(secret), body))}`

/** A signature of the Standard Webhooks convention; undefined for a secret that holds no key. */
export const standardDigest = (secret: string, id: string, timestamp: string, body: Uint8Array): string | undefined => {
  const key = standardKey(secret)
  if (key === undefined) return undefined
  return `v1,${base64(hmac(sha256, key, concatBytes(utf8ToBytes(`${id}.${timestamp}.`), body)))}`
}

/** Nothing for a secret that is no base64, and for one of no bytes: anybody could sign with an empty key. */
const standardKey = (secret: string): Uint8Array | undefined => {
  const encoded = secret.startsWith(marker) ? secret.slice(marker.length) : secret
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded) || encoded === "")
    return undefined
  return Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0))
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
