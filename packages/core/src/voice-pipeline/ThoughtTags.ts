/** Separates the thoughts that a model writes between `<think>` and `</think>` from what is to be said. Pure but for its own state. */

export interface Separated {
  readonly kind: "text" | "thought"
  readonly text: string
}

const marks = { text: "<think>", thought: "</think>" } as const

export class ThoughtTags {
  #kind: Separated["kind"] = "text"
  /** The beginning of what may become a mark. */
  #held = ""

  push(text: string): ReadonlyArray<Separated> {
    const found: Array<Separated> = []
    let left = this.#held + text
    for (;;) {
      const at = left.indexOf(marks[this.#kind])
      if (at < 0) break
      found.push({ kind: this.#kind, text: left.slice(0, at) })
      left = left.slice(at + marks[this.#kind].length)
      this.#kind = this.#kind === "text" ? "thought" : "text"
    }
    const held = beginningAtEnd(left, marks[this.#kind])
    this.#held = left.slice(left.length - held)
    found.push({ kind: this.#kind, text: left.slice(0, left.length - held) })
    return found.filter((one) => one.text !== "")
  }

  /** What was waited with, and is no mark after all. */
  end(): ReadonlyArray<Separated> {
    const text = this.#held
    this.#held = ""
    return text === "" ? [] : [{ kind: this.#kind, text }]
  }
}

/** How many of the last characters are the beginning of a mark. */
const beginningAtEnd = (text: string, mark: string): number => {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (mark.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}
