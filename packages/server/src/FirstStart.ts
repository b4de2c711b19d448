/** The first start of an installation makes an account that can be used at once. */
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
import { inside } from "./Inside.ts"

const operator = "operator"

/**
 * One transaction for both: a process that dies leaves an account with a key that was shown, or nothing at all. Of
 * several processes that start together one finds no account; the others wait for it.
 */
const make = Effect.fnUntraced(function* (keyPrefix: string) {
  yield* lock("account", "first")
  const store = yield* AccessStore
  if ((yield* store.listAccounts({ limit: 1, offset: 0 })).length > 0) return null
  const at = yield* Instant.now
  const account: Account = {
    id: yield* Ids.fresh<"Account">(),
    name: "default",
    plan: "free",
    status: "active",
    voiceCampaigns: true,
    paymentMethod: "verified",
    paymentDeadline: null,
    monthlyBudget: null,
    createdAt: at,
    updatedAt: at
  }
  const text = ApiKeys.make(keyPrefix)
  const key: ApiKeys.ApiKey = {
    id: yield* Ids.fresh<"Key">(),
    tenantId: account.id,
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
  }
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
  inside(core, transact(make(keyPrefix)))
