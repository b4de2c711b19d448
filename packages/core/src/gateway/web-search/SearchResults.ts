/** What a caller gets of the pages that a provider found. Pure. Source: docs/reference/search.md#answer. */
import { textOfMarkup } from "./MarkupText.ts"
import type { FoundPage } from "./SearchProvider.ts"

export interface SearchResult {
  readonly title: string
  readonly url: string
  readonly snippet: string
  /** `YYYY-MM-DD`. */
  readonly date: string | null
  readonly score: number | null
}

/** At most `maxResults`, in the provider's order; pages whose address is none of the web's are left out. */
export const searchResults = (pages: ReadonlyArray<FoundPage>, maxResults: number): ReadonlyArray<SearchResult> =>
  pages
    .filter(({ url }) => isWebAddress(url))
    .slice(0, maxResults)
    .map(({ date, score, snippet, title, url }) => ({
      title: textOfMarkup(title),
      url,
      snippet: textOfMarkup(snippet),
      date: date === null ? null : dayOf(date),
      score: score !== null && Number.isFinite(score) ? score : null
    }))

const isWebAddress = (text: string): boolean => {
  const protocol = URL.parse(text)?.protocol
  return protocol === "http:" || protocol === "https:"
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/** `2026-05-01`, also with a time behind it. */
const iso = /^\s*(\d{4})-(\d\d)-(\d\d)(?!\d)/
/** `Fri, 01 May 2026 08:00:00 GMT`. */
const ofHttp = /^\s*(?:[a-z]{3,9},?\s+)?(\d{1,2})\s+([a-z]{3})[a-z]*\.?\s+(\d{4})(?!\d)/i

/** The day as it is written, whatever the time zone; null for a text that names none. */
const dayOf = (text: string): string | null => {
  const [, year, month, day] = iso.exec(text) ?? []
  if (year !== undefined) return calendarDay(Number(year), Number(month), Number(day))
  const [, dayOfMonth, name, ofYear] = ofHttp.exec(text) ?? []
  return name === undefined
    ? null
    : calendarDay(Number(ofYear), months.indexOf(name.toLowerCase()) + 1, Number(dayOfMonth))
}

/** Null for a day that no calendar has. */
const calendarDay = (year: number, month: number, day: number): string | null => {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : null
}
