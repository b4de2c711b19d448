/** Scenarios of the routes in JSON on SQLite in memory: the product's real services, and upstreams that the test plays. */

import { Instant, type Services, UsageLog } from "@trunkline/core/effect"
import {
  type Capability,
  Ids,
  type Run,
  type Upstream,
  UpstreamFailed,
  type UpstreamWhy,
  upstreamProvider
} from "@trunkline/core/provider"
import { storable, type UsageRow } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import type { InferenceRefused } from "../../src/gateway/errors/index.ts"
import type { InferenceCaller, JsonInput } from "../../src/gateway/routes/index.ts"
import type { RouteResult } from "../../src/gateway/run/index.ts"
import type { Capabilities } from "../../src/gateway/upstreams/index.ts"
import type { Plan } from "../../src/platform/billing/index.ts"
import type { WrittenResponse } from "../../src/platform/idempotency/index.ts"
import { type Stage, scenario } from "../calling/calls/Scenarios.ts"

export type JsonRun = (
  caller: InferenceCaller,
  input: JsonInput
) => Effect.Effect<RouteResult<WrittenResponse>, InferenceRefused | { readonly _tag: "StorageError" }, Services>

export interface AskedJson {
  readonly body: Readonly<Record<string, unknown>>
  readonly plan?: Plan
}

/** An upstream of one capability. */
export class FakeJsonUpstream<C extends Capability> {
  readonly works: Array<Capabilities[C]["work"]> = []
  answering: Run<C> = () => Effect.die("the test has not said what it answers")
  readonly #capability: C

  constructor(capability: C) {
    this.#capability = capability
  }

  readonly says = (answer: Capabilities[C]["answer"]): void => {
    this.answering = () => Effect.succeed(answer)
  }

  readonly fails = (why: UpstreamWhy): void => {
    const detail = "leaky words"
    this.answering = () =>
      Effect.fail(new UpstreamFailed({ why, detail, retryAfterSeconds: null, advice: null, param: null }))
  }

  readonly provider = upstreamProvider((name: string): Upstream => {
    const run: Run<C> = (work) =>
      Effect.suspend(() => {
        this.works.push(work)
        return this.answering(work)
      })
    return { name, provider: "fake", servedBy: null, maxMs: 60_000, capabilities: { [this.#capability]: run } }
  })
}

export class JsonStage {
  readonly stage: Stage
  readonly #run: JsonRun

  constructor(stage: Stage, run: JsonRun) {
    this.stage = stage
    this.#run = run
  }

  readonly caller = (plan: Plan = "starter") =>
    Effect.gen({ self: this }, function* (this: JsonStage) {
      return {
        ...{ payer: { tenantId: this.stage.tenant, plan, monthlyBudget: null, key: null }, key: null, slot: null },
        ...{ requestId: "request", sessionId: null, traceId: null },
        usageId: yield* Ids.fresh<"Usage">(),
        startedAt: yield* Instant.now
      } satisfies InferenceCaller
    })

  readonly #asking = ({ body, plan }: AskedJson) =>
    Effect.flatMap(this.caller(plan), (caller) =>
      this.#run(caller, { json: { body, bytes: 100 }, idempotencyKey: null })
    )

  readonly ask = (asked: AskedJson) =>
    Effect.map(this.stage.run(this.#asking(asked)), ({ response }) => JSON.parse(storable(response).body))

  readonly refused = (asked: AskedJson) => this.stage.fails(this.#asking(asked)) as Effect.Effect<InferenceRefused>

  readonly rows: Effect.Effect<ReadonlyArray<UsageRow>> = Effect.suspend(() =>
    Effect.orDie(
      this.stage.run(
        UsageLog.use((log) =>
          log.list(
            this.stage.tenant,
            { service: null, model: null, keyId: null, sessionId: null, traceId: null, from: null, to: null },
            { limit: 1000, offset: 0 }
          )
        )
      )
    ).pipe(Effect.map(({ items }) => items))
  )
}

/** Declares a scenario in which a model goes to `first`, and on to `second` under another name. */
export const jsonScenario = <C extends Capability>(
  title: string,
  { capability, model, run }: { readonly capability: C; readonly model: string; readonly run: JsonRun },
  play: (
    json: JsonStage,
    first: FakeJsonUpstream<C>,
    second: FakeJsonUpstream<C>
  ) => Generator<Effect.Effect<unknown, unknown>, void, never>
): void => {
  const [first, second] = [new FakeJsonUpstream(capability), new FakeJsonUpstream(capability)]
  const upstreams = { first: first.provider, second: second.provider }
  const routes = { [model]: { upstream: "first", fallbacks: [{ upstream: "second", model: "other" }] } }
  scenario(title, (stage) => play(new JsonStage(stage, run), first, second), {
    host: { models: { upstreams, routes } }
  })
}
