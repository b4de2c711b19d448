/** A model's text as it is spoken: without signs that nobody speaks, sentence by sentence while it is written. Pure. Source: docs/voice-agent.md#pipeline. */

const link = /!?\[([^\]]*)\]\([^)]*\)/g
const address = /<?\bhttps?:\/\/(?:www\.)?([^\s/<>?#]+)[^\s<>]*>?/gi
const emoji = /(?:\p{Extended_Pictographic}|[\u{1F1E6}-\u{1F1FF}]|[\u{1F3FB}-\u{1F3FF}]|\u{FE0F}|\u{200D}|\u{20E3})+/gu

/** A text without Markdown, code, emoji and addresses; a link becomes its text. Empty where there is nothing to speak. */
export const fitForSpeech = (text: string): string => {
  const plain = text
    .replace(/\x60{3}[\s\S]*?(?:\x60{3}|$)/g, " ")
    .replace(link, "$1")
    .replace(address, "$1")
    .replace(/\x60([^\x60]*)\x60/g, "$1")
    .replace(emoji, " ")
    .replace(/^\s{0,3}(?:#{1,6}\s+|>\s?|[-*+•]\s+)/gm, "")
    .replace(/^\s*\|?(?:\s*:?-{3,}:?\s*\|)+\s*:?-*:?\s*$/gm, " ")
    .replace(/^\s*(?:[-*_]\s*){3,}$/gm, " ")
    .replace(/(\*{1,3}|_{2,3}|~~)(?=\S)([\s\S]*?\S)\1/g, "$2")
    .replace(/[*_\x60~|#<>\\]+/g, " ")
    .replace(/\s+/g, " ")
    .replace(/\s+([,.;:!?])/g, "$1")
    .trim()
  return /[\p{L}\p{N}]/u.test(plain) ? plain : ""
}

/** Characters from which on the beginning of a reply may be spoken up to a comma. */
const clauseLength = 40

/** Abbreviations and single letters, after which a full stop ends no sentence. */
const abbreviation = /(?:^|[\s(])(?:\p{L}|mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|approx|inc|ltd|jr|sr)\.$/iu

/**
 * Cuts a text into sentences while it comes. A sentence is given as soon as its end is certain; the first one of a reply also at a
 * comma, once it is long enough to be spoken for a while. Code is passed over.
 */
export class SentenceCutter {
  #text = ""
  #isFirst = true

  /** The sentences that end in the text so far. */
  push(text: string): ReadonlyArray<string> {
    this.#text += text
    const found: Array<string> = []
    for (let end = this.#nextEnd(); end > 0; end = this.#nextEnd()) this.#cut(end, found)
    return found
  }

  /** The rest of the text. */
  end(): ReadonlyArray<string> {
    const found: Array<string> = []
    this.#cut(this.#text.length, found)
    return found
  }

  #cut(end: number, found: Array<string>): void {
    const sentence = fitForSpeech(this.#text.slice(0, end))
    this.#text = this.#text.slice(end)
    if (sentence === "") return
    this.#isFirst = false
    found.push(sentence)
  }

  /** Where the next sentence ends; 0 while none does for certain. */
  #nextEnd(): number {
    const text = this.#text
    const ends = /[.!?…。！？।]+["'”’)\]*_]*|\n+|[,;:–—](?=\s)/gu
    for (const found of text.matchAll(ends)) {
      const end = found.index + found[0].length
      if (isInside(text.slice(0, end))) continue
      if (/[,;:–—]/.test(found[0])) {
        if (this.#isFirst && found.index >= clauseLength) return end
      } else if (endsSentence(text, found.index, end)) return end
    }
    return 0
  }
}

/** Whether a text ends inside code or the address of a link. */
const isInside = (text: string): boolean =>
  (text.match(/\x60{3}/g)?.length ?? 0) % 2 === 1 || /\[[^\]]*$|\]\([^)]*$|https?:\/\/\S*$/i.test(text)

/** A full stop may be a decimal point or an abbreviation's; a line's end and other signs are certain. */
const endsSentence = (text: string, at: number, end: number): boolean => {
  if (text[at] === "\n") return text.slice(0, at).trim() !== ""
  const next = text[end]
  if (next !== undefined && !/\s/.test(next)) return /[。！？।]/.test(text[at] ?? "")
  if (text[at] !== "." || end - at > 1) return true
  if (next === undefined && /\d$/.test(text.slice(0, at))) return false
  return !abbreviation.test(text.slice(0, end)) && !/^\s*\d+$/.test(text.slice(text.lastIndexOf("\n", at) + 1, at))
}
