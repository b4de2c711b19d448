/** Our own sentences for the codes with which a session ends. Pure. Source: docs/reference/voice-agent.md#endings. */
import type { ErrorCode } from "./ServerMessage.ts"

export const errorSentences: Readonly<Partial<Record<ErrorCode, string>>> = {
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
    "More was sent than a conversation needs: sound in about real time, and at most 200 messages a second."
}
