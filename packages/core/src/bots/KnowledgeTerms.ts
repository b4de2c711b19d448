/**
 * Terms that texts are found by: words folded and cut to their stems, codes whole and in parts, pairs of characters where a
 * script puts no spaces between words. Entries and questions become terms here and nowhere else, so both databases find the
 * same. Pure. Source: docs/bots.md#words.
 */
import { isStopWord } from "./StopWords.ts"
import { stemOf } from "./WordStems.ts"

/** Terms of one word, and where it stands in its text. */
export interface Word {
  readonly start: number
  readonly end: number
  /** Letters with their marks, and digits: never white space, never punctuation. */
  readonly terms: ReadonlyArray<string>
}

/** What stands in an index: the terms of an entry's title, and those of each of its passages. */
export interface IndexedText {
  readonly titleTerms: ReadonlyArray<string>
  readonly passages: ReadonlyArray<Passage>
}

/** A part of an entry's content, from one UTF-16 unit to another. */
export interface Passage {
  readonly start: number
  readonly end: number
  readonly terms: ReadonlyArray<string>
}

/** Terms of a question, at most. */
export const mostTerms = 32

/** UTF-16 units of a passage, at most: a few paragraphs. */
export const passageLength = 1200

/** Code points of a term, at most: nothing longer is a word. */
const longestTerm = 40

/** A compound of more pieces is an address or a path, and nobody asks for all of it without its dots. */
const mostPieces = 4

/** A word with what may stand inside it: hyphens, dots, apostrophes, characters without width. */
const wordForm =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200c\u200d]*(?:[-\u2010\u2011\uff0d_\uff3f.\uff0e/\uff0f'\u2019&][\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200c\u200d]*)*/gu

/** Marks that readers leave out: accents, vowel points of Arabic and Hebrew, the dot below of Hindi's loan words. */
const marks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u093c]/g

const apart: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
  "\u0901": "\u0902"
}

/** Zeros of the scripts that write numbers in digits of their own. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x17e0]

const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0)!
  const zero = zeros.find((first) => code >= first && code < first + 10)
  return zero === undefined ? digit : String(code - zero)
}

/** One spelling for what readers take for the same: case, width, accents, ligatures, digits. */
export const fold = (text: string): string => {
  const lower = text.normalize("NFKC").toLowerCase()
  if (/^[ -~]*$/.test(lower)) return lower
  return lower
    .normalize("NFD")
    .replace(marks, "")
    .normalize("NFC")
    .replace(/[ßæœøłđðþıς\u0901]/g, (letter) => apart[letter]!)
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit)
    .replace(/[\u00ad\u200c\u200d]/g, "")
}

/** Scripts without spaces between words, and Hangul, whose words carry their endings. */
const unspacedScripts =
  "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}"
const segments = new RegExp(`[${unspacedScripts}]+|[^${unspacedScripts}]+`, "gu")
const unspaced = new RegExp(`^[${unspacedScripts}]`, "u")
const units = /[\p{L}\p{N}]\p{M}*/gu
const han = /^\p{Script=Han}/u

/** Only questions are cut by it, and into the pairs that entries have anyway: another version of ICU loses nothing. */
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" })

const bounded = (term: string): string => (term.length <= longestTerm ? term : [...term].slice(0, longestTerm).join(""))

interface Cut {
  readonly terms: ReadonlyArray<string>
  readonly isStop: boolean
  /** Has digits: a number, an article, an error code. */
  readonly isCode: boolean
}

const pairs = (of: ReadonlyArray<string>): ReadonlyArray<string> => of.slice(1).map((unit, i) => of[i]! + unit)

/** Every pair of characters of an entry, and every ideograph: one alone may be a word. */
const indexedPairs = (segment: string): ReadonlyArray<string> => {
  const all = segment.match(units) ?? []
  return all.length === 1 ? all : [...pairs(all), ...all.filter((unit) => han.test(unit))]
}

/** Of a question the pairs within words, or pairs across words would count for as much as they. */
const askedPairs = (segment: string): ReadonlyArray<Cut> =>
  [...segmenter.segment(segment)].map(({ segment: word }) => {
    const all = word.match(units) ?? []
    const isStop = isStopWord(word) || (all.length === 1 && !han.test(word))
    return { terms: all.length === 1 ? all : pairs(all), isStop, isCode: false }
  })

/** "ab1234" is also looked for as "ab" and "1234"; a single letter or digit is nothing to look for. */
const piecesOfCode = (piece: string): ReadonlyArray<string> =>
  /\d/.test(piece) && /\p{L}/u.test(piece) ? (piece.match(/\d+|[^\d]+/g) ?? []).filter((part) => part.length > 1) : []

const hasDigit = /\d/

/** Terms of a piece of letters and digits alone. */
const termsOfPiece = (piece: string): ReadonlyArray<string> =>
  hasDigit.test(piece) ? [bounded(piece), ...piecesOfCode(piece).map(bounded)] : [bounded(stemOf(piece))]

/** Spaced text between two spaces: one word, or a compound that is found whole and by its pieces. */
const cutCompound = (compound: string): Cut => {
  const pieces = compound.split(/[^\p{L}\p{N}\p{M}]+/u).filter((piece) => piece !== "")
  if (pieces.length === 1) {
    const [word] = pieces as [string]
    return { terms: termsOfPiece(word), isStop: isStopWord(word), isCode: hasDigit.test(word) }
  }
  const whole = pieces.length <= mostPieces ? pieces.join("") : ""
  const found = [
    ...(whole === "" ? [] : termsOfPiece(whole).slice(0, 1)),
    ...pieces.filter((piece) => piece.length > 1 && !isStopWord(piece)).flatMap(termsOfPiece)
  ]
  return { terms: [...new Set(found)], isStop: false, isCode: hasDigit.test(compound) }
}

/** "l'abonnement" is "abonnement", "what's" is "what": the short side of an apostrophe is no word. */
const withoutElisions = (text: string): ReadonlyArray<string> => {
  const sides = text.split(/['\u2019]/)
  if (sides.length === 1) return sides
  const words = sides.filter((side) => side.length > 2)
  return words.length === 0 ? [sides.join("")] : words
}

const cut = (word: string, pairsOf: (segment: string) => ReadonlyArray<Cut>): ReadonlyArray<Cut> =>
  withoutElisions(fold(word)).flatMap((text) =>
    (text.match(segments) ?? []).flatMap((segment) =>
      unspaced.test(segment) ? pairsOf(segment) : [cutCompound(segment)]
    )
  )

const asIndexed = (segment: string): ReadonlyArray<Cut> => [
  { terms: indexedPairs(segment), isStop: false, isCode: false }
]

/** The words of an entry's text, in their order. */
export const wordsOf = (text: string): ReadonlyArray<Word> =>
  [...text.matchAll(wordForm)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    terms: cut(word, asIndexed).flatMap(({ terms }) => terms)
  }))

/** The terms of an entry's text, in their order and as often as they are there. */
export const termsOf = (text: string): ReadonlyArray<string> => wordsOf(text).flatMap(({ terms }) => terms)

/** The most telling come first when there are too many: codes, then long words. */
const telling = (cuts: ReadonlyArray<Cut>): ReadonlyArray<string> => {
  const all = [...new Set(cuts.flatMap(({ terms }) => terms))]
  if (all.length <= mostTerms) return all
  const codes = new Set(cuts.filter(({ isCode }) => isCode).flatMap(({ terms }) => terms))
  const ranked = all.toSorted((a, b) => Number(codes.has(b)) - Number(codes.has(a)) || b.length - a.length)
  const kept = new Set(ranked.slice(0, mostTerms))
  return all.filter((term) => kept.has(term))
}

/**
 * What a question in ordinary words is looked for by: at most 32 different terms, without words that every question has. A
 * question of such words alone is looked for by them.
 *
 * @example
 * ofQuestion("How do I reset the AB-1234?") // ["reset", "ab1234", "ab", "1234"]
 */
export const ofQuestion = (question: string): ReadonlyArray<string> => {
  const words = [...question.matchAll(wordForm)].map(([word]) => word)
  const about = words
    .flatMap((word) => cut(word, askedPairs))
    .filter(({ isStop, terms }) => !isStop && terms.length > 0)
  return telling(about.length > 0 ? about : words.flatMap((word) => cut(word, asIndexed)))
}

/** Where a passage may end, the best first. */
const ends = [/\n\s*\n/g, /\n/g, /[.!?।]\s|[。！？]/g, /\s/g]

/** The last good place to end in the back half of a text that is too long; else its last whole character. */
const endOf = (text: string): number => {
  for (const form of ends) {
    const last = [...text.matchAll(form)].filter(({ index }) => index >= text.length / 2).at(-1)
    if (last !== undefined) return last.index + last[0].length
  }
  const isHalf = /[\ud800-\udbff]$/.test(text)
  return text.length - (isHalf ? 1 : 0)
}

/** Content in passages that follow each other without a gap. */
export const passagesOf = (content: string): ReadonlyArray<{ readonly start: number; readonly end: number }> => {
  const found: Array<{ start: number; end: number }> = []
  let start = 0
  while (content.length - start > passageLength) {
    const end = start + endOf(content.slice(start, start + passageLength))
    found.push({ start, end })
    start = end
  }
  return [...found, { start, end: content.length }]
}

/** Everything that an entry is found by. */
export const indexed = (title: string, content: string): IndexedText => ({
  titleTerms: termsOf(title),
  passages: passagesOf(content).map(({ end, start }) => ({ start, end, terms: termsOf(content.slice(start, end)) }))
})
