/** The contract of an account's keys. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { ApiKeys, Scopes } from "../accounts/index.ts"
import { Money } from "../billing/index.ts"
import { BodyExamples } from "../http/describe/BodyExamples.ts"
import { FieldTexts } from "../http/describe/FieldTexts.ts"
import * as Fields from "../http/Fields.ts"
import { ForPeople, NeedsScope, PlatformAuth } from "../http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors } from "../http/PlatformErrors.ts"
import { Ids, Instant } from "../kernel/index.ts"

/** A limit of a key. */
export const KeyCount = Fields.integer(1, 999_999_999)

/** Names of models, domains or providers. */
export const KeyNames = Schema.Array(Fields.text(1, 255)).check(Schema.isMaxLength(1000))

/** More than there are: a word that stands there twice counts once. */
const maxWords = 100

export const KeyPermissions = Schema.Array(Schema.Literals(Scopes.permissions)).check(Schema.isMaxLength(maxWords))

export const BudgetPeriod = Schema.Literals(["total", "month"])

export const KeyName = Fields.name(255)

const maxCredits = 1_000_000_000

/** Exactly what was written: an amount that would be rounded is refused. */
const Credits = Schema.Number.check(
  Schema.makeFilter(
    (value: number) =>
      (value >= 0 && value < maxCredits && Money.toNumber(Money.fromConfigured(value)) === value) ||
      "Expected credits from 0 to 999999999, with up to nine decimal places",
    {
      representation: { id: "trunkline/credits", payload: {} },
      toJsonSchema: () => ({ minimum: 0, exclusiveMaximum: maxCredits })
    }
  )
)

const scopesOf = (channel: string) =>
  Schema.Array(Schema.Literals([...Scopes.scopes.map((scope) => Scopes.render(scope, channel)), "*"])).check(
    Schema.isMaxLength(maxWords)
  )

const KeyBody = Schema.Struct({
  id: Ids.schema<"Key">(),
  name: Schema.NullOr(Schema.String),
  prefix: Schema.String,
  state: Schema.Literals(ApiKeys.keyStates),
  scopes: Schema.Array(Schema.String),
  permissions: Schema.Array(Schema.Literals(Scopes.permissions)),
  budget: Schema.NullOr(Schema.Number),
  budget_period: BudgetPeriod,
  spent: Schema.Number,
  models: Schema.NullOr(Schema.Array(Schema.String)),
  domains: Schema.NullOr(Schema.Array(Schema.String)),
  search_providers: Schema.NullOr(Schema.Array(Schema.String)),
  rpm: Schema.NullOr(Schema.Int),
  concurrency: Schema.NullOr(Schema.Int),
  expires_at: Schema.NullOr(Instant.Iso),
  revoked_at: Schema.NullOr(Instant.Iso),
  last_used_at: Schema.NullOr(Instant.Iso),
  previous_prefix: Schema.NullOr(Schema.String),
  previous_until: Schema.NullOr(Instant.Iso),
  created_at: Instant.Iso,
  created_by: Schema.String
})

export type KeyRecordBody = typeof KeyBody.Type

const KeyShown = KeyBody.annotate({ identifier: "ApiKey" })

const KeyWithText = Schema.Struct({ ...KeyBody.fields, key: Schema.String }).annotate({ identifier: "ApiKeyWithText" })

const newKeyOf = (channel: string) =>
  Schema.Struct({
    name: Fields.optional(KeyName),
    scopes: scopesOf(channel),
    permissions: KeyPermissions,
    budget: Fields.optional(Credits),
    budget_period: Fields.optional(BudgetPeriod),
    models: Fields.optional(KeyNames),
    domains: Fields.optional(KeyNames),
    search_providers: Fields.optional(KeyNames),
    rpm: Fields.optional(KeyCount),
    concurrency: Fields.optional(KeyCount),
    expires_at: Fields.optional(Instant.AnyIso)
  }).annotate({ identifier: "NewApiKey" })

const orNone = <S extends Schema.Constraint>(of: S) => Schema.optionalKey(Schema.NullOr(of))

const changeOf = (channel: string) =>
  Schema.Struct({
    name: orNone(KeyName),
    scopes: Schema.optionalKey(scopesOf(channel)),
    permissions: Schema.optionalKey(KeyPermissions),
    budget: orNone(Credits),
    budget_period: Schema.optionalKey(BudgetPeriod),
    models: orNone(KeyNames),
    domains: orNone(KeyNames),
    search_providers: orNone(KeyNames),
    rpm: orNone(KeyCount),
    concurrency: orNone(KeyCount),
    expires_at: orNone(Instant.AnyIso)
  }).annotate({ identifier: "ApiKeyChange" })

export const keyPages = { limit: 500, standard: 100, offset: 1_000_000 }

/** How long the text before a rotation works, in seconds. */
export const standardOverlapSeconds = 86_400
export const OverlapSeconds = Fields.integer(0, 604_800)

const Rotation = Schema.Struct({ overlap_seconds: Fields.optional(OverlapSeconds) }).annotate({
  identifier: "ApiKeyRotation"
})

const one = { key_id: Ids.schema<"Key">() }

/** `channel`: the brand's word in scopes. */
export const keysGroup = (channel: string) =>
  HttpApiGroup.make("keys")
    .add(
      HttpApiEndpoint.get("list", "/", {
        query: {
          ...Fields.page(keyPages),
          state: Schema.optionalKey(Schema.Literals(ApiKeys.keyStates)),
          q: Schema.optionalKey(Fields.search)
        },
        success: Schema.Array(KeyShown)
      }).annotateMerge(
        OpenApi.annotations({
          summary: "List API keys",
          description:
            "Returns the keys of the account, newest first, revoked and expired ones too; the key itself is shown once, when it is made."
        })
      ),
      HttpApiEndpoint.post("create", "/", {
        payload: newKeyOf(channel),
        success: KeyWithText.pipe(HttpApiSchema.status(201)),
        error: Conflict
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Make an API key",
          description: "Makes a key and returns it in `key`, this once."
        })
      ),
      HttpApiEndpoint.get("get", "/:key_id", { params: one, success: KeyShown, error: NotFound }).annotateMerge(
        OpenApi.annotations({ summary: "Get an API key", description: "Returns one key, without the key itself." })
      ),
      HttpApiEndpoint.patch("change", "/:key_id", {
        params: one,
        payload: changeOf(channel),
        success: KeyShown,
        error: [NotFound, Conflict]
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Change an API key",
          description:
            "Changes what a key may do and its limits, from its next request on; null removes a limit, and a revoked key stays as it is."
        })
      ),
      HttpApiEndpoint.post("rotate", "/:key_id/rotate", {
        params: one,
        payload: Fields.optionalBody(Rotation),
        success: KeyWithText,
        error: [NotFound, Conflict]
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Rotate an API key",
          description:
            "Gives the record another key and returns it in `key`, this once, while id, limits and spend stay; the key before it works until `previous_until`, and one before that works no more."
        })
      ),
      HttpApiEndpoint.delete("revoke", "/:key_id", {
        params: one,
        success: HttpApiSchema.NoContent,
        error: NotFound
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Revoke an API key",
          description:
            "Ends a key and the one before its last rotation, from the next request on; the record stays, and may be revoked again."
        })
      )
    )
    .prefix("/api/v1/keys")
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotateEndpoints(NeedsScope, "keys:manage")
    .annotateEndpoints(ForPeople, "alone")
    .annotate(OpenApi.Description, "API keys of the account, which people alone manage")
    .annotate(BodyExamples, {
      create: {
        name: "Website",
        scopes: ["campaigns:read", "calls:read"],
        permissions: ["llm"],
        budget: 100,
        budget_period: "month"
      },
      change: { budget: 200, rpm: 60 },
      rotate: { overlap_seconds: 3600 }
    })
    .annotate(FieldTexts, {
      "query.state": "Returns only keys in this state",
      "query.q": "Part of the name or of the prefix; 1 to 100 characters. Case does not count",
      key: "The key itself, which is shown this once",
      name: "Name to recognise the key by; 1 to 255 characters, null without one",
      prefix: "First characters of the key, to recognise it by",
      state: "`active`, `expired` from its expiry on, or `revoked`",
      scopes: "What the key may do on the platform's routes; `*` stands for all that keys can have",
      permissions: "Services of `/v1/*` that the key may use",
      budget: "Credits that the key may spend in the period of its budget; null for no limit",
      budget_period: "`total` for the key's lifetime, or `month` for each calendar month of UTC; `total` by default",
      spent: "Credits that were spent in the period of the budget; without a budget in the key's lifetime",
      models: "Ids of the models that the key may use; null for all",
      domains: "Hosts of pages that may use the key in a browser; null for all. `*.example.com` covers subdomains",
      search_providers: "Search providers that the key may use; null for all",
      rpm: "Largest number of requests in a minute; null for the plan's",
      concurrency: "Largest number of requests under way; null for the plan's",
      expires_at: "Instant from which on the key does not work; null for never",
      revoked_at: "Instant at which the key was revoked; null for a key that was not",
      last_used_at: "Instant of the latest request with the key, to a minute; null before the first one",
      previous_prefix: "First characters of the key before the last rotation, while it works; else null",
      previous_until: "Instant until which the key before the last rotation works; null where it does not",
      created_by: "Who made the key: `user:<subject>`, or `operator`",
      overlap_seconds: "Seconds for which the key before works as well; 0 to 604800, a day by default"
    })
