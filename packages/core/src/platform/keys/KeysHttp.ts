/** Handlers of an account's keys. */
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { ApiKeys, accessErrors, actorOf, CurrentPrincipal, Scopes } from "../accounts/index.ts"
import { Money } from "../billing/index.ts"
import { RouteHandlers } from "../http/index.ts"
import { list, pageOf } from "../http/Lists.ts"
import { answering } from "../http/PlatformErrors.ts"
import { contract } from "../http/RoomContract.ts"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { storageErrors } from "../storage/index.ts"
import { keyErrors } from "./KeyErrors.ts"
import { type KeyChange, Keys, type KeyWithText } from "./Keys.ts"
import { type KeyRecordBody, keyPages, keysGroup, standardOverlapSeconds } from "./KeysApi.ts"

const answer = answering({ ...accessErrors, ...keyErrors, ...storageErrors })

const amountOf = (nano: Money.Nano | null): number | null => (nano === null ? null : Money.toNumber(nano))

/** A key as the wire has it at an instant: neither its text nor a digest. */
const recordOf = (key: ApiKeys.KeyOverview, channel: string, at: Instant.Instant): KeyRecordBody => {
  const { previousPrefix, previousUntil } = ApiKeys.previousOf(key, at)
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    state: ApiKeys.stateOf(key, at),
    scopes: key.scopes.map((scope) => Scopes.render(scope, channel)),
    permissions: key.permissions,
    budget: amountOf(key.budget),
    budget_period: key.budgetPeriod,
    spent: Money.toNumber(key.spent),
    models: key.allowedModels,
    domains: key.allowedDomains,
    search_providers: key.searchProviders,
    rpm: key.requestsPerMinute,
    concurrency: key.concurrency,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    previous_prefix: previousPrefix,
    previous_until: previousUntil,
    created_at: key.createdAt,
    created_by: key.createdBy
  }
}

/** The settings of a body, under the names of the code; what it leaves out is absent. */
interface Given {
  readonly name?: string | null
  readonly scopes?: ReadonlyArray<string>
  readonly permissions?: ReadonlyArray<Scopes.Permission>
  readonly budget?: number | null
  readonly budget_period?: "total" | "month" | null
  readonly models?: ReadonlyArray<string> | null
  readonly domains?: ReadonlyArray<string> | null
  readonly search_providers?: ReadonlyArray<string> | null
  readonly rpm?: number | null
  readonly concurrency?: number | null
  readonly expires_at?: Instant.Instant | null
}

const grantsOf = (scopes: ReadonlyArray<string>, channel: string) => [
  ...new Set(scopes.flatMap((scope) => Scopes.parse(scope, channel) ?? []))
]

const unchanged = <T extends object>(settings: T) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

const settingsOf = (given: Given, channel: string): KeyChange =>
  unchanged({
    name: given.name,
    scopes: given.scopes === undefined ? undefined : grantsOf(given.scopes, channel),
    permissions: given.permissions === undefined ? undefined : [...new Set(given.permissions)],
    budget: typeof given.budget === "number" ? Money.fromConfigured(given.budget) : given.budget,
    budgetPeriod: given.budget_period ?? undefined,
    allowedModels: given.models,
    allowedDomains: given.domains,
    searchProviders: given.search_providers,
    requestsPerMinute: given.rpm,
    concurrency: given.concurrency,
    expiresAt: given.expires_at
  })

/** No cache may keep an answer with a key in it. */
const unkept = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "cache-control", "no-store"))
)

export const layer = (channel: string) =>
  RouteHandlers.group(
    contract.add(keysGroup(channel)),
    "keys",
    Effect.fnUntraced(function* (handlers) {
      const keys = yield* Keys

      const shown = (key: ApiKeys.KeyOverview) => Effect.map(Instant.now, (at) => recordOf(key, channel, at))

      const shownOnce = ({ key, text }: KeyWithText) =>
        Effect.andThen(
          unkept,
          Effect.map(shown(key), (record) => ({ ...record, key: text }))
        )

      const asking = (id: Ids.KeyId) =>
        Effect.map(CurrentPrincipal, ({ caller, tenantId }) => ({ of: { tenantId, id }, actor: actorOf(caller) }))

      return handlers.handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const filter = { state: query.state ?? null, search: query.q?.trim() ?? null }
          const paged = yield* answer(keys.list(tenantId, filter, pageOf(query, keyPages.standard)))
          const at = yield* Instant.now
          return yield* list(paged, (key) => recordOf(key, channel, at))
        }),
        create: Effect.fnUntraced(function* ({ payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const made = keys.create(
            {
              tenantId,
              name: null,
              budget: null,
              budgetPeriod: "total",
              allowedModels: null,
              allowedDomains: null,
              searchProviders: null,
              requestsPerMinute: null,
              concurrency: null,
              expiresAt: null,
              scopes: [],
              permissions: [],
              ...settingsOf(payload, channel)
            },
            actorOf(caller)
          )
          return yield* shownOnce(yield* answer(made))
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { of } = yield* asking(params.key_id)
          return yield* shown(yield* answer(keys.get(of)))
        }),
        change: Effect.fnUntraced(function* ({ params, payload }) {
          const { actor, of } = yield* asking(params.key_id)
          return yield* shown(yield* answer(keys.change(of, settingsOf(payload, channel), actor)))
        }),
        rotate: Effect.fnUntraced(function* ({ params, payload }) {
          const { actor, of } = yield* asking(params.key_id)
          const overlapMs = (payload?.overlap_seconds ?? standardOverlapSeconds) * Instant.second
          return yield* shownOnce(yield* answer(keys.rotate(of, overlapMs, actor)))
        }),
        revoke: Effect.fnUntraced(function* ({ params }) {
          const { actor, of } = yield* asking(params.key_id)
          yield* answer(keys.revoke(of, actor))
        })
      })
    })
  )
