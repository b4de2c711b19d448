/** Runs sessions on lines: from the settings to the end. Source: docs/reference/voice-agent.md. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { type MediaLine, SpeechDetectors } from "../../platform/audio/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type { AgentSettings } from "../agent/index.ts"
import {
  type LiveSession,
  LiveSessions,
  Recordings,
  type RecordingWriter,
  type VoiceSession
} from "../sessions/index.ts"
import { type SessionPipeline, type StageWarning, VoicePipeline } from "../stages/index.ts"
import type { EndedCall, Ending, Entry, HistoryMessage } from "../turns/index.ts"
import * as Ids from "../VoiceIds.ts"
import { type ConversationView, LiveConversation } from "./LiveConversation.ts"
import { RecordedSound } from "./RecordedSound.ts"
import { SessionFunctions, type SessionFunctionsOptions } from "./SessionFunctions.ts"
import { type CountedSession, VoiceCounters } from "./VoiceCounters.ts"

/** A session of another process, or one that an API call has ended. */
export interface EndedElsewhere {
  readonly _tag: "EndedElsewhere"
  readonly session: VoiceSession | null
}

export interface LiveRunOptions {
  readonly live: LiveSession
  /** Where the session was counted before its run; the run counts its end. */
  readonly counted?: CountedSession
  readonly line: MediaLine
  readonly isTelephone: boolean
  /** As they are now. */
  readonly settings: () => AgentSettings
  readonly prompt: (settings: AgentSettings) => string
  readonly view: ConversationView
  /** What was said before, where the line has come back. */
  readonly history: ReadonlyArray<HistoryMessage>
  readonly functions: Omit<SessionFunctionsOptions, "settings" | "taken" | "builtIn"> & {
    readonly builtIn: (run: Pick<LiveRun, "recording">) => SessionFunctionsOptions["builtIn"]
  }
  readonly transfer: () => Effect.Effect<boolean>
  readonly onWarning: (code: StageWarning | "MAXIMUM_SESSION_LENGTH_APPROACHING") => void
  /** The conversation wants to end, or has to. The owner of the line calls `end`. */
  readonly onEnding: (ending: Ending) => void
  /** Another process runs the session from now on. */
  readonly onLost: (ended: EndedElsewhere) => void
}

interface ConversationParts {
  readonly append: (entries: Appended) => Effect.Effect<void>
  readonly first: AgentSettings
  readonly notice: string | null
  readonly now: () => Instant.Instant
  readonly options: LiveRunOptions
  readonly pipeline: SessionPipeline
  readonly recorder: Recorder
}

/** What a conversation is made of, but for the services of this process. */
const conversationOf = ({ append, first, notice, now, options, pipeline, recorder }: ConversationParts) => ({
  conversation: { ...conversationOptions(first, options), decidesTurns: pipeline.decidesTurns, notice },
  prompt: options.prompt,
  records: {
    append: (entry: Entry) => append([entryOf(entry)]),
    appendCall: (call: EndedCall) => append([toolEntry(call, now())]),
    noticePlayed: () => recorder.start(),
    callerSound: (bytes: Uint8Array) => recorder.caller(bytes),
    agentSound: (bytes: Uint8Array, from: number) => recorder.agent(bytes, from),
    agentCut: (at: number) => recorder.cut(at)
  },
  ended: options.onEnding,
  transfer: options.transfer
})

/** Both ways in which a run stops. One of them happens, once. */
const stopsOf = (
  close: Effect.Effect<void>,
  counted: CountedSession,
  end: (reason: string) => Effect.Effect<VoiceSession | null>
): Pick<LiveRun, "end" | "suspend"> => {
  let hasStopped = false
  const once = <A>(stop: Effect.Effect<A>): Effect.Effect<A | null> =>
    Effect.suspend(() => {
      if (hasStopped) return Effect.succeed(null)
      hasStopped = true
      return Effect.andThen(close, stop)
    })
  return {
    end: (reason) =>
      once(
        Effect.andThen(
          Effect.sync(() => counted.ended(reason)),
          end(reason)
        )
      ),
    suspend: once(Effect.sync(() => void counted.released()))
  }
}

/** Forks effects that end with the run. */
const forkIn = (context: Context.Context<never>) => {
  const fibers = new Set<Fiber.Fiber<unknown>>()
  return {
    fork: <A>(effect: Effect.Effect<A>): Fiber.Fiber<A> => {
      const fiber = Effect.runForkWith(context)(effect)
      fibers.add(fiber)
      fiber.addObserver(() => fibers.delete(fiber))
      return fiber
    },
    interruptAll: () => {
      for (const fiber of fibers) fiber.interruptUnsafe()
    }
  }
}

const endedQuietly = <A, E>(end: Effect.Effect<A, E>): Effect.Effect<A | null> =>
  Effect.catchCause(end, (cause) =>
    Effect.as(Effect.logError("the end of a voice session could not be written", cause), null)
  )

/** The recording of a run. */
interface RunRecording {
  readonly isRecording: () => boolean
  /** Stops, and deletes what there is. */
  readonly discard: Effect.Effect<void>
}

export interface LiveRun {
  readonly conversation: LiveConversation
  readonly functions: SessionFunctions
  readonly recording: RunRecording
  readonly setListening: (settings: AgentSettings) => void
  /** Ends everything that runs, stores what was said, settles every bill, and ends the session. Null where another process has it. */
  readonly end: (reason: string) => Effect.Effect<VoiceSession | null>
  /** The same, but the session goes on: its line may come back. */
  readonly suspend: Effect.Effect<void>
}

/** A nudge where the agent's settings name no number. */
const telephoneNudges = 2

/** Before the maximum duration. */
const warningMs = 5 * Instant.minute

export interface LiveRuns {
  /** Prepares a run. Nothing is said before the conversation's `Begun`. */
  readonly start: (options: LiveRunOptions) => Effect.Effect<LiveRun>
}

export const makeLiveRuns = Effect.gen(function* () {
  const counters = yield* VoiceCounters
  const detectors = yield* SpeechDetectors
  const ids = yield* Ids.IdSource
  const pipelines = yield* VoicePipeline
  const recordings = yield* Recordings
  const sessions = yield* LiveSessions
  const clock = yield* Clock.Clock
  const context = yield* Effect.context<never>()
  const now = () => Instant.make(clock.currentTimeMillisUnsafe())

  /** Calls are admitted where they are placed: here they only count. */
  const countedCall = (tenantId: Ids.AccountId) => {
    const counted = counters.begin()
    counted.claim(tenantId, null)
    return counted
  }

  const start = Effect.fnUntraced(function* (options: LiveRunOptions): Effect.fn.Return<LiveRun> {
    const { line, live, settings, view } = options
    const scope = yield* Scope.make()
    const { fork, interruptAll } = forkIn(context)
    const first = settings()
    const { payer, session } = live
    const stages = { sessionId: session.id, payer, listen: first.listen, onWarning: options.onWarning }
    const pipeline = yield* Scope.provide(pipelines.open(stages), scope)
    const watched = watchedForFaults(counters.counted(view), live.isResumed)
    const onFailure = () => options.onEnding(watched.fault())
    const recorder = new Recorder({ live, line, recordings, fork, now, onFailure })
    const append = appendTo(sessions, live, options.onLost)
    const functions = functionsOf(options, recorder)
    const notice = first.recordCalls && !live.isResumed ? first.recordingNotice : null
    const conversation = new LiveConversation({
      ...conversationOf({ append, first, notice, now, options, pipeline, recorder }),
      line,
      pipeline,
      settings,
      functions,
      now,
      fork,
      view: watched.view,
      detector: detectors.open(),
      freshId: () => ids.next(now())
    })
    if (first.recordCalls && notice === null) recorder.start()
    yield* Scope.provide(
      sessions.attach(live.lease, ({ session }) => options.onLost({ _tag: "EndedElsewhere", session })),
      scope
    )
    limitDuration(live.session, { ...options, now, fork })
    const close = Effect.gen(function* () {
      yield* conversation.close()
      interruptAll()
      yield* Scope.close(scope, Exit.void)
      yield* recorder.finish
    })

    return {
      conversation,
      functions,
      recording: recorder,
      ...stopsOf(close, options.counted ?? countedCall(payer.tenantId), (reason) =>
        endedQuietly(sessions.end(live.lease, reason))
      ),
      setListening: ({ listen }) => pipeline.setListening(listen)
    }
  })

  return { start } satisfies LiveRuns
})

const functionsOf = (options: LiveRunOptions, recorder: Recorder): SessionFunctions => {
  const { functions, settings } = options
  const taken = historyOf(options).flatMap((one) => (one.role === "tool" ? one.id : []))
  return new SessionFunctions({ ...functions, settings, taken, builtIn: functions.builtIn({ recording: recorder }) })
}

/** What was said before: on a line that has come back, or as the settings have it. */
const historyOf = ({ history, live, settings }: LiveRunOptions): ReadonlyArray<HistoryMessage> =>
  live.isResumed ? history : settings().context

/** A view, and how a fault of ours ends what it shows: a conversation without a reply to a turn has not really begun. */
const watchedForFaults = (view: ConversationView, isResumed: boolean) => {
  let hasReplied = isResumed
  const latency: ConversationView["latency"] = (times) => {
    hasReplied = true
    view.latency(times)
  }
  const fault = (): Ending => ({
    reason: hasReplied ? "agent_error" : "start_failed",
    code: "INTERNAL_SERVER_ERROR"
  })
  return { view: { ...view, latency }, fault }
}

const conversationOptions = (settings: AgentSettings, options: LiveRunOptions) => {
  const { firstSpeaker, greeting, language, messages, nudge, turn, waitMessage } = settings
  const { isTelephone, live } = options
  return {
    firstSpeaker,
    greeting,
    language,
    messages,
    turn,
    waitMessage,
    nudge: { ...nudge, max: nudge.max ?? (isTelephone ? telephoneNudges : 0) },
    history: historyOf(options),
    isResumed: live.isResumed
  }
}

const entryOf = ({ beginsTurn, isInterrupted, role, startedAt, text, ...times }: Entry) => ({
  role,
  text,
  beginsTurn,
  interrupted: isInterrupted,
  startedAt: Instant.make(startedAt),
  tool: null,
  durationMs: times.durationMs,
  model: times.model,
  eouMs: times.eouMs,
  sttMs: times.sttMs,
  llmMs: times.llmMs,
  ttsMs: times.ttsMs,
  totalMs: times.totalMs
})

const toolEntry = ({ arguments: args, name, result }: EndedCall, startedAt: Instant.Instant) => ({
  role: "tool" as const,
  text: "",
  interrupted: false,
  beginsTurn: false,
  startedAt,
  tool: { name, arguments: args, result },
  durationMs: null,
  model: null,
  eouMs: null,
  sttMs: null,
  llmMs: null,
  ttsMs: null,
  totalMs: null
})

type Appended = Parameters<LiveSessions["Service"]["append"]>[1]

/** Adds to the transcript. A row that cannot be written ends nothing: the conversation goes on. */
const appendTo =
  (sessions: LiveSessions["Service"], { lease }: LiveSession, onLost: LiveRunOptions["onLost"]) =>
  (entries: Appended): Effect.Effect<void> =>
    Effect.catchCause(
      Effect.map(sessions.append(lease, entries), (added) => {
        if (added === null) onLost({ _tag: "EndedElsewhere", session: null })
      }),
      (cause) => Effect.logError("what was said could not be stored", cause)
    )

/** Ends a session at its maximum, and warns before. */
const limitDuration = (
  { maxDurationSeconds, startedAt }: VoiceSession,
  of: Pick<LiveRunOptions, "onEnding" | "onWarning"> & {
    readonly now: () => Instant.Instant
    readonly fork: (effect: Effect.Effect<void>) => unknown
  }
): void => {
  const maxMs = maxDurationSeconds * Instant.second
  const warnMs = maxMs > 2 * warningMs ? maxMs - warningMs : maxMs * 0.9
  const gone = startedAt === null ? 0 : of.now() - startedAt
  const after = (ms: number, run: () => void) =>
    of.fork(Effect.andThen(Effect.sleep(Math.max(0, ms - gone)), Effect.sync(run)))
  if (warnMs > gone) after(warnMs, () => of.onWarning("MAXIMUM_SESSION_LENGTH_APPROACHING"))
  after(maxMs, () => of.onEnding({ reason: "max_duration", code: "MAXIMUM_SESSION_LENGTH_REACHED" }))
}

interface RecorderOptions extends Pick<LiveRunOptions, "live" | "line"> {
  readonly recordings: Recordings["Service"]
  readonly fork: <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A>
  readonly now: () => Instant.Instant
  readonly onFailure: () => void
}

/** The recording of a run: begun late, or never, and ended once. */
class Recorder implements RunRecording {
  readonly #of: RecorderOptions
  #sound: RecordedSound | null = null
  #writer: RecordingWriter | null = null
  #isDiscarded = false

  constructor(options: RecorderOptions) {
    this.#of = options
  }

  readonly isRecording = (): boolean => this.#writer !== null

  start(): void {
    if (this.#sound !== null || this.#isDiscarded) return
    const { fork, line, live, now, onFailure, recordings } = this.#of
    const early: Array<Int16Array> = []
    this.#sound = new RecordedSound({
      input: line.input,
      output: line.output,
      from: now(),
      write: (samples) => (this.#writer === null ? void early.push(samples) : this.#writer.append(samples))
    })
    const begun = Effect.map(recordings.start(live.lease, line.input.sampleRate, onFailure), (writer) => {
      this.#writer = writer
      for (const samples of early) writer.append(samples)
    })
    fork(
      Effect.catchCause(begun, (cause) =>
        Effect.andThen(Effect.logError("a recording could not begin", cause), Effect.sync(onFailure))
      )
    )
  }

  caller(bytes: Uint8Array): void {
    this.#sound?.caller(bytes, this.#of.now())
  }

  agent(bytes: Uint8Array, heardFrom: number): void {
    this.#sound?.agent(bytes, heardFrom)
  }

  cut(at: number): void {
    this.#sound?.cut(at)
  }

  readonly finish: Effect.Effect<void> = Effect.suspend(() => {
    this.#sound?.end()
    const writer = this.#writer
    this.#sound = null
    this.#writer = null
    return writer === null ? Effect.void : logged(writer.finish)
  })

  readonly discard: Effect.Effect<void> = Effect.suspend(() => {
    this.#isDiscarded = true
    const { live, recordings } = this.#of
    return Effect.andThen(this.finish, logged(recordings.discard(live.lease)))
  })
}

const logged = <E>(effect: Effect.Effect<void, E>): Effect.Effect<void> =>
  Effect.catchCause(effect, (cause) => Effect.logError("a recording could not be written", cause))
