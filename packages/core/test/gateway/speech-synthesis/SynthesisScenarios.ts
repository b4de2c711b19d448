/** Scenarios about speech synthesis on SQLite in memory: the product's real services, and upstreams that the test plays. */
import type { TrunklineOptions } from "@trunkline/core"
import { Ids, Instant, type Services, UsageLog } from "@trunkline/core/effect"
import type { UsageRow } from "@trunkline/core/testing"
import { FakeSynthesis } from "@trunkline/testing/inference"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import type { InferenceRefused } from "../../../src/gateway/errors/index.ts"
import {
  makeSpeechSynthesis,
  readSynthesisRequest,
  type SynthesisOutcome
} from "../../../src/gateway/speech-synthesis/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

export interface Asked {
  readonly body?: Parameters<typeof readSynthesisRequest>[0]
  /** Of the body as it was received. */
  readonly bytes?: number
  readonly key?: string
  readonly plan?: "free" | "starter" | "pro" | "enterprise"
  readonly allowedModels?: ReadonlyArray<string>
  readonly monthlyBudget?: bigint
}

type Streamed = Extract<SynthesisOutcome, { readonly _tag: "Stream" }>

/** What a client gets of an answer. */
export interface Heard {
  readonly bytes: Uint8Array
  readonly text: string
  /** `broken`: the connection was closed before the answer's end. */
  readonly end: "whole" | "broken"
}

/** Five characters, of which one needs two UTF-16 units. */
export const fiveCharacters = "Good😀"

export class SynthesisStage {
  readonly stage: Stage
  readonly upstream: FakeSynthesis

  constructor(stage: Stage, upstream: FakeSynthesis) {
    this.stage = stage
    this.upstream = upstream
  }

  /** One request, as the route hands it on. */
  readonly asking = (
    asked: Asked = {}
  ): Effect.Effect<SynthesisOutcome, InferenceRefused | { readonly _tag: "StorageError" }, Services> =>
    Effect.gen({ self: this }, function* (this: SynthesisStage) {
      const { allowedModels, body, bytes = 100, key = null, monthlyBudget = null, plan = "free" } = asked
      const synthesis = yield* makeSpeechSynthesis
      return yield* synthesis.run(
        {
          payer: { tenantId: this.stage.tenant, plan, monthlyBudget, key: null },
          key: allowedModels === undefined ? null : { allowedModels },
          usageId: yield* Ids.fresh<"Usage">(),
          slot: null,
          requestId: "request",
          sessionId: "session",
          traceId: "trace",
          startedAt: yield* Instant.now
        },
        {
          request: readSynthesisRequest(body ?? { model: "bulbul:v3", input: fiveCharacters }, bytes),
          idempotencyKey: key
        }
      )
    })

  readonly begin = (asked: Asked = {}) => this.stage.run(this.asking(asked)) as Effect.Effect<Streamed>
  readonly refused = (asked: Asked = {}) => this.stage.fails(this.asking(asked)) as Effect.Effect<InferenceRefused>

  /** An answer to its end. */
  readonly hear = (asked: Asked = {}): Effect.Effect<Heard> => Effect.flatMap(this.begin(asked), rest)

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

/** What has not been read of an answer. */
export const rest = ({ queue }: Streamed): Effect.Effect<Heard> =>
  Effect.gen(function* () {
    const pieces: Array<Uint8Array> = []
    for (;;) {
      const next = yield* Effect.result(Queue.take(queue))
      if (Result.isSuccess(next)) pieces.push(next.success)
      else {
        const bytes = new Uint8Array(Buffer.concat(pieces))
        const end = Cause.isDone(next.failure) ? "whole" : "broken"
        return { bytes, text: Buffer.from(bytes).toString(), end }
      }
    }
  })

/** A model with a limit that none of the shipped ones has. */
const catalogue = { models: [{ id: "sized", category: "tts", tiers: ["free"], limits: { bytes: 1000 } }] }

/** Declares a scenario; every model goes to the upstream unless the options say otherwise. */
export const synthesisScenario = (
  title: string,
  play: (synthesis: SynthesisStage) => Generator<Effect.Effect<unknown, unknown>, void, never>,
  {
    upstream = new FakeSynthesis(),
    upstreams = {},
    routes = { "*": { upstream: "fake" } }
  }: {
    readonly upstream?: FakeSynthesis
    readonly upstreams?: Readonly<Record<string, FakeSynthesis>>
    readonly routes?: NonNullable<NonNullable<TrunklineOptions["models"]>["routes"]>
  } = {}
): void => {
  const providers = Object.entries({ fake: upstream, ...upstreams }).map(([name, { provider }]) => [name, provider])
  const models = { upstreams: Object.fromEntries(providers), routes, catalogue }
  scenario(title, (stage) => play(new SynthesisStage(stage, upstream)), { host: { models } })
}
