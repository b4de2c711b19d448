/** API keys: made once, shown once, kept as a digest. */
import { type Instant, sha256Hex, timingSafeEqual } from "../kernel/index.ts"
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
  /** Who made it, as the audit log names them. */
  readonly createdBy: string
  /** The digest of the text before the last rotation, which opens too until `previousUntil`; null where none does. */
  readonly previousHash: string | null
  readonly previousPrefix: string | null
  readonly previousUntil: Instant.Instant | null
}

/** What somebody decides about a key. */
export type KeySettings = Pick<
  ApiKey,
  | "name"
  | "scopes"
  | "permissions"
  | "budget"
  | "budgetPeriod"
  | "allowedModels"
  | "allowedDomains"
  | "searchProviders"
  | "requestsPerMinute"
  | "concurrency"
  | "expiresAt"
>

export interface NewKey extends KeySettings, Pick<ApiKey, "tenantId"> {}

/** A key, when it was made and by whom. */
interface KeyMaking {
  readonly at: Instant.Instant
  readonly by: string
}

/** A new key. Of its text only the digest and the first characters are kept. */
export const keyOf = (
  id: Ids.KeyId,
  given: NewKey,
  text: string,
  brandPrefix: string,
  { at, by }: KeyMaking
): ApiKey => ({
  ...given,
  id,
  hash: sha256Hex(text),
  prefix: prefixOf(text, brandPrefix),
  revokedAt: null,
  createdAt: at,
  createdBy: by,
  previousHash: null,
  previousPrefix: null,
  previousUntil: null
})

/** The key with another text. The text before it opens until an instant, or no more; the one before that opens no more. */
export const rotated = (key: ApiKey, text: string, brandPrefix: string, until: Instant.Instant | null): ApiKey => ({
  ...key,
  hash: sha256Hex(text),
  prefix: prefixOf(text, brandPrefix),
  previousHash: until === null ? null : key.hash,
  previousPrefix: until === null ? null : key.prefix,
  previousUntil: until
})

/** A key, what it has spent, and when it was used. */
export interface KeyOverview extends ApiKey {
  /** Nano-credits of the present period of its budget; of its lifetime where it has none. */
  readonly spent: bigint
  /** To a minute; null before the first use. */
  readonly lastUsedAt: Instant.Instant | null
}

export const keyStates = ["active", "expired", "revoked"] as const
export type KeyState = (typeof keyStates)[number]

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

export const isExpired = (key: Pick<ApiKey, "expiresAt">, at: Instant.Instant): boolean =>
  key.expiresAt !== null && key.expiresAt <= at

export const stateOf = (key: Pick<ApiKey, "expiresAt" | "revokedAt">, at: Instant.Instant): KeyState =>
  key.revokedAt !== null ? "revoked" : isExpired(key, at) ? "expired" : "active"

/** The text before the last rotation, while it opens. */
export const previousOf = (
  { previousPrefix, previousUntil, ...key }: ApiKey,
  at: Instant.Instant
): Pick<ApiKey, "previousPrefix" | "previousUntil"> =>
  previousUntil !== null && at < previousUntil && stateOf(key, at) === "active"
    ? { previousPrefix, previousUntil }
    : { previousPrefix: null, previousUntil: null }

/** What the text with a digest is to a key. */
export type KeyMatch = "opens" | "replaced" | "foreign"

/** Whether a text opens its key, by its digest: the present one does, and the one before it until its time is over. */
export const matchOf = (key: ApiKey, hash: string, at: Instant.Instant): KeyMatch => {
  if (timingSafeEqual(key.hash, hash)) return "opens"
  const { previousHash, previousUntil } = key
  if (previousHash === null || previousUntil === null || !timingSafeEqual(previousHash, hash)) return "foreign"
  return at < previousUntil ? "opens" : "replaced"
}
