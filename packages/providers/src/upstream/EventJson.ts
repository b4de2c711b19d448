/** Reads the JSON of a stream's events, most of which repeat the one before with another text. Pure but for its own state. */
import { isObject, type Json } from "@trunkline/core/provider"
import { jsonIn, maxAnswerElements } from "../http/index.ts"

/** A chunk of a chat whose one choice has a text, and what stands before and after that text. */
interface Chunk {
  readonly value: Json
  readonly choice: Json
  readonly delta: Json
  readonly before: string
  readonly after: string
}

export class EventJson {
  #last: Chunk | null = null
  /** Null until another chunk looks like the last one. */
  #isRepeated: boolean | null = null

  /** The value that the data of an event is; `undefined` for a text that is no JSON, or too large. */
  read(data: string): unknown {
    const last = this.#last
    const text = last === null ? null : textIn(data, last)
    if (last !== null && text !== null) {
      this.#isRepeated ??= hasTextThere(last)
      if (this.#isRepeated) return withText(last, text)
    }
    const value = jsonIn(data, maxAnswerElements)
    this.#last = chunkOf(data, value)
    this.#isRepeated = null
    return value
  }
}

const field = '"content":"'

const chunkOf = (data: string, value: unknown): Chunk | null => {
  const at = data.indexOf(field)
  if (at === -1 || !isObject(value) || !Array.isArray(value.choices) || value.choices.length !== 1) return null
  const [choice] = value.choices as ReadonlyArray<unknown>
  const delta = isObject(choice) ? choice.delta : null
  if (!isObject(choice) || !isObject(delta) || typeof delta.content !== "string") return null
  const from = at + field.length
  return { value, choice, delta, before: data.slice(0, from), after: data.slice(from + delta.content.length) }
}

/** What a text in JSON is not written as. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes control characters.
const special = /["\\\u0000-\u001f]/

/** The text of a chunk that is otherwise written as the last one; null of every other. */
const textIn = (data: string, { after, before }: Chunk): string | null => {
  const to = data.length - after.length
  // `startsWith` and `endsWith` would take three times as long.
  if (to < before.length || data.slice(0, before.length) !== before || data.slice(to) !== after) return null
  const text = data.slice(before.length, to)
  return special.test(text) ? null : text
}

/** Whether what stands between the two is the text of the choice, and no other field of that name. */
const hasTextThere = ({ after, before }: Chunk): boolean => {
  const probe = "another text"
  const data = before + probe + after
  return chunkOf(data, jsonIn(data, maxAnswerElements))?.delta.content === probe
}

const withText = ({ choice, delta, value }: Chunk, content: string): Json => ({
  ...value,
  choices: [{ ...choice, delta: { ...delta, content } }]
})
