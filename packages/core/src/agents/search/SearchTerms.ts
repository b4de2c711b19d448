/**
 * Terms by which texts are found: words folded and cut to their stems, codes whole and in parts, pairs of characters where a
 * script puts no spaces between words. Entries and questions become terms here and nowhere else, so that all databases find the
 * same. Pure. Source: docs/reference/bots.md#words.
 */
import { isStopWord } from "./StopWords.ts"
import { fold } from "./TextFolding.ts"
import { stemOf } from "./WordStems.ts"

/** Terms of one word, and where it stands in its text. */
export interface Word {
  readonly start: number
  readonly end: number
  /** Letters with their marks, and digits: never white space, never punctuation. */
  readonly terms: ReadonlyArray<string>
}

/** Terms of a question, at most. */
export const maxTerms = 32

/** Code points of a term: nothing longer is a word. */
const maxTermLength = 40

/** A compound of more pieces is an address or a path, whose pieces are not searched as one word. */
const maxPieces = 4

/** A word with what may stand inside it: hyphens, dots, apostrophes, characters without width. */
const wordForm =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200c\u200d]*(?:[-\u2010\u2011\uff0d_\uff3f.\uff0e/\uff0f'\u2019&][\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200c\u200d]*)*/gu

/** Scripts without spaces between words, and Hangul, whose words carry their endings. */
const unspacedScripts =
  "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}"
const segments = new RegExp(`[${unspacedScripts}]+|[^${unspacedScripts}]+`, "gu")
const unspaced = new RegExp(`^[${unspacedScripts}]`, "u")
const units = /[\p{L}\p{N}]\p{M}*/gu
const han = /^\p{Script=Han}/u

/** Only questions are cut by it, and into the pairs that entries have anyway: another version of ICU loses nothing. */
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" })

const bounded = (term: string): string =>
  term.length <= maxTermLength ? term : [...term].slice(0, maxTermLength).join("")

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

/** "ab1234" is also looked for as "ab" and "1234"; a single character is nothing to look for. */
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
  const whole = pieces.length <= maxPieces ? pieces.join("") : ""
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

/** The most specific terms when there are too many: codes, then long words. */
const specificTerms = (cuts: ReadonlyArray<Cut>): ReadonlyArray<string> => {
  const all = [...new Set(cuts.flatMap(({ terms }) => terms))]
  if (all.length <= maxTerms) return all
  const codes = new Set(cuts.filter(({ isCode }) => isCode).flatMap(({ terms }) => terms))
  const ranked = all.toSorted((a, b) => Number(codes.has(b)) - Number(codes.has(a)) || b.length - a.length)
  const kept = new Set(ranked.slice(0, maxTerms))
  return all.filter((term) => kept.has(term))
}

/**
 * The terms of a question in ordinary words: at most 32 different ones, without words that every question has. A question
 * of such words alone keeps them.
 *
 * @example
 * termsOfQuestion("How do I reset the AB-1234?") // ["reset", "ab1234", "ab", "1234"]
 */
export const termsOfQuestion = (question: string): ReadonlyArray<string> => {
  const words = [...question.matchAll(wordForm)].map(([word]) => word)
  const about = words
    .flatMap((word) => cut(word, askedPairs))
    .filter(({ isStop, terms }) => !isStop && terms.length > 0)
  return specificTerms(about.length > 0 ? about : words.flatMap((word) => cut(word, asIndexed)))
}
