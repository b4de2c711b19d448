/** Speaking: a text becomes sound, which is passed on as it comes. Source: docs/reference/voice-agent.md#speaking. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Models } from "../../gateway/catalogue/index.ts"
import { refuse } from "../../gateway/errors/index.ts"
import { type Candidate, maxStreamMs } from "../../gateway/run/index.ts"
import { type SpeakWork, UpstreamFailed } from "../../gateway/upstreams/index.ts"
import { codePoints, Instant } from "../../platform/kernel/index.ts"
import type { SpeakModel } from "../agent/index.ts"
import { Deadline } from "./Deadline.ts"
import { type AttemptFailed, ModelFallbacks } from "./ModelFallbacks.ts"
import type { PipelineOptions, SpeechRequest, StageFailed } from "./Pipeline.ts"
import { maxPauseMs } from "./PipelineSettings.ts"
import type { SoundCache } from "./SoundCache.ts"
import { SpokenSound } from "./SpokenSound.ts"
import type { SessionRuns } from "./StageRuns.ts"

const unreadable = (detail: string, hasBegun: boolean) =>
  new UpstreamFailed({ why: "unreadable", detail, retryAfterSeconds: null, advice: null, hasBegun })

/** One request for speech, over the attempts of its model's route. */
class Speaking {
  readonly #onSound: SpeechRequest["onSound"]
  readonly #deadline: Deadline
  #sound = new SpokenSound()
  /** Whether an upstream has sent anything: that part is billed when nobody waits for the rest. */
  hasCome = false
  /** Whether any of it has been passed on. */
  hasBegun = false

  constructor(onSound: SpeechRequest["onSound"], deadline: Deadline) {
    this.#onSound = onSound
    this.#deadline = deadline
  }

  readonly onBytes: SpeakWork["onBytes"] = (bytes) =>
    Effect.map(Instant.now, (at) => {
      this.hasCome = true
      this.#pass(this.#sound.push(bytes))
      if (this.hasBegun) this.#deadline.extend(at, maxPauseMs)
    })

  /** Runs an attempt, which is read from its own beginning. */
  readonly run = (
    run: Effect.Effect<{ readonly ended: true }, UpstreamFailed>
  ): Effect.Effect<{ readonly ended: true }, UpstreamFailed> =>
    Effect.suspend(() => {
      this.#sound = new SpokenSound()
      return this.#deadline.bound(run)
    }).pipe(
      Effect.mapError((error) => (this.hasBegun ? new UpstreamFailed({ ...error, hasBegun: true }) : error)),
      Effect.flatMap((answer) => {
        this.#pass(this.#sound.end())
        if (this.#sound.isUnreadable) return Effect.fail(unreadable("the sound is of an unknown form", this.hasBegun))
        return this.hasBegun ? Effect.succeed(answer) : Effect.fail(unreadable("the sound is empty", false))
      })
    )

  #pass(samples: Int16Array): void {
    if (samples.length === 0) return
    this.hasBegun = true
    this.#onSound(samples)
  }
}

type Asked = Pick<SpeechRequest, "language" | "text">

const candidateOf = (
  { language, text }: Asked,
  { voice }: SpeakModel,
  model: Models.Model,
  speaking: Speaking
): Candidate<"speak"> => {
  const amount = { unit: "characters", characters: codePoints(text) } as const
  return {
    model,
    maxMs: maxStreamMs,
    work: ({ model: name, upstream }) => {
      const fields = { model: name, input: text, ...(voice === null ? {} : { voice }), response_format: "pcm" }
      const request = { model: name, input: text, voice, format: "pcm", speed: null, language, fields } as const
      const cannot = upstream.speakRefusal?.(request) ?? null
      return cannot === null
        ? Result.succeed({ ...request, onBytes: speaking.onBytes })
        : Result.fail(refuse("invalid_request", cannot))
    },
    run: (entry, work) => speaking.run(entry.run(work)),
    maxAmount: amount,
    amountOf: () => amount,
    amountSoFar: () => (speaking.hasCome ? amount : null)
  }
}

interface SpeakStageOptions extends Pick<PipelineOptions, "onWarning" | "payer"> {
  /** The sentences of all sessions that are always the same. */
  readonly cache: SoundCache
  readonly timeoutMs: number
}

/** The speaking of a session. */
export const makeSpeakStage = (
  runs: SessionRuns,
  { cache, onWarning, payer: { tenantId }, timeoutMs }: SpeakStageOptions
) => {
  const fallbacks = new ModelFallbacks()

  const ask = (request: SpeechRequest, choice: SpeakModel, onSound: SpeechRequest["onSound"]) =>
    Effect.gen(function* () {
      const { turnId } = request
      const deadline = new Deadline(Instant.plus(yield* Instant.now, timeoutMs))
      const speaking = new Speaking(onSound, deadline)
      return yield* Effect.mapError(
        runs.run({
          capability: "speak",
          model: choice.model,
          turnId,
          candidate: (model) => Effect.succeed(candidateOf(request, choice, model, speaking)),
          answer: (): string | null => choice.model
        }),
        (error): AttemptFailed => ({ error, isLast: speaking.hasBegun })
      )
    })

  const askFixed = (request: SpeechRequest, choice: SpeakModel): Effect.Effect<string | null, AttemptFailed> => {
    const { language, onSound, text } = request
    const key = JSON.stringify([tenantId, text, choice.model, choice.voice, language])
    const known = cache.get(key)
    if (known !== null)
      return Effect.as(
        Effect.sync(() => onSound(known)),
        null
      )
    const pieces: Array<Int16Array> = []
    const collecting: SpeechRequest["onSound"] = (samples) => {
      pieces.push(samples)
      onSound(samples)
    }
    return Effect.tap(ask(request, choice, collecting), () => Effect.sync(() => cache.set(key, joined(pieces))))
  }

  return (request: SpeechRequest): Effect.Effect<string | null, StageFailed> =>
    fallbacks.first({
      choices: request.choices,
      ask: (choice) => (request.isFixed ? askFixed(request, choice) : ask(request, choice, request.onSound)),
      onFallback: () => onWarning("SPEAK_REQUEST_FAILED")
    })
}

const joined = (pieces: ReadonlyArray<Int16Array>): Int16Array => {
  const whole = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
