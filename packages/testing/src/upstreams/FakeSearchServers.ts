/** Brave, Tavily and SearXNG as they are published: what they answer, refuse and call an error. */
import { type FakeUpstream, startFakeUpstream, type UpstreamCall, type UpstreamMood } from "./FakeUpstream.ts"

/** A page as a test writes it. */
export interface FakePage {
  readonly title?: string
  readonly url: string
  readonly snippet?: string
  /** As the server writes days. */
  readonly date?: string
  readonly score?: number
}

export interface FakeSearchOptions {
  readonly apiKey?: string | undefined
  /** Default: two pages. */
  readonly pages?: ReadonlyArray<FakePage>
}

export const fakePages: ReadonlyArray<FakePage> = [
  { title: "Beaches", url: "https://goa.example/beaches", snippet: "Sand and sea", score: 0.9 },
  { title: "Hotels", url: "https://goa.example/hotels", snippet: "Rooms" }
]

/** Words of a server that must never reach a caller. */
const leaky = "leaky words about account 1234"

const header = ({ headers }: UpstreamCall, name: string): string => String(headers[name] ?? "")

/** Starts a server that answers as Brave's search of the web does. */
export const startFakeBrave = ({ apiKey, pages = fakePages }: FakeSearchOptions = {}): Promise<FakeUpstream> =>
  startFakeUpstream({
    answers: (call) => {
      const asked = new Map(call.query)
      const refused = (status: number, code: string): UpstreamMood => ({
        does: "answer",
        status,
        body: { type: "ErrorResponse", error: { id: "1", status, code, detail: leaky }, time: 1 }
      })
      if (call.path !== "/res/v1/web/search" || call.method !== "GET") return refused(404, "NOT_FOUND")
      if (apiKey !== undefined && header(call, "x-subscription-token") !== apiKey) {
        return refused(422, "SUBSCRIPTION_TOKEN_INVALID")
      }
      const count = Number(asked.get("count"))
      if (!(count >= 1 && count <= 20) || asked.get("country") === "XX") return refused(422, "VALIDATION")
      const results = pages.slice(0, count).map(({ date, snippet, title, url }) => ({
        ...{ type: "search_result", title, url, description: snippet },
        ...(date === undefined ? {} : { page_age: date, age: "a while ago" })
      }))
      const query = { original: asked.get("q"), more_results_available: false }
      return {
        does: "answer",
        body: { type: "search", query, ...(results.length === 0 ? {} : { web: { type: "search", results } }) }
      }
    }
  })

/** Starts a server that answers as Tavily does. */
export const startFakeTavily = ({ apiKey, pages = fakePages }: FakeSearchOptions = {}): Promise<FakeUpstream> =>
  startFakeUpstream({
    answers: (call) => {
      const refused = (status: number): UpstreamMood => ({ does: "answer", status, body: { detail: { error: leaky } } })
      if (call.path !== "/search" || call.method !== "POST") return refused(404)
      if (apiKey !== undefined && header(call, "authorization") !== `Bearer ${apiKey}`) return refused(401)
      const { max_results: count = 5, query } = (call.json ?? {}) as Readonly<Record<string, unknown>>
      if (typeof query !== "string" || query === "") return refused(400)
      const results = pages.slice(0, Number(count)).map(({ date, score = 0.5, snippet, title, url }) => ({
        ...{ title, url, content: snippet, score, raw_content: null },
        ...(date === undefined ? {} : { published_date: date })
      }))
      return { does: "answer", body: { query, answer: null, images: [], results, response_time: 1.2 } }
    }
  })

/** Starts a server that answers as SearXNG does. Its pages are not limited in number. */
export const startFakeSearxng = ({
  apiKey,
  isJsonOff = false,
  pages = fakePages
}: FakeSearchOptions & { readonly isJsonOff?: boolean } = {}): Promise<FakeUpstream> =>
  startFakeUpstream({
    answers: (call) => {
      const asked = new Map(call.query)
      if (call.path !== "/search") return { does: "answer", status: 404, body: "Not Found" }
      if (apiKey !== undefined && header(call, "authorization") !== `Bearer ${apiKey}`) {
        return { does: "answer", status: 401, body: leaky }
      }
      const isKnown = ["html", "json"].includes(asked.get("format") ?? "html")
      if (!isKnown || isJsonOff) return { does: "answer", status: 403, body: "<title>403 Forbidden</title>" }
      const results = pages.map(({ date, score = 1, snippet, title, url }) => ({
        ...{ title, url, content: snippet, engine: "duckduckgo", category: "general", score },
        publishedDate: date ?? null
      }))
      const query = asked.get("q") ?? ""
      if (query === "") return { does: "answer", status: 400, body: "No query" }
      return {
        does: "answer",
        body: { query, number_of_results: results.length, results, answers: [], unresponsive_engines: [] }
      }
    }
  })
