/** The first start of an installation makes an account with a key. */
import type { Trunkline } from "@trunkline/core"
import {
  AccessStore,
  type Account,
  Accounts,
  ApiKeys,
  Credits,
  Ids,
  Instant,
  lock,
  ModelCatalogue,
  modelAccess,
  Scopes,
  sha256Hex,
  startingCredits,
  transact
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import { runInternal } from "./RunInternal.ts"

const operator = "operator"

const firstAccount = (id: Ids.AccountId, at: Instant.Instant): Account => ({
  id,
  name: "default",
  plan: "free",
  status: "active",
  voiceCampaigns: true,
  paymentMethod: "verified",
  paymentDeadline: null,
  monthlyBudget: null,
  createdAt: at,
  updatedAt: at
})

/** A key that may do everything. */
const firstKey = (
  id: ApiKeys.ApiKey["id"],
  tenantId: Ids.AccountId,
  text: string,
  keyPrefix: string,
  at: Instant.Instant
): ApiKeys.ApiKey => ({
  id,
  tenantId,
  hash: sha256Hex(text),
  prefix: ApiKeys.prefixOf(text, keyPrefix),
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
  expiresAt: null,
  revokedAt: null,
  createdAt: at
})

/**
 * One transaction for both: a process that dies leaves an account with a key that was shown, or nothing at all. Of
 * several processes that start together one finds no account; the others wait for it.
 */
const createFirst = Effect.fnUntraced(function* (keyPrefix: string) {
  yield* lock("account", "first")
  const store = yield* AccessStore
  if ((yield* store.listAccounts({ limit: 1, offset: 0 })).length > 0) return null
  const at = yield* Instant.now
  const account = firstAccount(yield* Ids.fresh<"Account">(), at)
  const text = ApiKeys.make(keyPrefix)
  const key = firstKey(yield* Ids.fresh<"Key">(), account.id, text, keyPrefix, at)
  const accounts = yield* Accounts
  yield* store.addAccount(account)
  yield* Credits.use((credits) => credits.grant(account.id, startingCredits, at))
  yield* accounts.record(account.id, operator, "account.create", account.id)
  yield* store.addKey(key)
  yield* accounts.record(account.id, operator, "key.create", key.id)
  const { byCategory } = modelAccess((yield* ModelCatalogue).all)[account.plan]
  return { accountId: account.id, key: text, speechModels: byCategory.stt }
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
