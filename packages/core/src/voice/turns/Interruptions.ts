/** What becomes of what the agent says when somebody else speaks, a message comes or the line goes. Pure. */
import { cancelRun, closeTurn, drop, finish, store } from "./AgentSide.ts"
import { type Ended, emit, type Interrupted, type Preparing, type Speaking, type Step } from "./ConversationState.ts"
import { isInterruptible, isPlayed, isWithdrawn } from "./Saying.ts"

export const cancel = (step: Step, { saying }: Preparing): void => {
  cancelRun(step, saying)
  drop(step)
}

/** Cancels what the agent is about to say, where speech takes its place; the turn of a reply goes on. */
export const withdraw = (step: Step, agent: Preparing): void => {
  if (!isWithdrawn(agent.saying)) return
  cancel(step, agent)
  if (agent.saying.kind === "reply" && step.turn !== null) step.turn = { ...step.turn, isOver: false }
}

/** Cancels what the agent is about to say, where a message takes its place: a turn counts as answered. */
export const replaceUnheard = (step: Step, agent: Preparing): void => {
  if (!isInterruptible(agent.saying)) return
  cancel(step, agent)
  if (agent.saying.kind === "reply") closeTurn(step)
}

/** Interrupts the agent until it is known whether the caller's speech has words. */
const interrupt = (step: Step, agent: Speaking): Interrupted => {
  const speaking = { ...agent, saying: { ...agent.saying, run: null } }
  const interrupted = { _tag: "Interrupted", speaking, at: step.moment.playing() } as const
  cancelRun(step, agent.saying)
  step.agent = interrupted
  emit(step, { _tag: "Stop" })
  emit(step, { _tag: "CallerSpeaks" })
  return interrupted
}

const speechMayInterrupt = ({ rules }: Step, { saying }: Speaking): boolean =>
  rules.turn.bargeIn && isInterruptible(saying)

export const interruptBySpeech = (step: Step, agent: Speaking): void => {
  if (speechMayInterrupt(step, agent)) interrupt(step, agent)
}

export const stopByWords = (step: Step, agent: Speaking): void => {
  if (speechMayInterrupt(step, agent)) stop(step, agent)
}

export const stopByMessage = (step: Step, agent: Speaking): void => {
  if (isInterruptible(agent.saying)) stop(step, agent)
}

export const stop = (step: Step, agent: Speaking): void => dropRest(step, interrupt(step, agent))

/** The speech that interrupted the agent had words: the rest is dropped. */
export const dropRest = (step: Step, { at, speaking }: Interrupted): void => {
  step.agent = { _tag: "Silent" }
  emit(step, { _tag: "Forget" })
  store(step, speaking, at)
}

/** The speech that interrupted the agent had no words: the agent goes on. */
export const resume = (step: Step, { speaking }: Interrupted): void => {
  step.agent = speaking
  emit(step, { _tag: "Resume" })
  if (isPlayed(speaking.saying)) finish(step, speaking)
  step.happen({ _tag: "NothingSaid" })
}

// The end

export const close = (step: Step): void => {
  step.agent = { _tag: "Ended", speaking: null }
}

export const closeSpeaking = (step: Step, agent: Speaking): void => {
  store(step, agent, step.moment.playing())
  close(step)
}

export const closeInterrupted = (step: Step, agent: Interrupted): void => {
  dropRest(step, agent)
  close(step)
}

export const closeEnded = (step: Step, { speaking }: Ended): void => {
  if (speaking !== null) closeSpeaking(step, speaking)
}
