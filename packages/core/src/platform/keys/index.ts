/**
 * Decides what becomes of an account's API keys: who makes, changes, rotates and revokes them.
 *
 * Promises  KEYS-1 people alone manage keys; no key does, whatever its scopes.
 *           KEYS-2 a change of a key, its rotation and its revocation hold from the next request on, in all processes.
 *           KEYS-3 a rotation keeps id, limits and spend; the text before it opens until its overlap ends, and never two beside the present one.
 *           KEYS-4 a key's text is in one answer, and neither it nor its digest is in any other answer, a log, an event or the audit log.
 *           KEYS-5 what a key has spent is known exactly, with a budget and without.
 * Needs     AccessStore, KeyListStore, Accounts, Spending, KeyUses.   Emits  nothing.
 * Not here  who a key is (platform/accounts), and what it may spend (platform/billing).
 * Read      Keys.ts. Source: docs/reference/access.md#keys.
 */

export { InvalidKey, KeyExpired, KeyNotFound, KeyRevoked } from "./KeyErrors.ts"
export { type KeyFilter, KeyListStore, type KeyQuery, type UsedKey } from "./KeyListStore.ts"
export { allKeys, type KeyChange, Keys } from "./Keys.ts"
