/** What an operator may do: accounts, keys, tokens, credits and the audit log, as promises. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  type Account,
  type AccountOverview,
  AccountStatus,
  Accounts,
  type ApiKeys,
  type AuditRecord,
  PaymentMethod,
  Plan,
  type Resealed,
  Scopes,
  Tokens
} from "../access/index.ts"
import { Money } from "../billing/index.ts"
import * as Fields from "../http/Fields.ts"
import { ModelCatalogue } from "../inference/index.ts"
import type { Brand } from "../kernel/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { transact } from "../storage/index.ts"
import { accountId, argument, given, options, paged, record } from "./Arguments.ts"
import type { Method } from "./Part.ts"
import { reencryptSecrets } from "./Reencryption.ts"
import { type InvalidField, schemaRefused, TrunklineError } from "./TrunklineError.ts"

const dayInSeconds = 86_400
const quarterInSeconds = 900
const maxSecondsToLive = 10 * 366 * dayInSeconds

const newAccount = Schema.Struct({
  name: Fields.name(255),
  plan: Schema.optionalKey(Plan),
  voiceCampaigns: Schema.optionalKey(Schema.Boolean)
})

/** Nano-credits that fit the columns of both databases, and the text that `parseCredits` reads. */
const Nano = Schema.BigInt.check(
  Schema.makeFilter(
    (nano: bigint) => (nano >= 0n && nano < 10n ** 18n) || "Expected nano-credits from 0 to 10^18 - 1, as a bigint"
  )
)

/** Absent fields keep their values. Source: docs/access.md#accounts. */
export interface AccountFields {
  readonly name?: string
  readonly plan?: Account["plan"]
  readonly status?: Account["status"]
  readonly voiceCampaigns?: boolean
  readonly paymentMethod?: Account["paymentMethod"]
  /** The end of the grace period. */
  readonly paymentDeadline?: Date | number | string | null
  /** Nano-credits; null for none. */
  readonly monthlyBudget?: bigint | null
}

const accountChange = given<AccountFields>()(
  Schema.Struct({
    name: Schema.optionalKey(Fields.name(255)),
    plan: Schema.optionalKey(Plan),
    status: Schema.optionalKey(AccountStatus),
    voiceCampaigns: Schema.optionalKey(Schema.Boolean),
    paymentMethod: Schema.optionalKey(PaymentMethod),
    paymentDeadline: Fields.optional(Instant.Given),
    monthlyBudget: Fields.optional(Nano)
  })
)

const amountOf = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      Money.parseCredits(text) !== undefined ||
      `${JSON.stringify(text)} is not an amount of credits: use a decimal number with up to nine places`
  )
)

const positive = amountOf.check(
  Schema.makeFilter(
    (text: string) => Money.parseCredits(text) !== 0n || "There is nothing to add: give an amount above 0"
  )
)

const count = Fields.integer(1, 999_999_999)
const strings = Schema.Array(Fields.text(1, 255))

const scopeIn = (brand: Brand) =>
  Schema.String.check(
    Schema.makeFilter(
      (text: string) =>
        Scopes.parse(text, brand.channel) !== undefined ||
        `There is no scope ${text}. The scopes are ${Scopes.scopes.map((scope) => Scopes.render(scope, brand.channel)).join(", ")} and *.`
    )
  )

const keyOptions = (brand: Brand) =>
  Schema.Struct({
    name: Schema.optionalKey(Fields.name(255)),
    scopes: Schema.optionalKey(Schema.Array(scopeIn(brand))),
    permissions: Schema.optionalKey(Schema.Array(Schema.Literals(Scopes.permissions))),
    budget: Schema.optionalKey(amountOf),
    budgetPeriod: Schema.optionalKey(Schema.Literals(["total", "month"])),
    models: Schema.optionalKey(strings),
    domains: Schema.optionalKey(strings),
    searchProviders: Schema.optionalKey(strings),
    requestsPerMinute: Schema.optionalKey(count),
    concurrency: Schema.optionalKey(count),
    expiresAt: Schema.optionalKey(Instant.Given)
  })

const newToken = Schema.Struct({
  role: Fields.text(1, 64),
  subject: Schema.optionalKey(Fields.text(1, 255)),
  secondsToLive: Schema.optionalKey(Fields.integer(1, maxSecondsToLive))
})

const portalToken = Schema.Struct({
  subject: Schema.optionalKey(Fields.text(1, 255)),
  secondsToLive: Schema.optionalKey(Fields.integer(1, dayInSeconds))
})

const pages = paged({ limit: 500, standard: 100, offset: 1_000_000 })

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
  /** Ids of the catalogue. */
  readonly models?: ReadonlyArray<string>
  readonly domains?: ReadonlyArray<string>
  readonly searchProviders?: ReadonlyArray<string>
  readonly requestsPerMinute?: number
  readonly concurrency?: number
  /** In the future. */
  readonly expiresAt?: Date | number | string
}

interface PageOf {
  readonly limit?: number
  readonly offset?: number
}

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
  readonly changeAccount: (id: string, change: AccountFields) => Promise<Account>
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
   * Signs a token that opens an account's webhooks portal and nothing else, for 900 seconds by default, a day
   * at most. `subject` is who is named in the audit log. Source: docs/webhooks-portal.md#token.
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

/** The actor in the audit log for methods of the product object. */
const operator = "operator"

const withoutHash = <Key extends ApiKeys.ApiKey>({ hash: _, ...key }: Key): Omit<Key, "hash"> => key

/** Faults that only the clock and the catalogue can find: a key that has expired, or that may use no model, could never be used. */
const invalidKey = Effect.fnUntraced(function* (expiresAt: Instant.Instant | undefined, models: ReadonlyArray<string>) {
  const now = yield* Instant.now
  const catalogue = yield* ModelCatalogue
  const expired: ReadonlyArray<InvalidField> =
    expiresAt === undefined || expiresAt > now
      ? []
      : [{ path: ["expiresAt"], message: `A key must expire in the future; it is ${Instant.toIso(now)} now` }]
  const unknown = models.flatMap((id, at): ReadonlyArray<InvalidField> => {
    if (catalogue.get(id) !== null) return []
    const similar = catalogue.listed.map((model) => model.id).filter((known) => known.includes(id))
    const hint = similar.length === 0 ? "" : `Did you mean ${similar.slice(0, 5).join(", ")}? `
    return [
      { path: ["models", at], message: `There is no model ${id}. ${hint}GET /v1/models lists all that there are` }
    ]
  })
  return [...expired, ...unknown]
})

const creditsOf = (text: string | undefined): Money.Nano | null =>
  text === undefined ? null : (Money.parseCredits(text) ?? null)

/** Signs a token for an account that exists. */
const tokenFor = Effect.fnUntraced(function* (
  id: Ids.AccountId,
  secondsToLive: number,
  sign: (
    settings: Tokens.TokenSettings,
    times: { readonly issuedAt: Instant.Instant; readonly expiresAt: Instant.Instant }
  ) => Effect.Effect<string, Tokens.TokenRefused>
) {
  yield* Accounts.use((accounts) => accounts.get(id))
  const issuedAt = yield* Instant.now
  // A token has whole seconds only, and the answer must show the same instant.
  const expiresAt = Instant.make(Math.floor(issuedAt / Instant.second + secondsToLive) * Instant.second)
  const token = yield* Effect.mapError(
    sign(yield* Tokens.TokenSettings, { issuedAt, expiresAt }),
    ({ detail }) => new TrunklineError("token_secret_missing", 500, detail)
  )
  return { token, expiresAt: new Date(expiresAt) }
})

export const admin = (method: Method, brand: Brand): Admin => ({
  createAccount: method([record("account", newAccount)], ({ name, plan = "free", voiceCampaigns = false }) =>
    Accounts.use((accounts) => accounts.create({ name, plan, voiceCampaigns }))
  ),
  getAccount: method([accountId], (id) => Accounts.use((accounts) => accounts.overview(id))),
  listAccounts: method([pages], (page) => Accounts.use((accounts) => accounts.overviews(page))),
  changeAccount: method([accountId, record("change", accountChange)], (id, change) =>
    Accounts.use((accounts) => accounts.change(id, change, operator))
  ),
  createKey: method([accountId, options(keyOptions(brand))], (id, wanted) =>
    Effect.gen(function* () {
      const invalid = yield* invalidKey(wanted.expiresAt, wanted.models ?? [])
      if (invalid.length > 0) return yield* Effect.fail(schemaRefused(invalid))
      const { key, text } = yield* Accounts.use((accounts) =>
        accounts.createKey(
          {
            tenantId: id,
            name: wanted.name ?? null,
            scopes: wanted.scopes?.flatMap((scope) => Scopes.parse(scope, brand.channel) ?? []) ?? ["*"],
            permissions: wanted.permissions ?? Scopes.permissions,
            budget: creditsOf(wanted.budget),
            budgetPeriod: wanted.budgetPeriod ?? "total",
            allowedModels: wanted.models ?? null,
            allowedDomains: wanted.domains ?? null,
            searchProviders: wanted.searchProviders ?? null,
            requestsPerMinute: wanted.requestsPerMinute ?? null,
            concurrency: wanted.concurrency ?? null,
            expiresAt: wanted.expiresAt ?? null
          },
          operator
        )
      )
      return { ...withoutHash(key), text }
    })
  ),
  listKeys: method([accountId, pages], (id, page) =>
    Effect.map(
      Accounts.use((accounts) => accounts.listKeys(id, page)),
      (keys) => keys.map(withoutHash)
    )
  ),
  revokeKey: method([argument("id", Ids.schema<"Key">())], (id) =>
    Effect.map(
      Accounts.use((accounts) => accounts.revokeKey(id, operator)),
      withoutHash
    )
  ),
  createToken: method(
    [accountId, record("token", newToken)],
    (id, { role, secondsToLive = dayInSeconds, subject = "operator" }) =>
      Effect.tap(
        tokenFor(id, secondsToLive, (settings, times) => Tokens.sign(settings, { subject, account: id, role }, times)),
        transact(Accounts.use((accounts) => accounts.record(id, operator, "token.create", `user:${subject}`)))
      )
  ),
  createPortalToken: method(
    [accountId, options(portalToken, "token")],
    (id, { secondsToLive = quarterInSeconds, subject = "portal" }) =>
      tokenFor(id, secondsToLive, (settings, times) => Tokens.signPortal(settings, { subject, account: id }, times))
  ),
  addCredits: method([accountId, argument("amount", positive)], (id, amount) =>
    Effect.map(
      Accounts.use((accounts) => accounts.addCredits(id, creditsOf(amount) ?? 0n, operator)),
      Money.formatCredits
    )
  ),
  credits: method([accountId], (id) =>
    Effect.map(
      Accounts.use((accounts) => accounts.overview(id)),
      ({ balance, reserved }) => ({ balance: Money.formatCredits(balance), reserved: Money.formatCredits(reserved) })
    )
  ),
  resealSecrets: method([], () => reencryptSecrets("all")),
  audit: method([accountId, pages], (id, page) => Accounts.use((accounts) => accounts.audit(id, page)))
})
