/** The tools of a model that answers for an agent: so far, a search in the agent's knowledge. Source: docs/reference/messaging.md#tools. */
import * as Effect from "effect/Effect"
import { argumentsOf, type ChatTool, type ToolCall } from "../../gateway/upstreams/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../AgentsIds.ts"
import type { Found, Knowledge } from "../bots/Knowledge.ts"

export const searchTool: ChatTool = {
  name: "search_knowledge_base",
  description:
    "Finds what the business has written down about a question. Answers with the best entries, or with none.",
  parameters: {
    type: "object",
    properties: { query: { type: "string", description: "The question in a few plain words" } },
    required: ["query"],
    additionalProperties: false
  }
}

/** Entries of one search. */
const maxFound = 5
/** Characters of a query. */
const maxQuery = 500

/** A call of a tool, and what came of it. */
export interface ToolUse {
  readonly name: string
  /** As the model wrote them; empty where they are no JSON object. */
  readonly arguments: Readonly<Record<string, unknown>>
  readonly result: ReadonlyArray<Pick<Found, "title" | "snippet" | "score">>
  /** What the model is shown in the place of a result; null where there is one. */
  readonly error: string | null
}

/** The tools of one turn. Results are JSON on one line, so that no text of an entry ends them early. */
export interface Toolbox {
  /** Never fails for what a model has written: the result says what was wrong. */
  readonly use: (call: ToolCall) => Effect.Effect<string, StorageError>
  /** All results, in the order of their queries. */
  readonly found: () => ReadonlyArray<string>
  /** All calls, in their order. */
  readonly uses: () => ReadonlyArray<ToolUse>
}

/** Searches for the same query once. */
export const toolbox = (knowledge: Pick<Knowledge["Service"], "search">, botId: Ids.BotId): Toolbox => {
  const results = new Map<string, ReadonlyArray<Found>>()
  const uses: Array<ToolUse> = []
  const search = Effect.fnUntraced(function* (query: string) {
    const found = results.get(query) ?? (yield* knowledge.search(botId, query, maxFound))
    results.set(query, found)
    return found
  })
  const use = Effect.fnUntraced(function* ({ arguments: written, name }: ToolCall) {
    const used = { name, arguments: argumentsOf(written) ?? {} }
    const refused = (error: string) => {
      uses.push({ ...used, result: [], error })
      return fault(error)
    }
    if (name !== searchTool.name) return refused(`There is no tool of this name. Use ${searchTool.name}.`)
    const query = queryOf(written)
    if (query === null) return refused('The arguments must be a JSON object with a text as "query".')
    const found = yield* search(query)
    uses.push({
      ...used,
      result: found.map(({ score, snippet, title }) => ({ title, snippet, score })),
      error: null
    })
    return resultOf(query, found)
  })
  return {
    use,
    found: () => [...results].map(([query, found]) => resultOf(query, found)),
    uses: () => uses
  }
}

/** Replaces a result. */
export const fault = (error: string): string => JSON.stringify({ error })

const resultOf = (query: string, found: ReadonlyArray<{ readonly title: string; readonly snippet: string }>): string =>
  JSON.stringify({ query, results: found.map(({ snippet, title }) => ({ title, snippet })) })

/** The query of a call's arguments, which some models put into a text of their own once more; null where there is none. */
export const queryOf = (written: string): string | null => {
  const query = argumentsOf(written)?.query
  return typeof query !== "string" || query.trim() === "" ? null : query.trim().slice(0, maxQuery)
}
