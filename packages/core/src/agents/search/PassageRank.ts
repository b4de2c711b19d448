/**
 * Which passages answer a question best: BM25 over the terms, with the statistics of one agent's entries. Databases find
 * candidates, and this ranks them, so that all of them rank alike. Pure. Source: docs/reference/bots.md#ranking.
 */

/** A term of a question, and how the entries spell it. */
export interface QueryTerm {
  readonly weight: number
  /** Spelling to closeness: 1 for the term itself, less for a term that is merely like it. Empty where no entry has any. */
  readonly spellings: ReadonlyMap<string, number>
}

export interface CandidatePassage {
  readonly position: number
  readonly entryId: string
  readonly titleTerms: string
  readonly terms: string
}

/** The best passage of an entry. */
export interface RankedPassage {
  readonly position: number
  readonly entryId: string
  readonly score: number
}

/** How soon a repeated term adds nothing: `k1` of BM25. */
const saturation = 0.9
/** How much a passage's length counts against it: `b` of BM25. */
const lengthShare = 0.5
/** Terms of a passage of average length. */
const averageLength = 100
/** A term in the title counts like this number in the passage. */
const titleBoost = 3

/** The inverse document frequency of a term that `entries` of `all` entries have: next to nothing when all have it. */
export const weightOf = (entries: number, all: number): number => Math.log(1 + (all - entries + 0.5) / (entries + 0.5))

const counted = (terms: string) => {
  const all = terms === "" ? [] : terms.split(" ")
  const times = new Map<string, number>()
  for (const term of all) times.set(term, (times.get(term) ?? 0) + 1)
  return { length: all.length, timesOf: (term: string) => times.get(term) ?? 0 }
}

/** How much of the query is in a text: from 0 to below 1. */
const share = (query: ReadonlyArray<QueryTerm>, all: number, { terms, titleTerms }: CandidatePassage): number => {
  const [inTitle, inText] = [counted(titleTerms), counted(terms)]
  const discount = saturation * (1 - lengthShare + lengthShare * (inText.length / averageLength))
  let found = 0
  for (const { spellings, weight } of query) {
    let best = 0
    for (const [term, closeness] of spellings) {
      const times = inText.timesOf(term) + titleBoost * inTitle.timesOf(term)
      best = Math.max(best, (closeness * times) / (times + discount))
    }
    found += weight * best
  }
  return found / all
}

/** Entries by their best passages, best first; the newer one of two that are equal. */
export const rankPassages = (
  query: ReadonlyArray<QueryTerm>,
  candidates: ReadonlyArray<CandidatePassage>
): ReadonlyArray<RankedPassage> => {
  const all = query.reduce((sum, { weight }) => sum + weight, 0)
  const best = new Map<string, RankedPassage>()
  for (const candidate of candidates) {
    const { entryId, position } = candidate
    const score = share(query, all, candidate)
    const known = best.get(entryId)
    const isBetter = known === undefined || score > known.score || (score === known.score && position < known.position)
    if (score > 0 && isBetter) best.set(entryId, { position, entryId, score })
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.entryId < b.entryId ? 1 : -1))
}
