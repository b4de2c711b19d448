/** SHA-256 of bytes that come in parts. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"

export interface Digest {
  readonly update: (bytes: Uint8Array) => void
  /** In hex; nothing may follow. */
  readonly end: () => string
}

interface NodeHash {
  readonly update: (bytes: Uint8Array) => unknown
  readonly digest: (encoding: "hex") => string
}

interface NodeLike {
  readonly getBuiltinModule?: (
    name: "node:crypto"
  ) => { readonly createHash?: (algorithm: "sha256") => NodeHash } | undefined
}

/** The platform's own, where it answers at once: it takes a sixth of the time. */
const native = (globalThis as { readonly process?: NodeLike }).process?.getBuiltinModule?.("node:crypto")?.createHash

export const digest = (): Digest => {
  if (native !== undefined) {
    const hash = native("sha256")
    return { update: (bytes) => void hash.update(bytes), end: () => hash.digest("hex") }
  }
  const hash = sha256.create()
  return { update: (bytes) => void hash.update(bytes), end: () => bytesToHex(hash.digest()) }
}
