/** What the clients of search providers share: keys, queries, and reading the pages of their answers. */
import { type FoundPage, isObject, type TypedWebSearchProvider, webSearchProvider } from "@trunkline/core/provider"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type SearchDefaults, type SearchProviderOptions, searchSettings } from "./SearchOptions.ts"
import type { UpstreamSettings } from "./UpstreamOptions.ts"

/** Throws `InvalidProviderOptions`, which names every fault. */
export const searchProvider = (
  defaults: SearchDefaults,
  options: SearchProviderOptions,
  make: (settings: UpstreamSettings) => TypedWebSearchProvider["make"]
): TypedWebSearchProvider => webSearchProvider(make(Result.getOrThrow(searchSettings(defaults, options))))

type Headers = Readonly<Record<string, string>>

/** The header of a key; none where there is no key. */
export const keyHeader = ({ apiKey }: UpstreamSettings, header: (key: string) => Headers): Headers =>
  apiKey === null ? {} : header(Redacted.value(apiKey))

export const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })

/** The query of a path, without values that are null. */
export const queryOf = (fields: Readonly<Record<string, string | number | null>>): string =>
  String(
    new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))
    )
  )

/** Names of a page's fields where providers differ. */
interface PageNames {
  readonly snippet: string
  readonly date: string
}

const textIn = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** The pages of an answer's list; undefined where there is no list. An entry without an address is passed over. */
export const pagesIn = (answer: unknown, { date, snippet }: PageNames): ReadonlyArray<FoundPage> | undefined => {
  if (!isObject(answer) || !Array.isArray(answer.results)) return undefined
  return answer.results.flatMap((page: unknown) => {
    if (!isObject(page) || typeof page.url !== "string") return []
    return {
      title: textIn(page.title) ?? "",
      url: page.url,
      snippet: textIn(page[snippet]) ?? "",
      date: textIn(page[date]),
      score: typeof page.score === "number" ? page.score : null
    }
  })
}
