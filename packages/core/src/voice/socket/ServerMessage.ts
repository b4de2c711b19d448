/** The messages to a client on the socket of an agent, in the protocol's own names. Pure. Source: docs/reference/voice-agent.md#socket. */

/** What a client is warned of; the session goes on. */
export type WarningCode =
  | "AUDIO_CHUNK_TOO_LARGE"
  | "CONTEXT_TRUNCATED"
  | "FUNCTION_CALL_TIMEOUT"
  | "IDLE_TIMEOUT_APPROACHING"
  | "INVALID_UPDATE"
  | "MAXIMUM_SESSION_LENGTH_APPROACHING"
  | "PROMPT_TOO_LONG"
  | "SETTINGS_FIELDS_IGNORED"
  | "LISTEN_REQUEST_FAILED"
  | "SPEAK_REQUEST_FAILED"
  | "THINK_REQUEST_FAILED"
  | "UNKNOWN_MESSAGE"
  | "UNMATCHED_FUNCTION_RESPONSE"
  | "UNPARSABLE_CLIENT_MESSAGE"

/** Why a session ends; the close follows. */
export type ErrorCode =
  | "API_KEY_BUDGET_EXCEEDED"
  | "ASR_CONNECTION_CLOSED"
  | "CLIENT_LIMIT_EXCEEDED"
  | "CLIENT_MESSAGE_TIMEOUT"
  | "CONCURRENCY_LIMIT"
  | "FAILED_TO_SPEAK"
  | "FAILED_TO_THINK"
  | "INSUFFICIENT_CREDITS"
  | "INTERNAL_SERVER_ERROR"
  | "INVALID_SETTINGS"
  | "MAXIMUM_SESSION_LENGTH_REACHED"
  | "MODEL_UNAVAILABLE"
  | "NO_INPUT"
  | "NON_SETTINGS_MESSAGE_BEFORE_SETTINGS"
  | "SERVER_GOING_AWAY"
  | "SETTINGS_ALREADY_APPLIED"
  | "UNPARSABLE_CLIENT_MESSAGE"

export type SpeakerRole = "user" | "assistant"

/** A call of a function, as a client sees it. */
export interface CalledFunction {
  readonly id: string
  readonly name: string
  /** A JSON text. */
  readonly arguments: string
  readonly isClientSide: boolean
}

/** Milliseconds; what was not measured is left out. */
export interface TurnLatencies {
  readonly endOfUtteranceMs?: number
  readonly listenMs?: number
  /** To the first token. */
  readonly thinkMs?: number
  readonly speakMs?: number
  readonly totalMs?: number
}

const text = (type: string, fields: object = {}): string => JSON.stringify({ type, ...fields })

const seconds = (milliseconds: number): number => Math.round(milliseconds) / 1000

const secondsOf = (latencies: Readonly<Record<string, number | undefined>>) =>
  Object.fromEntries(
    Object.entries(latencies).flatMap(([name, ms]) => (ms === undefined ? [] : [[name, seconds(ms)] as const]))
  )

const callOf = ({ isClientSide, ...call }: CalledFunction) => ({ ...call, client_side: isClientSide })

/** Messages without fields. */
const bare = <T extends string>(type: T) => text(type)

/** Every message of ours, as it is sent. */
export const ServerMessage = {
  welcome: (sessionId: string) => text("Welcome", { request_id: sessionId }),
  settingsApplied: bare("SettingsApplied"),
  promptUpdated: bare("PromptUpdated"),
  thinkUpdated: bare("ThinkUpdated"),
  listenUpdated: bare("ListenUpdated"),
  speakUpdated: bare("SpeakUpdated"),
  userStartedSpeaking: bare("UserStartedSpeaking"),
  agentAudioDone: bare("AgentAudioDone"),
  conversationText: (role: SpeakerRole, content: string) => text("ConversationText", { role, content }),
  history: (role: SpeakerRole, content: string) => text("History", { role, content }),
  functionHistory: (calls: ReadonlyArray<CalledFunction & { readonly response: string }>) =>
    text("History", { function_calls: calls.map(({ response, ...call }) => ({ ...callOf(call), response })) }),
  agentThinking: (content: string) => text("AgentThinking", { content }),
  /** In milliseconds; 0 for a stage that had no part. */
  agentStartedSpeaking: (latencies: Required<Pick<TurnLatencies, "totalMs" | "speakMs" | "thinkMs">>) =>
    text("AgentStartedSpeaking", {
      total_latency: seconds(latencies.totalMs),
      tts_latency: seconds(latencies.speakMs),
      ttt_latency: seconds(latencies.thinkMs)
    }),
  latencyReport: ({ endOfUtteranceMs, listenMs, speakMs, thinkMs, totalMs }: TurnLatencies) =>
    text(
      "LatencyReport",
      secondsOf({
        eou_latency: endOfUtteranceMs,
        stt_latency: listenMs,
        ttt_token_latency: thinkMs,
        tts_latency: speakMs,
        total_latency: totalMs
      })
    ),
  functionCallRequest: (calls: ReadonlyArray<CalledFunction>) =>
    text("FunctionCallRequest", { functions: calls.map(callOf) }),
  functionCallResponse: (call: Pick<CalledFunction, "id" | "name">, content: string) =>
    text("FunctionCallResponse", { id: call.id, name: call.name, content }),
  functionCallCancelled: (calls: ReadonlyArray<Pick<CalledFunction, "id" | "name">>) =>
    text("FunctionCallCancelled", { functions: calls.map(({ id, name }) => ({ id, name })) }),
  injectionRefused: (message: string) => text("InjectionRefused", { message }),
  warning: (code: WarningCode, description: string) => text("Warning", { code, description }),
  error: (code: ErrorCode, description: string) => text("Error", { code, description })
} as const
