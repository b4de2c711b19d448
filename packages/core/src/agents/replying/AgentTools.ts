/** The tools of a model that answers for an agent: so far, a search in the agent's knowledge. Source: docs/reference/messaging.md#tools. */
import * as Effect from "effect/Effect"
import { argumentsOf, type ChatTool, type ToolCall } from "../../gateway/upstreams/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../AgentsIds.ts"
import type { Knowledge } from "../bots/Knowledge.ts"

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

/** The tools of one turn. Results are JSON on one line, so that no text of an entry ends them early. */
export interface Toolbox {
  /** Never fails for what a model has written: the result says what was wrong. */
  readonly use: (call: ToolCall) => Effect.Effect<string, StorageError>
  /** All results, in the order of their queries. */
  readonly found: () => ReadonlyArray<string>
}

/** Searches for the same query once. */
export const toolbox = (knowledge: Pick<Knowledge["Service"], "search">, botId: Ids.BotId): Toolbox => {
  const results = new Map<string, string>()
  const search = Effect.fnUntraced(function* (query: string) {
    const known = results.get(query)
    if (known !== undefined) return known
    const result = resultOf(query, yield* knowledge.search(botId, query, maxFound))
    results.set(query, result)
    return result
  })
  return {
    use: ({ arguments: written, name }) => {
      if (name !== searchTool.name)
        return Effect.succeed(fault(`There is no tool of this name. Use ${searchTool.name}.`))
      const query = queryOf(written)
      return query === null
        ? Effect.succeed(fault('The arguments must be a JSON object with a text as "query".'))
        : search(query)
    },
    found: () => [...results.values()]
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
