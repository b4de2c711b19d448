/** The part of a text that says most about a query. Pure. Source: docs/reference/bots.md#search. */
import { termsOf, type Word, wordsOf } from "./SearchTerms.ts"

/** UTF-16 units. */
export const maxSnippetLength = 600

interface Range {
  readonly start: number
  readonly end: number
}

/** UTF-16 units: a longer word is text without spaces, and is cut where a whole character ends. */
const maxWordLength = 40

/** The words of a part of a text, long ones in slices: where in them a term is matters here, and not whether it is cut. */
const placesOf = (content: string, { end, start }: Range): ReadonlyArray<Word> =>
  wordsOf(content.slice(start, end)).flatMap((word) => {
    const [from, until] = [start + word.start, start + word.end]
    if (until - from <= maxWordLength) return [{ ...word, start: from, end: until }]
    const slices: Array<Word> = []
    for (let at = from; at < until; ) {
      const next = wholeCharacter(content, Math.min(until, at + maxWordLength))
      slices.push({ start: at, end: next, terms: termsOf(content.slice(at, next)) })
      at = next
    }
    return slices
  })

/** Words, from one that holds a term on, that fit a snippet: different terms count most, the same one again a little. */
const richness = (words: ReadonlyArray<Word>, from: number, wanted: ReadonlySet<string>): number => {
  const seen = new Set<string>()
  let again = 0
  for (let i = from; i < words.length && words[i]!.end - words[from]!.start <= maxSnippetLength; i++) {
    for (const term of words[i]!.terms) {
      if (!wanted.has(term)) continue
      if (seen.has(term)) again += 1
      else seen.add(term)
    }
  }
  return seen.size + Math.min(again, 9) / 10
}

/** Where the best part of the words is; nothing where none of them holds a term. */
const best = (words: ReadonlyArray<Word>, wanted: ReadonlySet<string>): Range | null => {
  let found: { readonly from: number; readonly rich: number } | null = null
  for (let from = 0; from < words.length; from++) {
    if (!words[from]!.terms.some((term) => wanted.has(term))) continue
    const rich = richness(words, from, wanted)
    if (found === null || rich > found.rich) found = { from, rich }
  }
  if (found === null) return null
  const { start } = words[found.from]!
  const last = words.findLast(
    ({ end, terms }) => end - start <= maxSnippetLength && terms.some((term) => wanted.has(term))
  )!
  return { start, end: last.end }
}

const isHalf = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? "")
const wholeCharacter = (text: string, at: number): number => (isHalf(text, at) ? at - 1 : at)

/** Where a snippet begins that may begin no earlier, and must begin before what it is about. */
const startBetweenWords = (text: string, at: number, about: number): number => {
  if (at === 0 || /\s/.test(text[at - 1]!)) return at
  const space = text.slice(at, Math.min(at + maxWordLength, about)).search(/\s/)
  return space >= 0 ? at + space + 1 : isHalf(text, at) ? at + 1 : at
}

/** The same for its end. */
const endBetweenWords = (text: string, at: number, about: number): number => {
  if (at === text.length || /\s/.test(text[at]!)) return at
  const from = Math.max(at - maxWordLength, about)
  const space = text.slice(from, at).search(/\s\S*$/)
  return space >= 0 ? from + space : wholeCharacter(text, at)
}

/** About 600 units of a content around the best place of one of its passages, cut between words. */
export const snippetOf = (content: string, passage: Range, terms: ReadonlyArray<string>): string => {
  if (content.length <= maxSnippetLength) return content.trim()
  const place = best(placesOf(content, passage), new Set(terms)) ?? { start: passage.start, end: passage.start }
  // What was asked for stands in the middle, with what leads to it and what follows.
  const room = maxSnippetLength - (place.end - place.start)
  const start = Math.max(0, Math.min(place.start - Math.floor(room / 3), content.length - maxSnippetLength))
  const end = Math.min(content.length, start + maxSnippetLength)
  return content.slice(startBetweenWords(content, start, place.start), endBetweenWords(content, end, place.end)).trim()
}
