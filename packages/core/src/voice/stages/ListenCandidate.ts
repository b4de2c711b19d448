/** One request to transcribe an utterance, or a part of it, with its price. Source: docs/reference/voice-agent.md#listening. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Models } from "../../gateway/catalogue/index.ts"
import { type Candidate, maxStreamMs } from "../../gateway/run/index.ts"
import { billedSeconds, speechTaskOf } from "../../gateway/speech/index.ts"
import type {
  ListenConnection,
  SpeechAnswer,
  SpeechWork,
  UpstreamFailed,
  UpstreamRoute
} from "../../gateway/upstreams/index.ts"
import type { Deadline } from "./Deadline.ts"
import { reservedSeconds } from "./PipelineSettings.ts"
import type { SoundPart, UtteranceSound } from "./UtteranceSound.ts"

export type ListenEntry = UpstreamRoute<"transcribe">

/** Whether an upstream can run the model for a conversation: one that takes no files needs a connection. */
export const canListen = (model: Models.Model, { upstream }: Pick<ListenEntry, "upstream">): boolean =>
  !model.streamingOnly || upstream.listening !== undefined

interface Listening {
  readonly model: Models.Model
  readonly language: string | null
  readonly sound: UtteranceSound
  /** Null while the utterance is still spoken. */
  readonly part: SoundPart | null
  /** Known once the utterance has ended. */
  readonly deadline: Effect.Effect<Deadline>
  readonly connections: (entry: ListenEntry, language: string | null) => Effect.Effect<ListenConnection | null>
}

export const listenCandidate = ({
  connections,
  deadline,
  language: asked,
  model,
  part,
  sound
}: Listening): Candidate<"transcribe"> => {
  const { diarize, features, language, mode, task } = taskFor(model, asked)
  const amount = () => ({ unit: "seconds", seconds: billedSeconds(part?.seconds ?? sound.seconds) }) as const

  const file = (run: ListenEntry["run"], work: SpeechWork) =>
    Effect.andThen(
      deadline,
      Effect.suspend(() => run({ ...work, audio: part?.audio ?? sound.files(null)[0]!.audio }))
    )

  /** A file is sent as a file, also to an upstream that hears speech while it is spoken. */
  const run = (entry: ListenEntry, work: SpeechWork): Effect.Effect<SpeechAnswer, UpstreamFailed> =>
    part === null || model.streamingOnly
      ? Effect.flatMap(connections(entry, language), (connection) => connection?.hear(sound) ?? file(entry.run, work))
      : file(entry.run, work)

  return {
    model,
    isServedBy: (entry) => canListen(model, entry),
    work: (entry) =>
      Result.succeed({
        task,
        diarize,
        features,
        language,
        mode,
        model: entry.model,
        requestedModel: model.id,
        audio: part?.audio ?? nothingYet
      }),
    run: (entry, work) =>
      Effect.raceFirst(
        run(entry, work),
        Effect.flatMap(deadline, (known) => known.bound(Effect.never))
      ),
    maxMs: maxStreamMs,
    maxAmount: part === null ? { unit: "seconds", seconds: reservedSeconds } : amount(),
    amountOf: amount,
    amountSoFar: () => (part === null && sound.hasBeenSent ? amount() : null)
  }
}

const nothingYet: SpeechWork["audio"] = { chunks: [], size: 0, fileName: "utterance.wav", contentType: "audio/wav" }

/** What the model does with an utterance: it transcribes, in one of its own languages. */
const taskFor = (model: Models.Model, language: string | null) =>
  speechTaskOf(
    {
      route: "transcriptions",
      model: model.id,
      language,
      mode: "transcribe",
      format: "json",
      stream: false,
      features: [],
      unserved: null
    },
    model
  )
