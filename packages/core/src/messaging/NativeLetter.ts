/** Reads what a native send asks for: whom it goes to, and the messages that it is. Pure. Source: docs/messaging.md#sending. */
import * as Result from "effect/Result"
import { isLonger } from "../kernel/index.ts"
import type { WireObject } from "./ChatPlatform.ts"
import { compatibleTypes } from "./CompatibleBody.ts"
import { isShallow } from "./JsonDepth.ts"
import type { Letter } from "./Outgoing.ts"
import { splitText } from "./Splitter.ts"

/** What can be sent, in the platform's words. */
export const sendTypes = compatibleTypes
export type SendType = (typeof sendTypes)[number]

/** Characters of a text: sixteen messages, which is as many as one customer may get at once. */
export const maxText = 65_536

/** One message as it goes out. */
export interface Part extends Pick<Letter, "type" | "text" | "body"> {
  /** What stands under the type's name on the wire. */
  readonly content: unknown
}

export interface PartFault {
  readonly field: string
  readonly message: string
}

/** The digits of an international number, however it is punctuated; undefined where it is none. Source: docs/messaging.md#sending. */
export const digitsOf = (text: string): string | undefined => {
  const digits = text.replace(/[\s+().\-/]/g, "")
  return /^\d{6,15}$/.test(digits) ? digits : undefined
}

/**
 * The messages that a content of a type is: one, but for a text that is longer than a message may be. A text may be given by
 * itself or as the platform's object. Fails with what is wrong with the content. Source: docs/messaging.md#sending.
 */
export const partsOf = (type: SendType, content: unknown): Result.Result<ReadonlyArray<Part>, PartFault> => {
  const refuse = (message: string, field: string = type) => Result.fail({ field, message })
  if (content === undefined || content === null) return refuse("Field required")
  if (!isShallow(content)) return refuse("Nested too deeply")
  if (type === "text") {
    const text: unknown = typeof content === "string" ? { body: content } : content
    if (!isObject(text)) return refuse("Expected a string, or an object with a body")
    if (typeof text.body !== "string" || text.body.trim() === "") return refuse("Expected a text that is not blank")
    if (isLonger(text.body, maxText)) return refuse(`Expected at most ${maxText} characters`)
    return Result.succeed(
      splitText(text.body).map((body) => {
        const whole = { ...text, body }
        return { type, text: body, body: whole, content: whole }
      })
    )
  }
  if (type === "contacts") {
    return Array.isArray(content) && content.length > 0
      ? Result.succeed([{ type, text: null, body: { [type]: content }, content }])
      : refuse("Expected a list of contact cards")
  }
  return isObject(content)
    ? Result.succeed([{ type, text: wordsOf(type, content), body: content, content }])
    : refuse("Expected an object")
}

/** What can be read of a message. */
const wordsOf = (type: SendType, content: WireObject): string | null => {
  const words = type === "interactive" && isObject(content.body) ? content.body.text : content.caption
  return typeof words === "string" && words !== "" ? words : null
}

const isObject = (value: unknown): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
