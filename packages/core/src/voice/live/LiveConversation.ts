/** Carries out what a conversation decides: on the line, with the models, in the transcript. Source: docs/reference/voice-agent.md. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { ChatMessage } from "../../gateway/upstreams/index.ts"
import {
  EchoGuard,
  type MediaLine,
  type MediaListener,
  type SpeechDetector,
  type SpeechFrame,
  SpeechTracker
} from "../../platform/audio/index.ts"
import { Ids, type Instant } from "../../platform/kernel/index.ts"
import type { AgentSettings } from "../agent/index.ts"
import type { SessionPipeline, StageFailed, Utterance } from "../stages/index.ts"
import {
  Conversation,
  type ConversationCommand,
  type ConversationEvent,
  type ConversationOptions,
  type EndedCall,
  type Ending,
  type Entry,
  type HistoryMessage,
  type ReplyTimes,
  type TimerName
} from "../turns/index.ts"
import { Playback } from "./Playback.ts"
import { type FunctionTable, replyRun } from "./ReplyRun.ts"
import { type Schedule, Timers } from "./Timers.ts"

/** What a client is shown of a conversation; a telephone is shown nothing. */
export interface ConversationView {
  readonly callerSpeaks: () => void
  /** What the agent says was stopped, for now or for good. */
  readonly interrupted: () => void
  readonly said: (role: "user" | "assistant", text: string, history: ReadonlyArray<HistoryMessage>) => void
  readonly thought: (text: string) => void
  readonly agentSpeaks: (times: ReplyTimes) => void
  readonly latency: (times: ReplyTimes) => void
  readonly agentDone: () => void
  readonly refused: (message: string) => void
}

/** What a conversation makes that is kept. */
export interface ConversationRecords {
  /** Adds to the transcript; it outlives the end of the process when it returns. */
  readonly append: (entry: Entry) => Effect.Effect<void>
  /** The same for a call of a function. */
  readonly appendCall: (call: EndedCall) => Effect.Effect<void>
  /** The notice of the recording has been played. */
  readonly noticePlayed: () => void
  readonly callerSound: (bytes: Uint8Array) => void
  readonly agentSound: (bytes: Uint8Array, heardFrom: number) => void
  readonly agentCut: (at: number) => void
}

export interface LiveConversationOptions {
  readonly line: MediaLine
  readonly detector: SpeechDetector
  readonly pipeline: SessionPipeline
  /** As they are now: a client may change them between two runs. */
  readonly settings: () => AgentSettings
  readonly conversation: Omit<ConversationOptions, "turnId">
  readonly functions: FunctionTable
  /** The system's message of a run. */
  readonly prompt: (settings: AgentSettings) => string
  readonly view: ConversationView
  readonly records: ConversationRecords
  /** It is over, once. */
  readonly ended: (ending: Ending) => void
  /** Connects the caller with a person, once the reply has been played. */
  readonly transfer: () => Effect.Effect<boolean>
  readonly now: () => Instant.Instant
  readonly freshId: () => string
  /** Runs an effect in a fiber that ends with the session. */
  readonly fork: <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A>
}

interface Speaking {
  readonly sentence: number
  readonly turn: string
  readonly text: string
  readonly isFixed: boolean
}

const notTransferred =
  "(The call could not be transferred: it is still with you. Say so to the caller, and offer something else.)"

/** Sound that is asked for before it is heard. */
const maxWaitingMs = 10_000

export class LiveConversation {
  readonly #of: LiveConversationOptions
  readonly #machine: Conversation
  readonly #tracker: SpeechTracker
  readonly #playback: Playback
  readonly #timers: Timers<TimerName>
  readonly #echo: EchoGuard | null
  readonly #events: Array<ConversationEvent> = []
  #isHandling = false
  #isOver = false
  #utterance: { readonly id: number; readonly sound: Utterance } | null = null
  readonly #utterances = new Map<number, Utterance>()
  #run: { readonly id: number; readonly fiber: Fiber.Fiber<unknown> } | null = null
  readonly #toSpeak: Array<Speaking> = []
  #speaking: { readonly sentence: number; readonly fiber: Fiber.Fiber<unknown> } | null = null
  readonly #asked = new Map<number, Speaking>()
  /** Completes when everything that was said so far is in the transcript. */
  #stored: Effect.Effect<void> = Effect.void

  constructor(options: LiveConversationOptions) {
    this.#of = options
    const { conversation, detector, fork, freshId, line, now } = options
    const schedule: Schedule = (ms, run) => {
      const fiber = fork(Effect.andThen(Effect.sleep(ms), Effect.sync(run)))
      return () => fiber.interruptUnsafe()
    }
    this.#machine = new Conversation({ ...conversation, turnId: freshId })
    this.#timers = new Timers(schedule, now, (name) => this.handle({ _tag: "Timer", name }))
    this.#echo = options.settings().turn.echoGuard ? new EchoGuard(line.output) : null
    this.#playback = new Playback({
      line,
      schedule,
      now,
      events: {
        begun: (sentence, ttsMs) => this.handle({ _tag: "SoundBegun", sentence, ttsMs }),
        sent: (sentence) => this.handle({ _tag: "SoundSent", sentence }),
        played: (sentence) => this.#played(sentence),
        sound: (bytes, heardFrom) => {
          this.#echo?.played(bytes, heardFrom)
          options.records.agentSound(bytes, heardFrom)
        },
        cut: (at) => {
          this.#echo?.stopped(at)
          options.records.agentCut(at)
        }
      }
    })
    this.#tracker = new SpeechTracker({
      format: line.input,
      detector,
      echo: this.#echo,
      onFrame: (frame) => this.#frame(frame)
    })
  }

  /** What a line reports. */
  readonly listener: Pick<MediaListener, "key" | "marked" | "sound"> = {
    sound: (bytes) => {
      if (this.#isOver) return
      this.#of.records.callerSound(bytes)
      this.#tracker.add(bytes, this.#of.now())
    },
    marked: (name) => this.#playback.marked(name),
    key: (key) => this.handle({ _tag: "Key", key })
  }

  /** The caller's turn ends with the sound that has come. */
  readonly forceEndTurn = (): void => this.#afterSound({ _tag: "ForceEndTurn" })

  /** Handles an event once what the caller has said before it was looked at. */
  #afterSound(event: ConversationEvent): void {
    this.#tracker.flush(() => this.handle(event))
  }

  get agentSpeaks(): boolean {
    return this.#machine.agentSpeaks
  }

  get isBusy(): boolean {
    return this.#machine.isBusy || this.#machine.callerSpeaks
  }

  get history(): ReadonlyArray<HistoryMessage> {
    return this.#machine.history
  }

  /** Events that come while one is handled are handled after it. */
  handle(event: ConversationEvent): void {
    if (this.#isOver) return
    this.#events.push(event)
    if (this.#isHandling) return
    this.#isHandling = true
    try {
      for (let next = this.#events.shift(); next !== undefined && !this.#isOver; next = this.#events.shift()) {
        const moment = { now: this.#of.now(), playing: () => this.#playback.playing() }
        for (const command of this.#machine.handle(next, moment)) this.#carryOut(command)
      }
    } finally {
      this.#isHandling = false
    }
  }

  /** Ends everything that runs. What was said is stored when the effect completes. */
  close(): Effect.Effect<void> {
    this.#isOver = true
    this.#timers.clearAll()
    this.#storeCut()
    this.#cancelSpeech()
    this.#run?.fiber.interruptUnsafe()
    this.#playback.close()
    for (const utterance of this.#utterances.values()) utterance.drop()
    // A tool that cannot be cancelled ends first, and is stored.
    const tools = this.#run === null ? Effect.void : awaited(this.#run.fiber)
    return Effect.andThen(
      tools,
      Effect.suspend(() => this.#stored)
    )
  }

  /** What was heard of a reply that the end cut off. */
  #storeCut(): void {
    const moment = { now: this.#of.now(), playing: () => this.#playback.playing() }
    for (const command of this.#machine.close(moment)) if (command._tag === "Store") this.#store(command.entry)
  }

  #carryOut(command: ConversationCommand): void {
    const { records, view } = this.#of
    switch (command._tag) {
      case "Listen":
        return void this.#listen(command.utterance, command.turn)
      case "Transcribe":
        return void this.#transcribe(command.utterance)
      case "Think":
        return void this.#think(command)
      case "CancelRun":
        return void this.#run?.fiber.interruptUnsafe()
      case "Speak":
        return void this.#speak(command)
      case "Store":
        return void this.#store(command.entry)
      case "CallerSpeaks":
        return void view.callerSpeaks()
      case "Said":
        return void view.said(command.role, command.text, this.#machine.history)
      case "AgentSpeaks":
        return void view.agentSpeaks(command.times)
      case "Latency":
        return void view.latency(command.times)
      case "AgentDone":
        return void view.agentDone()
      case "NoticePlayed":
        return void records.noticePlayed()
      case "Refuse":
        return void view.refused(command.message)
      case "AfterReply":
        return void this.#afterReply(command.what)
      case "End":
        return void this.#end(command.ending)
      default:
        return void this.#control(command)
    }
  }

  #control(
    command: Extract<ConversationCommand, { readonly _tag: "ClearTimer" | "Forget" | "Resume" | "SetTimer" | "Stop" }>
  ): void {
    switch (command._tag) {
      case "SetTimer":
        return void this.#timers.set(command.name, command.at)
      case "ClearTimer":
        return void this.#timers.clear(command.name)
      case "Stop":
        this.#cancelSpeech()
        if (this.#playback.isPlaying) this.#of.view.interrupted()
        return void this.#playback.stop()
      case "Resume":
        return void this.#resume()
      case "Forget":
        this.#asked.clear()
        return void this.#playback.forget()
    }
  }

  #end(ending: Ending): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#of.ended(ending)
  }

  #afterReply(what: "end" | "transfer"): void {
    if (what === "end") return void this.#end({ reason: "agent_closed", code: null })
    this.#of.fork(
      Effect.map(this.#of.transfer(), (isConnected) => {
        if (isConnected) this.#end({ reason: "handoff", code: null })
        else this.handle({ _tag: "Happened", content: notTransferred })
      })
    )
  }

  // Listening

  #frame({ isCertain, isSpeech, samples }: SpeechFrame): void {
    if (this.#isOver) return
    this.handle({ _tag: "Frame", isSpeech, isCertain })
    this.#utterance?.sound.add(samples)
  }

  #listen(id: number, turn: string): void {
    const sound = this.#of.pipeline.listen(Ids.as<"Turn">(turn), () =>
      this.#afterSound({ _tag: "TurnDecided", utterance: id })
    )
    sound.add(this.#tracker.preRoll())
    this.#utterances.set(id, sound)
    this.#utterance = { id, sound }
  }

  #transcribe(id: number): void {
    const sound = this.#utterances.get(id)
    if (this.#utterance?.id === id) {
      this.#utterance = null
      this.#tracker.forget()
    }
    if (sound === undefined) return
    const words = (text: string, model: string | null, isBroken: boolean) => {
      this.#utterances.delete(id)
      this.handle({ _tag: "Transcribed", utterance: id, text, model, isBroken })
    }
    this.#of.fork(
      Effect.map(Effect.exit(sound.end), (exit) => {
        if (Exit.isSuccess(exit)) return words(exit.value.text, exit.value.model, false)
        if (!this.#fatal(exit.cause)) words("", null, true)
      })
    )
  }

  /** Ends the conversation where a stage lacks what no later turn will have; false for failures that may pass. */
  #fatal(cause: Cause.Cause<StageFailed>): boolean {
    if (Cause.hasInterruptsOnly(cause)) return true
    const failed = Option.getOrNull(Cause.findErrorOption(cause))
    if (failed === null) {
      this.#of.fork(Effect.logError("a stage of a voice session broke", cause))
      return false
    }
    const ending = endings[failed.reason]
    if (ending === null) return false
    this.#end(ending)
    return true
  }

  // Thinking

  #think({ history, run, turn }: Extract<ConversationCommand, { readonly _tag: "Think" }>): void {
    const settings = this.#of.settings()
    const system: ChatMessage = { role: "system", text: this.#of.prompt(settings) }
    const { functions, pipeline, view } = this.#of
    const replying = replyRun({
      functions,
      pipeline,
      settings,
      turnId: Ids.as<"Turn">(turn),
      messages: () => [system, ...history().flatMap(messagesOf)],
      stored: Effect.suspend(() => this.#stored),
      onText: (text) => this.handle({ _tag: "Written", run, text }),
      onThought: view.thought,
      onFunctions: (areRunning) => this.handle({ _tag: areRunning ? "FunctionsBegun" : "FunctionsEnded", run }),
      onCallEnded: (call) => this.#callEnded(run, call)
    })
    const before = this.#run === null ? Effect.void : awaited(this.#run.fiber)
    const fiber = this.#of.fork(
      Effect.map(Effect.exit(Effect.andThen(before, replying)), (exit) => {
        if (Exit.isSuccess(exit)) return this.handle({ _tag: "ReplyEnded", run, ...exit.value })
        if (!this.#fatal(exit.cause)) this.handle({ _tag: "ReplyFailed", run })
      })
    )
    this.#run = { id: run, fiber }
  }

  #callEnded(run: number, call: EndedCall): void {
    this.#add(this.#of.records.appendCall(call))
    this.handle({ _tag: "CallEnded", run, call })
  }

  // Speaking

  #speak(speaking: Speaking): void {
    this.#asked.set(speaking.sentence, speaking)
    this.#playback.add(speaking.sentence, speaking.text)
    this.#toSpeak.push(speaking)
    this.#speakNext()
  }

  #speakNext(): void {
    if (this.#speaking !== null || this.#isOver || this.#playback.waitingMs > maxWaitingMs) return
    const next = this.#toSpeak.shift()
    if (next === undefined) return
    const { isFixed, sentence, text, turn } = next
    const { language, speak } = this.#of.settings()
    const from = this.#of.now()
    let ttsMs: number | null = null
    const speaking = this.#of.pipeline.speak({
      turnId: Ids.as<"Turn">(turn),
      choices: speak,
      text,
      language,
      isFixed,
      onSound: (samples) => {
        ttsMs ??= this.#of.now() - from
        this.#playback.sound(sentence, samples, ttsMs)
      }
    })
    const fiber = this.#of.fork(Effect.map(Effect.exit(speaking), (exit) => this.#spoken(sentence, exit)))
    // A kept sound may be there at once.
    if (fiber.pollUnsafe() === undefined) this.#speaking = { sentence, fiber }
  }

  #spoken(sentence: number, exit: Exit.Exit<string | null, StageFailed>): void {
    if (this.#speaking?.sentence === sentence) this.#speaking = null
    if (Exit.isSuccess(exit)) this.#playback.whole(sentence)
    else if (!this.#fatal(exit.cause)) {
      this.#toSpeak.length = 0
      this.#playback.drop(sentence)
      this.handle({ _tag: "NotSpoken", sentence })
    }
    this.#speakNext()
  }

  #played(sentence: number): void {
    this.#asked.delete(sentence)
    this.handle({ _tag: "Played", sentence })
    this.#speakNext()
  }

  #cancelSpeech(): void {
    this.#toSpeak.length = 0
    this.#speaking?.fiber.interruptUnsafe()
    this.#speaking = null
  }

  #resume(): void {
    for (const sentence of this.#playback.resume()) {
      const asked = this.#asked.get(sentence)
      if (asked !== undefined) this.#toSpeak.push(asked)
    }
    this.#speakNext()
  }

  // The transcript

  #store(entry: Entry): void {
    this.#add(this.#of.records.append(entry))
  }

  #add(append: Effect.Effect<void>): void {
    const stored = this.#of.fork(Effect.andThen(this.#stored, append))
    this.#stored = Effect.suspend(() => (stored.pollUnsafe() === undefined ? awaited(stored) : Effect.void))
  }
}

const awaited = (fiber: Fiber.Fiber<unknown>): Effect.Effect<void> =>
  Effect.callback((resume) => {
    fiber.addObserver(() => resume(Effect.void))
  })

const endings: Readonly<Record<StageFailed["reason"], Ending | null>> = {
  failed: null,
  credits: { reason: "budget_exhausted", code: "INSUFFICIENT_CREDITS" },
  budget: { reason: "budget_exhausted", code: "API_KEY_BUDGET_EXCEEDED" },
  unavailable: { reason: "model_unavailable", code: "MODEL_UNAVAILABLE" }
}

/** A call and its result are two messages for a model. */
const messagesOf = (said: HistoryMessage): ReadonlyArray<ChatMessage> => {
  switch (said.role) {
    case "user":
      return [{ role: "user", text: said.content, images: [] }]
    case "assistant":
      return [{ role: "assistant", text: said.content, toolCalls: [] }]
    case "tool": {
      const { arguments: written, id, name, result } = said
      return [
        { role: "assistant", text: "", toolCalls: [{ id, name, arguments: written }] },
        { role: "tool", callId: id, text: result }
      ]
    }
  }
}
