/** Listening: utterances become texts, sent while they are spoken where the upstream hears that way. Source: docs/reference/voice-agent.md#listening. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { ModelCatalogue } from "../../gateway/catalogue/index.ts"
import type { ListenConnection, Upstream, UpstreamFailed, Upstreams } from "../../gateway/upstreams/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type { ListenModel } from "../agent/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { Deadline } from "./Deadline.ts"
import { type ListenEntry, listenCandidate } from "./ListenCandidate.ts"
import { type AttemptFailed, ModelFallbacks } from "./ModelFallbacks.ts"
import type { PipelineOptions, StageFailed, Transcript, Utterance } from "./Pipeline.ts"
import type { SessionRuns } from "./StageRuns.ts"
import { type SoundPart, UtteranceSound } from "./UtteranceSound.ts"

/** The connections of a session: one for each upstream, model and language. */
class Connections {
  readonly #scope: Scope.Scope
  readonly #known = new Map<string, ListenConnection>()

  constructor(scope: Scope.Scope) {
    this.#scope = scope
  }

  readonly of = ({ model, upstream }: ListenEntry, language: string | null): Effect.Effect<ListenConnection | null> =>
    Effect.suspend(() => {
      const { listening } = upstream
      const name = JSON.stringify([upstream.name, model, language])
      const known = this.#known.get(name)
      if (listening === undefined || known !== undefined) return Effect.succeed(known ?? null)
      return Effect.map(Scope.provide(listening.open({ model, language }), this.#scope), (connection) => {
        this.#known.set(name, connection)
        return connection
      })
    })
}

/** The engines on this machine that a session hears by: loaded from its beginning, and kept so until it ends. */
class Engines {
  readonly #fork: (loading: Effect.Effect<void, UpstreamFailed, Scope.Scope>) => Fiber.Fiber<void, UpstreamFailed>
  readonly #known = new Map<string, Fiber.Fiber<void, UpstreamFailed>>()

  constructor(scope: Scope.Scope, context: Context.Context<never>) {
    this.#fork = (loading) => Fiber.runIn(Effect.runForkWith(context)(Scope.provide(loading, scope)), scope)
  }

  prepare({ keepWarm, name }: Upstream): void {
    if (keepWarm !== undefined && !this.#known.has(name)) this.#known.set(name, this.#fork(keepWarm("transcribe")))
  }

  /** Completes once an engine has loaded, or has failed, which the request will report. */
  readonly loaded = ({ name }: Upstream): Effect.Effect<unknown> => {
    const loading = this.#known.get(name)
    return loading === undefined ? Effect.void : Fiber.await(loading)
  }
}

interface Asked {
  readonly model: string
  readonly language: string | null
  readonly turnId: Ids.TurnId
  readonly sound: UtteranceSound
  /** Null while the utterance is still spoken. */
  readonly part: SoundPart | null
  /** Known once the utterance has ended. */
  readonly deadline: Effect.Effect<Deadline>
}

export interface ListenStage {
  /** These models will be asked: loads what they run on. */
  readonly prepare: (listen: ListenModel) => void
  readonly decidesTurns: (listen: ListenModel) => boolean
  readonly begin: (listen: ListenModel, turnId: Ids.TurnId, onTurnEnded: () => void) => Utterance
}

interface ListenStageOptions extends Pick<PipelineOptions, "onWarning"> {
  readonly catalogue: ModelCatalogue["Service"]
  readonly upstreams: Upstreams["Service"]
  readonly timeoutMs: number
}

/** The listening of a session. */
export const makeListenStage = Effect.fnUntraced(function* (
  runs: SessionRuns,
  { catalogue, onWarning, timeoutMs, upstreams }: ListenStageOptions
) {
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const context = yield* Effect.context<never>()
  const connections = new Connections(scope)
  const engines = new Engines(scope, context)
  const fork = Effect.runForkWith(context)
  const fallbacks = new ModelFallbacks()

  const freshDeadline = Effect.map(Instant.now, (at) => new Deadline(Instant.plus(at, timeoutMs)))
  /** The time of a hearing begins once its engine has loaded. One that loads for longer than that time fails. */
  const loaded = (model: string) => {
    const entry = listeningOf(model)
    return entry === undefined ? Effect.void : Effect.timeoutOption(engines.loaded(entry.upstream), timeoutMs)
  }

  const prepare: ListenStage["prepare"] = ({ fallback, model }) => {
    for (const id of fallback === null ? [model] : [model, fallback]) {
      for (const { upstream } of upstreams.route("transcribe", id)?.entries ?? []) engines.prepare(upstream)
    }
  }

  const warned = () => onWarning("LISTEN_REQUEST_FAILED")
  const warn = ({ reason }: StageFailed) => Effect.sync(() => reason === "failed" && warned())

  const listeningOf = (model: string) => upstreams.route("transcribe", model)?.entries[0]

  const request = ({ model: id, turnId, ...asked }: Asked) =>
    runs.run({
      capability: "transcribe",
      model: id,
      turnId,
      candidate: (model) => Effect.succeed(listenCandidate({ ...asked, model, connections: connections.of })),
      answer: ({ text }) => text.trim()
    })

  /** The text of an utterance that has ended. A model that takes short files alone gets it in parts. */
  const whole = (asked: Omit<Asked, "deadline" | "part">) =>
    Effect.flatMap(freshDeadline, (deadline) =>
      Effect.map(
        Effect.forEach(asked.sound.files(catalogue.get(asked.model)?.limits.seconds ?? null), (part) =>
          request({ ...asked, part, deadline: Effect.succeed(deadline) })
        ),
        (texts) => texts.filter((text) => text !== "").join(" ")
      )
    )

  const begin: ListenStage["begin"] = ({ fallback, language, model: first }, turnId, onTurnEnded) => {
    const sound = new UtteranceSound(onTurnEnded)
    const ended = Deferred.makeUnsafe<Deadline>()
    const models = (fallback === null ? [first] : [first, fallback]).map((model) => ({ model }))
    const [next] = fallbacks.order(models, Instant.make(clock.currentTimeMillisUnsafe()))
    const isLive = next?.model === first && listeningOf(first)?.upstream.listening !== undefined
    const asked = { language, turnId, sound }
    const live = isLive ? fork(request({ ...asked, model: first, part: null, deadline: Deferred.await(ended) })) : null

    const ask = ({ model }: { readonly model: string }): Effect.Effect<Transcript, AttemptFailed> =>
      (live !== null && model === first ? joined(live) : whole({ ...asked, model })).pipe(
        Effect.map((text) => ({ text, model })),
        Effect.mapError((error) => ({ error, isLast: false }))
      )

    const end = Effect.flatMap(Effect.andThen(loaded(first), freshDeadline), (deadline) => {
      sound.end()
      Deferred.doneUnsafe(ended, Effect.succeed(deadline))
      if (sound.seconds > 0) return Effect.tapError(fallbacks.first({ choices: models, ask, onFallback: warned }), warn)
      live?.interruptUnsafe()
      return Effect.succeed({ text: "", model: first })
    })
    return { add: (samples) => sound.add(samples), end, drop: () => live?.interruptUnsafe() }
  }

  const decidesTurns: ListenStage["decidesTurns"] = ({ model }) => {
    const entry = listeningOf(model)
    return entry?.upstream.listening?.decidesTurns(entry.model) === true
  }
  return { prepare, decidesTurns, begin } satisfies ListenStage
})

/** The result of a request that runs already; an interruption of the waiting ends the request. */
const joined = (live: Fiber.Fiber<string, StageFailed>): Effect.Effect<string, StageFailed> =>
  Effect.onInterrupt(Fiber.join(live), () => Effect.sync(() => live.interruptUnsafe()))
