/** Writes a large JSON value piece by piece, so that other work runs between two of them. Pure. */
import { isObject } from "./Objects.ts"

/** Characters of a piece, and of a part of a text. */
const pieceLength = 256 * 1024

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00

/** A long text in parts, none of which ends within a surrogate pair. */
function* textParts(text: string): Generator<string> {
  yield '"'
  for (let from = 0; from < text.length; ) {
    const end = Math.min(from + pieceLength, text.length)
    const to = end < text.length && isHigh(text.charCodeAt(end - 1)) ? end - 1 : end
    yield JSON.stringify(text.slice(from, to)).slice(1, -1)
    from = to
  }
  yield '"'
}

/** A list or an object of which a part is written. */
class Branch {
  readonly close: string
  readonly #value: Readonly<Record<string | number, unknown>>
  /** Null of a list. */
  readonly #names: ReadonlyArray<string> | null
  readonly #length: number
  #next = 0
  #separator = ""
  /** The text before the entry, and the entry. */
  before = ""
  entry: unknown

  constructor(value: ReadonlyArray<unknown> | Readonly<Record<string, unknown>>, isSorted: boolean) {
    this.#value = value as Readonly<Record<string | number, unknown>>
    this.#names = Array.isArray(value) ? null : isSorted ? Object.keys(value).sort() : Object.keys(value)
    this.#length = this.#names === null ? (value.length as number) : this.#names.length
    this.close = this.#names === null ? "]" : "}"
  }

  /** Goes on to the next entry; false after the last. */
  advance(): boolean {
    while (this.#next < this.#length) {
      const name = this.#names?.[this.#next]
      this.entry = this.#value[name ?? this.#next]
      this.#next += 1
      if (name !== undefined && this.entry === undefined) continue
      this.before = name === undefined ? this.#separator : `${this.#separator}${JSON.stringify(name)}:`
      this.#separator = ","
      return true
    }
    return false
  }
}

/** The parts of the text that `JSON.stringify` writes, for what was JSON before. With a stack of its own: each level of a generator costs every part. */
function* parts(value: unknown, isSorted: boolean): Generator<string> {
  const open: Array<Branch> = []
  let next = value
  for (;;) {
    if (typeof next === "string" && next.length > pieceLength) yield* textParts(next)
    else if (Array.isArray(next) || isObject(next)) {
      open.push(new Branch(next, isSorted))
      yield Array.isArray(next) ? "[" : "{"
    } else yield JSON.stringify(next) ?? "null"
    while (open.length > 0 && !open.at(-1)!.advance()) yield open.pop()!.close
    const branch = open.at(-1)
    if (branch === undefined) return
    if (branch.before !== "") yield branch.before
    next = branch.entry
  }
}

/** The same in pieces of some 256 Ki characters. `isSorted`: with the names of all objects in their order, so that two texts of one value become one. */
export function* jsonPieces(value: unknown, isSorted = false): Generator<string> {
  let piece = ""
  for (const part of parts(value, isSorted)) {
    piece += part
    if (piece.length < pieceLength) continue
    yield piece
    piece = ""
  }
  if (piece !== "") yield piece
}
