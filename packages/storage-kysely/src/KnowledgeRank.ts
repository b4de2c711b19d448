/**
 * Which passages answer a question best: BM25 over the terms, with the statistics of one agent's entries. The databases find
 * candidates, and this ranks them, so both rank alike. Pure. Source: docs/bots.md#ranking.
 */

/** A term of a question, and how the agent's entries spell it. */
export interface AskedTerm {
  readonly weight: number
  /** Spelling to closeness: 1 for the term itself, less for what is merely like it. Empty where no entry has any. */
  readonly spellings: ReadonlyMap<string, number>
}

export interface Candidate {
  readonly position: number
  readonly entryId: string
  readonly titleTerms: string
  readonly terms: string
}

/** The best passage of an entry. */
export interface Ranked {
  readonly position: number
  readonly entryId: string
  readonly score: number
}

/** How soon a term that is there again adds nothing. */
const saturation = 0.9
/** How much a passage's length counts against it. */
const lengthShare = 0.5
/** Terms of a passage of usual length. */
const usualLength = 100
/** A term in the title counts like so many in the passage. */
const titleCount = 3

/** What a term tells that is in so many of all entries: everything when it is in none, next to nothing when it is in all. */
export const weightOf = (entries: number, all: number): number => Math.log(1 + (all - entries + 0.5) / (entries + 0.5))

const counted = (terms: string) => {
  const all = terms === "" ? [] : terms.split(" ")
  const times = new Map<string, number>()
  for (const term of all) times.set(term, (times.get(term) ?? 0) + 1)
  return { length: all.length, timesOf: (term: string) => times.get(term) ?? 0 }
}

/** How much of what was asked for is in a text: from 0 to below 1. */
const share = (asked: ReadonlyArray<AskedTerm>, all: number, { terms, titleTerms }: Candidate): number => {
  const [inTitle, inText] = [counted(titleTerms), counted(terms)]
  const discount = saturation * (1 - lengthShare + lengthShare * (inText.length / usualLength))
  let found = 0
  for (const { spellings, weight } of asked) {
    let best = 0
    for (const [term, closeness] of spellings) {
      const times = inText.timesOf(term) + titleCount * inTitle.timesOf(term)
      best = Math.max(best, (closeness * times) / (times + discount))
    }
    found += weight * best
  }
  return found / all
}

/** Entries by their best passages, best first; the newer one of two that are equal. */
export const ranked = (
  asked: ReadonlyArray<AskedTerm>,
  candidates: ReadonlyArray<Candidate>
): ReadonlyArray<Ranked> => {
  const all = asked.reduce((sum, { weight }) => sum + weight, 0)
  const best = new Map<string, Ranked>()
  for (const candidate of candidates) {
    const { entryId, position } = candidate
    const score = share(asked, all, candidate)
    const known = best.get(entryId)
    const isBetter = known === undefined || score > known.score || (score === known.score && position < known.position)
    if (score > 0 && isBetter) best.set(entryId, { position, entryId, score })
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.entryId < b.entryId ? 1 : -1))
}

/** Letters of a word that may be misspelt, at least: of a shorter one too many others are like it. */
const shortestMisspelt = 5
/** Letters that a word has in common with one that it begins with, at least: "return" and "returnlabel". */
const beginning = 5
const asBeginning = 0.5
const longestWord = 40
const mostSpellings = 4

/** True of what may be misspelt: a word of letters. A code that is not there is not another code. */
export const mayBeMisspelt = (term: string): boolean => term.length >= shortestMisspelt && /^[\p{L}\p{M}]+$/u.test(term)

/** Steps of one letter (more, less, another, two in the wrong order) that a word may be away from what was meant. */
const mostSteps = (term: string): number => (term.length >= 8 ? 2 : 1)

/** Words from one on, up to another, of so many letters. */
export interface Neighbours {
  readonly from: string
  readonly until: string
  readonly shortest: number
  readonly longest: number
}

const beginningWith = (start: string): Pick<Neighbours, "from" | "until"> => {
  const letters = [...start]
  const last = letters.pop()!
  return { from: start, until: letters.join("") + String.fromCodePoint(last.codePointAt(0)! + 1) }
}

/** Where the words stand that a term may have meant: of its first letter and about its length, or of its beginning. */
export const neighboursOf = (term: string): ReadonlyArray<Neighbours> => [
  {
    ...beginningWith([...term][0]!),
    shortest: Math.max(beginning, term.length - mostSteps(term)),
    longest: term.length + mostSteps(term)
  },
  { ...beginningWith([...term].slice(0, beginning).join("")), shortest: beginning, longest: longestWord }
]

/** Optimal string alignment, given up above `most`. */
export const stepsBetween = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: ReadonlyArray<number> = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let steps = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) steps = Math.min(steps, before[j - 2]! + 1)
      row.push(steps)
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return last[b.length]!
}

/** 0 where one is not like the other. */
const closeness = (term: string, word: string): number => {
  const steps = stepsBetween(term, word, mostSteps(term))
  if (steps <= mostSteps(term)) return 1 - (1.5 * steps) / term.length
  const [short, long] = term.length < word.length ? [term, word] : [word, term]
  return short.length >= beginning && long.startsWith(short) ? asBeginning : 0
}

/** Of some words, those that a term that no entry has may have meant: the nearest few. */
export const spellingsOf = (term: string, words: Iterable<string>): ReadonlyMap<string, number> =>
  new Map(
    [...words]
      .map((word): [string, number] => [word, closeness(term, word)])
      .filter(([, close]) => close > 0)
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, mostSpellings)
  )
