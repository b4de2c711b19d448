/** What the server says on a conversation's socket, in the words of the public protocol. Pure. Source: docs/voice-agent.md#messages. */
import type { HistoryMessage, ReplyTimes } from "../conversation/index.ts"

export interface AnnouncedCall {
  readonly id: string
  readonly name: string
  /** A JSON text. */
  readonly arguments: string
  readonly client_side: boolean
}

export interface AnsweredCall extends AnnouncedCall {
  readonly response: string
}

export type ServerMessage =
  | { readonly type: "Welcome"; readonly request_id: string }
  | { readonly type: "SettingsApplied" | "UserStartedSpeaking" | "AgentAudioDone" }
  | { readonly type: "PromptUpdated" | "ThinkUpdated" | "ListenUpdated" | "SpeakUpdated" }
  | { readonly type: "ConversationText"; readonly role: "user" | "assistant"; readonly content: string }
  | { readonly type: "History"; readonly role: "user" | "assistant"; readonly content: string }
  | { readonly type: "History"; readonly function_calls: ReadonlyArray<AnsweredCall> }
  | { readonly type: "AgentThinking"; readonly content: string }
  | ({ readonly type: "AgentStartedSpeaking" } & Readonly<
      Record<"total_latency" | "tts_latency" | "ttt_latency", number>
    >)
  | ({ readonly type: "LatencyReport" } & Readonly<Record<string, number | string>>)
  | { readonly type: "FunctionCallRequest"; readonly functions: ReadonlyArray<AnnouncedCall> }
  | { readonly type: "FunctionCallResponse"; readonly id: string; readonly name: string; readonly content: string }
  | {
      readonly type: "FunctionCallCancelled"
      readonly functions: ReadonlyArray<Pick<AnnouncedCall, "id" | "name">>
    }
  | { readonly type: "InjectionRefused"; readonly message: string }
  | { readonly type: "Warning" | "Error"; readonly code: string; readonly description: string }

export const history = ({ content, role }: HistoryMessage): ServerMessage => ({ type: "History", role, content })

const seconds = (ms: number | null): number => (ms === null ? 0 : ms / 1000)

export const agentStartedSpeaking = ({ llmMs, totalMs, ttsMs }: ReplyTimes): ServerMessage => ({
  type: "AgentStartedSpeaking",
  total_latency: seconds(totalMs),
  tts_latency: seconds(ttsMs),
  ttt_latency: seconds(llmMs)
})

/** What was not measured is left out. */
export const latencyReport = ({ eouMs, llmMs, sttMs, totalMs, ttsMs }: ReplyTimes): ServerMessage => {
  const measured = {
    eou_latency: eouMs,
    stt_latency: sttMs,
    ttt_token_latency: llmMs,
    tts_latency: ttsMs,
    total_latency: totalMs
  }
  const known = Object.entries(measured).flatMap(([name, ms]) => (ms === null ? [] : [[name, ms / 1000] as const]))
  return { type: "LatencyReport", ...Object.fromEntries(known) }
}

/** Our own sentences for the codes of errors. */
export const errorSentences: Readonly<Record<string, string>> = {
  CLIENT_MESSAGE_TIMEOUT: "Nothing was received in time. Send Settings first, and sound or KeepAlive afterwards.",
  NON_SETTINGS_MESSAGE_BEFORE_SETTINGS: "The first message must be Settings.",
  UNPARSABLE_CLIENT_MESSAGE: "The first message must be a JSON object with the type Settings.",
  SETTINGS_ALREADY_APPLIED: "Settings were applied before. Open another connection for other settings.",
  CONCURRENCY_LIMIT: "The account has as many voice sessions as its plan allows at a time. Wait for one to end.",
  MODEL_UNAVAILABLE: "A model of this session is not available at the moment. Use another one.",
  INTERNAL_SERVER_ERROR: "Something went wrong on our side. It has been logged under this session's id.",
  FAILED_TO_SPEAK: "The agent could not speak. Check the model and its voice, or try again.",
  FAILED_TO_THINK: "The language model did not answer. Try again, or use another model.",
  ASR_CONNECTION_CLOSED: "Speech could not be transcribed. Try again, or use another model.",
  SERVER_GOING_AWAY: "The service is shutting down. Open another session.",
  INSUFFICIENT_CREDITS: "The account's credits do not cover the next request. Add credits.",
  API_KEY_BUDGET_EXCEEDED: "The budget of the key or of the account is used up, or the key is no longer valid.",
  MAXIMUM_SESSION_LENGTH_REACHED: "The session has reached its maximum duration.",
  NO_INPUT: "Nobody spoke for too long.",
  CLIENT_LIMIT_EXCEEDED:
    "More was sent than a conversation needs: sound in real time, and at most 200 messages a second."
}
