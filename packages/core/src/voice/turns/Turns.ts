/** Decides who speaks when: from what happens on a line to what is to be done about it. Pure. Source: docs/reference/turn-taking.md. */
import type {
  ConversationCommand,
  ConversationEvent,
  ConversationOptions,
  EndedCall,
  Ending,
  HistoryMessage,
  Milliseconds,
  Moment,
  Playing,
  ReplyTimes,
  SayingKind,
  TimerName
} from "./ConversationEvents.ts"
import { noTimes, Saying } from "./Saying.ts"
import type { CutSentence } from "./SentenceCutter.ts"
import { backchannel, goesOn, hasWords } from "./TurnWords.ts"
import { type Utterance, Utterances } from "./Utterances.ts"

/** After this time of a function the caller is asked to wait. */
const waitAfterMs = 2000
/** Keys without a `#` are a turn after this time. */
const keysAfterMs = 1500
/** How long the agent waits for a caller who is to speak first. */
const firstAfterMs = 2000
const maxUntranscribed = 3
const maxFailedReplies = 2

/** What the caller has said since the last reply. */
interface Turn {
  readonly id: string
  readonly texts: Array<string>
  /** Whether the caller has said any of it. */
  isCallers: boolean
  lastSpeechAt: Milliseconds
  sttMs: Milliseconds | null
  eouMs: Milliseconds | null
  /** Whether it is over: it is answered as soon as the agent may speak. */
  isOver: boolean
}

interface Run {
  readonly id: number
  readonly startedAt: Milliseconds
}

/** What was interrupted by speech whose words are not known yet. */
interface Cut {
  readonly saying: Saying
  readonly at: Playing
}

/** A sentence that is said as it stands. */
const fixedSentence = (text: string): CutSentence => ({ text, spoken: text })

export class Conversation {
  readonly #options: ConversationOptions
  readonly #confirms: (text: string) => boolean
  readonly #history: Array<HistoryMessage>
  readonly #utterances = new Utterances()
  readonly #queue: Array<Saying> = []
  #commands: Array<ConversationCommand> = []
  #moment: Moment = { now: 0, playing: () => ({ sentence: null, part: 0 }) }
  #turn: Turn | null = null
  /** Of utterances that belong to no turn yet. */
  #nextTurn: string | null = null
  #run: Run | null = null
  /** Calls that have ended in the run of the turn that is open. */
  readonly #calls: Array<EndedCall> = []
  #saying: Saying | null = null
  #cut: Cut | null = null
  #counts = { sentences: 0, runs: 0, nudges: 0, untranscribed: 0, unthought: 0, unspoken: 0 }
  #keys = ""
  #hasGreeted: boolean
  #hasEnded = false

  constructor(options: ConversationOptions) {
    this.#options = options
    this.#history = [...options.history]
    this.#confirms = backchannel(options.language, options.turn.backchannel)
    this.#hasGreeted = options.isResumed || options.greeting === null
  }

  /** What the caller and the agent have said, as it was heard. */
  get history(): ReadonlyArray<HistoryMessage> {
    return this.#history
  }

  /** From the first sound of what the agent says until its last has been played. */
  get agentSpeaks(): boolean {
    return this.#saying !== null && this.#saying.begunAt !== null
  }

  get callerSpeaks(): boolean {
    return this.#utterances.current !== null
  }

  /** Whether a reply is being made, spoken or waited for. */
  get isBusy(): boolean {
    return this.#saying !== null || this.#turn?.isOver === true
  }

  handle(event: ConversationEvent, moment: Moment): ReadonlyArray<ConversationCommand> {
    if (this.#hasEnded) return []
    this.#moment = moment
    this.#commands = []
    this.#dispatch(event)
    return this.#commands
  }

  /** The line is gone: what was heard of a reply is stored. Nothing follows. */
  close(moment: Moment): ReadonlyArray<ConversationCommand> {
    this.#moment = moment
    this.#commands = []
    if (this.#cut !== null) this.#closeCut()
    else if (this.#saying !== null && this.agentSpeaks) this.#store(this.#saying, moment.playing())
    this.#hasEnded = true
    return this.#commands
  }

  #dispatch(event: ConversationEvent): void {
    switch (event._tag) {
      case "Frame":
        return void this.#frame(event)
      case "Begun":
        return void this.#begin()
      case "Timer":
        return void this.#timer(event.name)
      case "TurnDecided":
        return void this.#turnDecided(event.utterance)
      case "Transcribed":
        return void this.#transcribed(event)
      case "Key":
        return void this.#key(event.key)
      case "UserMessage":
        return void this.#userMessage(event.content)
      case "Happened":
        return void this.#userMessage(event.content, false)
      case "AgentMessage":
        return void this.#agentMessage(event.message, event.behavior)
      case "ForceEndTurn":
        return void this.#forceEndTurn()
      case "Leave":
        return void this.#sayGoodbye(event.ending)
      case "CallEnded":
        return void this.#callEnded(event)
      default:
        return void this.#agentEvent(event)
    }
  }

  #agentEvent(
    event: Exclude<
      Extract<ConversationEvent, { readonly run: number } | { readonly sentence: number }>,
      { readonly _tag: "CallEnded" }
    >
  ): void {
    if ("run" in event && event.run !== this.#run?.id) return
    switch (event._tag) {
      case "Written":
        return void this.#written(event.text)
      case "FunctionsBegun":
        return void this.#functionsBegun()
      case "FunctionsEnded":
        return void this.#emit({ _tag: "ClearTimer", name: "wait" })
      case "ReplyEnded":
        return void this.#replyEnded(event)
      case "ReplyFailed":
        return void this.#replyFailed()
      case "SoundBegun":
        return void this.#soundBegun(event.sentence, event.ttsMs)
      case "SoundSent":
        return void this.#soundSent(event.sentence)
      case "Played":
        return void this.#played(event.sentence)
      case "NotSpoken":
        return void this.#notSpoken(event.sentence)
    }
  }

  #emit(command: ConversationCommand): void {
    this.#commands.push(command)
  }

  #setTimer(name: TimerName, afterMs: Milliseconds): void {
    this.#emit({ _tag: "SetTimer", name, at: this.#moment.now + afterMs })
  }

  #clearTimer(name: TimerName): void {
    this.#emit({ _tag: "ClearTimer", name })
  }

  #end(ending: Ending): void {
    this.#hasEnded = true
    this.#cancelRun()
    this.#emit({ _tag: "End", ending })
  }

  // Beginning

  #begin(): void {
    const { firstSpeaker, greeting, isResumed, messages, notice } = this.#options
    if (notice !== null && notice !== "") this.#say("notice", notice)
    if (isResumed) return void this.#sayOrWait("resumed", messages.resumed)
    if (greeting === null || greeting === "") return void this.#countSilence()
    if (firstSpeaker === "agent") return void this.#greet()
    this.#setTimer("first", firstAfterMs)
  }

  #greet(): void {
    this.#hasGreeted = true
    this.#clearTimer("first")
    this.#sayOrWait("greeting", this.#options.greeting ?? "")
  }

  // The caller's side

  #frame(frame: Extract<ConversationEvent, { readonly _tag: "Frame" }>): void {
    const { now } = this.#moment
    const begins = this.#utterances.current === null && this.#utterances.beginsWith(frame, now)
    const current = begins ? this.#beginUtterance() : this.#utterances.current
    if (current === null) return
    this.#utterances.count(current, frame.isSpeech, now)
    if (frame.isSpeech) this.#speech(current)
    else this.#silence(current)
  }

  #speech(current: Utterance): void {
    const { minSpeechMs } = this.#options.turn
    if (this.agentSpeaks && this.#canInterrupt && current.speechMs >= minSpeechMs) this.#cutOff()
    this.#setTimer("silence", this.#silenceMs)
  }

  #silence(current: Utterance): void {
    if (current.silentMs >= this.#silenceMs) this.#endUtterance(current, "silence")
    else if (this.#utterances.isCut(current)) this.#endUtterance(current, "cut")
    else this.#setTimer("silence", this.#silenceMs - current.silentMs)
  }

  /** Where the listening model decides the end of a turn, it has until the maximum silence. */
  get #silenceMs(): Milliseconds {
    const { maxSilenceMs, silenceMs } = this.#options.turn
    return this.#options.decidesTurns ? Math.max(maxSilenceMs, silenceMs) : silenceMs
  }

  get #canInterrupt(): boolean {
    const saying = this.#saying
    return this.#options.turn.bargeIn && (saying === null || this.#isInterruptible(saying))
  }

  #isInterruptible({ after, kind }: Saying): boolean {
    return kind !== "notice" && kind !== "goodbye" && after === null
  }

  #beginUtterance(): Utterance {
    this.#counts.nudges = 0
    for (const name of ["nudge", "turn"] as const) this.#clearTimer(name)
    const isOverAgent = this.agentSpeaks
    const hasCancelled = !isOverAgent && this.#cancelUnheard()
    if (!isOverAgent) this.#emit({ _tag: "CallerSpeaks" })
    const turn = this.#turn?.id ?? this.#freshTurn()
    const utterance = this.#utterances.begin({ turn, isOverAgent, hasCancelled }, this.#moment.now)
    this.#emit({ _tag: "Listen", utterance: utterance.id, turn })
    return utterance
  }

  #freshTurn(): string {
    this.#nextTurn ??= this.#options.turnId()
    return this.#nextTurn
  }

  /** Cancels what the agent is about to say and nobody has heard. True where that was a reply. */
  #cancelUnheard(): boolean {
    const saying = this.#saying
    if (saying === null || saying.begunAt !== null || saying.after !== null) return false
    if (saying.kind === "reply") {
      this.#cancelRun()
      this.#silenceAgent()
      if (this.#turn !== null) this.#turn.isOver = false
      return true
    }
    if (saying.kind === "nudge" || saying.kind === "reprompt" || saying.kind === "trouble") this.#silenceAgent()
    return false
  }

  #cancelRun(): void {
    if (this.#run === null) return
    this.#emit({ _tag: "CancelRun", run: this.#run.id })
    this.#clearTimer("wait")
    this.#run = null
  }

  /** Drops what is being said, for good. */
  #silenceAgent(): void {
    this.#emit({ _tag: "Stop" })
    this.#emit({ _tag: "Forget" })
    this.#saying = null
  }

  /** Interrupts the agent until it is known whether the caller's speech has words. */
  #cutOff(): void {
    const saying = this.#saying
    if (saying === null) return
    this.#cut = { saying, at: this.#moment.playing() }
    this.#cancelRun()
    saying.isWritten = true
    this.#saying = null
    this.#emit({ _tag: "Stop" })
    this.#emit({ _tag: "CallerSpeaks" })
  }

  #endUtterance(utterance: Utterance, endedBy: "silence" | "cut" | "decided"): void {
    this.#utterances.end(utterance, endedBy, this.#moment.now)
    this.#clearTimer("silence")
    this.#emit({ _tag: "Transcribe", utterance: utterance.id })
  }

  #turnDecided(id: number): void {
    const utterance = this.#utterances.find(id)
    if (utterance !== null && utterance.endedAt === null) this.#endUtterance(utterance, "decided")
  }

  #forceEndTurn(): void {
    const { current, waiting } = this.#utterances
    if (current !== null) return void this.#endUtterance(current, "decided")
    if (waiting !== null) waiting.endedBy = "decided"
    else if (this.#turn !== null && !this.#turn.isOver) this.#endTurn()
  }

  #transcribed(event: Extract<ConversationEvent, { readonly _tag: "Transcribed" }>): void {
    const utterance = this.#utterances.find(event.utterance)
    if (utterance === null || utterance.words !== null) return
    const { isBroken, model, text } = event
    utterance.words = { text: text.trim(), model, isBroken, at: this.#moment.now }
    for (let next = this.#utterances.shift(); next !== null; next = this.#utterances.shift()) this.#handleWords(next)
  }

  #handleWords(utterance: Utterance): void {
    const { isBroken = false, text = "" } = utterance.words ?? {}
    if (isBroken) return void this.#notTranscribed(utterance)
    this.#counts.untranscribed = 0
    if (!hasWords(text)) return void this.#nothingSaid(utterance)
    this.#emit({ _tag: "Said", role: "user", text })
    const isOver = utterance.isOverAgent || utterance.hasCancelled
    const isBackchannel = isOver && this.#confirms(text)
    this.#storeWords(utterance, text, !isBackchannel && this.#isFirstOfTurn)
    if (isBackchannel) return void this.#nothingSaid(utterance)
    this.#words(utterance, text)
  }

  get #isFirstOfTurn(): boolean {
    return this.#turn?.isCallers !== true
  }

  #storeWords({ lastSpeechAt, startedAt, turn, words }: Utterance, text: string, beginsTurn: boolean): void {
    const durationMs = Math.max(0, lastSpeechAt - startedAt)
    const entry = { ...noTimes, turn, role: "user", text, startedAt, durationMs } as const
    this.#emit({ _tag: "Store", entry: { ...entry, beginsTurn, isInterrupted: false, model: words?.model ?? null } })
  }

  /** The caller was heard, and has said nothing that is to be answered. */
  #nothingSaid({ hasCancelled }: Utterance): void {
    if (this.#utterances.isAnyOpen) {
      // What it has cancelled is made again, or not, by the utterance that follows.
      const { current, waiting } = this.#utterances
      const next = current ?? waiting
      if (next !== null && hasCancelled) next.hasCancelled = true
      return
    }
    this.#resume()
    if (this.#turn !== null) return void this.#endTurn()
    if (this.#saying !== null) return
    if (!this.#hasGreeted) return void this.#greet()
    this.#countSilence()
  }

  #notTranscribed(utterance: Utterance): void {
    this.#counts.untranscribed += 1
    if (this.#counts.untranscribed >= maxUntranscribed) {
      return void this.#sayGoodbye({ reason: "agent_error", code: "ASR_CONNECTION_CLOSED" })
    }
    if (this.#utterances.isAnyOpen || this.#turn !== null) return void this.#nothingSaid(utterance)
    this.#closeCut()
    if (this.agentSpeaks) return
    this.#sayOrWait("reprompt", this.#options.messages.reprompt)
  }

  #words(utterance: Utterance, text: string): void {
    this.#clearTimer("nudge")
    if (this.agentSpeaks && this.#canInterrupt) this.#cutOff()
    this.#closeCut()
    // A reply to a message may be under way that came while the caller was speaking.
    this.#cancelUnheard()
    const turn = this.#addToTurn(text, utterance.turn)
    turn.isCallers = true
    turn.lastSpeechAt = utterance.lastSpeechAt
    turn.sttMs = (utterance.words?.at ?? 0) - (utterance.endedAt ?? 0)
    if (this.#utterances.isAnyOpen) return
    const isExtended =
      utterance.endedBy === "silence" && !this.#options.decidesTurns && goesOn(text, this.#options.language)
    if (!isExtended && utterance.endedBy !== "cut") return void this.#endTurn()
    const { maxSilenceMs, silenceMs } = this.#options.turn
    const until = utterance.lastSpeechAt + (isExtended ? Math.max(maxSilenceMs, silenceMs) : silenceMs)
    if (until <= this.#moment.now) this.#endTurn()
    else this.#emit({ _tag: "SetTimer", name: "turn", at: until })
  }

  /** `begunIn`: the turn in which an utterance began, which may have been answered while it was spoken; null of a message. */
  #addToTurn(text: string, begunIn: string | null): Turn {
    const fresh = { isCallers: false, lastSpeechAt: this.#moment.now, sttMs: null, eouMs: null, isOver: false }
    const isUnused = begunIn !== null && begunIn === this.#nextTurn
    this.#turn ??= { id: isUnused ? begunIn : this.#options.turnId(), texts: [], ...fresh }
    if (this.#turn.id === this.#nextTurn) this.#nextTurn = null
    this.#turn.texts.push(text)
    return this.#turn
  }

  #endTurn(): void {
    const turn = this.#turn
    if (turn === null || this.#utterances.isAnyOpen) return
    this.#clearTimer("turn")
    turn.isOver = true
    if (turn.sttMs !== null) turn.eouMs = Math.max(0, this.#moment.now - turn.lastSpeechAt - turn.sttMs)
    if (this.#saying === null) this.#answer()
  }

  // Keys and messages

  #key(key: string): void {
    this.#clearTimer("nudge")
    if (key !== "#") this.#keys += key
    if (key === "#") this.#keysEntered()
    else this.#setTimer("keys", keysAfterMs)
  }

  #keysEntered(): void {
    this.#clearTimer("keys")
    const keys = this.#keys
    this.#keys = ""
    if (keys === "") this.#countSilence()
    else this.#userMessage(`[keys: ${keys}]`)
  }

  /** A turn that needs no listening. */
  #userMessage(content: string, isSaid = true): void {
    this.#counts.nudges = 0
    for (const name of ["nudge", "turn", "first"] as const) this.#clearTimer(name)
    const saying = this.#saying
    if (saying !== null && this.#isInterruptible(saying)) {
      if (this.agentSpeaks) this.#cutOff()
      else this.#cancelUnheard()
    }
    this.#closeCut()
    this.#hasGreeted = true
    const beginsTurn = this.#isFirstOfTurn
    const turn = this.#addToTurn(content, null)
    turn.lastSpeechAt = this.#moment.now
    turn.isOver = true
    if (isSaid) {
      turn.isCallers = true
      this.#storeMessage(content, turn.id, beginsTurn)
    }
    if (this.#saying === null) this.#answer()
  }

  #storeMessage(text: string, turn: string, beginsTurn: boolean): void {
    this.#emit({ _tag: "Said", role: "user", text })
    const { now } = this.#moment
    const entry = { ...noTimes, turn, beginsTurn, role: "user", text, startedAt: now, durationMs: 0 } as const
    this.#emit({ _tag: "Store", entry: { ...entry, isInterrupted: false, model: null } })
  }

  #agentMessage(message: string, behavior: "default" | "queue" | "interrupt"): void {
    const isBusy = this.isBusy || this.#utterances.isAnyOpen || this.#cut !== null
    if (behavior === "default" && isBusy)
      return void this.#refuse("The message was not spoken: the agent or the caller is speaking.")
    if (behavior === "queue" && this.callerSpeaks)
      return void this.#refuse("The message was not spoken: the caller is speaking.")
    if (behavior === "interrupt") this.#interruptAgent()
    this.#clearTimer("nudge")
    this.#sayOrWait("injected", message)
  }

  #refuse(message: string): void {
    this.#emit({ _tag: "Refuse", message })
  }

  /** Ends what the agent says or is about to say, for a message that comes first. */
  #interruptAgent(): void {
    const saying = this.#saying
    if (saying !== null && !this.#isInterruptible(saying)) return
    if (this.agentSpeaks) this.#cutOff()
    else if (this.#cancelUnheard()) this.#closeTurn()
    else if (this.#saying !== null) this.#silenceAgent()
    this.#closeCut()
  }

  // The agent's side

  #answer(): void {
    const turn = this.#turn
    if (turn === null) return void this.#countSilence()
    if (!this.#hasGreeted) {
      this.#closeTurn()
      return void this.#greet()
    }
    this.#clearTimer("nudge")
    // Of a run that was cancelled before it was heard: they come before the words, which a new run answers together.
    this.#history.push(...this.#calls.splice(0))
    this.#counts.runs += 1
    this.#run = { id: this.#counts.runs, startedAt: this.#moment.now }
    this.#saying = new Saying({ kind: "reply", turn: turn.id })
    const words = { role: "user", content: turn.texts.join(" ") } as const
    this.#emit({ _tag: "Think", run: this.#run.id, turn: turn.id, history: () => [...this.#history, words] })
  }

  #callEnded({ call, run }: Extract<ConversationEvent, { readonly _tag: "CallEnded" }>): void {
    const isOfOpenTurn = run === this.#run?.id && this.#turn?.id === this.#saying?.turn
    const calls = isOfOpenTurn ? this.#calls : this.#history
    calls.push(call)
  }

  /** The turn has been answered: its words are history. */
  #closeTurn(): void {
    if (this.#turn === null) return
    this.#history.push({ role: "user", content: this.#turn.texts.join(" ") }, ...this.#calls.splice(0))
    this.#turn = null
  }

  #written(text: string): void {
    if (this.#run === null || this.#saying === null) return
    this.#saying.llmMs ??= this.#moment.now - this.#run.startedAt
    for (const sentence of this.#saying.cutter.push(text)) this.#speak(this.#saying, sentence, false)
  }

  #speak(saying: Saying, cut: CutSentence, isAside: boolean): void {
    this.#counts.sentences += 1
    const sentence = this.#counts.sentences
    saying.add(sentence, cut, isAside)
    const text = cut.spoken
    const isFixed = isAside || (saying.kind !== "reply" && saying.kind !== "injected")
    this.#emit({ _tag: "Speak", sentence, turn: saying.turn, text, isFixed })
  }

  #functionsBegun(): void {
    const hasWaited = this.#saying?.sentences.some(({ isAside }) => isAside) ?? true
    if (this.#options.waitMessage !== "" && !hasWaited) this.#setTimer("wait", waitAfterMs)
  }

  #replyEnded({ after, model }: Extract<ConversationEvent, { readonly _tag: "ReplyEnded" }>): void {
    const saying = this.#saying
    this.#clearTimer("wait")
    this.#run = null
    if (saying === null) return
    for (const sentence of saying.cutter.end()) this.#speak(saying, sentence, false)
    if (after === null && !saying.hasOwnWords) return void this.#replyFailed()
    this.#counts.unthought = 0
    Object.assign(saying, { isWritten: true, model, after })
    this.#soundSentAll(saying)
    if (saying.isPlayed) this.#finish(saying)
  }

  #replyFailed(): void {
    this.#clearTimer("wait")
    this.#run = null
    this.#counts.unthought += 1
    if (this.#counts.unthought >= maxFailedReplies) {
      return void this.#sayGoodbye({ reason: "agent_error", code: "FAILED_TO_THINK" })
    }
    const { trouble } = this.#options.messages
    const saying = this.#saying
    if (saying !== null && saying.sentences.length > 0) return void this.#breakOff(saying, trouble)
    this.#silenceAgent()
    this.#closeTurn()
    this.#sayOrWait("trouble", trouble)
  }

  /** What was written before a reply failed is spoken all the same, and then that there is trouble. */
  #breakOff(saying: Saying, trouble: string): void {
    if (trouble !== "") this.#speak(saying, fixedSentence(trouble), true)
    saying.isWritten = true
    this.#soundSentAll(saying)
    if (saying.isPlayed) this.#finish(saying)
  }

  /** Says something now, or after what is being said. */
  #sayOrWait(kind: SayingKind, text: string): void {
    if (this.#saying === null && this.#cut === null) this.#say(kind, text)
    else this.#queue.push(new Saying({ kind, turn: this.#options.turnId(), text }))
  }

  #say(kind: SayingKind, text: string, ending: Ending | null = null): void {
    this.#start(new Saying({ kind, turn: this.#options.turnId(), text, ending }))
  }

  #start(saying: Saying): void {
    this.#clearTimer("nudge")
    this.#saying = saying
    const sentences = [...saying.cutter.push(saying.text), ...saying.cutter.end()]
    for (const sentence of sentences) this.#speak(saying, sentence, false)
    saying.isWritten = true
    if (saying.sentences.length === 0) this.#finish(saying)
  }

  #soundBegun(id: number, ttsMs: Milliseconds | null): void {
    const saying = this.#saying
    const sentence = saying?.find(id) ?? null
    if (saying === null || sentence === null) return
    const isFirst = saying.begunAt === null
    if (isFirst) this.#begins(saying, ttsMs)
    // What is played again was said already.
    if (!sentence.hasBegun) this.#emit({ _tag: "Said", role: "assistant", text: sentence.spoken })
    sentence.hasBegun = true
    if (isFirst && saying.kind === "reply") this.#emit({ _tag: "Latency", times: saying.times })
  }

  #begins(saying: Saying, ttsMs: Milliseconds | null): void {
    saying.begunAt = this.#moment.now
    saying.times = this.#timesOf(saying, ttsMs)
    if (saying.kind === "reply") this.#closeTurn()
    this.#emit({ _tag: "AgentSpeaks", times: saying.times })
  }

  #timesOf({ kind, llmMs }: Saying, ttsMs: Milliseconds | null): ReplyTimes {
    if (kind !== "reply" || this.#turn === null) return { ...noTimes, ttsMs }
    const { eouMs, lastSpeechAt, sttMs } = this.#turn
    return { eouMs, sttMs, llmMs, ttsMs, totalMs: this.#moment.now - lastSpeechAt }
  }

  #soundSent(id: number): void {
    const saying = this.#saying
    const sentence = saying?.find(id) ?? null
    if (saying === null || sentence === null) return
    sentence.isSent = true
    this.#soundSentAll(saying)
  }

  #soundSentAll(saying: Saying): void {
    if (saying.isDoneSent || saying.begunAt === null || !saying.isSent) return
    saying.isDoneSent = true
    this.#emit({ _tag: "AgentDone" })
  }

  #played(id: number): void {
    const saying = this.#saying
    const sentence = saying?.find(id) ?? null
    if (saying === null || sentence === null) return
    sentence.isPlayed = true
    if (saying.isPlayed) this.#finish(saying)
  }

  #notSpoken(id: number): void {
    const saying = this.#saying
    if (saying === null || saying.find(id) === null) return
    const isUnheard = saying.begunAt === null
    if (saying.kind === "notice" || (saying.kind === "greeting" && isUnheard)) {
      return void this.#end({ reason: "start_failed", code: "FAILED_TO_SPEAK" })
    }
    this.#cancelRun()
    this.#emit({ _tag: "Forget" })
    saying.dropUnspoken()
    // A reply of which something was heard counts as answered.
    if (saying.kind === "reply" && isUnheard) {
      this.#counts.unspoken += 1
      this.#closeTurn()
      if (this.#counts.unspoken >= maxFailedReplies) {
        return void this.#sayGoodbye({ reason: "agent_error", code: "FAILED_TO_SPEAK" })
      }
    }
    this.#soundSentAll(saying)
    if (saying.isPlayed) this.#finish(saying, true)
  }

  #finish(saying: Saying, isUnspoken = false): void {
    this.#saying = null
    if (saying.kind === "reply") {
      // A reply without words, such as a function alone, has answered its turn as well. The caller's next one may have begun.
      if (this.#turn?.id === saying.turn) this.#closeTurn()
      if (!isUnspoken && saying.sentences.length > 0) this.#counts.unspoken = 0
    }
    this.#store(saying, null)
    if (saying.kind === "notice") this.#emit({ _tag: "NoticePlayed" })
    if (saying.ending !== null) return void this.#end(saying.ending)
    if (saying.after !== null) return void this.#emit({ _tag: "AfterReply", what: saying.after })
    this.#next()
  }

  /** What was heard of a saying becomes an entry of the transcript, and history. */
  #store(saying: Saying, cut: Playing | null): void {
    const text = saying.heard(cut, false)
    if (text === "") return
    const { begunAt, model, times, turn } = saying
    const startedAt = begunAt ?? this.#moment.now
    const entry = {
      ...times,
      turn,
      beginsTurn: false,
      role: "assistant",
      text,
      startedAt,
      durationMs: this.#moment.now - startedAt
    } as const
    this.#emit({ _tag: "Store", entry: { ...entry, isInterrupted: cut !== null, model } })
    const own = saying.heard(cut, true)
    if (saying.isRemembered && own !== "") this.#history.push({ role: "assistant", content: own })
  }

  /** What comes after what the agent has said. */
  #next(): void {
    const waiting = this.#queue.shift()
    if (waiting !== undefined) return void this.#start(waiting)
    if (this.#turn?.isOver === true) return void this.#answer()
    this.#countSilence()
  }

  /** Starts the timer of the nudge where nobody speaks and nothing is to be answered. */
  #countSilence(): void {
    const { delayMs, max } = this.#options.nudge
    const isSilent = this.#saying === null && this.#turn === null && this.#cut === null && !this.#utterances.isAnyOpen
    if (isSilent && max > 0) this.#setTimer("nudge", delayMs)
  }

  /** The speech that interrupted the agent had no words: the agent goes on. */
  #resume(): void {
    const cut = this.#cut
    if (cut === null) return
    this.#cut = null
    this.#saying = cut.saying
    this.#emit({ _tag: "Resume" })
    if (cut.saying.isPlayed) this.#finish(cut.saying)
  }

  /** The speech that interrupted the agent had words: the rest of the reply is dropped. */
  #closeCut(): void {
    const cut = this.#cut
    if (cut === null) return
    this.#cut = null
    this.#emit({ _tag: "Forget" })
    this.#store(cut.saying, cut.at)
  }

  #sayGoodbye(ending: Ending): void {
    this.#cancelRun()
    if (this.agentSpeaks) this.#cutOff()
    this.#closeCut()
    if (this.#saying !== null) this.#silenceAgent()
    this.#queue.length = 0
    this.#closeTurn()
    this.#say("goodbye", this.#options.messages.goodbye, ending)
  }

  #timer(name: TimerName): void {
    const { current, isAnyOpen } = this.#utterances
    switch (name) {
      case "silence":
        return void (current !== null && this.#endUtterance(current, "silence"))
      case "turn":
        return void this.#endTurn()
      case "keys":
        return void this.#keysEntered()
      case "first":
        return void (!this.#hasGreeted && !isAnyOpen && this.#greet())
      case "nudge":
        return void this.#nudge()
      case "wait":
        return void this.#askToWait()
    }
  }

  #nudge(): void {
    const { hangUp, max, message } = this.#options.nudge
    if (this.isBusy || this.#utterances.isAnyOpen || this.#cut !== null) return
    if (this.#counts.nudges < max) {
      this.#counts.nudges += 1
      return void this.#say("nudge", message)
    }
    if (hangUp) this.#end({ reason: "no_input", code: "NO_INPUT" })
  }

  #askToWait(): void {
    if (this.#run !== null && this.#saying !== null)
      this.#speak(this.#saying, fixedSentence(this.#options.waitMessage), true)
  }
}
