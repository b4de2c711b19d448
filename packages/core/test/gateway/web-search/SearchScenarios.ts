/** Scenarios about searching on SQLite in memory: the product's real services, and providers that the test plays. */

import { Ids, Instant, type Services, UsageLog } from "@trunkline/core/effect"
import type { Payer, UsageRow } from "@trunkline/core/testing"
import { FakeSearch } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import type { InferenceRefused } from "../../../src/gateway/errors/index.ts"
import type { RouteResult } from "../../../src/gateway/run/index.ts"
import { makeWebSearch, type SearchRequest } from "../../../src/gateway/web-search/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

export interface Asked extends Partial<SearchRequest> {
  /** An Idempotency-Key. */
  readonly key?: string
  readonly plan?: "free" | "enterprise"
  /** The key's list. */
  readonly allowed?: ReadonlyArray<string>
  readonly monthlyBudget?: bigint
  readonly payerKey?: Payer["key"]
}

export class SearchStage {
  readonly stage: Stage
  readonly provider: FakeSearch

  constructor(stage: Stage, provider: FakeSearch) {
    this.stage = stage
    this.provider = provider
  }

  /** One search, as the route hands it on. */
  readonly asking = (
    asked: Asked = {}
  ): Effect.Effect<RouteResult, InferenceRefused | { readonly _tag: "StorageError" }, Services> =>
    Effect.gen({ self: this }, function* (this: SearchStage) {
      const { allowed, key = null, monthlyBudget = null, payerKey = null, plan = "free", ...fields } = asked
      const searches = yield* makeWebSearch
      return yield* searches.run(
        {
          payer: { tenantId: this.stage.tenant, plan, monthlyBudget, key: payerKey },
          key: allowed === undefined ? null : { searchProviders: allowed },
          usageId: yield* Ids.fresh<"Usage">(),
          slot: null,
          requestId: "request",
          sessionId: "session",
          traceId: "trace",
          startedAt: yield* Instant.now
        },
        {
          ...{ query: "goa", provider: null, maxResults: null, country: null, language: null, freshness: null },
          ...{ safeSearch: null, includeDomains: [], excludeDomains: [] },
          ...fields
        },
        key
      )
    })

  readonly ask = (asked: Asked = {}) => this.stage.run(this.asking(asked)) as Effect.Effect<RouteResult>
  readonly refused = (asked: Asked = {}) => this.stage.fails(this.asking(asked)) as Effect.Effect<InferenceRefused>

  readonly rows: Effect.Effect<ReadonlyArray<UsageRow>> = Effect.suspend(() =>
    Effect.orDie(
      this.stage.run(
        UsageLog.use((log) =>
          log.list(
            this.stage.tenant,
            { service: "search", model: null, keyId: null, sessionId: null, traceId: null, from: null, to: null },
            { limit: 1000, offset: 0 }
          )
        )
      )
    ).pipe(Effect.map(({ items }) => items))
  )

  readonly credits = Effect.suspend(() => this.stage.credits)
}

/** Declares a scenario with the providers `web` and `plain`, of which `plain` has no options. */
export const searchScenario = (
  title: string,
  play: (search: SearchStage) => Generator<Effect.Effect<unknown, unknown>, void, never>,
  { price }: { readonly price?: number } = {}
): void => {
  const provider = new FakeSearch()
  const search = { providers: { web: provider.provider, plain: new FakeSearch({}).provider } }
  const pricing = price === undefined ? {} : { pricing: { defaults: { search: { credits_per_query: price } } } }
  scenario(title, (stage) => play(new SearchStage(stage, provider)), { host: { search, ...pricing } })
}
