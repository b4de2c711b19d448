/** API keys of an account, as an operator manages them. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Accounts, type ApiKeys, KnownModels, operator, Scopes } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { accountId, anyAccountId, argument, operatorPages, options } from "../Arguments.ts"
import { CreditText, creditsOf } from "../CreditText.ts"
import type { Method, PageOptions } from "../Facade.ts"
import { type InvalidField, schemaRefused } from "../TrunklineError.ts"

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
    budget: Schema.optionalKey(CreditText),
    budgetPeriod: Schema.optionalKey(Schema.Literals(["total", "month"])),
    models: Schema.optionalKey(strings),
    domains: Schema.optionalKey(strings),
    searchProviders: Schema.optionalKey(strings),
    requestsPerMinute: Schema.optionalKey(count),
    concurrency: Schema.optionalKey(count),
    expiresAt: Schema.optionalKey(Instant.Given)
  })

export interface KeyOptions {
  /** For people to recognise it by: 1 to 255 characters. */
  readonly name?: string
  /** In the brand's words; all of them by default. */
  readonly scopes?: ReadonlyArray<string>
  /** All of them by default. */
  readonly permissions?: ReadonlyArray<Scopes.Permission>
  /** Decimal credits, up to nine places. */
  readonly budget?: string
  /** Whether the budget is for the key's whole life or for each month (UTC). `total` by default. */
  readonly budgetPeriod?: "total" | "month"
  /** Ids of the catalogue. */
  readonly models?: ReadonlyArray<string>
  /** Hosts of pages that may use the key in a browser; `*.example.com` covers subdomains. */
  readonly domains?: ReadonlyArray<string>
  /** Providers of web search that the key may use; all of them by default. */
  readonly searchProviders?: ReadonlyArray<string>
  /** The largest number of requests in a minute; the plan's by default. */
  readonly requestsPerMinute?: number
  /** The largest number of requests under way; the plan's by default. */
  readonly concurrency?: number
  /** In the future. */
  readonly expiresAt?: Date | number | string
}

/** A key without its digest. Budgets are nano-credits. */
export type KeyRecord = Omit<ApiKeys.ApiKey, "hash">

/** A key and what it has spent in the present period of its budget, in nano-credits; null where it has no budget. */
export type KeyOverview = Omit<ApiKeys.KeyOverview, "hash">

/** API keys. Source: docs/reference/access.md#keys. */
export interface KeysFacade {
  /** Makes a key and answers its text, which cannot be read again. */
  readonly createKey: (accountId: string, options?: KeyOptions) => Promise<KeyRecord & { readonly text: string }>
  /** An account's keys, revoked and expired ones included, newest first. `limit` is 100 by default. */
  readonly listKeys: (accountId: string, page?: PageOptions) => Promise<ReadonlyArray<KeyOverview>>
  /** Revokes a key: every later request with it is refused. Throws `key_not_found`. */
  readonly revokeKey: (id: string) => Promise<KeyRecord>
}

const withoutHash = <Key extends ApiKeys.ApiKey>({ hash: _, ...key }: Key): Omit<Key, "hash"> => key

/** Faults that only the clock and the catalogue can find: a key that has expired, or that may use no model, could never be used. */
const invalidKey = Effect.fnUntraced(function* (expiresAt: Instant.Instant | undefined, models: ReadonlyArray<string>) {
  const now = yield* Instant.now
  const known = yield* KnownModels
  const expired: ReadonlyArray<InvalidField> =
    expiresAt === undefined || expiresAt > now
      ? []
      : [{ path: ["expiresAt"], message: `A key must expire in the future; it is ${Instant.toIso(now)} now` }]
  const unknown = models.flatMap((id, at): ReadonlyArray<InvalidField> => {
    if (known.has(id)) return []
    const similar = known.ids.filter((one) => one.includes(id))
    const hint = similar.length === 0 ? "" : `Did you mean ${similar.slice(0, 5).join(", ")}? `
    return [
      { path: ["models", at], message: `There is no model ${id}. ${hint}GET /v1/models lists all that there are` }
    ]
  })
  return [...expired, ...unknown]
})

export const keysFacade = (method: Method, brand: Brand): KeysFacade => ({
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
  listKeys: method([anyAccountId, operatorPages], (id, page) =>
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
  )
})
