/** API keys of an account, as an operator manages them. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type ApiKeys, operator, Scopes } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import { Ids, Instant, Wire } from "../../platform/kernel/index.ts"
import { allKeys, type InvalidKey, type KeyChange, Keys } from "../../platform/keys/index.ts"
import {
  BudgetPeriod,
  KeyCount,
  KeyName,
  KeyNames,
  KeyPermissions,
  OverlapSeconds,
  standardOverlapSeconds
} from "../../platform/keys/KeysApi.ts"
import { accountId, anyAccountId, argument, operatorPages, options, record } from "../Arguments.ts"
import { CreditText, creditsOf } from "../CreditText.ts"
import type { Method, PageOptions } from "../Facade.ts"
import { schemaRefused } from "../TrunklineError.ts"

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
    name: Schema.optionalKey(KeyName),
    scopes: Schema.optionalKey(Schema.Array(scopeIn(brand))),
    permissions: Schema.optionalKey(KeyPermissions),
    budget: Schema.optionalKey(CreditText),
    budgetPeriod: Schema.optionalKey(BudgetPeriod),
    models: Schema.optionalKey(KeyNames),
    domains: Schema.optionalKey(KeyNames),
    searchProviders: Schema.optionalKey(KeyNames),
    requestsPerMinute: Schema.optionalKey(KeyCount),
    concurrency: Schema.optionalKey(KeyCount),
    expiresAt: Schema.optionalKey(Instant.Given)
  })

const orNone = <S extends Schema.Constraint>(of: S) => Schema.optionalKey(Schema.NullOr(of))

const keyChange = (brand: Brand) =>
  Schema.Struct({
    name: orNone(KeyName),
    scopes: Schema.optionalKey(Schema.Array(scopeIn(brand))),
    permissions: Schema.optionalKey(KeyPermissions),
    budget: orNone(CreditText),
    budgetPeriod: Schema.optionalKey(BudgetPeriod),
    models: orNone(KeyNames),
    domains: orNone(KeyNames),
    searchProviders: orNone(KeyNames),
    requestsPerMinute: orNone(KeyCount),
    concurrency: orNone(KeyCount),
    expiresAt: orNone(Instant.Given)
  })

const rotation = Schema.Struct({ overlapSeconds: Schema.optionalKey(OverlapSeconds) })

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

/** What changes of a key: what is left out stays, and null removes a limit. */
export type KeyChangeOptions = { readonly [K in Limit]?: KeyOptions[K] | null } & Omit<KeyOptions, Limit>

type Limit = Exclude<keyof KeyOptions, "scopes" | "permissions" | "budgetPeriod">

type Digest = "hash" | "previousHash"

/** A key without its digests. Budgets are nano-credits. */
export type KeyRecord = Omit<ApiKeys.ApiKey, Digest>

/**
 * A key, what it has spent in nano-credits, in the present period of its budget or without one in its lifetime, and when it was used
 * last, to a minute.
 */
export type KeyOverview = Omit<ApiKeys.KeyOverview, Digest>

/** A key and its text, which cannot be read again. */
export type KeyWithText = KeyOverview & { readonly text: string }

/** API keys. Source: docs/reference/access.md#keys. */
export interface KeysFacade {
  /** Makes a key and answers its text, which cannot be read again. */
  readonly createKey: (accountId: string, options?: KeyOptions) => Promise<KeyWithText>
  /** An account's keys, revoked and expired ones included, newest first. `limit` is 100 by default. */
  readonly listKeys: (accountId: string, page?: PageOptions) => Promise<ReadonlyArray<KeyOverview>>
  /** Changes a key, from its next request on. Throws `key_not_found`, and `key_revoked`. */
  readonly changeKey: (id: string, change: KeyChangeOptions) => Promise<KeyOverview>
  /**
   * Gives a key another text; id, limits and spend stay. The text before it works for a day, or as long as `overlapSeconds` says, and
   * one before that works no more. Throws `key_not_found`, `key_revoked` and `key_expired`.
   */
  readonly rotateKey: (id: string, options?: { readonly overlapSeconds?: number }) => Promise<KeyWithText>
  /** Revokes a key: every later request with it is refused. Throws `key_not_found`. */
  readonly revokeKey: (id: string) => Promise<KeyOverview>
}

const shown = ({ hash: _, previousHash: __, ...key }: ApiKeys.KeyOverview): KeyOverview => key

const shownOnce = ({ key, text }: { readonly key: ApiKeys.KeyOverview; readonly text: string }): KeyWithText => ({
  ...shown(key),
  text
})

/** Fields that only the clock and the catalogue can find wrong are refused as others are. */
const faulty = ({ faults }: InvalidKey) =>
  Effect.fail(schemaRefused(faults.map(({ field, message }) => ({ path: Wire.pathOf(field), message }))))

const keyId = argument("id", Ids.schema<"Key">())

const ofAnyAccount = (id: Ids.Id<"Key">) => ({ tenantId: null, id })

export const keysFacade = (method: Method, brand: Brand): KeysFacade => {
  const grantsOf = (scopes: ReadonlyArray<string>) =>
    scopes.flatMap((scope) => Scopes.parse(scope, brand.channel) ?? [])

  return {
    createKey: method([accountId, options(keyOptions(brand))], (id, wanted) =>
      Keys.use((keys) =>
        keys.create(
          {
            tenantId: id,
            name: wanted.name ?? null,
            scopes: wanted.scopes === undefined ? ["*"] : grantsOf(wanted.scopes),
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
      ).pipe(Effect.map(shownOnce), Effect.catchTag("InvalidKey", faulty))
    ),
    listKeys: method([anyAccountId, operatorPages], (id, page) =>
      Effect.map(
        Keys.use((keys) => keys.list(id, allKeys, page)),
        ({ items }) => items.map(shown)
      )
    ),
    changeKey: method(
      [keyId, record("change", keyChange(brand))],
      (id, { budget, models, domains, scopes, ...given }) => {
        const change: KeyChange = {
          ...given,
          ...(budget === undefined ? {} : { budget: budget === null ? null : creditsOf(budget) }),
          ...(models === undefined ? {} : { allowedModels: models }),
          ...(domains === undefined ? {} : { allowedDomains: domains }),
          ...(scopes === undefined ? {} : { scopes: grantsOf(scopes) })
        }
        return Keys.use((keys) => keys.change(ofAnyAccount(id), change, operator)).pipe(
          Effect.map(shown),
          Effect.catchTag("InvalidKey", faulty)
        )
      }
    ),
    rotateKey: method([keyId, options(rotation)], (id, { overlapSeconds = standardOverlapSeconds }) =>
      Effect.map(
        Keys.use((keys) => keys.rotate(ofAnyAccount(id), overlapSeconds * Instant.second, operator)),
        shownOnce
      )
    ),
    revokeKey: method([keyId], (id) =>
      Effect.map(
        Keys.use((keys) => keys.revoke(ofAnyAccount(id), operator)),
        shown
      )
    )
  }
}
