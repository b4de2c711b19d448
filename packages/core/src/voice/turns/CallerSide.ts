/** What the caller says: sound becomes utterances, their words become a turn, and the turn ends. Pure. */
import { answer, countSilence, greet } from "./AgentSide.ts"
import type { Entry, EventOf, Milliseconds } from "./ConversationEvents.ts"
import { clearTimers, count, emit, resetCount, type Step, setTimer, type Turn } from "./ConversationState.ts"
import { noTimes } from "./Saying.ts"
import { goesOn, hasWords } from "./TurnWords.ts"
import {
  beginsWith,
  changed,
  counted,
  currentOf,
  ended,
  isAnyOpen,
  isTooLong,
  longer,
  type Utterance,
  waitingOf,
  withNext
} from "./Utterances.ts"

/** Keys without a `#` are a turn after this time. */
const keysAfterMs = 1500
const maxUntranscribed = 3

// Sound

export const frame = (step: Step, _: unknown, event: EventOf<"Frame">): void => {
  const { now } = step.moment
  if (currentOf(step.utterances) === null) {
    step.utterances = counted(step.utterances, event)
    if (beginsWith(step.utterances, event, now)) beginUtterance(step)
  }
  const current = currentOf(step.utterances)
  if (current === null) return
  const utterance = longer(current, event.isSpeech, now)
  step.utterances = changed(step.utterances, utterance)
  if (event.isSpeech) speech(step, utterance)
  else pause(step, utterance)
}

const beginUtterance = (step: Step): void => {
  const { agent } = step
  resetCount(step, "nudges")
  clearTimers(step, "nudge", "turn")
  step.happen({ _tag: "SpeechBegun" })
  const isOverAgent = agent._tag === "Speaking"
  const hasCancelled = agent._tag === "Preparing" && agent.saying.kind === "reply" && step.agent._tag === "Silent"
  if (!isOverAgent) emit(step, { _tag: "CallerSpeaks" })
  const turn = step.turn?.id ?? freshTurn(step)
  step.utterances = withNext(step.utterances, { turn, isOverAgent, hasCancelled }, step.moment.now)
  emit(step, { _tag: "Listen", utterance: step.utterances.count, turn })
}

const freshTurn = (step: Step): string => {
  const turn = step.nextTurn ?? step.rules.turnId()
  step.nextTurn = turn
  return turn
}

const speech = (step: Step, { speechMs }: Utterance): void => {
  if (speechMs >= step.rules.turn.minSpeechMs) step.happen({ _tag: "SpeechLasted" })
  setTimer(step, "silence", silenceMs(step))
}

const pause = (step: Step, utterance: Utterance): void => {
  if (utterance.silentMs >= silenceMs(step)) endUtterance(step, utterance, "silence")
  else if (isTooLong(utterance)) endUtterance(step, utterance, "cut")
  else setTimer(step, "silence", silenceMs(step) - utterance.silentMs)
}

/** Where the listening model decides the end of a turn, it has until the maximum silence. */
const silenceMs = ({ rules }: Step): Milliseconds =>
  rules.decidesTurns ? Math.max(rules.turn.maxSilenceMs, rules.turn.silenceMs) : rules.turn.silenceMs

const endUtterance = (step: Step, utterance: Utterance, endedBy: "silence" | "cut" | "decided"): void => {
  step.utterances = ended(step.utterances, utterance, endedBy, step.moment.now)
  clearTimers(step, "silence")
  emit(step, { _tag: "Transcribe", utterance: utterance.id })
}

export const silenceOver = (step: Step): void => {
  const current = currentOf(step.utterances)
  if (current !== null) endUtterance(step, current, "silence")
}

export const turnDecided = (step: Step, _: unknown, event: EventOf<"TurnDecided">): void => {
  const current = currentOf(step.utterances)
  if (current?.id === event.utterance) endUtterance(step, current, "decided")
}

export const forceEndTurn = (step: Step): void => {
  const { turn, utterances } = step
  const current = currentOf(utterances)
  const waiting = waitingOf(utterances)
  if (current !== null) endUtterance(step, current, "decided")
  else if (waiting !== null) step.utterances = changed(utterances, { ...waiting, endedBy: "decided" })
  else if (turn !== null && !turn.isOver) endTurn(step)
}

// Words

/** Words may come in any order: they count in the order in which they were spoken. */
export const transcribed = (
  step: Step,
  _: unknown,
  { isBroken, model, text, ...event }: EventOf<"Transcribed">
): void => {
  const utterance = step.utterances.open.find(({ id }) => id === event.utterance)
  if (utterance === undefined || utterance.words !== null) return
  const words = { text: text.trim(), model, isBroken, at: step.moment.now }
  step.utterances = changed(step.utterances, { ...utterance, words })
  countWords(step)
}

/** An end, such as of a goodbye without words, leaves the rest. */
const countWords = (step: Step): void => {
  const [first, ...open] = step.utterances.open
  if (first?.words == null || step.agent._tag === "Ended") return
  step.utterances = { ...step.utterances, open }
  handleWords(step, first, first.words)
  countWords(step)
}

type Words = NonNullable<Utterance["words"]>

const handleWords = (step: Step, utterance: Utterance, words: Words): void => {
  if (words.isBroken) return void notTranscribed(step, utterance)
  resetCount(step, "untranscribed")
  const { text } = words
  if (!hasWords(text)) return void nothingSaid(step, utterance)
  emit(step, { _tag: "Said", role: "user", text })
  const isBackchannel = (utterance.isOverAgent || utterance.hasCancelled) && step.rules.confirms(text)
  const { lastSpeechAt, startedAt, turn } = utterance
  const durationMs = Math.max(0, lastSpeechAt - startedAt)
  const beginsTurn = !isBackchannel && isFirstOfTurn(step)
  store(step, { turn, text, startedAt, durationMs, beginsTurn, model: words.model })
  if (isBackchannel) nothingSaid(step, utterance)
  else addWords(step, utterance, words)
}

const isFirstOfTurn = ({ turn }: Step): boolean => turn?.isCallers !== true

type Said = Pick<Entry, "turn" | "text" | "startedAt" | "durationMs" | "beginsTurn" | "model">

const store = (step: Step, of: Said): void =>
  emit(step, { _tag: "Store", entry: { ...noTimes, ...of, role: "user", isInterrupted: false } })

const nothingSaid = (step: Step, { hasCancelled }: Utterance): void => {
  const { utterances } = step
  if (!isAnyOpen(utterances)) return void step.happen({ _tag: "NothingSaid" })
  // What it has cancelled is made again, or not, by the utterance that follows.
  const following = currentOf(utterances) ?? waitingOf(utterances)
  if (following !== null && hasCancelled) step.utterances = changed(utterances, { ...following, hasCancelled })
}

/** The caller was heard while the agent is silent, and has said nothing that is to be answered. */
export const afterNothing = (step: Step): void => {
  if (step.turn !== null) endTurn(step)
  else if (step.greeting !== null) greet(step)
  else countSilence(step)
}

const notTranscribed = (step: Step, utterance: Utterance): void => {
  if (count(step, "untranscribed") >= maxUntranscribed) {
    return void step.happen({ _tag: "Leave", ending: { reason: "agent_error", code: "ASR_CONNECTION_CLOSED" } })
  }
  if (isAnyOpen(step.utterances) || step.turn !== null) nothingSaid(step, utterance)
  else step.happen({ _tag: "NotTranscribed" })
}

// The turn

const addWords = (step: Step, utterance: Utterance, { at, text }: Words): void => {
  const { endedAt, endedBy, lastSpeechAt } = utterance
  clearTimers(step, "nudge")
  step.happen({ _tag: "WordsCame" })
  const turn = withText(step, text, utterance.turn)
  step.turn = { ...turn, isCallers: true, lastSpeechAt, sttMs: at - (endedAt ?? 0) }
  if (isAnyOpen(step.utterances)) return
  const { decidesTurns, language } = step.rules
  const isExtended = endedBy === "silence" && !decidesTurns && goesOn(text, language)
  if (!isExtended && endedBy !== "cut") return void endTurn(step)
  const { maxSilenceMs, silenceMs } = step.rules.turn
  const until = lastSpeechAt + (isExtended ? Math.max(maxSilenceMs, silenceMs) : silenceMs)
  if (until <= step.moment.now) endTurn(step)
  else emit(step, { _tag: "SetTimer", name: "turn", at: until })
}

/** `begunIn`: the turn in which an utterance began, which may have been answered while it was spoken; null of a message. */
const withText = (step: Step, text: string, begunIn: string | null): Turn => {
  const { moment, nextTurn, rules } = step
  const isUnused = begunIn !== null && begunIn === nextTurn
  const fresh = { calls: [], isCallers: false, lastSpeechAt: moment.now, sttMs: null, eouMs: null, isOver: false }
  const turn = step.turn ?? { id: isUnused ? begunIn : rules.turnId(), texts: [], ...fresh }
  if (turn.id === nextTurn) step.nextTurn = null
  return { ...turn, texts: [...turn.texts, text] }
}

export const endTurn = (step: Step): void => {
  const { moment, turn, utterances } = step
  if (turn === null || isAnyOpen(utterances)) return
  const { lastSpeechAt, sttMs } = turn
  clearTimers(step, "turn")
  const eouMs = sttMs === null ? turn.eouMs : Math.max(0, moment.now - lastSpeechAt - sttMs)
  step.turn = { ...turn, isOver: true, eouMs }
  if (step.agent._tag === "Silent") answer(step)
}

// Keys and messages

export const key = (step: Step, _: unknown, event: EventOf<"Key">): void => {
  clearTimers(step, "nudge")
  if (event.key === "#") return void keysEntered(step)
  step.keys += event.key
  setTimer(step, "keys", keysAfterMs)
}

export const keysEntered = (step: Step): void => {
  clearTimers(step, "keys")
  const { keys } = step
  step.keys = ""
  if (keys === "") countSilence(step)
  else addMessage(step, `[keys: ${keys}]`, true)
}

export const message = (step: Step, _: unknown, event: EventOf<"UserMessage" | "Happened">): void =>
  addMessage(step, event.content, event._tag === "UserMessage")

/** A turn that needs no listening. */
const addMessage = (step: Step, text: string, isSaid: boolean): void => {
  resetCount(step, "nudges")
  clearTimers(step, "nudge", "turn", "first")
  step.happen({ _tag: "MessageCame" })
  step.greeting = null
  const beginsTurn = isFirstOfTurn(step)
  const { now } = step.moment
  const turn = withText(step, text, null)
  step.turn = { ...turn, isCallers: turn.isCallers || isSaid, lastSpeechAt: now, isOver: true }
  if (isSaid) {
    emit(step, { _tag: "Said", role: "user", text })
    store(step, { turn: turn.id, text, startedAt: now, durationMs: 0, beginsTurn, model: null })
  }
  if (step.agent._tag === "Silent") answer(step)
}
