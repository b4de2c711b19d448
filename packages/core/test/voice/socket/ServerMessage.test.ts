/** What is said to a client, in the protocol's own names. Verifies: ASOC-2. */
import { expect, it } from "vitest"
import { ServerMessage } from "../../../src/voice/socket/index.ts"

const call = { id: "1", name: "book", arguments: '{"day":"Monday"}', isClientSide: true }
const sent = { id: "1", name: "book", arguments: '{"day":"Monday"}', client_side: true }

// Verifies: V-50, V-52, V-55, V-56.
it.each([
  [ServerMessage.welcome("s"), { type: "Welcome", request_id: "s" }],
  [ServerMessage.settingsApplied, { type: "SettingsApplied" }],
  [ServerMessage.promptUpdated, { type: "PromptUpdated" }],
  [ServerMessage.thinkUpdated, { type: "ThinkUpdated" }],
  [ServerMessage.listenUpdated, { type: "ListenUpdated" }],
  [ServerMessage.speakUpdated, { type: "SpeakUpdated" }],
  [ServerMessage.userStartedSpeaking, { type: "UserStartedSpeaking" }],
  [ServerMessage.agentAudioDone, { type: "AgentAudioDone" }],
  [ServerMessage.conversationText("user", "Hi"), { type: "ConversationText", role: "user", content: "Hi" }],
  [ServerMessage.history("assistant", "Hi"), { type: "History", role: "assistant", content: "Hi" }],
  [
    ServerMessage.functionHistory([{ ...call, response: "ok" }]),
    { type: "History", function_calls: [{ ...sent, response: "ok" }] }
  ],
  [ServerMessage.agentThinking("hm"), { type: "AgentThinking", content: "hm" }],
  [
    ServerMessage.agentStartedSpeaking({ totalMs: 812.4, speakMs: 100, thinkMs: 0 }),
    { type: "AgentStartedSpeaking", total_latency: 0.812, tts_latency: 0.1, ttt_latency: 0 }
  ],
  [
    ServerMessage.latencyReport({ endOfUtteranceMs: 500, listenMs: 210, thinkMs: 200, speakMs: 99.6, totalMs: 1010 }),
    {
      type: "LatencyReport",
      eou_latency: 0.5,
      stt_latency: 0.21,
      ttt_token_latency: 0.2,
      tts_latency: 0.1,
      total_latency: 1.01
    }
  ],
  [ServerMessage.latencyReport({ totalMs: 10 }), { type: "LatencyReport", total_latency: 0.01 }],
  [ServerMessage.functionCallRequest([call]), { type: "FunctionCallRequest", functions: [sent] }],
  [
    ServerMessage.functionCallResponse(call, "done"),
    { type: "FunctionCallResponse", id: "1", name: "book", content: "done" }
  ],
  [
    ServerMessage.functionCallCancelled([call]),
    { type: "FunctionCallCancelled", functions: [{ id: "1", name: "book" }] }
  ],
  [ServerMessage.injectionRefused("Not now."), { type: "InjectionRefused", message: "Not now." }],
  [
    ServerMessage.warning("PROMPT_TOO_LONG", "It was cut."),
    { type: "Warning", code: "PROMPT_TOO_LONG", description: "It was cut." }
  ],
  [
    ServerMessage.error("INVALID_SETTINGS", "agent: is wrong"),
    { type: "Error", code: "INVALID_SETTINGS", description: "agent: is wrong" }
  ]
])("%s", (text, message) => {
  expect(JSON.parse(text)).toEqual(message)
})
