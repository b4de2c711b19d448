/**
 * Decides who speaks when: from what happens on a line to what is to be done about it. Pure. Source: docs/reference/turn-taking.md#states.
 *
 * `table` has a line for each thing that can happen and a cell for each of the agent's states. An event goes to its cell. Where the
 * caller's side makes something of it, such as words of a sound, that goes to a cell of its own, in the state which is true by then.
 */
import * as Agent from "./AgentSide.ts"
import * as Caller from "./CallerSide.ts"
import type {
  ConversationCommand,
  ConversationEvent,
  ConversationOptions,
  HistoryMessage,
  Moment,
  TimerName
} from "./ConversationEvents.ts"
import {
  type AgentState,
  type ConversationState,
  copyOf,
  type Decided,
  type Happening,
  newState,
  type Rules,
  rulesOf,
  type Step
} from "./ConversationState.ts"
import * as Interruptions from "./Interruptions.ts"
import * as Prompts from "./Prompts.ts"
import { currentOf } from "./Utterances.ts"

type Message = Extract<Happening, { readonly _tag: "AgentMessage" }>

/** The line of the table in which something stands: each timer, and each behavior of a message, has its own. */
export type Line =
  | Exclude<Happening["_tag"], "Timer" | "AgentMessage">
  | `Timer ${TimerName}`
  | `AgentMessage ${Message["behavior"]}`

type On<L extends Line> = L extends `${infer Tag} ${string}`
  ? Extract<Happening, { readonly _tag: Tag }>
  : Extract<Happening, { readonly _tag: L }>

type Cell<L extends Line, S extends AgentState["_tag"]> = (
  step: Step,
  agent: Extract<AgentState, { readonly _tag: S }>,
  happening: On<L>
) => void

/** What the agent's states do about one thing, in this order. */
type Cells<L extends Line> = readonly [
  Cell<L, "Silent">,
  Cell<L, "Preparing">,
  Cell<L, "Speaking">,
  Cell<L, "Interrupted">,
  Cell<L, "Ended">
]

export const states = ["Silent", "Preparing", "Speaking", "Interrupted", "Ended"] as const

export const ignored = (): void => {}

/** The caller's side goes on whatever the agent does. */
const always = <C>(cell: C) => [cell, cell, cell, cell, ignored] as const

/** Runs and sounds count while there is something to say. */
const active = <C>(cell: C) => [ignored, cell, cell, ignored, ignored] as const

/** Everything that can happen, and what each state does about it. A missing row does not compile. */
export const table: { readonly [L in Line]: Cells<L> } = {
  // Silent, Preparing, Speaking, Interrupted, Ended
  Begun: [Prompts.begin, ignored, ignored, ignored, ignored],
  // The caller's side
  Frame: always(Caller.frame),
  "Timer silence": always(Caller.silenceOver),
  TurnDecided: always(Caller.turnDecided),
  ForceEndTurn: always(Caller.forceEndTurn),
  Transcribed: always(Caller.transcribed),
  "Timer turn": always(Caller.endTurn),
  Key: always(Caller.key),
  "Timer keys": always(Caller.keysEntered),
  UserMessage: always(Caller.message),
  Happened: always(Caller.message),
  // What that means to the agent
  SpeechBegun: [ignored, Interruptions.withdraw, ignored, ignored, ignored],
  SpeechLasted: [ignored, ignored, Interruptions.interruptBySpeech, ignored, ignored],
  WordsCame: [ignored, Interruptions.withdraw, Interruptions.stopByWords, Interruptions.dropRest, ignored],
  MessageCame: [ignored, Interruptions.withdraw, Interruptions.stopByMessage, Interruptions.dropRest, ignored],
  NothingSaid: [Caller.afterNothing, Caller.endTurn, Caller.endTurn, Interruptions.resume, ignored],
  NotTranscribed: [Prompts.reprompt, Prompts.reprompt, ignored, Prompts.repromptAfterStop, ignored],
  // Its runs
  Written: active(Agent.written),
  FunctionsBegun: active(Agent.functionsBegun),
  "Timer wait": active(Agent.askToWait),
  FunctionsEnded: active(Agent.functionsEnded),
  CallEnded: [Agent.callEnded, Agent.callEndedUnheard, Agent.callEnded, Agent.callEnded, ignored],
  ReplyEnded: active(Agent.replyEnded),
  ReplyFailed: active(Agent.replyFailed),
  // Its sound
  SoundBegun: [ignored, Agent.firstSound, Agent.nextSound, ignored, ignored],
  SoundSent: active(Agent.soundSent),
  Played: active(Agent.played),
  NotSpoken: active(Agent.notSpoken),
  // What it says without being asked
  "Timer first": always(Prompts.greetAtLast),
  "Timer nudge": [Prompts.nudge, ignored, ignored, ignored, ignored],
  "AgentMessage default": [Prompts.sayIfIdle, Prompts.refuseBusy, Prompts.refuseBusy, Prompts.refuseBusy, ignored],
  "AgentMessage queue": always(Prompts.sayNext),
  "AgentMessage interrupt": always(Prompts.sayAtOnce),
  Replaced: [ignored, Interruptions.replaceUnheard, Interruptions.stopByMessage, Interruptions.dropRest, ignored],
  // The end
  Leave: always(Prompts.leave),
  Silenced: [ignored, Interruptions.cancel, Interruptions.stop, Interruptions.dropRest, ignored],
  LineClosed: [
    Interruptions.close,
    Interruptions.close,
    Interruptions.closeSpeaking,
    Interruptions.closeInterrupted,
    Interruptions.closeEnded
  ]
}

export const lineOf = (happening: Happening): Line => {
  switch (happening._tag) {
    case "Timer":
      return `Timer ${happening.name}`
    case "AgentMessage":
      return `AgentMessage ${happening.behavior}`
    default:
      return happening._tag
  }
}

/** The state of a conversation after one event, and the commands that follow. */
export const react = (
  state: ConversationState,
  happening: Happening,
  moment: Moment,
  rules: Rules
): { readonly state: ConversationState; readonly commands: ReadonlyArray<Decided> } => {
  const happen = (next: Happening): void => reactIn(step, next)
  const step: Step = Object.assign(copyOf(state), { rules, moment, commands: [], happen })
  step.happen(happening)
  return { state: copyOf(step), commands: step.commands }
}

const reactIn = (step: Step, happening: Happening): void => {
  const { agent } = step
  // The line is that of what happens, and the place in it that of the state: the types of both say so in `table`.
  const cells = table[lineOf(happening)] as ReadonlyArray<(step: Step, agent: AgentState, happening: Happening) => void>
  cells[states.indexOf(agent._tag)]?.(step, agent, happening)
}

/** One conversation: the state that it is in. */
export class Conversation {
  readonly #rules: Rules
  #state: ConversationState

  constructor(options: ConversationOptions) {
    this.#rules = rulesOf(options)
    this.#state = newState(options)
  }

  /** What the caller and the agent have said, as it was heard. */
  get history(): ReadonlyArray<HistoryMessage> {
    return this.#state.history
  }

  /** From the first sound of what the agent says until its last has been played. */
  get agentSpeaks(): boolean {
    return this.#state.agent._tag === "Speaking"
  }

  get callerSpeaks(): boolean {
    return currentOf(this.#state.utterances) !== null
  }

  /** Whether a reply is being made, spoken or waited for. */
  get isBusy(): boolean {
    const { agent, turn } = this.#state
    return agent._tag === "Preparing" || agent._tag === "Speaking" || turn?.isOver === true
  }

  handle(event: ConversationEvent, moment: Moment): ReadonlyArray<ConversationCommand> {
    const { commands, state } = react(this.#state, event, moment, this.#rules)
    this.#state = state
    return commands.map((command) => this.#withHistory(command))
  }

  /** The line is gone: what was heard of a reply is stored. Nothing follows. */
  close(moment: Moment): ReadonlyArray<ConversationCommand> {
    return this.handle({ _tag: "LineClosed" }, moment)
  }

  #withHistory(command: Decided): ConversationCommand {
    if (command._tag !== "Think") return command
    const { words, ...think } = command
    return { ...think, history: () => [...this.#state.history, words] }
  }
}
