/** SHA-256, its keyed form, and comparison in constant time. Pure. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/** A hash of bytes that come in parts. */
export interface StreamDigest {
  readonly update: (bytes: Uint8Array) => void
  /** In hex; nothing may follow. */
  readonly end: () => string
}

interface NodeHash {
  readonly update: (bytes: Uint8Array) => NodeHash
  readonly digest: (encoding: "hex") => string
}

interface NodeCrypto {
  readonly hash?: (algorithm: "sha256", data: string | Uint8Array, encoding: "hex") => string
  readonly createHash?: (algorithm: "sha256") => NodeHash
  readonly createHmac?: (algorithm: "sha256", key: string | object) => NodeHash
  readonly createSecretKey?: (key: Uint8Array) => object
}

interface NodeLike {
  readonly getBuiltinModule?: (name: "node:crypto") => NodeCrypto | undefined
}

/** Node's own hash takes a fifth of the time, for the key of every request as for an upload of many megabytes. */
const node = (globalThis as { readonly process?: NodeLike }).process?.getBuiltinModule?.("node:crypto")

const bytesOf = (data: string | Uint8Array): Uint8Array => (typeof data === "string" ? utf8ToBytes(data) : data)

/** SHA-256 of a text in UTF-8, or of bytes, in hex. */
export const sha256Hex = (data: string | Uint8Array): string =>
  node?.hash === undefined ? bytesToHex(sha256(bytesOf(data))) : node.hash("sha256", data, "hex")

/** SHA-256 of bytes that come in parts. */
export const sha256Stream = (): StreamDigest => {
  if (node?.createHash !== undefined) {
    const hash = node.createHash("sha256")
    return { update: (bytes) => void hash.update(bytes), end: () => hash.digest("hex") }
  }
  const hash = sha256.create()
  return { update: (bytes) => void hash.update(bytes), end: () => bytesToHex(hash.digest()) }
}

/** HMAC-SHA256. Texts are keys and data in UTF-8. */
export const hmacSha256 = (key: string | Uint8Array, data: string | Uint8Array): Uint8Array =>
  hmac(sha256, bytesOf(key), bytesOf(data))

/** HMAC-SHA256 in hex. */
export const hmacSha256Hex = (key: string | Uint8Array, data: string | Uint8Array): string => {
  if (node?.createHmac === undefined || node.createSecretKey === undefined) return bytesToHex(hmacSha256(key, data))
  // Node tries bytes as another kind of key first, in ten times the time that a text takes.
  const nodeKey = typeof key === "string" ? key : node.createSecretKey(key)
  return node.createHmac("sha256", nodeKey).update(bytesOf(data)).digest("hex")
}

/** Compares two texts in a time that depends on the length of the first alone, not on where they differ. */
export const timingSafeEqual = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
