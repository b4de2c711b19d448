/** Keys of an account: who makes, changes, rotates and revokes them. Source: docs/reference/access.md#keys. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  AccessStore,
  AccountNotFound,
  Accounts,
  type Actor,
  ApiKeys,
  KeyUses,
  KnownModels,
  type NewKey
} from "../accounts/index.ts"
import { Spending } from "../billing/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import { type LimitReached, lock, roomFor, Storage, type StorageError } from "../storage/index.ts"
import { InvalidKey, KeyExpired, KeyNotFound, KeyRevoked } from "./KeyErrors.ts"
import { keyFaults } from "./KeyFaults.ts"
import { type KeyFilter, KeyListStore, type UsedKey } from "./KeyListStore.ts"

export type KeyChange = Partial<ApiKeys.KeySettings>

/** A key of an account, or of any where an operator asks: null. */
export interface OwnedKey {
  readonly tenantId: Ids.AccountId | null
  readonly id: Ids.KeyId
}

/** A key and its text, which is returned this once and stored nowhere. */
export interface KeyWithText {
  readonly key: ApiKeys.KeyOverview
  readonly text: string
}

/** Everything that the list has. */
export const allKeys: KeyFilter = { state: null, search: null }

const nameOf = ({ name, prefix }: ApiKeys.ApiKey): string => name ?? prefix

export class Keys extends Context.Service<
  Keys,
  {
    /** Revoked and expired ones included, newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: KeyFilter,
      page: Page
    ) => Effect.Effect<Paged<ApiKeys.KeyOverview>, AccountNotFound | StorageError>
    readonly get: (of: OwnedKey) => Effect.Effect<ApiKeys.KeyOverview, KeyNotFound | StorageError>
    readonly create: (
      key: NewKey,
      actor: Actor
    ) => Effect.Effect<KeyWithText, AccountNotFound | InvalidKey | LimitReached | StorageError>
    /** Holds from the next request on, in all processes. */
    readonly change: (
      of: OwnedKey,
      change: KeyChange,
      actor: Actor
    ) => Effect.Effect<ApiKeys.KeyOverview, InvalidKey | KeyNotFound | KeyRevoked | StorageError>
    /** Gives the key another text. The one before works as long as the overlap says; one that worked beside it works no more. */
    readonly rotate: (
      of: OwnedKey,
      overlapMs: number,
      actor: Actor
    ) => Effect.Effect<KeyWithText, KeyExpired | KeyNotFound | KeyRevoked | StorageError>
    /** Every later request with the key is refused, and with the text before a rotation. A revoked key stays as it is. */
    readonly revoke: (of: OwnedKey, actor: Actor) => Effect.Effect<ApiKeys.KeyOverview, KeyNotFound | StorageError>
  }
>()("@trunkline/core/platform/keys/Keys") {
  static readonly layer = (keyPrefix: string) =>
    Layer.effect(
      Keys,
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const known = yield* KnownModels
        const lists = yield* KeyListStore
        const roomForKey = yield* roomFor("keys")
        const spending = yield* Spending
        const storage = yield* Storage
        const store = yield* AccessStore
        const uses = yield* KeyUses

        const withSpending = Effect.fnUntraced(function* (keys: ReadonlyArray<UsedKey>) {
          const spent = yield* spending.ofKeys(keys)
          return keys.map((key): ApiKeys.KeyOverview => ({ ...key, spent: spent.get(key.id) ?? 0n }))
        })

        const existing = Effect.fnUntraced(function* ({ id, tenantId }: OwnedKey) {
          const key = yield* lists.find(id)
          return key === null || (tenantId !== null && key.tenantId !== tenantId) ? yield* new KeyNotFound({ id }) : key
        })

        const overviewOf = (key: UsedKey) => Effect.map(withSpending([key]), ([overview]) => overview!)

        /** The key, which nobody else changes until the transaction ends. */
        const locked = Effect.fnUntraced(function* (of: OwnedKey) {
          yield* lock("account", (yield* existing(of)).tenantId)
          return yield* existing(of)
        })

        const check = (change: KeyChange) =>
          Effect.flatMap(Instant.now, (at) => {
            const faults = keyFaults(change, known, at)
            return faults.length === 0 ? Effect.void : Effect.fail(new InvalidKey({ faults }))
          })

        const create = tracedFn("Keys.create")(function* (given: NewKey, actor: Actor) {
          yield* check(given)
          const text = ApiKeys.make(keyPrefix)
          return yield* storage.transact(
            Effect.gen(function* () {
              const { tenantId } = given
              if ((yield* accounts.find(tenantId)) === null) return yield* new AccountNotFound({ id: tenantId })
              yield* roomForKey(tenantId, store.countKeys(tenantId))
              const made = { at: yield* Instant.now, by: actor.id }
              const key = ApiKeys.keyOf(yield* Ids.fresh<"Key">(), given, text, keyPrefix, made)
              yield* store.addKey(key)
              yield* accounts.record(tenantId, actor, "key.create", key.id, nameOf(key))
              return { key: { ...key, spent: 0n, lastUsedAt: null }, text } satisfies KeyWithText
            })
          )
        })

        const change = tracedFn("Keys.change")(function* (of: OwnedKey, given: KeyChange, actor: Actor) {
          yield* check(given)
          return yield* storage.transact(
            Effect.gen(function* () {
              const key = yield* locked(of)
              const next: UsedKey = { ...key, ...given }
              if (!(yield* store.saveKey(next, { expires: next.expiresAt !== key.expiresAt }))) {
                return yield* new KeyRevoked({ id: key.id })
              }
              if (next.budget !== key.budget || next.budgetPeriod !== key.budgetPeriod) {
                yield* spending.budgetChanged(next)
              }
              yield* accounts.record(key.tenantId, actor, "key.change", key.id, nameOf(next))
              return yield* overviewOf(next)
            })
          )
        })

        const rotate = tracedFn("Keys.rotate")(function* (of: OwnedKey, overlapMs: number, actor: Actor) {
          const text = ApiKeys.make(keyPrefix)
          return yield* storage.transact(
            Effect.gen(function* () {
              const key = yield* locked(of)
              const at = yield* Instant.now
              if (ApiKeys.stateOf(key, at) === "expired") return yield* new KeyExpired({ id: key.id })
              const until = overlapMs > 0 ? Instant.plus(at, overlapMs) : null
              const next: UsedKey = { ...key, ...ApiKeys.rotated(key, text, keyPrefix, until) }
              if (!(yield* store.saveKey(next, { expires: false }))) return yield* new KeyRevoked({ id: key.id })
              yield* accounts.record(key.tenantId, actor, "key.rotate", key.id, nameOf(next))
              return { key: yield* overviewOf(next), text } satisfies KeyWithText
            })
          )
        })

        const revoke = tracedFn("Keys.revoke")(function* (of: OwnedKey, actor: Actor) {
          const key = yield* existing(of)
          if (yield* store.revokeKey(key, yield* Instant.now)) {
            yield* accounts.record(key.tenantId, actor, "key.revoke", key.id, nameOf(key))
          }
          return yield* overviewOf(yield* existing(of))
        }, storage.transact)

        /** A use of a moment ago may not be written yet. Where it cannot be, the list is shown all the same. */
        const looked = <A, E, R>(look: Effect.Effect<A, E, R>) =>
          Effect.andThen(Effect.ignore(uses.write), storage.read(look))

        const list = tracedFn("Keys.list")(function* (tenantId: Ids.AccountId, filter: KeyFilter, page: Page) {
          if ((yield* accounts.find(tenantId)) === null) return yield* new AccountNotFound({ id: tenantId })
          const query = { ...filter, tenantId, at: yield* Instant.now }
          return {
            items: yield* withSpending(yield* lists.list(query, page)),
            total: yield* lists.count(query)
          } satisfies Paged<ApiKeys.KeyOverview>
        }, looked)

        const get = tracedFn("Keys.get")(function* (of: OwnedKey) {
          return yield* overviewOf(yield* existing(of))
        }, looked)

        return Keys.of({ list, get, create, change, rotate, revoke })
      })
    )
}
