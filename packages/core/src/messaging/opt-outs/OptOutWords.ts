/** What people write, or tap, to get no more messages and to get them again. Pure. Source: docs/reference/opt-outs.md#words. */
import type { Message } from "../messages/Message.ts"
import { buttonTexts } from "../messages/TappedButton.ts"

const optOutWords: ReadonlySet<string> = new Set([
  ...["stop", "stopall", "stop all", "unsubscribe", "optout", "opt out"],
  ...["stopp", "abmelden", "abbestellen", "désabonner", "désinscrire", "baja", "darme de baja", "cancelar suscripción"],
  ...["descadastrar", "cancelar inscrição", "disiscrivi", "afmelden", "отписаться", "стоп", "配信停止", "退订"]
])

const startWords: ReadonlySet<string> = new Set(["start", "unstop", "resume"])

/** The words of a text, whatever the punctuation and the case. */
const wordsOf = (text: string): string =>
  (
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(" ")

/**
 * True of a text that is an opt-out word and nothing else. A reply, however kind, is what its writer has just refused, and the platform
 * rates numbers by it. Source: docs/reference/messaging.md#replies.
 */
export const isOptOut = ({ text, type }: Pick<Message, "type" | "text">): boolean =>
  type === "text" && text !== null && optOutWords.has(wordsOf(text))

/** What a message says of whether its writer wants messages. */
export interface StatedPreference {
  readonly preference: "stop" | "start"
  readonly source: "keyword" | "button"
  /** The word as it was written, or as it stands on the button. */
  readonly word: string
}

const preferenceOf = (text: string): StatedPreference["preference"] | null => {
  const words = wordsOf(text)
  if (optOutWords.has(words)) return "stop"
  return startWords.has(words) ? "start" : null
}

/** Null where a message says nothing of it. */
export const statedPreference = (message: Pick<Message, "type" | "text" | "body">): StatedPreference | null => {
  const isText = message.type === "text"
  for (const word of isText ? [message.text ?? ""] : buttonTexts(message)) {
    const preference = preferenceOf(word)
    if (preference !== null) return { preference, source: isText ? "keyword" : "button", word }
  }
  return null
}
