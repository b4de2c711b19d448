/**
 * The state of a conversation between two events. Pure. Source: docs/reference/turn-taking.md#states.
 *
 * Two sides move at once. The agent's side is in one of five states, each with the data that it alone has:
 *
 *   Silent       nothing is said, and nothing is about to be.
 *   Preparing    there is something to say of which nothing was heard: a run thinks, or a first sound is waited for.
 *   Speaking     the first sound has gone out, and the last has not been played.
 *   Interrupted  speech has stopped the agent, and it is not known yet whether it has words.
 *   Ended        nothing follows.
 *
 * The caller's side goes on in all of them: the utterances that are spoken or whose words are waited for, and the turn that they make.
 * The turn is null, open while more may come, or over; a turn that is over is answered as soon as the agent is silent.
 */
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
  SaidMessage,
  TimerName
} from "./ConversationEvents.ts"
import type { Saying } from "./Saying.ts"
import { backchannel } from "./TurnWords.ts"
import { noUtterances, type Utterances } from "./Utterances.ts"

export interface Silent {
  readonly _tag: "Silent"
}

export interface Preparing {
  readonly _tag: "Preparing"
  readonly saying: Saying
}

export interface Speaking {
  readonly _tag: "Speaking"
  readonly saying: Saying
  readonly begunAt: Milliseconds
  readonly times: ReplyTimes
  /** Whether it was announced that the last sound has gone out. */
  readonly isDone: boolean
}

export interface Interrupted {
  readonly _tag: "Interrupted"
  readonly speaking: Speaking
  readonly at: Playing
}

export interface Ended {
  readonly _tag: "Ended"
  /** What was being said, and is stored as far as it was heard once the line is closed. */
  readonly speaking: Speaking | null
}

export type AgentState = Silent | Preparing | Speaking | Interrupted | Ended

/** What the caller has said since the last reply. */
export interface Turn {
  readonly id: string
  readonly texts: ReadonlyArray<string>
  /** Calls that have ended in runs of which nothing was heard. */
  readonly calls: ReadonlyArray<EndedCall>
  /** Whether the caller has said any of it. */
  readonly isCallers: boolean
  readonly lastSpeechAt: Milliseconds
  readonly sttMs: Milliseconds | null
  readonly eouMs: Milliseconds | null
  readonly isOver: boolean
}

export interface ConversationState {
  readonly agent: AgentState
  /** What the agent says next, before it answers. */
  readonly queue: ReadonlyArray<Saying>
  /** Null once it was said, or is not to be. */
  readonly greeting: string | null
  readonly utterances: Utterances
  readonly turn: Turn | null
  /** The id of the next turn, where an utterance has begun that belongs to none yet. */
  readonly nextTurn: string | null
  readonly keys: string
  /** What the caller and the agent have said, as it was heard. */
  readonly history: ReadonlyArray<HistoryMessage>
  readonly counts: Readonly<Record<Counted, number>>
}

type Counted = "sentences" | "runs" | "nudges" | "untranscribed" | "unthought" | "unspoken"

export interface Rules extends ConversationOptions {
  /** Whether words only confirm. */
  readonly confirms: (text: string) => boolean
}

export const rulesOf = (options: ConversationOptions): Rules => ({
  ...options,
  confirms: backchannel(options.language, options.turn.backchannel)
})

export const newState = ({ greeting, history, isResumed }: ConversationOptions): ConversationState => ({
  agent: { _tag: "Silent" },
  queue: [],
  greeting: isResumed ? null : greeting,
  utterances: noUtterances,
  turn: null,
  nextTurn: null,
  keys: "",
  history,
  counts: { sentences: 0, runs: 0, nudges: 0, untranscribed: 0, unthought: 0, unspoken: 0 }
})

/** Names each part: an object that `...` makes and that gets more parts is over ten times as slow, and each frame of sound makes one. */
export const copyOf = (state: ConversationState): ConversationState => {
  const { agent, counts, greeting, history, keys, nextTurn, queue, turn, utterances } = state
  return { agent, queue, greeting, utterances, turn, nextTurn, keys, history, counts }
}

export type Happening =
  | ConversationEvent
  // What an event means to the agent, once the caller's side has made something of it.
  /** An utterance begins. */
  | { readonly _tag: "SpeechBegun" }
  /** An utterance has the length that interrupts. */
  | { readonly _tag: "SpeechLasted" }
  /** The caller has said words that do not only confirm. */
  | { readonly _tag: "WordsCame" }
  /** Something is to be answered that needs no listening. */
  | { readonly _tag: "MessageCame" }
  /** The caller has said nothing that is to be answered, and no other utterance is open. */
  | { readonly _tag: "NothingSaid" }
  /** What the caller has said could not be transcribed, and nothing else was said. */
  | { readonly _tag: "NotTranscribed" }
  /** A message is to be said in place of the present saying. */
  | { readonly _tag: "Replaced" }
  /** Only a goodbye is to be said from now on. */
  | { readonly _tag: "Silenced" }

type ThinkCommand = Extract<ConversationCommand, { readonly _tag: "Think" }>

/** A command before it is known which history a run finds when it begins. */
export type Decided =
  | Exclude<ConversationCommand, ThinkCommand>
  | (Omit<ThinkCommand, "history"> & { readonly words: SaidMessage })

type Writable<A> = { -readonly [K in keyof A]: A[K] }

/** One event under way: the state as it becomes, whose parts are replaced and never changed, and the commands so far. */
export interface Step extends Writable<ConversationState> {
  readonly rules: Rules
  readonly moment: Moment
  readonly commands: Array<Decided>
  /** Has the table react to what one side makes of an event. */
  readonly happen: (happening: Happening) => void
}

export const emit = (step: Step, command: Decided): void => {
  step.commands.push(command)
}

export const setTimer = (step: Step, name: TimerName, afterMs: Milliseconds): void =>
  emit(step, { _tag: "SetTimer", name, at: step.moment.now + afterMs })

export const clearTimers = (step: Step, ...names: ReadonlyArray<TimerName>): void => {
  for (const name of names) emit(step, { _tag: "ClearTimer", name })
}

/** Counts one more. Returns how many they are. */
export const count = (step: Step, name: Counted): number => {
  const next = step.counts[name] + 1
  step.counts = { ...step.counts, [name]: next }
  return next
}

export const resetCount = (step: Step, name: Counted): void => {
  step.counts = { ...step.counts, [name]: 0 }
}

export const end = (step: Step, ending: Ending, speaking: Speaking | null = null): void => {
  step.agent = { _tag: "Ended", speaking }
  emit(step, { _tag: "End", ending })
}
