/** The stages of a session over metered runs of models. Source: docs/reference/voice-agent.md#pipeline. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ModelCatalogue, type Models } from "../../gateway/catalogue/index.ts"
import { translationTo } from "../../gateway/llm/index.ts"
import { type Capability, serviceOf, type Upstream, Upstreams } from "../../gateway/upstreams/index.ts"
import { canListen } from "./ListenCandidate.ts"
import { makeListenStage } from "./ListenStage.ts"
import { type SessionPipeline, type Stage, VoicePipeline } from "./Pipeline.ts"
import { VoicePipelineSettings } from "./PipelineSettings.ts"
import { SoundCache } from "./SoundCache.ts"
import { makeSpeakStage } from "./SpeakStage.ts"
import { makeStageRuns } from "./StageRuns.ts"
import { makeThinkStage } from "./ThinkStage.ts"

/** Some twenty minutes of sound. */
const maxCacheBytes = 64 * 1024 * 1024

const capabilities = { listen: "transcribe", think: "generate", speak: "speak" } as const satisfies Record<
  Stage,
  Capability
>

const kinds: Readonly<Record<Stage, string>> = {
  listen: "model that listens",
  think: "language model",
  speak: "model that speaks"
}

/** Whether an entry of a model's route can run it in a conversation. */
const canServe = (stage: Stage, model: Models.Model, entry: { readonly upstream: Upstream }): boolean => {
  if (stage === "listen") return canListen(model, entry)
  return stage === "speak" || translationTo("chat_completions", entry.upstream.apis ?? []) !== null
}

const make = Effect.gen(function* () {
  const catalogue = yield* ModelCatalogue
  const upstreams = yield* Upstreams
  const runs = yield* makeStageRuns
  const { llmTimeoutMs, sttTimeoutMs, ttsTimeoutMs } = yield* VoicePipelineSettings
  const cache = new SoundCache(maxCacheBytes)

  const open: VoicePipeline["Service"]["open"] = Effect.fnUntraced(function* (options) {
    const session = yield* runs.open(options)
    const listening = yield* makeListenStage(session, { ...options, catalogue, upstreams, timeoutMs: sttTimeoutMs })
    listening.prepare(options.listen)
    const think = makeThinkStage(session, { ...options, timeoutMs: llmTimeoutMs })
    const speak = makeSpeakStage(session, { ...options, cache, timeoutMs: ttsTimeoutMs })
    let { listen } = options
    return {
      get decidesTurns() {
        return listening.decidesTurns(listen)
      },
      listen: (turnId, onTurnEnded) => listening.begin(listen, turnId, onTurnEnded),
      think,
      speak,
      setListening: (chosen) => {
        listen = chosen
        listening.prepare(chosen)
      }
    } satisfies SessionPipeline
  })

  const problem: VoicePipeline["Service"]["problem"] = (stage, id) => {
    const capability = capabilities[stage]
    const model = catalogue.get(id)
    if (model === null || model.category !== serviceOf[capability]) return `There is no ${kinds[stage]} ${id}.`
    if (model.status !== "active") {
      const instead = model.successor === null ? "" : ` Use ${model.successor}.`
      return `The model ${id} is out of service.${instead}`
    }
    const entries = upstreams.route(capability, id)?.entries.filter((entry) => canServe(stage, model, entry)) ?? []
    if (entries.length === 0) return `The model ${id} is not available here: no upstream runs it.`
    return entries.every(({ upstream }) => (upstream.fault?.(capability) ?? null) !== null)
      ? `The model ${id} is not installed here.`
      : null
  }

  return VoicePipeline.of({ open, problem })
})

export const layer = Layer.effect(VoicePipeline, make)
