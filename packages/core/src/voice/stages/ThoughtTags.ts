/** Separates the thoughts that a model writes between `<think>` and `</think>` from the text that is to be said. Pure but for its own state. */

export interface Separated {
  readonly kind: "text" | "thought"
  readonly text: string
}

const tags = { text: "<think>", thought: "</think>" } as const

export class ThoughtTags {
  #kind: Separated["kind"] = "text"
  /** The end of the text so far, where it may be the beginning of a tag. */
  #pending = ""

  push(text: string): ReadonlyArray<Separated> {
    const found: Array<Separated> = []
    let left = this.#pending + text
    for (;;) {
      const at = left.indexOf(tags[this.#kind])
      if (at < 0) break
      found.push({ kind: this.#kind, text: left.slice(0, at) })
      left = left.slice(at + tags[this.#kind].length)
      this.#kind = this.#kind === "text" ? "thought" : "text"
    }
    const pending = beginningAtEnd(left, tags[this.#kind])
    this.#pending = left.slice(left.length - pending)
    found.push({ kind: this.#kind, text: left.slice(0, left.length - pending) })
    return found.filter((one) => one.text !== "")
  }

  /** The end of a text that might have begun a tag, and did not. */
  end(): ReadonlyArray<Separated> {
    const text = this.#pending
    this.#pending = ""
    return text === "" ? [] : [{ kind: this.#kind, text }]
  }
}

/** How many of the last characters are the beginning of a tag. */
const beginningAtEnd = (text: string, tag: string): number => {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}
