/** What an index keeps of a text: the terms of its title and of each of its passages. Pure. Source: docs/reference/bots.md#ranking. */
import { termsOf } from "./SearchTerms.ts"

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

/** UTF-16 units of a passage, at most: a few paragraphs. */
export const maxPassageLength = 1200

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
  while (content.length - start > maxPassageLength) {
    const end = start + endOf(content.slice(start, start + maxPassageLength))
    found.push({ start, end })
    start = end
  }
  return [...found, { start, end: content.length }]
}

/** The index of an entry. */
export const indexText = (title: string, content: string): IndexedText => ({
  titleTerms: termsOf(title),
  passages: passagesOf(content).map(({ end, start }) => ({ start, end, terms: termsOf(content.slice(start, end)) }))
})
