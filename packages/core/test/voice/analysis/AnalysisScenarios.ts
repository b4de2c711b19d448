/** Scenarios about analyses on SQLite in memory: the product's real services, a model that the test plays, and what was said. */

import { Bots, type Ids, read, type Services, UsageLog, VoiceAnalyses, VoiceSessions } from "@trunkline/core/effect"
import { AnalysisStore } from "@trunkline/core/storage"
import { SessionChanges } from "@trunkline/core/testing"
import { FakeChat } from "@trunkline/testing/inference"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as EndedSessions from "../../../src/voice/analysis/EndedSessions.ts"
import { AnalysisWorker } from "../../../src/voice/analysis/index.ts"
import { SpokenSessions } from "../../../src/voice/sessions/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const host = { plan: "pro", key: null } as const

export const enabled = {
  enabled: true,
  outcomes: ["sale", "no sale"],
  fields: [{ name: "topic", type: "string" }]
}

/** A good answer. */
export const good = JSON.stringify({
  ...{ summary: "They bought tea.", outcome: "sale", sentiment: "positive", score: 0.9, topic: "tea", extra: 1 }
})

export class AnalysisStage {
  readonly stage: Stage
  readonly model: FakeChat
  readonly #said = new Map<Ids.VoiceSessionId, ReadonlyArray<string>>()

  constructor(stage: Stage, model: FakeChat) {
    this.stage = stage
    this.model = model
  }

  /** Sessions with what the test lets their callers say. */
  readonly #spoken = Layer.effect(
    SpokenSessions,
    Effect.map(SpokenSessions.use(Effect.succeed), (real) => ({
      find: (tenantId: Ids.AccountId, id: Ids.VoiceSessionId) =>
        Effect.map(real.find(tenantId, id), (found) =>
          found === null ? null : { ...found, turnCount: this.#said.get(id)?.length ?? 0 }
        ),
      lines: (id: Ids.VoiceSessionId) =>
        Effect.succeed((this.#said.get(id) ?? []).map((text) => ({ role: "user" as const, text })))
    }))
  )

  readonly #services = Layer.fresh(
    Layer.mergeAll(
      VoiceAnalyses.layer,
      AnalysisWorker.layer,
      Layer.provide(VoiceSessions.layer, SessionChanges.layer)
    ).pipe(Layer.provide(EndedSessions.layer), Layer.provide(this.#spoken))
  )

  /** Runs something with services of its own. Nothing closes them: what a process that dies was doing never goes on. */
  readonly program = <A, E>(work: Effect.Effect<A, E, Services>): Effect.Effect<A, E, Services> =>
    Effect.gen({ self: this }, function* (this: AnalysisStage) {
      const own = yield* Layer.buildWithScope(this.#services, yield* Scope.make())
      return yield* Effect.provideContext(work, Context.merge(yield* Effect.context<Services>(), own))
    })

  readonly run = <A, E>(work: Effect.Effect<A, E, Services>) => this.stage.run(this.program(work))

  readonly bot = (config: object = { analysis: enabled }) =>
    this.stage.run(
      Bots.use((bots) =>
        bots.create(this.stage.tenant, {
          ...{ name: "Asha", type: "messaging", systemPrompt: null, isActive: true },
          config: { ...config }
        })
      )
    )

  /** A session that runs, in which this was said. */
  readonly begun = (said: ReadonlyArray<string> = ["I want tea."], config?: object) =>
    Effect.gen({ self: this }, function* (this: AnalysisStage) {
      const { id: botId } = yield* this.bot(config)
      const wanted = {
        botId,
        maxDurationSeconds: null,
        sttModel: null,
        language: null,
        llmModel: null,
        ttsModel: null,
        voice: null,
        variables: {},
        metadata: {}
      }
      const { id } = yield* this.run(VoiceSessions.use((voice) => voice.create(this.stage.tenant, host, wanted)))
      yield* this.run(VoiceSessions.use((voice) => voice.connected(this.stage.tenant, id, null)))
      this.#said.set(id, said)
      return { id, botId }
    })

  readonly ending = (id: Ids.VoiceSessionId) =>
    VoiceSessions.use((voice) => voice.end(this.stage.tenant, id, "caller_hangup"))

  /** The same, over. */
  readonly ended = (said?: ReadonlyArray<string>, config?: object) =>
    Effect.tap(this.begun(said, config), ({ id }) => this.run(this.ending(id)))

  readonly analysis = (id: Ids.VoiceSessionId) =>
    this.stage.look(read(AnalysisStore.use((store) => Effect.map(store.ofSessions([id]), ([found]) => found ?? null))))

  readonly asking = (id: Ids.VoiceSessionId) =>
    this.program(VoiceAnalyses.use((analyses) => analyses.request(this.stage.tenant, id)))

  /** One pass of a worker, to its end. */
  readonly pass = this.program(AnalysisWorker.use((worker) => Effect.tap(worker.tick, () => worker.idle)))

  readonly works = Effect.suspend(() => this.stage.run(this.pass))

  readonly events = Effect.suspend(() =>
    Effect.map(this.stage.events, (events) => events.filter(({ event }) => event === "voice_analysis.completed"))
  )

  readonly usage = Effect.suspend(() =>
    this.stage.run(
      UsageLog.use((log) =>
        log.list(
          this.stage.tenant,
          { service: null, model: null, keyId: null, sessionId: null, traceId: null, from: null, to: null },
          { limit: 100, offset: 0 }
        )
      )
    )
  ).pipe(Effect.map(({ items }) => items.toReversed()))
}

/** Declares a scenario; every model goes to the one that the test plays. */
export const analysisScenario = (
  title: string,
  play: (analysis: AnalysisStage) => Generator<Effect.Effect<unknown, unknown>, void, never>
): void => {
  const model = new FakeChat()
  scenario(title, (stage) => play(new AnalysisStage(stage, model)), {
    host: { models: { upstreams: { fake: model.provider }, routes: { "*": { upstream: "fake" } } } }
  })
}
