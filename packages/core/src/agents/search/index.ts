/**
 * Decides by which terms a text and a question meet, which passage answers best, and what of it is shown. Knows no storage.
 *
 * Promises  FIND-1 a question and a text become terms in the same way, in whatever form their words are written.
 *           FIND-2 a rarer word, more of the words and a word in the title make a better answer.
 *           FIND-3 a misspelt word finds the nearest known one; a code stays what it is.
 * Needs     nothing.                                      Emits  nothing.
 * Not here  which texts there are and whose they are (agents/bots); the indexes of a database (storage-kysely).
 * Read      SearchTerms.ts, then IndexedText.ts and PassageRank.ts. Source: docs/reference/bots.md#search.
 */
export { type IndexedText, indexText } from "./IndexedText.ts"
export { type CandidatePassage, type QueryTerm, type RankedPassage, rankPassages, weightOf } from "./PassageRank.ts"
export { termsOfQuestion } from "./SearchTerms.ts"
export { snippetOf } from "./Snippet.ts"
export { mayBeMisspelt, type SpellingRange, spellingRanges, spellingsOf } from "./Spelling.ts"
