/** When an agent answers. Pure. Source: docs/messaging.md#replies. */
import type { Instant } from "../kernel/index.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import type { Conversation } from "./ConversationStore.ts"
import type { Message } from "./Message.ts"
import { isOpen } from "./ReplyWindow.ts"

/** Turns that an agent has in an hour with one customer: two agents that answer each other stop there. */
export const mostTurnsAnHour = 60

/** The agent, as far as it decides. */
export interface AnsweringBot {
  readonly systemPrompt: string | null
  readonly isActive: boolean
  /** True where its model takes images. */
  readonly seesImages: boolean
}

/** All that is looked at, before the model runs and again when its answer is committed. */
export interface ReplySituation {
  readonly number: Pick<ConnectedNumber, "botId" | "aiAutoreplyEnabled" | "disconnectedAt">
  /** The linked agent; null where none is linked, and where it is gone. */
  readonly bot: AnsweringBot | null
  readonly conversation: Pick<Conversation, "aiAutoreplyEnabled">
  /** The customer's messages that were not looked at yet. */
  readonly burst: ReadonlyArray<Pick<Message, "type" | "text">>
  /** True where the customer is the number itself: what it sends comes back. */
  readonly isOwnNumber: boolean
  readonly windowExpiresAt: Instant.Instant | null
  readonly turnsLastHour: number
  readonly at: Instant.Instant
}

/** Why an agent does not answer. */
export type Silence =
  | "number_disconnected"
  | "own_number"
  | "number_unlinked"
  | "bot_gone"
  | "bot_inactive"
  | "bot_without_prompt"
  | "number_switched_off"
  | "conversation_switched_off"
  | "opted_out"
  | "nothing_to_answer"
  | "window_closed"
  | "too_many_turns"

/** True of text that is not blank, and of an image where the model sees it. Source: docs/messaging.md#replies. */
export const isAnswerable = ({ text, type }: Pick<Message, "type" | "text">, seesImages: boolean): boolean =>
  type === "text" ? text !== null && text.trim() !== "" : type === "image" && seesImages

/** What people write who want to hear nothing more, by itself and without marks. */
const farewells: ReadonlySet<string> = new Set([
  ...["stop", "stopall", "stop all", "unsubscribe", "optout", "opt out"],
  ...["stopp", "abmelden", "abbestellen", "désabonner", "désinscrire", "baja", "darme de baja", "cancelar suscripción"],
  ...["descadastrar", "cancelar inscrição", "disiscrivi", "afmelden", "отписаться", "стоп", "配信停止", "退订"]
])

/**
 * True of a text that says by itself that its writer wants to hear nothing more: an answer, however kind, would be what they
 * have just refused, and the platform rates numbers by it. Source: docs/messaging.md#replies.
 */
export const isFarewell = ({ text, type }: Pick<Message, "type" | "text">): boolean => {
  if (type !== "text" || text === null) return false
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  return words !== null && farewells.has(words.join(" "))
}

/**
 * Null when the agent may answer, else the first condition that fails. A burst is answered when any of it can be; the rest is
 * in the history. Source: docs/messaging.md#replies.
 */
export const whyNot = (situation: ReplySituation): Silence | null => {
  const { at, bot, burst, conversation, isOwnNumber, number, turnsLastHour, windowExpiresAt } = situation
  if (number.disconnectedAt !== null) return "number_disconnected"
  if (isOwnNumber) return "own_number"
  if (number.botId === null) return "number_unlinked"
  if (bot === null) return "bot_gone"
  if (!bot.isActive) return "bot_inactive"
  if ((bot.systemPrompt ?? "").trim() === "") return "bot_without_prompt"
  if (!number.aiAutoreplyEnabled) return "number_switched_off"
  if (!conversation.aiAutoreplyEnabled) return "conversation_switched_off"
  const answerable = burst.filter((message) => isAnswerable(message, bot.seesImages))
  if (answerable.length === 0) return "nothing_to_answer"
  if (isFarewell(answerable.at(-1)!)) return "opted_out"
  if (!isOpen(windowExpiresAt, at)) return "window_closed"
  return turnsLastHour >= mostTurnsAnHour ? "too_many_turns" : null
}
