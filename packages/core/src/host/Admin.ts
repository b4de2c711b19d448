/** What an operator may do: accounts, keys, tokens, credits and the audit log, as promises. */
import * as Effect from "effect/Effect"
import {
  type Account,
  type AccountChange,
  type AccountOverview,
  Accounts,
  type ApiKeys,
  type AuditRecord,
  type Resealed,
  Scopes,
  Tokens
} from "../access/index.ts"
import { Money } from "../billing/index.ts"
import type { Brand } from "../http/index.ts"
import { ModelCatalogue } from "../inference/index.ts"
import { Ids, Instant, isLonger } from "../kernel/index.ts"
import { transact } from "../storage/index.ts"
import type { Services } from "./Assembly.ts"
import { uuid } from "./OutsideId.ts"
import { reencryptSecrets } from "./Reencryption.ts"
import { TrunklineError } from "./TrunklineError.ts"

export interface KeyOptions {
  /** For people to recognise it by: 1 to 255 characters. */
  readonly name?: string
  /** In the brand's words; all of them by default. */
  readonly scopes?: ReadonlyArray<string>
  /** All of them by default. */
  readonly permissions?: ReadonlyArray<Scopes.Permission>
  /** Decimal credits, up to nine places. */
  readonly budget?: string
  readonly budgetPeriod?: "total" | "month"
  /** Ids of the catalogue: others are refused with `model_unknown`. */
  readonly models?: ReadonlyArray<string>
  readonly domains?: ReadonlyArray<string>
  readonly searchProviders?: ReadonlyArray<string>
  readonly requestsPerMinute?: number
  readonly concurrency?: number
  /** In the future: others are refused with `expiry_invalid`. */
  readonly expiresAt?: Date
}

type PageOf = { readonly limit?: number; readonly offset?: number }

/** A key without its digest. Budgets are nano-credits. */
export type KeyRecord = Omit<ApiKeys.ApiKey, "hash">

/** A key and what it has spent in the present period of its budget, in nano-credits; null where it has no budget. */
export type KeyOverview = Omit<ApiKeys.KeyOverview, "hash">

export interface Admin {
  /**
   * Makes an account with 1000 credits and its plan's bonus of the month. The voice-campaigns feature is off unless asked for;
   * while it is off, the routes of campaigns, of the do-not-call list and of telephony answer 404. Source: docs/access.md#accounts.
   */
  readonly createAccount: (account: {
    readonly name: string
    readonly plan?: Account["plan"]
    readonly voiceCampaigns?: boolean
  }) => Promise<Account>
  /** The account with its balance and what it has spent this month, in nano-credits. */
  readonly getAccount: (id: string) => Promise<AccountOverview>
  /** All accounts, newest first, each as `getAccount` answers it. `limit` is 100 by default. */
  readonly listAccounts: (page?: PageOf) => Promise<ReadonlyArray<AccountOverview>>
  readonly changeAccount: (id: string, change: AccountChange) => Promise<Account>
  /** Makes a key and answers its text, which cannot be read again. */
  readonly createKey: (accountId: string, options?: KeyOptions) => Promise<KeyRecord & { readonly text: string }>
  /** An account's keys, revoked and expired ones included, newest first. `limit` is 100 by default. */
  readonly listKeys: (accountId: string, page?: PageOf) => Promise<ReadonlyArray<KeyOverview>>
  readonly revokeKey: (id: string) => Promise<KeyRecord>
  /** Signs a dashboard token with the shared secret, and writes `token.create` to the audit log. */
  readonly createToken: (
    accountId: string,
    token: { readonly role: string; readonly subject?: string; readonly secondsToLive?: number }
  ) => Promise<{ readonly token: string; readonly expiresAt: Date }>
  /**
   * Signs a token that opens an account's webhooks portal and nothing else, for 900 seconds unless told otherwise, a day
   * at most. `subject` is how the audit log names whoever uses it. Source: docs/webhooks-portal.md#token.
   */
  readonly createPortalToken: (
    accountId: string,
    token?: { readonly secondsToLive?: number; readonly subject?: string }
  ) => Promise<{ readonly token: string; readonly expiresAt: Date }>
  /** Adds decimal credits, up to nine places; answers with the balance. */
  readonly addCredits: (accountId: string, amount: string) => Promise<string>
  readonly credits: (accountId: string) => Promise<{ readonly balance: string; readonly reserved: string }>
  /**
   * Seals the secrets of webhooks and the tokens of connected numbers, of all accounts, with the present `encryptionKey`; tells
   * how many were sealed anew, and how many no key opens. May be called while the product runs, in any number of processes.
   * Source: docs/operations.md#keys.
   */
  readonly resealSecrets: () => Promise<Resealed>
  /** Newest first. */
  readonly audit: (accountId: string, page?: PageOf) => Promise<ReadonlyArray<AuditRecord>>
}

type Run = <A, E>(program: Effect.Effect<A, E, Services>) => Promise<A>

const operator = "operator"
const dayInSeconds = 86_400
const quarterInSeconds = 900

const refusal = (code: string, message: string) => new TrunklineError(code, 422, message)

const refuse = (code: string, message: string): never => {
  throw refusal(code, message)
}

const creditsOf = (text: string): Money.Nano =>
  Money.parseCredits(text) ??
  refuse(
    "amount_invalid",
    `${JSON.stringify(text)} is not an amount of credits: use a decimal number with up to nine places`
  )

const withoutHash = <Key extends ApiKeys.ApiKey>({ hash: _, ...key }: Key): Omit<Key, "hash"> => key

const checkName = (of: string, name: string) => {
  if (name.trim() === "" || isLonger(name, 255))
    refuse("name_invalid", `${of} name has 1 to 255 characters, and not white space alone`)
}

/** A key that has expired, or that may use no model, could never be used: nobody means that. */
const checkKey = Effect.fnUntraced(function* ({ expiresAt, models = [] }: KeyOptions) {
  const now = yield* Instant.now
  if (expiresAt !== undefined && !(expiresAt.getTime() > now)) {
    return yield* Effect.fail(
      refusal("expiry_invalid", `A key must expire in the future; it is ${Instant.toIso(now)} now`)
    )
  }
  const catalogue = yield* ModelCatalogue
  const unknown = models.find((id) => catalogue.get(id) === null)
  if (unknown === undefined) return
  const similar = catalogue.listed.map(({ id }) => id).filter((id) => id.includes(unknown))
  const hint = similar.length === 0 ? "" : `Did you mean ${similar.slice(0, 5).join(", ")}? `
  return yield* Effect.fail(
    refusal("model_unknown", `There is no model ${unknown}. ${hint}GET /v1/models lists all that there are`)
  )
})

export const admin = (run: Run, brand: Brand): Admin => {
  const account = (id: string) => Ids.as<"Account">(uuid(id))
  const page = ({ limit = 100, offset = 0 }: PageOf = {}) => ({ limit, offset })
  const scopeOf = (text: string): Scopes.Grant =>
    Scopes.parse(text, brand.channel) ??
    refuse(
      "scope_unknown",
      `There is no scope ${text}. The scopes are ${Scopes.scopes.map((scope) => Scopes.render(scope, brand.channel)).join(", ")} and *.`
    )

  /** Signs a token for an account that exists. */
  const tokenFor = (
    id: string,
    secondsToLive: number,
    sign: (
      settings: Tokens.TokenSettings,
      times: { readonly issuedAt: Instant.Instant; readonly expiresAt: Instant.Instant }
    ) => Effect.Effect<string, Tokens.TokenRefused>
  ) =>
    run(
      Effect.gen(function* () {
        yield* Accounts.use((accounts) => accounts.get(account(id)))
        const issuedAt = yield* Instant.now
        // A token tells whole seconds only, and what is told beside it must be the same.
        const expiresAt = Instant.make(Math.floor(issuedAt / Instant.second + secondsToLive) * Instant.second)
        const token = yield* Effect.mapError(
          sign(yield* Tokens.TokenSettings, { issuedAt, expiresAt }),
          ({ detail }) => new TrunklineError("token_secret_missing", 500, detail)
        )
        return { token, expiresAt: new Date(expiresAt) }
      })
    )

  return {
    createAccount: async ({ name, plan = "free", voiceCampaigns = false }) => {
      checkName("An account's", name)
      return run(Accounts.use((accounts) => accounts.create({ name, plan, voiceCampaigns })))
    },
    getAccount: async (id) => run(Accounts.use((accounts) => accounts.overview(account(id)))),
    listAccounts: async (o) => run(Accounts.use((accounts) => accounts.overviews(page(o)))),
    changeAccount: async (id, change) =>
      run(Accounts.use((accounts) => accounts.change(account(id), change, operator))),
    createKey: async (id, options = {}) => {
      if (options.name !== undefined) checkName("A key's", options.name)
      const { key, text } = await run(
        Effect.andThen(
          checkKey(options),
          Accounts.use((accounts) =>
            accounts.createKey(
              {
                tenantId: account(id),
                name: options.name ?? null,
                scopes: options.scopes?.map(scopeOf) ?? ["*"],
                permissions: options.permissions ?? Scopes.permissions,
                budget: options.budget === undefined ? null : creditsOf(options.budget),
                budgetPeriod: options.budgetPeriod ?? "total",
                allowedModels: options.models ?? null,
                allowedDomains: options.domains ?? null,
                searchProviders: options.searchProviders ?? null,
                requestsPerMinute: options.requestsPerMinute ?? null,
                concurrency: options.concurrency ?? null,
                expiresAt: options.expiresAt === undefined ? null : Instant.make(options.expiresAt.getTime())
              },
              operator
            )
          )
        )
      )
      return { ...withoutHash(key), text }
    },
    listKeys: async (id, o) =>
      (await run(Accounts.use((accounts) => accounts.listKeys(account(id), page(o))))).map(withoutHash),
    revokeKey: async (id) =>
      withoutHash(await run(Accounts.use((accounts) => accounts.revokeKey(Ids.as(uuid(id)), operator)))),
    createToken: async (id, { role, secondsToLive = dayInSeconds, subject = "operator" }) => {
      const made = await tokenFor(id, secondsToLive, (settings, times) =>
        Tokens.sign(settings, { subject, account: account(id), role }, times)
      )
      const target = `user:${subject}`
      await run(transact(Accounts.use((accounts) => accounts.record(account(id), operator, "token.create", target))))
      return made
    },
    createPortalToken: async (id, { secondsToLive = quarterInSeconds, subject = "portal" } = {}) => {
      if (!Number.isInteger(secondsToLive) || secondsToLive < 1 || secondsToLive > dayInSeconds)
        refuse("seconds_invalid", `A portal token lives for 1 to ${dayInSeconds} whole seconds, not ${secondsToLive}`)
      return tokenFor(id, secondsToLive, (settings, times) =>
        Tokens.signPortal(settings, { subject, account: account(id) }, times)
      )
    },
    addCredits: async (id, amount) => {
      const nano = creditsOf(amount)
      if (nano === 0n) refuse("amount_invalid", "There is nothing to add: give an amount above 0")
      return Money.formatCredits(
        await run(Accounts.use((accounts) => accounts.addCredits(account(id), nano, operator)))
      )
    },
    credits: async (id) =>
      run(
        Effect.gen(function* () {
          const { balance, reserved } = yield* Accounts.use((accounts) => accounts.overview(account(id)))
          return { balance: Money.formatCredits(balance), reserved: Money.formatCredits(reserved) }
        })
      ),
    resealSecrets: () => run(reencryptSecrets("all")),
    audit: async (id, o) => run(Accounts.use((accounts) => accounts.audit(account(id), page(o))))
  }
}
