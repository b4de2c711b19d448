/** One conversation on a client's socket, from its first message to its close. Source: docs/reference/voice-agent.md#socket. */
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { type MediaLine, millisecondsIn, type SoundFormat } from "../../platform/audio/index.ts"
import { type Instant, utf8Length } from "../../platform/kernel/index.ts"
import type { SocketConnection, SocketListener } from "../../platform/room/index.ts"
import type {
  AgentSettings,
  AppliedSettings,
  JsonObject,
  SettingsUpdate,
  UpdateApplied,
  UpdateRefused
} from "../agent/index.ts"
import type { ConversationView, FunctionView, LiveRun } from "../live/index.ts"
import type { LiveSession, VoiceSession } from "../sessions/index.ts"
import type { Ending, ReplyTimes } from "../turns/index.ts"
import { type ClientMessage, readClientMessage } from "./ClientMessage.ts"
import { errorSentences } from "./ErrorSentences.ts"
import { MessageRates } from "./MessageRates.ts"
import { type ErrorCode, ServerMessage, type WarningCode } from "./ServerMessage.ts"

/** Sound in one frame beyond this is dropped. */
const maxFrameMs = 5000
/** The bytes that are kept of messages before the settings are applied. */
const maxEarlyBytes = 64 * 1024
/** A reply under way may be finished when the process stops. */
const goingAwayMs = 7500

interface SocketLimits {
  readonly settingsTimeoutMs: number
  readonly idleTimeoutMs: number
}

/** The run that is prepared for a session once its settings are known. */
export interface StartedRun {
  readonly run: LiveRun
  /** The settings after an update, or why it is refused. */
  readonly update: (settings: AgentSettings, update: SettingsUpdate) => UpdateApplied | UpdateRefused
}

export interface SocketSessionOptions {
  readonly live: LiveSession
  readonly connection: SocketConnection
  readonly limits: SocketLimits
  /** Whether the client has a session's token: it can speak and change nothing. */
  readonly isTokens: boolean
  readonly apply: (
    settings: JsonObject
  ) => Effect.Effect<AppliedSettings | { readonly code: string; readonly description: string }>
  readonly start: (applied: AppliedSettings, session: SocketSession) => Effect.Effect<StartedRun>
  /** Ends a session that never had a run. */
  readonly endUnstarted: (reason: string) => Effect.Effect<VoiceSession | null>
  /** Called once, after everything. */
  readonly closed: Effect.Effect<void>
  readonly now: () => Instant.Instant
  readonly fork: <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A>
}

/** Why a session ends whose settings cannot be applied, by the code of the error; any other is a fault of the settings. */
const refusals: Readonly<Record<string, string>> = {
  MODEL_UNAVAILABLE: "model_unavailable",
  INTERNAL_SERVER_ERROR: "start_failed"
}

/** The codes of closes by the code of the error; every other one is 1000. */
const closeCodes: Readonly<Record<string, number>> = { SERVER_GOING_AWAY: 1001, CLIENT_LIMIT_EXCEEDED: 1008 }

export class SocketSession implements SocketListener {
  readonly #of: SocketSessionOptions
  readonly #rates: MessageRates
  #state: "waiting" | "applying" | "running" | "over" = "waiting"
  #early: Array<string | Uint8Array> = []
  #earlyBytes = 0
  #started: StartedRun | null = null
  #settings: AgentSettings | null = null
  #input: SoundFormat | null = null
  #lastMessageAt: number
  #hasWarnedOfIdle = false
  readonly #clocks: Array<Fiber.Fiber<unknown>> = []

  constructor(options: SocketSessionOptions) {
    this.#of = options
    this.#rates = new MessageRates(options.now())
    this.#lastMessageAt = options.now()
    this.#say(ServerMessage.welcome(options.live.session.id))
    this.#after(options.limits.settingsTimeoutMs, () => {
      if (this.#state === "waiting") this.fail({ reason: "start_failed", code: "CLIENT_MESSAGE_TIMEOUT" })
    })
  }

  /** The settings as they are now. */
  readonly settings = (): AgentSettings => this.#settings as AgentSettings // a run asks after they were applied

  // The socket

  readonly text = (text: string): void => {
    if (!this.#isAdmitted()) return
    if (this.#state === "waiting") this.#first(text)
    else if (this.#state === "applying") this.#keep(text, utf8Length(text))
    else this.#message(readClientMessage(text))
  }

  readonly bytes = (bytes: Uint8Array): void => {
    if (!this.#isAdmitted()) return
    if (this.#state === "waiting") {
      this.fail({ reason: "non_settings_message_before_settings", code: "NON_SETTINGS_MESSAGE_BEFORE_SETTINGS" })
    } else if (this.#state === "applying") this.#keep(bytes, bytes.length)
    else this.#sound(bytes)
  }

  readonly closed = (): void => {
    this.#end({ reason: "client_disconnect", code: null })
  }

  readonly goingAway = (): void => {
    const ending: Ending = { reason: "agent_error", code: "SERVER_GOING_AWAY" }
    const isIdle = () => this.#started === null || !this.#started.run.conversation.isBusy
    const until = this.#of.now() + goingAwayMs
    const waiting: Effect.Effect<void> = Effect.suspend(() =>
      isIdle() || this.#of.now() >= until ? Effect.void : Effect.andThen(Effect.sleep(100), waiting)
    )
    this.#of.fork(
      Effect.andThen(
        waiting,
        Effect.sync(() => this.fail(ending))
      )
    )
  }

  /** It may have ended while something was waited for. */
  #isOver(): boolean {
    return this.#state === "over"
  }

  /** True where the message counts: the session runs, and its rate is kept. */
  #isAdmitted(): boolean {
    if (this.#state === "over") return false
    const now = this.#of.now()
    this.#lastMessageAt = now
    this.#hasWarnedOfIdle = false
    if (this.#rates.message(now)) return true
    this.fail({ reason: "client_disconnect", code: "CLIENT_LIMIT_EXCEEDED" })
    return false
  }

  #keep(message: string | Uint8Array, bytes: number): void {
    this.#earlyBytes += bytes
    if (this.#earlyBytes <= maxEarlyBytes) this.#early.push(message)
    else this.fail({ reason: "client_disconnect", code: "CLIENT_LIMIT_EXCEEDED" })
  }

  // Settings

  #first(text: string): void {
    const message = readClientMessage(text)
    if (message._tag === "Settings") return void this.#apply(message.settings)
    if (message._tag === "Unparsable" && !message.isObject) {
      return void this.fail({ reason: "invalid_settings", code: "UNPARSABLE_CLIENT_MESSAGE" })
    }
    this.fail({ reason: "non_settings_message_before_settings", code: "NON_SETTINGS_MESSAGE_BEFORE_SETTINGS" })
  }

  #apply(body: JsonObject): void {
    this.#state = "applying"
    const applying = Effect.gen({ self: this }, function* () {
      const applied = yield* this.#of.apply(body)
      if (this.#isOver()) return
      if ("code" in applied) {
        const { code, description } = applied
        return this.fail({ reason: refusals[code] ?? "invalid_settings", code }, description)
      }
      this.#settings = applied.settings
      const started = yield* this.#of.start(applied, this)
      if (this.#isOver()) return void (yield* started.run.end("client_disconnect"))
      this.#begin(started, applied)
    })
    this.#of.fork(
      Effect.catchCause(applying, (cause) =>
        Effect.andThen(
          Effect.logError("a voice session could not begin", cause),
          Effect.sync(() => this.fail({ reason: "start_failed", code: "INTERNAL_SERVER_ERROR" }))
        )
      )
    )
  }

  #begin(started: StartedRun, { input, warnings }: AppliedSettings): void {
    this.#state = "running"
    this.#started = started
    this.#input = input
    this.#say(ServerMessage.settingsApplied)
    for (const { code, description } of warnings) this.warn(code, description)
    started.run.conversation.handle({ _tag: "Begun" })
    this.#watchIdle()
    const early = this.#early
    this.#early = []
    for (const message of early) {
      if (typeof message === "string") this.#message(readClientMessage(message))
      else this.#sound(message)
    }
  }

  // Messages

  #sound(bytes: Uint8Array): void {
    const { now } = this.#of
    if (this.#input === null || this.#started === null || this.#state !== "running") return
    const ms = millisecondsIn(this.#input, bytes.length)
    if (!this.#rates.sound(ms, now()))
      return void this.fail({ reason: "client_disconnect", code: "CLIENT_LIMIT_EXCEEDED" })
    if (ms > maxFrameMs) {
      return void this.warn(
        "AUDIO_CHUNK_TOO_LARGE",
        "Sound of more than 5 seconds in one message was dropped. Send smaller pieces."
      )
    }
    this.#started.run.conversation.listener.sound(bytes)
  }

  #message(message: ClientMessage): void {
    if (this.#started === null || this.#state !== "running") return
    const { conversation, functions } = this.#started.run
    switch (message._tag) {
      case "Settings":
        return void this.fail({ reason: "invalid_settings", code: "SETTINGS_ALREADY_APPLIED" })
      case "InjectUserMessage":
        return void conversation.handle({ _tag: "UserMessage", content: message.content })
      case "InjectAgentMessage":
        return void this.#agentMessage(message)
      case "FunctionCallResponse":
        if (functions.respond(message.id, message.content)) return
        return void this.warn("UNMATCHED_FUNCTION_RESPONSE", "No function call with this id waits for an answer.")
      case "ForceEndTurn":
        return void conversation.forceEndTurn()
      case "KeepAlive":
        return
      case "Unknown":
        return void this.warn("UNKNOWN_MESSAGE", message.description)
      case "Unparsable":
        return void this.warn("UNPARSABLE_CLIENT_MESSAGE", message.description)
      default:
        return void this.#update(message)
    }
  }

  #agentMessage({ behavior, message }: Extract<ClientMessage, { readonly _tag: "InjectAgentMessage" }>): void {
    if (this.#of.isTokens) {
      return void this.#say(ServerMessage.injectionRefused("A session's token cannot make the agent speak."))
    }
    this.#started?.run.conversation.handle({ _tag: "AgentMessage", message, behavior })
  }

  #update(update: SettingsUpdate): void {
    if (this.#of.isTokens) return void this.warn("INVALID_UPDATE", "A session's token cannot change the agent.")
    const { run, update: apply } = this.#started as StartedRun // only running sessions have messages
    const updated = apply(this.settings(), update)
    if ("description" in updated) return void this.warn("INVALID_UPDATE", updated.description)
    this.#settings = updated.settings
    if (update._tag === "UpdateListen") run.setListening(updated.settings)
    this.#say(updates[update._tag])
    for (const { code, description } of updated.warnings) this.warn(code, description)
  }

  // Time

  #after(ms: number, run: () => void): void {
    this.#clocks.push(this.#of.fork(Effect.andThen(Effect.sleep(ms), Effect.sync(run))))
  }

  #watchIdle(): void {
    if (this.#state !== "running") return
    const { limits, now } = this.#of
    const silentMs = now() - this.#lastMessageAt
    const warnMs = limits.idleTimeoutMs * 0.75
    if (silentMs >= limits.idleTimeoutMs) {
      return void this.fail({ reason: "client_disconnect", code: "CLIENT_MESSAGE_TIMEOUT" })
    }
    if (silentMs >= warnMs && !this.#hasWarnedOfIdle) {
      this.#hasWarnedOfIdle = true
      this.warn("IDLE_TIMEOUT_APPROACHING", "Nothing was received for a while. Send sound or KeepAlive.")
    }
    const next = (this.#hasWarnedOfIdle ? limits.idleTimeoutMs : warnMs) - silentMs
    this.#after(Math.max(10, next), () => this.#watchIdle())
  }

  // The end

  /** Ends the session for a reason of ours. */
  fail(ending: Ending, description?: string): void {
    this.#end(ending, description)
  }

  /** Something else has ended the session. */
  lost(session: VoiceSession | null): void {
    this.#end({ reason: session?.endReason ?? "agent_error", code: null })
  }

  #end({ code, reason }: Ending, description?: string): void {
    if (this.#state === "over") return
    this.#state = "over"
    this.#early = []
    if (code !== null) {
      const sentence = description ?? errorSentences[code as ErrorCode] ?? "The session is over."
      this.#say(ServerMessage.error(code as ErrorCode, sentence)) // the codes of endings are the protocol's
    }
    for (const clock of this.#clocks) clock.interruptUnsafe()
    const { closed, connection, endUnstarted, fork } = this.#of
    const ended = this.#started === null ? endUnstarted(reason) : this.#started.run.end(reason)
    fork(
      Effect.gen(function* () {
        const session = yield* ended
        connection.close(closeCodes[code ?? ""] ?? 1000, session?.endReason ?? reason)
        yield* closed
      })
    )
  }

  // What the client gets

  #say(message: string): void {
    this.#of.connection.send(message)
  }

  warn(code: WarningCode, description: string): void {
    if (this.#state !== "over") this.#say(ServerMessage.warning(code, description))
  }

  /** The line of the conversation: sound goes out as it is, and has been played when its time has passed. */
  line(input: SoundFormat, output: SoundFormat): MediaLine {
    return {
      input,
      output,
      hasMarks: false,
      transfer: null,
      send: (sound) => this.#of.connection.send(sound),
      // The client drops what it has not played when the caller speaks.
      clear: () => undefined,
      mark: () => undefined,
      hangUp: () => this.fail({ reason: "agent_closed", code: null })
    }
  }

  readonly view: ConversationView = {
    callerSpeaks: () => this.#say(ServerMessage.userStartedSpeaking),
    interrupted: () => undefined,
    said: (role, content) => {
      this.#say(ServerMessage.conversationText(role, content))
      if (this.settings().sendsHistory) this.#say(ServerMessage.history(role, content))
    },
    thought: (content) => this.#say(ServerMessage.agentThinking(content)),
    agentSpeaks: ({ llmMs, totalMs, ttsMs }) =>
      this.#say(
        ServerMessage.agentStartedSpeaking({ totalMs: totalMs ?? 0, speakMs: ttsMs ?? 0, thinkMs: llmMs ?? 0 })
      ),
    latency: (times) => this.#say(ServerMessage.latencyReport(latenciesOf(times))),
    agentDone: () => this.#say(ServerMessage.agentAudioDone),
    refused: (message) => this.#say(ServerMessage.injectionRefused(message))
  }

  readonly functionView: FunctionView = {
    requested: (calls) => this.#say(ServerMessage.functionCallRequest(calls)),
    answered: (call, content) => this.#say(ServerMessage.functionCallResponse(call, content)),
    finished: (call, response) => {
      if (this.settings().sendsHistory) this.#say(ServerMessage.functionHistory([{ ...call, response }]))
    },
    cancelled: (calls) => this.#say(ServerMessage.functionCallCancelled(calls)),
    timedOut: ({ name }) =>
      this.warn(
        "FUNCTION_CALL_TIMEOUT",
        `The function ${name} did not answer in time: the model gets an error instead.`
      )
  }
}

const updates = {
  UpdatePrompt: ServerMessage.promptUpdated,
  UpdateThink: ServerMessage.thinkUpdated,
  UpdateListen: ServerMessage.listenUpdated,
  UpdateSpeak: ServerMessage.speakUpdated
} as const

/** What was not measured is left out. */
const latenciesOf = ({ eouMs, llmMs, sttMs, totalMs, ttsMs }: ReplyTimes) => ({
  ...(eouMs === null ? {} : { endOfUtteranceMs: eouMs }),
  ...(sttMs === null ? {} : { listenMs: sttMs }),
  ...(llmMs === null ? {} : { thinkMs: llmMs }),
  ...(ttsMs === null ? {} : { speakMs: ttsMs }),
  ...(totalMs === null ? {} : { totalMs })
})
