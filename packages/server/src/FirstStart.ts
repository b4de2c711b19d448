/** The first start of an installation makes an account with a key. */
import type { Trunkline } from "@trunkline/core"
import { Accounts, Credits, Instant, lock, type NewAccount, transact } from "@trunkline/core/effect"
import { accountOf, Ids, ModelCatalogue, modelAccess, operator, startingCredits } from "@trunkline/core/provider"
import { AccessStore, ApiKeys, Scopes } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { runInternal } from "./RunInternal.ts"

const firstAccount: NewAccount = { name: "default", plan: "free", voiceCampaigns: true }

/** A key that may do everything. */
const firstKey: Omit<ApiKeys.NewKey, "tenantId"> = {
  name: "first key",
  scopes: ["*"],
  permissions: Scopes.permissions,
  budget: null,
  budgetPeriod: "total",
  allowedModels: null,
  allowedDomains: null,
  searchProviders: null,
  requestsPerMinute: null,
  concurrency: null,
  expiresAt: null
}

/**
 * One transaction for both: a process that dies leaves an account with a key that was shown, or nothing at all. Of
 * several processes that start together one finds no account; the others wait for it.
 */
const createFirst = Effect.fnUntraced(function* (keyPrefix: string) {
  yield* lock("account", "first")
  const store = yield* AccessStore
  if ((yield* store.listAccounts({ limit: 1, offset: 0 })).length > 0) return null
  const at = yield* Instant.now
  const account = accountOf(yield* Ids.fresh<"Account">(), firstAccount, at)
  const text = ApiKeys.make(keyPrefix)
  const given = { ...firstKey, tenantId: account.id }
  const key = ApiKeys.keyOf(yield* Ids.fresh<"Key">(), given, text, keyPrefix, { at, by: operator.id })
  const accounts = yield* Accounts
  yield* store.addAccount(account)
  yield* Credits.use((credits) => credits.grant(account.id, startingCredits, at))
  yield* accounts.record(account.id, operator, "account.create", account.id)
  yield* store.addKey(key)
  yield* accounts.record(account.id, operator, "key.create", key.id, key.name)
  // Without the gateway there are no models.
  const catalogue = Option.getOrNull(yield* Effect.serviceOption(ModelCatalogue))
  const speechModels = catalogue === null ? [] : modelAccess(catalogue.all)[account.plan].byCategory.stt
  return { accountId: account.id, key: text, speechModels }
})

export interface FirstAccount {
  readonly accountId: string
  readonly key: string
  /** Models that its plan may transcribe with. */
  readonly speechModels: ReadonlyArray<string>
}

/** The account and the key that were made, or null where there was an account. */
export const firstStart = (core: Trunkline, keyPrefix: string): Promise<FirstAccount | null> =>
  runInternal(core, transact(createFirst(keyPrefix)))
