/** API keys: made once, shown once, kept as a digest. */
import { type Instant, sha256Hex } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Grant, Permission } from "./Scope.ts"

/** Source: docs/reference/access.md#keys. */
export interface ApiKey {
  readonly id: Ids.KeyId
  readonly tenantId: Ids.AccountId
  /** SHA-256 of the whole key, in hex. */
  readonly hash: string
  /** The first characters, for people to recognise it by. */
  readonly prefix: string
  readonly name: string | null
  readonly scopes: ReadonlyArray<Grant>
  readonly permissions: ReadonlyArray<Permission>
  readonly budget: bigint | null
  readonly budgetPeriod: "total" | "month"
  readonly allowedModels: ReadonlyArray<string> | null
  readonly allowedDomains: ReadonlyArray<string> | null
  readonly searchProviders: ReadonlyArray<string> | null
  readonly requestsPerMinute: number | null
  readonly concurrency: number | null
  readonly expiresAt: Instant.Instant | null
  readonly revokedAt: Instant.Instant | null
  readonly createdAt: Instant.Instant
}

export type NewKey = Omit<ApiKey, "id" | "hash" | "prefix" | "revokedAt" | "createdAt">

/** A new key. Of its text only the digest and the first characters are kept. */
export const keyOf = (
  id: Ids.KeyId,
  given: NewKey,
  text: string,
  brandPrefix: string,
  at: Instant.Instant
): ApiKey => ({
  ...given,
  id,
  hash: sha256Hex(text),
  prefix: prefixOf(text, brandPrefix),
  revokedAt: null,
  createdAt: at
})

/** A key and what it has spent. */
export interface KeyOverview extends ApiKey {
  /** Nano-credits of the present period of its budget; null where it has none. */
  readonly spent: bigint | null
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const length = 40

/** Characters of a key that are shown again later. */
const shown = 8

/** A key's text from random bytes, without bias: bytes past the last whole multiple of 62 are passed over. */
export const fromBytes = (prefix: string, bytes: Uint8Array): string | undefined => {
  let out = ""
  for (const byte of bytes) {
    if (byte < 248) out += alphabet[byte % 62]
    if (out.length === length) return prefix + out
  }
  return undefined
}

export const make = (prefix: string): string => {
  for (;;) {
    const key = fromBytes(prefix, crypto.getRandomValues(new Uint8Array(length * 2)))
    if (key !== undefined) return key
  }
}

export const prefixOf = (key: string, brandPrefix: string): string => key.slice(0, brandPrefix.length + shown)

export const isExpired = (key: ApiKey, at: Instant.Instant): boolean => key.expiresAt !== null && key.expiresAt <= at
