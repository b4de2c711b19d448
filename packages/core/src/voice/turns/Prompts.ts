/** What the agent says without being asked: its greeting, nudges, messages of a client, and its goodbye. Pure. */
import { closeTurn, countSilence, greet, say, sayOrWait } from "./AgentSide.ts"
import type { EventOf } from "./ConversationEvents.ts"
import {
  clearTimers,
  count,
  emit,
  end,
  type Interrupted,
  type Silent,
  type Step,
  setTimer
} from "./ConversationState.ts"
import { dropRest } from "./Interruptions.ts"
import { currentOf, isAnyOpen } from "./Utterances.ts"

/** How long the agent waits for a caller who is to speak first. */
const firstAfterMs = 2000

export const begin = (step: Step): void => {
  const { firstSpeaker, greeting, isResumed, messages, notice } = step.rules
  if (notice !== null && notice !== "") say(step, "notice", notice)
  if (isResumed) return void sayOrWait(step, "resumed", messages.resumed)
  if (greeting === null || greeting === "") return void countSilence(step)
  if (firstSpeaker === "agent") return void greet(step)
  setTimer(step, "first", firstAfterMs)
}

/** Nobody has spoken first. */
export const greetAtLast = (step: Step): void => {
  if (step.greeting !== null && !isAnyOpen(step.utterances)) greet(step)
}

const isAwaited = ({ turn, utterances }: Step): boolean => turn?.isOver === true || isAnyOpen(utterances)

export const nudge = (step: Step): void => {
  const { hangUp, max, message } = step.rules.nudge
  if (isAwaited(step)) return
  if (step.counts.nudges < max) {
    count(step, "nudges")
    say(step, "nudge", message)
  } else if (hangUp) end(step, { reason: "no_input", code: "NO_INPUT" })
}

export const reprompt = (step: Step): void => sayOrWait(step, "reprompt", step.rules.messages.reprompt)

export const repromptAfterStop = (step: Step, agent: Interrupted): void => {
  dropRest(step, agent)
  reprompt(step)
}

const refuse = (step: Step, why: string): void =>
  emit(step, { _tag: "Refuse", message: `The message was not spoken: ${why}.` })

export const refuseBusy = (step: Step): void => refuse(step, "the agent or the caller is speaking")

const inject = (step: Step, message: string): void => {
  clearTimers(step, "nudge")
  sayOrWait(step, "injected", message)
}

export const sayIfIdle = (step: Step, _: Silent, { message }: EventOf<"AgentMessage">): void => {
  if (isAwaited(step)) refuseBusy(step)
  else inject(step, message)
}

export const sayNext = (step: Step, _: unknown, { message }: EventOf<"AgentMessage">): void => {
  if (currentOf(step.utterances) === null) inject(step, message)
  else refuse(step, "the caller is speaking")
}

export const sayAtOnce = (step: Step, _: unknown, { message }: EventOf<"AgentMessage">): void => {
  step.happen({ _tag: "Replaced" })
  inject(step, message)
}

export const leave = (step: Step, _: unknown, { ending }: EventOf<"Leave">): void => {
  step.happen({ _tag: "Silenced" })
  step.queue = []
  closeTurn(step)
  say(step, "goodbye", step.rules.messages.goodbye, ending)
}
