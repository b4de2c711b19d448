/** Accounts and the audit log: the use cases behind the admin API and the command line. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Bonuses, Credits, type Money, Spending } from "../billing/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import { type Read, Storage, type StorageError, type Tx } from "../storage/index.ts"
import { AccountNotFound } from "./AccessErrors.ts"
import { AccessStore } from "./AccessStore.ts"
import { type Account, type AccountOverview, accountOf, type NewAccount } from "./Account.ts"
import { type Actor, operator } from "./Actor.ts"
import type { AuditAction } from "./AuditAction.ts"
import { type AuditFilter, type AuditRecord, AuditStore } from "./AuditStore.ts"

export type AccountChange = Partial<
  Pick<Account, "name" | "plan" | "status" | "voiceCampaigns" | "paymentMethod" | "paymentDeadline" | "monthlyBudget">
>

/** The credit that every new account starts with. Source: docs/reference/credits.md#account. */
export const startingCredits = 1000n * 1_000_000_000n

/** Everything that the log has. */
export const wholeAudit: AuditFilter = { actor: null, action: null, targetId: null, from: null, to: null }

export class Accounts extends Context.Service<
  Accounts,
  {
    readonly create: (account: NewAccount) => Effect.Effect<Account, StorageError>
    readonly get: (id: Ids.AccountId) => Effect.Effect<Account, AccountNotFound | StorageError>
    /** The account with its balance and what it has spent. */
    readonly overview: (id: Ids.AccountId) => Effect.Effect<AccountOverview, AccountNotFound | StorageError>
    /** All accounts, newest first, each with its balance and what it has spent. */
    readonly overviews: (page: Page) => Effect.Effect<ReadonlyArray<AccountOverview>, StorageError>
    readonly change: (
      id: Ids.AccountId,
      change: AccountChange,
      actor: Actor
    ) => Effect.Effect<Account, AccountNotFound | StorageError>
    readonly addCredits: (
      id: Ids.AccountId,
      amount: Money.Nano,
      actor: Actor
    ) => Effect.Effect<Money.Nano, AccountNotFound | StorageError>
    /** What was done with the account and in it, newest first. */
    readonly audit: (
      id: Ids.AccountId,
      filter: AuditFilter,
      page: Page
    ) => Effect.Effect<Paged<AuditRecord>, AccountNotFound | StorageError>
    /** The account, as it is inside a transaction or a look. */
    readonly find: (id: Ids.AccountId) => Effect.Effect<Account | null, StorageError, Read>
    /** Writes down who did what to what, in the transaction in which it is done. */
    readonly record: (
      tenantId: Ids.AccountId,
      actor: Actor,
      action: AuditAction,
      targetId: string | null,
      targetName?: string | null
    ) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/accounts/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const store = yield* AccessStore
      const auditLog = yield* AuditStore
      const storage = yield* Storage
      const bonuses = yield* Bonuses
      const credits = yield* Credits
      const spending = yield* Spending

      const record = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        actor: Actor,
        action: AuditAction,
        targetId: string | null,
        targetName: string | null = null
      ) {
        yield* auditLog.add({
          id: yield* Ids.fresh(),
          tenantId,
          actor: actor.id,
          actorName: actor.name,
          action,
          targetId,
          targetName,
          at: yield* Instant.now
        })
      })

      const existing = Effect.fnUntraced(function* (id: Ids.AccountId) {
        const account = yield* store.findAccount(id)
        return account === null ? yield* new AccountNotFound({ id }) : account
      })

      const create = tracedFn("Accounts.create")(function* (given: NewAccount) {
        const at = yield* Instant.now
        const account = accountOf(yield* Ids.fresh<"Account">(), given, at)
        yield* store.addAccount(account)
        yield* credits.grant(account.id, startingCredits, at)
        yield* bonuses.grant(account.id, account.plan)
        yield* record(account.id, operator, "account.create", account.id)
        return account
      }, storage.transact)

      const change = tracedFn("Accounts.change")(function* (id: Ids.AccountId, changed: AccountChange, actor: Actor) {
        const account: Account = { ...(yield* existing(id)), ...changed, updatedAt: yield* Instant.now }
        yield* store.saveAccount(account)
        // Whatever changed: a plan may have been chosen, or an account that kept its plan may be active again.
        if (account.status === "active") yield* bonuses.grant(id, account.plan)
        yield* record(id, actor, "account.change", id)
        return account
      }, storage.transact)

      const addCredits = tracedFn("Accounts.addCredits")(function* (
        id: Ids.AccountId,
        amount: Money.Nano,
        actor: Actor
      ) {
        yield* existing(id)
        yield* credits.grant(id, amount, yield* Instant.now)
        yield* record(id, actor, "credits.add", id)
        return (yield* credits.balance(id)).balance
      }, storage.transact)

      const withMoney = Effect.fnUntraced(function* (accounts: ReadonlyArray<Account>) {
        const ids = accounts.map(({ id }) => id)
        const balances = yield* credits.balances(ids)
        const spent = yield* spending.ofAccounts(ids)
        return accounts.map(
          (account, i): AccountOverview => ({
            ...account,
            balance: balances[i]!.balance,
            reserved: balances[i]!.reserved,
            spentThisMonth: spent.get(account.id) ?? 0n
          })
        )
      })

      const overview = tracedFn("Accounts.overview")(function* (id: Ids.AccountId) {
        return (yield* withMoney([yield* existing(id)]))[0]!
      }, storage.read)

      const audit = tracedFn("Accounts.audit")(function* (id: Ids.AccountId, filter: AuditFilter, page: Page) {
        const account = yield* existing(id)
        const entries = yield* auditLog.list(id, filter, page)
        const keys = yield* store.keys([...new Set(entries.flatMap(keysIn))])
        const names = new Map<string, string>([
          [account.id, account.name],
          ...keys.map(({ id, name, prefix }) => [id, name ?? prefix] as const)
        ])
        // Entries of an earlier release have no names.
        const items = entries.map(
          (entry): AuditRecord => ({
            ...entry,
            actorName: entry.actorName ?? names.get(keyOf(entry.actor) ?? "") ?? null,
            targetName: entry.targetName ?? names.get(entry.targetId ?? "") ?? null
          })
        )
        return { items, total: yield* auditLog.count(id, filter) }
      }, storage.read)

      return Accounts.of({
        create,
        change,
        addCredits,
        record,
        find: store.findAccount,
        get: (id) => storage.read(existing(id)),
        overview,
        overviews: (page) => storage.read(Effect.flatMap(store.listAccounts(page), withMoney)),
        audit
      })
    })
  )
}

/** The key that an entry's actor is. */
const keyOf = (actor: string): Ids.KeyId | null => {
  const [, id = ""] = /^key:(.*)$/.exec(actor) ?? []
  return Ids.isUuid(id) ? Ids.as(id) : null
}

const keysIn = ({ action, actor, targetId }: AuditRecord): ReadonlyArray<Ids.KeyId> =>
  [keyOf(actor), action.startsWith("key.") && targetId !== null ? Ids.as<"Key">(targetId) : null].filter(
    (id) => id !== null
  )
