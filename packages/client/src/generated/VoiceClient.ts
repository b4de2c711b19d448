/** The area voice: made from the contract by ClientFiles.test.ts. */
import type { List } from "../List.ts"
import { type ClientArea, clientArea } from "../Operation.ts"
import type { FileResponse, KeyedRequestOptions, RequestOptions } from "../Request.ts"
import type {
  NewVoiceAlert,
  NewVoiceSession,
  TranscriptEntry,
  VoiceAlert,
  VoiceAlertChange,
  VoiceSession,
  VoiceSessionAnalysis,
  VoiceSessionCost
} from "./Records.ts"

export interface VoiceAlertsMethods {
  /**
   * Create an alert.
   *
   * Creates an alert that watches a metric of calls or voice sessions. An API key needs the scope `webhooks:write`.
   */
  create(body: NewVoiceAlert, options?: KeyedRequestOptions): Promise<VoiceAlert>
  /**
   * List alerts.
   *
   * Returns the account's alerts, newest first. People of every role may do this. An API key needs the scope `webhooks:write`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 200. Default 50. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): List<VoiceAlert>
  /**
   * Get an alert.
   *
   * Returns one alert with its last reading. People of every role may do this. An API key needs the scope `webhooks:write`.
   */
  get(alertId: string, options?: RequestOptions): Promise<VoiceAlert>
  /**
   * Change an alert.
   *
   * Changes the fields that you send, ignores those that cannot be changed and keeps the others; another rule disarms the alert. An API key needs the scope `webhooks:write`.
   */
  change(alertId: string, body: VoiceAlertChange, options?: RequestOptions): Promise<VoiceAlert>
  /**
   * Delete an alert.
   *
   * Deletes an alert. An API key needs the scope `webhooks:write`.
   */
  remove(alertId: string, options?: RequestOptions): Promise<void>
}

export interface VoiceAnalysesMethods {
  /**
   * Analyse a voice session.
   *
   * Starts an analysis of a session that has ended, also again; the result is shown with the session. An API key needs the permission `llm`.
   */
  analyse(sessionId: string, options?: KeyedRequestOptions): Promise<VoiceSessionAnalysis>
}

export interface VoiceSessionsMethods {
  /**
   * Create a voice session.
   *
   * Creates a voice session and returns a token with which a client can connect within a minute. An API key needs the permission `llm`.
   */
  create(body: NewVoiceSession, options?: KeyedRequestOptions): Promise<VoiceSession>
  /**
   * List voice sessions.
   *
   * Returns the account's voice sessions, newest first. An API key needs the permission `llm`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 200. Default 50. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only items with this status. */
      readonly status?: "created" | "active" | "completed" | "failed" | "timeout" | undefined
      /** Returns only items of this agent. */
      readonly bot_id?: string | undefined
      /** Returns only items of this call. */
      readonly call_id?: string | undefined
    },
    options?: RequestOptions
  ): List<VoiceSession>
  /**
   * Get a voice session.
   *
   * Returns one voice session. An API key needs the permission `llm`.
   */
  get(sessionId: string, options?: RequestOptions): Promise<VoiceSession>
  /**
   * End a voice session.
   *
   * Ends a voice session; one that has ended already is returned as it is. An API key needs the permission `llm`.
   */
  end(sessionId: string, options?: RequestOptions): Promise<VoiceSession>
  /**
   * Get the transcript of a voice session.
   *
   * Returns what caller and agent said, in its order, also while the session runs. An API key needs the permission `llm`.
   */
  transcript(
    sessionId: string,
    query?: {
      /** Format of the transcript; default `json`. */
      readonly format?: "json" | "txt" | "srt" | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): Promise<ReadonlyArray<TranscriptEntry> | string>
  /**
   * Get the cost of a voice session.
   *
   * Returns what a voice session has cost, by service and model, its call included. An API key needs the permission `llm`.
   */
  cost(sessionId: string, options?: RequestOptions): Promise<VoiceSessionCost>
  /**
   * Get the recording of a voice session.
   *
   * Returns a WAV file of two channels: the caller on the left, the agent on the right. An API key needs the permission `llm`.
   */
  recording(sessionId: string, options?: RequestOptions): Promise<FileResponse>
  /**
   * Delete the recording of a voice session.
   *
   * Deletes the recording of a voice session that has ended. An API key needs the permission `llm`.
   */
  removeRecording(sessionId: string, options?: RequestOptions): Promise<void>
}

/** The routes of the area voice. */
export interface VoiceClient {
  readonly voiceAlerts: VoiceAlertsMethods
  readonly voiceAnalyses: VoiceAnalysesMethods
  readonly voiceSessions: VoiceSessionsMethods
}

/** For the `areas` of `createClient`. */
export const voice: ClientArea<VoiceClient> = clientArea({
  voiceAlerts: {
    create: { method: "POST", path: "/api/v1/voice-alerts", takes: ["json"], key: "always" },
    list: { method: "GET", path: "/api/v1/voice-alerts", takes: ["query"], pages: "offset" },
    get: { method: "GET", path: "/api/v1/voice-alerts/{alert_id}" },
    change: { method: "PATCH", path: "/api/v1/voice-alerts/{alert_id}", takes: ["json"] },
    remove: { method: "DELETE", path: "/api/v1/voice-alerts/{alert_id}" }
  },
  voiceAnalyses: {
    analyse: { method: "POST", path: "/v1/voice/sessions/{session_id}/analysis", key: "named" }
  },
  voiceSessions: {
    create: { method: "POST", path: "/v1/voice/sessions", takes: ["json"], key: "named" },
    list: { method: "GET", path: "/v1/voice/sessions", takes: ["query"], pages: "offset" },
    get: { method: "GET", path: "/v1/voice/sessions/{session_id}" },
    end: { method: "DELETE", path: "/v1/voice/sessions/{session_id}" },
    transcript: { method: "GET", path: "/v1/voice/sessions/{session_id}/transcript", takes: ["query"] },
    cost: { method: "GET", path: "/v1/voice/sessions/{session_id}/cost" },
    recording: { method: "GET", path: "/v1/voice/sessions/{session_id}/recording", isFile: true },
    removeRecording: { method: "DELETE", path: "/v1/voice/sessions/{session_id}/recording" }
  }
})
