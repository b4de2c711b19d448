/** A line, models and a caller in simulated time, around one conversation: what it commands happens, late or never. */
import {
  type AfterReply,
  Conversation,
  type ConversationCommand,
  type ConversationEvent,
  type ConversationOptions,
  type Entry,
  frameMs,
  type HistoryMessage,
  type TimerName
} from "../../../src/voice/turns/index.ts"

/** One thing that the caller does. `text` of null: it cannot be transcribed. */
export interface Speech {
  readonly afterMs: number
  readonly speechMs: number
  readonly text: string | null
}

/** What comes of a run. */
export interface Written {
  readonly text: string
  /** It fails once this was written. */
  readonly fails?: boolean
  readonly after?: AfterReply
  /** Milliseconds that functions take before anything is written. */
  readonly functionMs?: number
  /** Names of functions that are called then, each of which has a result unless the run is cancelled before. */
  readonly calls?: ReadonlyArray<string>
  /** Whether they end although the run is cancelled: the next run waits for that. */
  readonly isFinished?: boolean
}

export interface WorldOptions {
  readonly conversation?: Partial<Omit<ConversationOptions, "turnId">>
  readonly sttMs?: number
  readonly llmMs?: number
  readonly ttsMs?: number
  readonly tokenMs?: number
  /** What the model writes in its nth run; null: it fails. */
  readonly reply?: (run: number, history: ReadonlyArray<HistoryMessage>) => string | Written | null
  /** Whether the nth sentence can be spoken. */
  readonly isSpeakable?: (sentence: number) => boolean
  /** Whether the sound of the nth sentence breaks off in its middle. */
  readonly isBroken?: (sentence: number) => boolean
  /** Whether runs go on writing after they were cancelled. */
  readonly writesOn?: boolean
  /** How late the line says what was played. */
  readonly markMs?: number
}

interface Sound {
  readonly sentence: number
  readonly text: string
  readonly askedAt: number
  readonly isSpeakable: boolean
  readonly isBroken: boolean
  begunAt: number | null
}

const msPerCharacter = 50

export const defaults: Omit<ConversationOptions, "turnId"> = {
  language: "en",
  turn: { silenceMs: 500, maxSilenceMs: 1500, minSpeechMs: 400, bargeIn: true, backchannel: null },
  decidesTurns: false,
  notice: null,
  greeting: null,
  firstSpeaker: "agent",
  nudge: { max: 0, delayMs: 12_000, message: "Are you still there?", hangUp: true },
  waitMessage: "One moment, please.",
  messages: { reprompt: "Say it again?", trouble: "I am in trouble.", goodbye: "Goodbye.", resumed: "Sorry." },
  history: [],
  isResumed: false
}

export class ConversationWorld {
  now = 0
  readonly conversation: Conversation
  readonly said: Array<{ readonly at: number; readonly role: string; readonly text: string }> = []
  readonly entries: Array<Entry> = []
  readonly thoughts: Array<{
    readonly run: number
    readonly turn: string
    readonly history: ReadonlyArray<HistoryMessage>
  }> = []
  readonly cancelled = new Set<number>()
  /** What functions have done, in order. */
  readonly done: Array<{ readonly run: number; readonly name: string }> = []
  /** Runs that have ended by themselves. */
  readonly completed: Array<number> = []
  readonly commands: Array<{ readonly at: number; readonly command: ConversationCommand }> = []
  readonly endings: Array<ConversationCommand> = []
  readonly timers = new Map<TimerName, number>()
  readonly #options: WorldOptions
  #events: Array<{ readonly at: number; readonly n: number; readonly run: () => void }> = []
  #n = 0
  #playing: Array<Sound> = []
  #kept: Array<Sound> = []
  readonly #texts = new Map<number, string | null>()
  #nextText: string | null = ""
  #turns = 0
  #sentences = 0
  #speeches = 0
  /** When the calls of cancelled runs have ended. */
  #freeAt = 0

  constructor(options: WorldOptions = {}) {
    this.#options = options
    this.conversation = new Conversation({
      ...defaults,
      ...options.conversation,
      turnId: () => `turn-${++this.#turns}`
    })
  }

  begin(): this {
    this.send({ _tag: "Begun" })
    return this
  }

  /** Sends an event now. */
  send(event: ConversationEvent): void {
    if (this.endings.length > 0) return
    const commands = this.conversation.handle(event, { now: this.now, playing: () => this.#position() })
    for (const command of commands) {
      this.commands.push({ at: this.now, command })
      this.#carryOut(command)
    }
  }

  at(at: number, run: () => void): void {
    this.#n += 1
    this.#events.push({ at: Math.max(at, this.now), n: this.#n, run })
  }

  /** The caller speaks from now on, frame by frame, and is silent for a second afterwards, unless they speak again. */
  speak({ speechMs, text }: Pick<Speech, "speechMs" | "text">): void {
    this.#speeches += 1
    const speech = this.#speeches
    const frames = Math.max(1, Math.round(speechMs / frameMs))
    for (let n = 0; n < frames + 40; n++) {
      this.at(this.now + (n + 1) * frameMs, () => {
        if (speech !== this.#speeches) return
        if (n === 0) this.#nextText = text
        // A detector is certain with the third frame.
        this.send({ _tag: "Frame", isSpeech: n < frames, isCertain: n >= 2 && n < frames })
      })
    }
  }

  /** The line is gone: what was heard is stored, and nothing more happens. */
  hangUp(): void {
    const moment = { now: this.now, playing: () => this.#position() }
    for (const command of this.conversation.close(moment)) {
      this.commands.push({ at: this.now, command })
      if (command._tag === "Store") this.entries.push(command.entry)
    }
    this.#playing = []
  }

  /** Lets time pass. */
  pass(ms: number): this {
    const until = this.now + ms
    for (;;) {
      this.#events.sort((a, b) => a.at - b.at || a.n - b.n)
      const [next] = this.#events
      if (next === undefined || next.at > until) break
      this.#events.shift()
      this.now = next.at
      next.run()
    }
    this.now = until
    return this
  }

  textOf(role: "assistant" | "user"): ReadonlyArray<string> {
    return this.said.filter((one) => one.role === role).map(({ text }) => text)
  }

  /** The words that each run was asked to answer. */
  get asked(): ReadonlyArray<string | null> {
    return this.thoughts.map(({ history }) => {
      const last = history.at(-1)
      return last?.role === "user" ? last.content : null
    })
  }

  #position() {
    const [first] = this.#playing
    if (first?.begunAt == null) return { sentence: null, part: 0 }
    return { sentence: first.sentence, part: (this.now - first.begunAt) / (first.text.length * msPerCharacter) }
  }

  #carryOut(command: ConversationCommand): void {
    switch (command._tag) {
      case "Listen":
        return void this.#texts.set(command.utterance, this.#nextText)
      case "Transcribe":
        return void this.#transcribe(command.utterance)
      case "Think":
        return void (this.#freeAt <= this.now
          ? this.#think(command)
          : this.at(this.#freeAt, () => this.#think(command)))
      case "CancelRun":
        return void this.cancelled.add(command.run)
      case "Speak":
        return void this.#speakSentence(command)
      case "Stop":
        this.#kept = [...this.#playing]
        this.#playing = []
        return
      case "Forget":
        this.#kept = []
        return
      case "Resume":
        this.#playing = this.#kept.map((sound) => ({ ...sound, begunAt: null }))
        this.#kept = []
        return void this.#playNext()
      case "SetTimer":
        this.timers.set(command.name, command.at)
        return void this.at(command.at, () => this.#fire(command.name))
      case "ClearTimer":
        return void this.timers.delete(command.name)
      case "Store":
        return void this.entries.push(command.entry)
      case "Said":
        return void this.said.push({ at: this.now, role: command.role, text: command.text })
      case "End":
      case "AfterReply":
        return void this.endings.push(command)
      default:
        return
    }
  }

  #fire(name: TimerName): void {
    const due = this.timers.get(name)
    if (due === undefined || due > this.now) return
    this.timers.delete(name)
    this.send({ _tag: "Timer", name })
  }

  #transcribe(utterance: number): void {
    const text = this.#texts.get(utterance) ?? null
    const words = { utterance, text: text ?? "", model: "stt", isBroken: text === null }
    this.at(this.now + (this.#options.sttMs ?? 100), () => this.send({ _tag: "Transcribed", ...words }))
  }

  #think({ history, run, turn }: Extract<ConversationCommand, { readonly _tag: "Think" }>): void {
    if (this.cancelled.has(run)) return
    const {
      llmMs = 200,
      reply = (n) => `Reply ${n} begins here. It goes on for a while. Then it ends.`,
      tokenMs = 25
    } = this.#options
    const known = history()
    this.thoughts.push({ run, turn, history: known })
    const written = reply(run, known)
    if (written === null) return void this.at(this.now + llmMs, this.#unlessCancelled({ _tag: "ReplyFailed", run }))
    const of = typeof written === "string" ? { text: written } : written
    const from = this.now + llmMs + this.#call(run, of, this.now + llmMs)
    const tokens = of.text.match(/\S+\s*/g) ?? []
    tokens.forEach((token, n) => {
      this.at(from + n * tokenMs, this.#unlessCancelled({ _tag: "Written", run, text: token }))
    })
    const ended =
      of.fails === true
        ? ({ _tag: "ReplyFailed", run } as const)
        : ({ _tag: "ReplyEnded", run, model: "llm", after: of.after ?? null } as const)
    this.at(from + tokens.length * tokenMs, () => {
      if (!this.cancelled.has(run) && of.fails !== true) this.completed.push(run)
      this.#unlessCancelled(ended)()
    })
  }

  #unlessCancelled(event: Extract<ConversationEvent, { readonly run: number }>): () => void {
    return () => {
      if (this.#options.writesOn === true || !this.cancelled.has(event.run)) this.send(event)
    }
  }

  /** Calls a run's functions from an instant on. Returns how long they take. */
  #call(run: number, { calls = [], functionMs = 0, isFinished = false }: Written, from: number): number {
    if (functionMs === 0 && calls.length === 0) return 0
    this.at(from, this.#unlessCancelled({ _tag: "FunctionsBegun", run }))
    let hasBegun = false
    this.at(from, () => {
      hasBegun = !this.cancelled.has(run)
      if (hasBegun && isFinished) this.#freeAt = from + functionMs
    })
    for (const name of calls) {
      this.at(from + functionMs, () => {
        if (!hasBegun || (this.cancelled.has(run) && !isFinished)) return
        this.done.push({ run, name })
        const call = { role: "tool", id: `call_${this.done.length}`, name, arguments: "{}", result: "done" } as const
        this.send({ _tag: "CallEnded", run, call })
      })
    }
    this.at(from + functionMs, this.#unlessCancelled({ _tag: "FunctionsEnded", run }))
    return functionMs
  }

  #speakSentence({ sentence, text }: Extract<ConversationCommand, { readonly _tag: "Speak" }>): void {
    this.#sentences += 1
    const { isBroken = () => false, isSpeakable = () => true, ttsMs = 100 } = this.#options
    const sound = {
      ...{ sentence, text, askedAt: this.now, begunAt: null },
      ...{ isSpeakable: isSpeakable(this.#sentences), isBroken: isBroken(this.#sentences) }
    }
    this.#playing.push(sound)
    this.at(this.now + ttsMs, () => this.#playNext())
  }

  #playNext(): void {
    const [first] = this.#playing
    const { ttsMs = 100 } = this.#options
    if (first === undefined || first.begunAt !== null) return
    if (first.askedAt + ttsMs > this.now) return void this.at(first.askedAt + ttsMs, () => this.#playNext())
    if (!first.isSpeakable) {
      this.#playing = []
      return void this.send({ _tag: "NotSpoken", sentence: first.sentence })
    }
    first.begunAt = this.now
    this.send({ _tag: "SoundBegun", sentence: first.sentence, ttsMs })
    const wholeMs = first.text.length * msPerCharacter
    const playedAt = this.now + (first.isBroken ? wholeMs / 2 : wholeMs)
    const isStill = () => this.#playing[0] === first
    if (first.isBroken) this.at(this.now + wholeMs / 4, () => isStill() && this.#breakOff(first))
    this.at(
      Math.max(this.now, playedAt - 900),
      () => isStill() && this.send({ _tag: "SoundSent", sentence: first.sentence })
    )
    this.at(playedAt + (this.#options.markMs ?? 0), () => {
      if (!isStill()) return
      this.#playing.shift()
      this.send({ _tag: "Played", sentence: first.sentence })
      this.#playNext()
    })
  }

  /** The rest of a sound does not come: what has come is played, and nothing after it. */
  #breakOff(first: Sound): void {
    this.#playing = [first]
    this.send({ _tag: "NotSpoken", sentence: first.sentence })
  }
}
