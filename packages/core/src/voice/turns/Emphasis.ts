/** Takes emphasis, code marks and escapes out of a text: pairs of marks around words, with space or punctuation outside. Every other sign stays. Pure, and linear. */

/** A run of one sign that may open or close emphasis. */
interface Run {
  readonly sign: string
  readonly isOpener: boolean
  readonly isCloser: boolean
  /** Letters, and letters with digits, before it. */
  readonly letters: number
  readonly characters: number
  readonly isBeforeWord: boolean
  /** Signs of it that are no mark. */
  left: number
}

interface Unmarked {
  readonly text: string
  /** Marks that are open at its end: their pair may come with a later sentence. */
  readonly open: ReadonlyArray<string>
}

const alphabetic = /[\p{L}\p{M}]/u
const character = /[\p{L}\p{M}\p{N}]/u
const special = /[\\\x60*_~]/
const nextSpecial = /[\\\x60*_~]/g

/** What a sign counts as: 0 nothing, 1 a character, 2 an alphabetic one. */
const weight = (sign: string): 0 | 1 | 2 => {
  const code = sign.charCodeAt(0)
  // Most signs are of ASCII, and need no table.
  if (code < 128) {
    if ((code | 32) >= 97 && (code | 32) <= 122) return 2
    return code >= 48 && code <= 57 ? 1 : 0
  }
  if (alphabetic.test(sign)) return 2
  return character.test(sign) ? 1 : 0
}
const escapable = /[\\\x60*_{}[\]<>()#+\-.!|~]/
/** A sign between these is the sign itself: *press "*"*. */
const enclosures = new Set(['""', "''", "()", "[]", "“”", "„“", "‘’", "«»"])

const isBlank = (sign: string): boolean => sign === "" || /\s/.test(sign)

export const withoutEmphasis = (text: string, open: ReadonlyArray<string> = []): Unmarked => {
  if (!special.test(text)) return { text, open }
  const reader = new MarkReader(text)
  const parts = reader.parts()
  const left = pair(parts, [...open])
  const words = parts.map((part) => (typeof part === "string" ? part : part.sign.repeat(part.left)))
  return { text: words.join(""), open: left }
}

/** Cuts a text into runs of marks and what stands between them. */
class MarkReader {
  readonly #text: string
  readonly #parts: Array<string | Run> = []
  #at = 0
  #letters = 0
  #characters = 0
  #hasBackticks = true

  constructor(text: string) {
    this.#text = text
  }

  parts(): ReadonlyArray<string | Run> {
    while (this.#at < this.#text.length) this.#step(this.#text[this.#at]!)
    return this.#parts
  }

  #step(sign: string): void {
    const text = this.#text
    const next = text[this.#at + 1] ?? ""
    if (sign === "\\" && escapable.test(next)) return void this.#copy(this.#at + 1, this.#at + 2)
    if (sign === "\x60" && this.#hasBackticks) {
      const end = text.indexOf("\x60", this.#at + 1)
      this.#hasBackticks = end >= 0
      if (end >= 0) return void this.#copy(this.#at + 1, end, end + 1)
    }
    if (sign !== "*" && sign !== "_" && sign !== "~") return void this.#copy(this.#at, this.#nextSpecial())
    let end = this.#at
    while (text[end] === sign) end += 1
    const length = end - this.#at
    if (length > 3 || (sign === "~" && length !== 2)) return void this.#copy(this.#at, end)
    this.#mark(sign, end)
  }

  /** Where the next sign stands, after the present one, that may be a mark. */
  #nextSpecial(): number {
    nextSpecial.lastIndex = this.#at + 1
    return nextSpecial.exec(this.#text)?.index ?? this.#text.length
  }

  #copy(from: number, to: number, next = to): void {
    const part = this.#text.slice(from, to)
    for (const one of part) {
      const counts = weight(one)
      if (counts === 2) this.#letters += 1
      if (counts > 0) this.#characters += 1
    }
    this.#parts.push(part)
    this.#at = next
  }

  #mark(sign: string, end: number): void {
    const [before, after] = [this.#text[this.#at - 1] ?? "", this.#text[end] ?? ""]
    const isAlone = enclosures.has(before + after)
    this.#parts.push({
      sign,
      left: end - this.#at,
      letters: this.#letters,
      characters: this.#characters,
      isOpener: !isAlone && weight(before) === 0 && !isBlank(after),
      isCloser: !isAlone && weight(after) === 0 && !isBlank(before),
      isBeforeWord: weight(after) === 2
    })
    this.#at = end
  }
}

/** Finds the pairs, whose signs are taken away. Returns the marks that are open at the end. */
const pair = (parts: ReadonlyArray<string | Run>, open: Array<string>): ReadonlyArray<string> => {
  const openers = new Map<string, Array<Run>>()
  for (const run of parts) {
    if (typeof run === "string") continue
    const waiting = openers.get(run.sign) ?? []
    openers.set(run.sign, waiting)
    if (run.isCloser) close(run, waiting, open)
    if (run.left > 0 && run.isOpener) waiting.push(run)
  }
  for (const run of [...openers.values()].flat()) {
    // Two signs before a word are nothing else; one may be a key, or a note.
    if (run.left !== 2 || !run.isBeforeWord) continue
    open.push(run.sign.repeat(2))
    run.left = 0
  }
  return open
}

const close = (run: Run, waiting: Array<Run>, open: Array<string>): void => {
  for (let opener = waiting.at(-1); opener !== undefined && run.left > 0; opener = waiting.at(-1)) {
    const marks = Math.min(opener.left, run.left)
    const isPair = opener.left === run.left || opener.left === 3 || run.left === 3
    const inside = marks === 1 ? run.letters - opener.letters : run.characters - opener.characters
    if (!isPair || inside === 0) break
    opener.left -= marks
    run.left -= marks
    if (opener.left === 0) waiting.pop()
  }
  const earlier = open.indexOf(run.sign.repeat(run.left))
  if (run.left > 0 && earlier >= 0) {
    open.splice(earlier, 1)
    run.left = 0
  }
}
