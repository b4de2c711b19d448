/** Scenarios about speech on SQLite in memory: the product's real services, and an upstream that the test plays. */

import { createHash } from "node:crypto"
import { Ids, Instant, type Services, UsageLog } from "@trunkline/core/effect"
import type { UsageRow } from "@trunkline/core/testing"
import { FakeSpeech, wav } from "@trunkline/testing/inference"
import type { StageOptions } from "@trunkline/testing/scenarios"
import * as Effect from "effect/Effect"
import type { InferenceRefused } from "../../src/gateway/errors/index.ts"
import type { RouteResult } from "../../src/gateway/run/index.ts"
import { makeSpeech } from "../../src/gateway/speech/index.ts"
import type { ConcurrencySlot } from "../../src/platform/billing/index.ts"
import { type Stage, scenario } from "../calling/calls/Scenarios.ts"

export interface Asked {
  readonly route?: "transcriptions" | "translations"
  readonly fields?: ReadonlyArray<readonly [name: string, value: string]>
  /** Default: three seconds. Null for none. */
  readonly file?: Uint8Array | null
  readonly key?: string
  readonly plan?: "free" | "starter" | "pro" | "enterprise"
  readonly allowedModels?: ReadonlyArray<string>
  readonly monthlyBudget?: bigint
  readonly slot?: ConcurrencySlot
}

export class SpeechStage {
  readonly stage: Stage
  readonly upstream: FakeSpeech
  /** Files whose memory was freed. */
  freed = 0

  constructor(stage: Stage, upstream: FakeSpeech) {
    this.stage = stage
    this.upstream = upstream
  }

  /** One request, as the route hands it on. */
  readonly asking = (
    asked: Asked = {}
  ): Effect.Effect<RouteResult, InferenceRefused | { readonly _tag: "StorageError" }, Services> =>
    Effect.gen({ self: this }, function* (this: SpeechStage) {
      const {
        allowedModels,
        fields = [],
        file = wav(3),
        key = null,
        monthlyBudget = null,
        plan = "free",
        route,
        slot = null
      } = asked
      const speech = yield* makeSpeech
      const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
      return yield* speech.run(
        {
          payer: { tenantId: this.stage.tenant, plan, monthlyBudget, key: null },
          key: allowedModels === undefined ? null : { allowedModels },
          usageId: yield* Ids.fresh<"Usage">(),
          slot,
          requestId: "request",
          sessionId: "session",
          traceId: "trace",
          startedAt: yield* Instant.now
        },
        {
          route: route ?? "transcriptions",
          idempotencyKey: key,
          form: {
            fields,
            file:
              file === null
                ? null
                : {
                    audio: { chunks: [file], size: file.byteLength, fileName: "a.wav", contentType: "audio/wav" },
                    digest: key === null ? null : digest(file),
                    free: () => {
                      this.freed += 1
                    }
                  }
          }
        }
      )
    })

  readonly ask = (asked: Asked = {}) => this.stage.run(this.asking(asked))
  readonly refused = (asked: Asked = {}) => this.stage.fails(this.asking(asked)) as Effect.Effect<InferenceRefused>

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

  readonly credits = Effect.suspend(() => this.stage.credits)
}

/** Declares a scenario; every model goes to the upstream unless the options say otherwise. */
export const speechScenario = (
  title: string,
  play: (speech: SpeechStage) => Generator<Effect.Effect<unknown, unknown>, void, never>,
  {
    routes = { "*": { upstream: "fake" } }
  }: { readonly routes?: Readonly<Record<string, { readonly upstream: string }>> } = {}
): void => {
  const upstream = new FakeSpeech()
  const options: StageOptions = { host: { models: { upstreams: { fake: upstream.provider }, routes } } }
  scenario(title, (stage) => play(new SpeechStage(stage, upstream)), options)
}
