/** Scenarios about the stages of a conversation on SQLite in memory: the product's real services, and upstreams that the test plays. */
import type { TrunklineOptions } from "@trunkline/core"
import { Accounts, Ids, Instant, Storage, UsageLog } from "@trunkline/core/effect"
import type { UsageRow } from "@trunkline/core/testing"
import { FakeListening, FakeSpeech, FakeSynthesis, FakeThinking } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { QuotaStore } from "../../../src/platform/billing/QuotaStore.ts"
import type { PipelineOptions, SpeechRequest, ThinkRequest } from "../../../src/voice/stages/index.ts"
import {
  type SessionPipeline,
  type StageFailed,
  type StageWarning,
  VoicePipeline
} from "../../../src/voice/stages/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

export const models = {
  hears: "saaras:v3",
  alsoHears: "whisper-large-v3-turbo",
  hearsLive: "deepgram-nova-3",
  alwaysDecides: "deepgram-flux-general-en",
  thinks: "gemma-4-26b-a4b-it",
  alsoThinks: "gpt-5.4-mini",
  speaks: "bulbul:v3",
  alsoSpeaks: "aura-2-en"
} as const

type Role = keyof typeof models

/** Upstreams under the names of what they do. */
const fakes = () => ({
  hears: new FakeSpeech(),
  alsoHears: new FakeSpeech("hello from the other one"),
  hearsLive: new FakeListening(),
  alwaysDecides: new FakeListening(true),
  thinks: new FakeThinking(),
  alsoThinks: new FakeThinking(),
  speaks: new FakeSynthesis(),
  alsoSpeaks: new FakeSynthesis()
})

export const turnId = Ids.as<"Turn">("018f0000-0000-7000-8000-00000000000a")
export const sessionId = Ids.as<"VoiceSession">("018f0000-0000-7000-8000-00000000000b")

/** What a turn has given so far. */
export interface Given {
  readonly texts: Array<string>
  readonly thoughts: Array<string>
  readonly sounds: Array<Int16Array>
  readonly warnings: Array<StageWarning>
}

/** Something that goes on while the test does other things. */
export interface GoingOn<A> {
  /** Its result once it has one; null before. */
  readonly result: () => Result.Result<A, StageFailed> | null
  readonly interrupt: Effect.Effect<void>
}

export class PipelineStage {
  readonly stage: Stage
  readonly fakes: ReturnType<typeof fakes>
  readonly given: Given = { texts: [], thoughts: [], sounds: [], warnings: [] }
  pipeline!: SessionPipeline
  #scope!: Scope.Closeable

  constructor(stage: Stage, played: ReturnType<typeof fakes>) {
    this.stage = stage
    this.fakes = played
  }

  /** Opens a session; what was open before stays open. */
  readonly open = (more: Partial<PipelineOptions> = {}): Effect.Effect<SessionPipeline> =>
    Effect.gen({ self: this }, function* (this: PipelineStage) {
      this.#scope = yield* Scope.make()
      const opening = VoicePipeline.use((pipeline) =>
        pipeline.open({
          sessionId,
          payer: { tenantId: this.stage.tenant, plan: "free", monthlyBudget: null, key: null },
          listen: { model: models.hears, fallback: null, language: "en" },
          onWarning: (warning) => this.given.warnings.push(warning),
          ...more
        })
      )
      this.pipeline = yield* this.stage.run(Scope.provide(opening, this.#scope))
      return this.pipeline
    })

  readonly close: Effect.Effect<void> = Effect.suspend(() => Scope.close(this.#scope, Exit.void))

  readonly thinking = (more: Partial<ThinkRequest> = {}) =>
    this.pipeline.think({
      turnId,
      choices: [
        { model: models.thinks, temperature: null },
        { model: models.alsoThinks, temperature: null }
      ],
      messages: [
        { role: "system", text: "Be brief." },
        { role: "user", text: "Hello?", images: [] }
      ],
      tools: [],
      onText: (text) => this.given.texts.push(text),
      onThought: (text) => this.given.thoughts.push(text),
      ...more
    })

  readonly speaking = (more: Partial<SpeechRequest> = {}) =>
    this.pipeline.speak({
      turnId,
      choices: [
        { model: models.speaks, voice: null },
        { model: models.alsoSpeaks, voice: "thalia" }
      ],
      text: "Good morning.",
      language: "en",
      isFixed: false,
      onSound: (samples) => this.given.sounds.push(samples.slice()),
      ...more
    })

  /** An utterance of this many seconds, in pieces of 20 ms. */
  readonly utterance = (seconds: number, onTurnEnded = () => {}) => {
    const utterance = this.pipeline.listen(turnId, onTurnEnded)
    for (let at = 0; at < seconds * 50; at++) utterance.add(new Int16Array(320).fill(at + 1))
    return utterance
  }

  /** Lets a stage go on beside the test. */
  readonly begin = <A>(work: Effect.Effect<A, StageFailed>): Effect.Effect<GoingOn<A>> =>
    Effect.gen({ self: this }, function* (this: PipelineStage) {
      const fiber = yield* Effect.forkDetach(Effect.result(work))
      yield* this.rest
      return {
        result: () => {
          const exit = fiber.pollUnsafe()
          return exit !== undefined && Exit.isSuccess(exit) ? exit.value : null
        },
        interrupt: Effect.andThen(Fiber.interrupt(fiber), this.rest)
      }
    })

  /** What goes on goes on as far as it can. */
  readonly rest: Effect.Effect<void> = Effect.suspend(() => this.stage.elapse(1, 1))
  readonly elapse = (milliseconds: number): Effect.Effect<void> => this.stage.elapse(milliseconds, 100)

  readonly failure = <A>(work: Effect.Effect<A, StageFailed>): Effect.Effect<StageFailed> =>
    Effect.orDie(Effect.flip(work))

  /** The rows of the usage log, oldest first, once everything has its bill. */
  readonly rows: Effect.Effect<ReadonlyArray<UsageRow>> = Effect.gen({ self: this }, function* (this: PipelineStage) {
    yield* this.rest
    const listed = this.stage.run(
      UsageLog.use((log) =>
        log.list(
          this.stage.tenant,
          { service: null, model: null, keyId: null, sessionId: null, traceId: null, from: null, to: null },
          { limit: 1000, offset: 0 }
        )
      )
    )
    return (yield* Effect.orDie(listed)).items.toReversed()
  })

  readonly anotherAccount: Effect.Effect<Ids.AccountId> = Effect.suspend(() =>
    Effect.map(
      Effect.orDie(
        this.stage.run(
          Accounts.use((accounts) => accounts.create({ name: "Another", plan: "free", voiceCampaigns: false }))
        )
      ),
      ({ id }) => id
    )
  )

  /** Calls of the plan that are taken or reserved. */
  readonly callsTaken = (service: "llm" | "stt" | "tts"): Effect.Effect<number> =>
    Effect.orDie(
      this.stage.look(
        Effect.gen({ self: this }, function* (this: PipelineStage) {
          const month = Instant.toIso(yield* Instant.now).slice(0, 7)
          const quotas = yield* QuotaStore
          const counts = yield* (yield* Storage).read(quotas.counts({ tenantId: this.stage.tenant, service, month }))
          return counts.used + counts.pending
        })
      )
    )
}

export interface PipelineHost {
  readonly routes?: NonNullable<NonNullable<TrunklineOptions["models"]>["routes"]>
}

/** Declares a scenario in an open session; each model goes to the upstream of its name. */
export const pipelineScenario = (
  title: string,
  play: (pipeline: PipelineStage) => Generator<Effect.Effect<unknown, unknown>, void, never>,
  { routes }: PipelineHost = {}
): void => {
  const played = fakes()
  const roles = Object.keys(models) as ReadonlyArray<Role>
  const upstreams = Object.fromEntries(roles.map((role) => [role, played[role].provider]))
  const all = Object.fromEntries(roles.map((role) => [models[role], { upstream: role }]))
  scenario(
    title,
    function* (stage) {
      const pipeline = new PipelineStage(stage, played)
      yield* pipeline.open()
      yield* Effect.gen(() => play(pipeline))
      yield* pipeline.close
    },
    { host: { models: { upstreams, routes: routes ?? all } } }
  )
}
