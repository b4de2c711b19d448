/** What one source says of an agent that speaks: its configuration, a session or a client. All of it is optional. Pure. Source: docs/reference/voice-agent.md#agent. */
import type {
  AgentFunction,
  AgentSettings,
  ContextMessage,
  FixedMessages,
  NudgeSettings,
  SpeakModel,
  ThinkModel,
  TransferTarget,
  TurnSettings
} from "./AgentSettings.ts"
import type { GivenFields } from "./GivenFields.ts"

type Some<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** A stage's model and what replaces it; `fallbacks` replaces all. */
type SomeChoices<T> = Some<T> & { readonly fallbacks?: ReadonlyArray<T> | undefined }

export interface GivenAgent {
  readonly greeting?: string | undefined
  readonly firstSpeaker?: AgentSettings["firstSpeaker"] | undefined
  readonly prompt?: string | undefined
  readonly language?: string | undefined
  readonly context?: ReadonlyArray<ContextMessage> | undefined
  readonly listen?: Some<AgentSettings["listen"]> | undefined
  readonly think?: SomeChoices<ThinkModel> | undefined
  readonly speak?: SomeChoices<SpeakModel> | undefined
  readonly turn?: Some<TurnSettings> | undefined
  readonly nudge?: Some<NudgeSettings> | undefined
  readonly waitMessage?: string | undefined
  readonly messages?: Some<FixedMessages> | undefined
  readonly recordCalls?: boolean | undefined
  readonly recordingNotice?: string | undefined
  readonly hasRecordingNotice?: boolean | undefined
  readonly functions?: ReadonlyArray<AgentFunction> | undefined
  readonly tools?: ReadonlyArray<string> | undefined
  readonly transferTargets?: ReadonlyArray<TransferTarget> | undefined
}

/** A sentence that is said as it stands. */
const sentence = { max: 2000 }
const maxGreeting = 5000
export const maxLanguage = 64

/** Names of models are at most of this length, in code points. */
export const modelName = { min: 1, max: 255 }

/** The fields that a bot's configuration and a client's `agent` have under the same names. */
export const readBehaviour = (fields: GivenFields): GivenAgent => ({
  greeting: fields.text("greeting", { max: maxGreeting }),
  language: fields.text("language", { max: maxLanguage }),
  firstSpeaker: fields.oneOf("first_speaker", ["agent", "caller"]),
  turn: readTurn(fields.object("turn")),
  nudge: {
    max: fields.whole("nudge_max", 0, 5),
    delayMs: milliseconds(fields.number("nudge_delay_seconds", 3, 120)),
    message: fields.text("nudge_message", sentence),
    hangUp: fields.flag("nudge_hangup")
  },
  waitMessage: fields.text("wait_message", sentence),
  messages: readMessages(fields.object("messages")),
  recordCalls: fields.flag("record_calls"),
  recordingNotice: fields.text("recording_notice", sentence),
  hasRecordingNotice: fields.flag("recording_notice_enabled")
})

const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.round(seconds * 1000)

const readTurn = (fields: GivenFields | undefined): GivenAgent["turn"] => {
  if (fields === undefined) return undefined
  const turn = {
    silenceMs: fields.whole("silence_ms", 200, 3000),
    maxSilenceMs: fields.whole("max_silence_ms", 500, 5000),
    minSpeechMs: fields.whole("min_speech_ms", 0, 2000),
    bargeIn: fields.flag("barge_in"),
    backchannel: fields.texts("backchannel", 200, 60)?.map((words) => words.toLowerCase()),
    echoGuard: fields.flag("echo_guard")
  }
  fields.ignoreRest()
  return turn
}

const readMessages = (fields: GivenFields | undefined): GivenAgent["messages"] => {
  if (fields === undefined) return undefined
  const messages = {
    reprompt: fields.text("reprompt", sentence),
    trouble: fields.text("trouble", sentence),
    goodbye: fields.text("goodbye", sentence),
    resumed: fields.text("resumed", sentence)
  }
  fields.ignoreRest()
  return messages
}
