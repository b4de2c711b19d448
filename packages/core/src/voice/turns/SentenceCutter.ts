/** Cuts a text into sentences while it is written. Pure, and linear: what has been looked at is not looked at again. */
import { endsAtFullStop } from "./FullStops.ts"
import { type Place, spokenPart } from "./SpokenText.ts"

/** Characters from which on the beginning of a reply may be spoken up to a comma. */
const clauseLength = 40

/** Characters after which a sentence that does not end is cut all the same. */
const maxLength = 4096

/** Characters beyond them that are looked at: signs at an end go with their sentence. */
const beyond = 64

const fence = "\x60\x60\x60"

/** A sentence as a model has written it, and as it is spoken. */
export interface CutSentence {
  readonly text: string
  readonly spoken: string
}

/** Characters of ASCII that begin and end nothing: most of a text. */
const isAlphabetic = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122

/** What a text is inside of, as far as it has been read. */
class Surroundings {
  #read = 0
  #backticks = 0
  #fences = 0
  #hasText = false
  #isLabel = false
  #isTarget = false
  #isAddress = false

  /** Whether there is anything but blanks before the end of what was read. */
  get hasText(): boolean {
    return this.#hasText
  }

  get isCode(): boolean {
    return this.#fences % 2 === 1
  }

  /** Whether the text ends inside code or the address of a link. */
  get isInside(): boolean {
    return this.isCode || this.#isLabel || this.#isTarget || this.#isAddress
  }

  copy(): Surroundings {
    const copy = new Surroundings()
    copy.#read = this.#read
    copy.#backticks = this.#backticks
    copy.#fences = this.#fences
    copy.#hasText = this.#hasText
    copy.#isLabel = this.#isLabel
    copy.#isTarget = this.#isTarget
    copy.#isAddress = this.#isAddress
    return copy
  }

  /** Reads on to a place that is no earlier than those before. */
  readTo(text: string, end: number): void {
    for (; this.#read < end; this.#read++) this.#add(text, this.#read)
  }

  #add(text: string, at: number): void {
    if (isAlphabetic(text.charCodeAt(at))) {
      this.#backticks = 0
      this.#hasText = true
      return
    }
    const sign = text[at]!
    this.#backticks = sign === "\x60" ? this.#backticks + 1 : 0
    if (this.#backticks === fence.length) {
      this.#fences += 1
      this.#backticks = 0
    }
    if (sign === "[") this.#isLabel = true
    if (sign === "]") this.#isLabel = false
    if (sign === "(" && text[at - 1] === "]") this.#isTarget = true
    if (sign === ")") this.#isTarget = false
    if (/\s/.test(sign)) this.#isAddress = false
    else this.#hasText = true
    if (sign === "/" && /https?:\/\/$/i.test(text.slice(Math.max(0, at - 7), at + 1))) this.#isAddress = true
  }
}

/**
 * Cuts a text into sentences while it comes. A sentence is given as soon as its end is certain; the first one of a reply also at a
 * comma, once it is long enough to be spoken for a while. Code is passed over.
 */
export class SentenceCutter {
  #text = ""
  /** Where the search for the next end goes on: everything before it is decided. */
  #from = 0
  #before = new Surroundings()
  #isFirst = true
  #place: Place = { beginsLine: true, open: [] }

  /** One that goes on from here, while this one stays as it is. */
  copy(): SentenceCutter {
    const copy = new SentenceCutter()
    copy.#text = this.#text
    copy.#from = this.#from
    copy.#before = this.#before.copy()
    copy.#isFirst = this.#isFirst
    copy.#place = this.#place
    return copy
  }

  /** The sentences that end in the text so far. */
  push(text: string): ReadonlyArray<CutSentence> {
    this.#text += text
    const found: Array<CutSentence> = []
    for (let end = this.#nextEnd(); end > 0; end = this.#nextEnd()) this.#cut(end, found)
    return found
  }

  /** The rest of the text. */
  end(): ReadonlyArray<CutSentence> {
    const found: Array<CutSentence> = []
    this.#cut(this.#text.length, found)
    return found
  }

  #cut(end: number, found: Array<CutSentence>): void {
    const text = this.#text.slice(0, end)
    const { open, text: spoken } = spokenPart(text, this.#place)
    this.#place = { beginsLine: text === "" ? this.#place.beginsLine : text.endsWith("\n"), open }
    this.#before.readTo(this.#text, end)
    // Code that is cut goes on after it.
    this.#text = (this.#before.isCode ? fence : "") + this.#text.slice(end)
    this.#from = 0
    this.#before = new Surroundings()
    if (spoken === "") return
    this.#isFirst = false
    found.push({ text, spoken })
  }

  /** Where the next sentence ends; 0 while none does for certain. */
  #nextEnd(): number {
    // Of a long text no more, or its rest would be read again at every cut.
    const text = this.#text.slice(0, maxLength + beyond)
    const ends = /[.!?…。！？।]+["'”’)\]*_]*|\n+|[,;:–—](?=\s)/gu
    ends.lastIndex = this.#from
    for (let found = ends.exec(text); found !== null && found.index < maxLength; found = ends.exec(text)) {
      const end = found.index + found[0].length
      const isEnd = this.#isEnd(found.index, end)
      if (isEnd === true) return end
      // Looked at again once more has come.
      if (isEnd === null) {
        this.#from = found.index
        return this.#longEnd()
      }
      this.#from = end < text.length ? end : found.index
      if (end === text.length) return this.#longEnd()
    }
    // A comma at the end of the text ends a clause once a blank follows it.
    this.#from = Math.max(this.#from, text.length - 1)
    return this.#longEnd()
  }

  /** Null while it is not certain. */
  #isEnd(at: number, end: number): boolean | null {
    const text = this.#text
    this.#before.readTo(text, at)
    const hasText = this.#before.hasText
    this.#before.readTo(text, end)
    if (this.#before.isInside) return false
    return /[,;:–—]/.test(text[at]!) ? this.#isFirst && at >= clauseLength : endsSentence(text, at, end, hasText)
  }

  /** Where a sentence that is too long is cut: before its last word, where it has several. */
  #longEnd(): number {
    if (this.#text.length <= maxLength) return 0
    const cut = this.#text.lastIndexOf(" ", maxLength)
    return cut > 0 ? cut : maxLength
  }
}

/** A full stop may be a decimal point or an abbreviation's; a line's end and other signs are certain. */
const endsSentence = (text: string, at: number, end: number, hasText: boolean): boolean | null => {
  if (text[at] === "\n") return hasText
  if (text[at] === "." && end - at === 1) return endsAtFullStop(text, at)
  const next = text[end]
  return next === undefined || /\s/.test(next) || /[。！？।]/.test(text[at] ?? "")
}
