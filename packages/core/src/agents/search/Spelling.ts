/** Which of the known words a misspelt one may have meant. Pure. Source: docs/reference/bots.md#ranking. */

/** The shortest word that may be misspelt: too many words resemble a shorter one. */
const minMisspelt = 5
/** The shortest prefix that two words have in common where one begins with the other: "return" and "returnlabel". */
const prefix = 5
const prefixCloseness = 0.5
const maxWord = 40
const maxSpellings = 4

/** True of what may be misspelt: a word of letters. A code that is not there is not another code. */
export const mayBeMisspelt = (term: string): boolean => term.length >= minMisspelt && /^[\p{L}\p{M}]+$/u.test(term)

/** How many letters may be added, left out, changed or swapped with the next one. */
const maxDistance = (term: string): number => (term.length >= 8 ? 2 : 1)

/** Words from one on, up to another, with lengths in between. */
export interface SpellingRange {
  readonly from: string
  readonly until: string
  readonly minLength: number
  readonly maxLength: number
}

const beginningWith = (start: string): Pick<SpellingRange, "from" | "until"> => {
  const letters = [...start]
  const last = letters.pop()!
  return { from: start, until: letters.join("") + String.fromCodePoint(last.codePointAt(0)! + 1) }
}

/** Where the words stand that a term may have meant: with its first character and about its length, or with its prefix. */
export const spellingRanges = (term: string): ReadonlyArray<SpellingRange> => [
  {
    ...beginningWith([...term][0]!),
    minLength: Math.max(prefix, term.length - maxDistance(term)),
    maxLength: term.length + maxDistance(term)
  },
  { ...beginningWith([...term].slice(0, prefix).join("")), minLength: prefix, maxLength: maxWord }
]

/** The edit distance by optimal string alignment; `max + 1` where it is more than `max`. */
export const editDistance = (a: string, b: string, max: number): number => {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let before: ReadonlyArray<number> = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        distance = Math.min(distance, before[j - 2]! + 1)
      row.push(distance)
    }
    if (Math.min(...row) > max) return max + 1
    before = last
    last = row
  }
  return last[b.length]!
}

/** From 0, where the two do not resemble each other, to 1. */
const closeness = (term: string, word: string): number => {
  const distance = editDistance(term, word, maxDistance(term))
  if (distance <= maxDistance(term)) return 1 - (1.5 * distance) / term.length
  const [short, long] = term.length < word.length ? [term, word] : [word, term]
  return short.length >= prefix && long.startsWith(short) ? prefixCloseness : 0
}

/** The few of these words that an unknown term may have meant, the closest first. */
export const spellingsOf = (term: string, words: Iterable<string>): ReadonlyMap<string, number> =>
  new Map(
    [...words]
      .map((word): [string, number] => [word, closeness(term, word)])
      .filter(([, close]) => close > 0)
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, maxSpellings)
  )
