/** What the agent says: runs that write it, and sentences that are played. Pure. */
import type { Ending, EventOf, Milliseconds, ReplyTimes, SayingKind } from "./ConversationEvents.ts"
import {
  clearTimers,
  count,
  emit,
  end,
  type Interrupted,
  type Preparing,
  resetCount,
  type Speaking,
  type Step,
  setTimer
} from "./ConversationState.ts"
import {
  hasOwnWords,
  heardIn,
  isPlayed,
  isRemembered,
  isSent,
  marked,
  newSaying,
  noTimes,
  type Run,
  type Saying,
  type Sentence
} from "./Saying.ts"
import { type CutSentence, SentenceCutter } from "./SentenceCutter.ts"
import { isAnyOpen } from "./Utterances.ts"

/** After this time of a function the caller is asked to wait. */
const waitAfterMs = 2000
const maxFailedReplies = 2

/** The agent, while it has something to say. */
type Active = Preparing | Speaking

/** A sentence that is said as it stands. */
const fixedSentence = (text: string): CutSentence => ({ text, spoken: text })

// Saying something

/** Changes what the agent has to say. */
const change = <A extends Active>(step: Step, agent: A, changed: Partial<Saying>): A => {
  const next: A = { ...agent, saying: { ...agent.saying, ...changed } }
  step.agent = next
  return next
}

const speak = <A extends Active>(step: Step, agent: A, cut: CutSentence, isAside = false): A => {
  const { kind, sentences, turn } = agent.saying
  const id = count(step, "sentences")
  const isFixed = isAside || (kind !== "reply" && kind !== "injected")
  emit(step, { _tag: "Speak", sentence: id, turn, text: cut.spoken, isFixed })
  const sentence = { id, ...cut, isAside, hasBegun: false, isSent: false, isPlayed: false }
  return change(step, agent, { sentences: [...sentences, sentence] })
}

const speakAll = <A extends Active>(step: Step, agent: A, sentences: ReadonlyArray<CutSentence>): A =>
  sentences.reduce((said, sentence) => speak(step, said, sentence), agent)

const start = (step: Step, saying: Saying): void => {
  clearTimers(step, "nudge")
  const cutter = new SentenceCutter()
  const sentences = [...cutter.push(saying.text), ...cutter.end()]
  const agent = speakAll(step, { _tag: "Preparing", saying }, sentences)
  step.agent = agent
  if (sentences.length === 0) finish(step, agent)
}

export const say = (step: Step, kind: SayingKind, text: string, ending: Ending | null = null): void =>
  start(step, newSaying({ kind, turn: step.rules.turnId(), text, ending }))

/** Says something now, or after the present saying. */
export const sayOrWait = (step: Step, kind: SayingKind, text: string): void => {
  if (step.agent._tag === "Silent") say(step, kind, text)
  else step.queue = [...step.queue, newSaying({ kind, turn: step.rules.turnId(), text })]
}

export const greet = (step: Step): void => {
  const text = step.greeting ?? ""
  step.greeting = null
  clearTimers(step, "first")
  sayOrWait(step, "greeting", text)
}

/** What comes after what the agent has said. */
const next = (step: Step): void => {
  const [waiting, ...queue] = step.queue
  step.queue = queue
  if (waiting !== undefined) start(step, waiting)
  else if (step.turn?.isOver === true) answer(step)
  else countSilence(step)
}

/** Starts the timer of the nudge where nobody speaks and nothing is to be answered. */
export const countSilence = (step: Step): void => {
  const { delayMs, max } = step.rules.nudge
  const isSilent = step.agent._tag === "Silent" && step.turn === null && !isAnyOpen(step.utterances)
  if (isSilent && max > 0) setTimer(step, "nudge", delayMs)
}

// Answering

/** Answers the turn that is over. */
export const answer = (step: Step): void => {
  const { turn } = step
  if (turn === null) return
  if (step.greeting !== null) {
    closeTurn(step)
    return void greet(step)
  }
  clearTimers(step, "nudge")
  // Of a run that was cancelled before it was heard: they come before the words, which a new run answers together.
  step.history = [...step.history, ...turn.calls]
  step.turn = { ...turn, calls: [] }
  const run = { id: count(step, "runs"), startedAt: step.moment.now, cutter: new SentenceCutter() }
  step.agent = { _tag: "Preparing", saying: newSaying({ kind: "reply", turn: turn.id, run }) }
  emit(step, { _tag: "Think", run: run.id, turn: turn.id, words: wordsOf(turn.texts) })
}

const wordsOf = (texts: ReadonlyArray<string>) => ({ role: "user", content: texts.join(" ") }) as const

/** The turn has been answered: its words are history. */
export const closeTurn = (step: Step): void => {
  if (step.turn === null) return
  const { calls, texts } = step.turn
  step.history = [...step.history, wordsOf(texts), ...calls]
  step.turn = null
}

export const callEnded = (step: Step, _: unknown, { call }: EventOf<"CallEnded">): void => {
  step.history = [...step.history, call]
}

export const callEndedUnheard = (step: Step, agent: Preparing, event: EventOf<"CallEnded">): void => {
  if (step.turn === null || agent.saying.run?.id !== event.run) return void callEnded(step, agent, event)
  step.turn = { ...step.turn, calls: [...step.turn.calls, event.call] }
}

/** Of a run that was cancelled, nothing counts. */
const ofRun =
  <E extends { readonly run: number }>(cell: (step: Step, agent: Active, event: E, run: Run) => void) =>
  (step: Step, agent: Active, event: E): void => {
    const { run } = agent.saying
    if (run?.id === event.run) cell(step, agent, event, run)
  }

export const written = ofRun<EventOf<"Written">>((step, agent, { text }, run) => {
  const cutter = run.cutter.copy()
  const sentences = cutter.push(text)
  const llmMs = agent.saying.llmMs ?? step.moment.now - run.startedAt
  speakAll(step, change(step, agent, { llmMs, run: { ...run, cutter } }), sentences)
})

export const functionsBegun = ofRun<EventOf<"FunctionsBegun">>((step, { saying }) => {
  const hasWaited = saying.sentences.some(({ isAside }) => isAside)
  if (step.rules.waitMessage !== "" && !hasWaited) setTimer(step, "wait", waitAfterMs)
})

export const functionsEnded = ofRun<EventOf<"FunctionsEnded">>((step) => clearTimers(step, "wait"))

export const askToWait = (step: Step, agent: Active): void => {
  if (agent.saying.run !== null) speak(step, agent, fixedSentence(step.rules.waitMessage), true)
}

export const replyEnded = ofRun<EventOf<"ReplyEnded">>((step, agent, { after, model }, run) => {
  clearTimers(step, "wait")
  const said = speakAll(step, change(step, agent, { run: null }), run.cutter.copy().end())
  if (after === null && !hasOwnWords(said.saying)) return notWritten(step, said)
  resetCount(step, "unthought")
  settle(step, change(step, said, { model, after }))
})

export const replyFailed = ofRun<EventOf<"ReplyFailed">>((step, agent) =>
  notWritten(step, change(step, agent, { run: null }))
)

const notWritten = (step: Step, agent: Active): void => {
  clearTimers(step, "wait")
  if (count(step, "unthought") >= maxFailedReplies) {
    return void step.happen({ _tag: "Leave", ending: { reason: "agent_error", code: "FAILED_TO_THINK" } })
  }
  const { trouble } = step.rules.messages
  if (agent.saying.sentences.length === 0) {
    drop(step)
    closeTurn(step)
    return void sayOrWait(step, "trouble", trouble)
  }
  // What was written before is spoken all the same, and then that there is trouble.
  settle(step, trouble === "" ? agent : speak(step, agent, fixedSentence(trouble), true))
}

// Sound

/** Nothing counts of a sentence that is not among those that are being said. */
const ofSentence =
  <A extends Active, E extends { readonly sentence: number }>(
    cell: (step: Step, agent: A, event: E, sentence: Sentence) => void
  ) =>
  (step: Step, agent: A, event: E): void => {
    const sentence = agent.saying.sentences.find(({ id }) => id === event.sentence)
    if (sentence !== undefined) cell(step, agent, event, sentence)
  }

export const firstSound = ofSentence<Preparing, EventOf<"SoundBegun">>((step, { saying }, event, sentence) => {
  const { kind } = saying
  const times = timesOf(step, saying, event.ttsMs)
  const agent: Speaking = { _tag: "Speaking", saying, begunAt: step.moment.now, times, isDone: false }
  if (kind === "reply") closeTurn(step)
  emit(step, { _tag: "AgentSpeaks", times })
  sentenceBegins(step, agent, sentence)
  if (kind === "reply") emit(step, { _tag: "Latency", times })
})

export const nextSound = ofSentence<Speaking, EventOf<"SoundBegun">>((step, agent, _, sentence) => {
  // A sentence that is played again was said already.
  if (!sentence.hasBegun) sentenceBegins(step, agent, sentence)
})

const sentenceBegins = (step: Step, agent: Speaking, { id, spoken }: Sentence): void => {
  emit(step, { _tag: "Said", role: "assistant", text: spoken })
  change(step, agent, { sentences: marked(agent.saying, id, { hasBegun: true }) })
}

const timesOf = ({ moment, turn }: Step, { kind, llmMs }: Saying, ttsMs: Milliseconds | null): ReplyTimes => {
  if (kind !== "reply" || turn === null) return { ...noTimes, ttsMs }
  const { eouMs, lastSpeechAt, sttMs } = turn
  return { eouMs, sttMs, llmMs, ttsMs, totalMs: moment.now - lastSpeechAt }
}

export const soundSent = ofSentence<Active, EventOf<"SoundSent">>((step, agent, _, { id }) => {
  announceDone(step, change(step, agent, { sentences: marked(agent.saying, id, { isSent: true }) }))
})

const announceDone = (step: Step, agent: Active): Active => {
  if (agent._tag === "Preparing" || agent.isDone || !isSent(agent.saying)) return agent
  emit(step, { _tag: "AgentDone" })
  const done = { ...agent, isDone: true }
  step.agent = done
  return done
}

export const played = ofSentence<Active, EventOf<"Played">>((step, agent, _, { id }) => {
  const said = change(step, agent, { sentences: marked(agent.saying, id, { isPlayed: true }) })
  if (isPlayed(said.saying)) finish(step, said)
})

export const notSpoken = ofSentence<Active, EventOf<"NotSpoken">>((step, agent) => {
  const { kind, sentences } = agent.saying
  const isUnheard = agent._tag === "Preparing"
  if (kind === "notice" || (kind === "greeting" && isUnheard)) {
    return end(step, { reason: "start_failed", code: "FAILED_TO_SPEAK" }, isUnheard ? null : agent)
  }
  cancelRun(step, agent.saying)
  emit(step, { _tag: "Forget" })
  // What was never begun cannot be spoken.
  const said = change(step, agent, { run: null, sentences: sentences.filter(({ hasBegun }) => hasBegun) })
  // A reply of which something was heard counts as answered.
  if (kind === "reply" && isUnheard) {
    closeTurn(step)
    if (count(step, "unspoken") >= maxFailedReplies) {
      return step.happen({ _tag: "Leave", ending: { reason: "agent_error", code: "FAILED_TO_SPEAK" } })
    }
  }
  settle(step, said, true)
})

/** Where no sentence is to come any more, the last one may have gone out, or have been played, already. */
const settle = (step: Step, agent: Active, isUnspoken = false): void => {
  const said = announceDone(step, agent)
  if (isPlayed(said.saying)) finish(step, said, isUnspoken)
}

export const finish = (step: Step, agent: Active, isUnspoken = false): void => {
  const { after, ending, kind, sentences, turn } = agent.saying
  step.agent = { _tag: "Silent" }
  if (kind === "reply") {
    // A reply without words, such as a function alone, has answered its turn as well. The caller's next one may have begun.
    if (step.turn?.id === turn) closeTurn(step)
    if (!isUnspoken && sentences.length > 0) resetCount(step, "unspoken")
  }
  if (agent._tag === "Speaking") store(step, agent, null)
  if (kind === "notice") emit(step, { _tag: "NoticePlayed" })
  if (ending !== null) return void end(step, ending)
  if (after !== null) return void emit(step, { _tag: "AfterReply", what: after })
  next(step)
}

/** What was heard becomes an entry of the transcript, and history. */
export const store = (step: Step, { begunAt, saying, times }: Speaking, cut: Interrupted["at"] | null): void => {
  const text = heardIn(saying, cut, false)
  if (text === "") return
  const { model, turn } = saying
  const spoken = { turn, beginsTurn: false, role: "assistant", text, startedAt: begunAt } as const
  const durationMs = step.moment.now - begunAt
  emit(step, { _tag: "Store", entry: { ...times, ...spoken, durationMs, isInterrupted: cut !== null, model } })
  const own = heardIn(saying, cut, true)
  if (isRemembered(saying) && own !== "") step.history = [...step.history, { role: "assistant", content: own }]
}

export const cancelRun = (step: Step, { run }: Saying): void => {
  if (run === null) return
  emit(step, { _tag: "CancelRun", run: run.id })
  clearTimers(step, "wait")
}

/** Drops for good all that the agent is about to say. */
export const drop = (step: Step): void => {
  emit(step, { _tag: "Stop" })
  emit(step, { _tag: "Forget" })
  step.agent = { _tag: "Silent" }
}
