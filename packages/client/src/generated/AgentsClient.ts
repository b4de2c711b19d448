/** The area agents: made from the contract by ClientFiles.test.ts. */
import type { List } from "../List.ts"
import { type ClientArea, clientArea } from "../Operation.ts"
import type { KeyedRequestOptions, RequestOptions } from "../Request.ts"
import type {
  Bot,
  BotChange,
  BotTest,
  BotTestAnswer,
  FoundKnowledge,
  KnowledgeEntry,
  KnowledgeEntryChange,
  NewBot,
  NewKnowledgeEntry
} from "./Records.ts"

export interface BotsMethods {
  /**
   * Test an agent.
   *
   * Answers a conversation as the agent would, which is billed; nothing is sent or kept. An API key needs the scope `messaging:write`.
   */
  test(botId: string, body: BotTest, options?: RequestOptions): Promise<BotTestAnswer>
  /**
   * Create an agent.
   *
   * Creates an agent that speaks in calls or answers messages. An API key needs the scope `messaging:write`.
   */
  create(body: NewBot, options?: KeyedRequestOptions): Promise<Bot>
  /**
   * List agents.
   *
   * Returns the account's agents, newest first. An API key needs the scope `messaging:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): List<Bot>
  /**
   * Get an agent.
   *
   * Returns one agent with its settings. An API key needs the scope `messaging:read`.
   */
  get(botId: string, options?: RequestOptions): Promise<Bot>
  /**
   * Change an agent.
   *
   * Changes the fields that you send and keeps the others. An API key needs the scope `messaging:write`.
   */
  change(botId: string, body: BotChange, options?: RequestOptions): Promise<Bot>
  /**
   * Delete an agent.
   *
   * Deletes an agent and its knowledge; an agent that an unfinished campaign uses cannot be deleted. An API key needs the scope `messaging:write`.
   */
  remove(botId: string, options?: RequestOptions): Promise<void>
  /**
   * Add knowledge to an agent.
   *
   * Adds a text that the agent searches when it answers. An API key needs the scope `messaging:write`.
   */
  addKnowledge(botId: string, body: NewKnowledgeEntry, options?: KeyedRequestOptions): Promise<KnowledgeEntry>
  /**
   * List the knowledge of an agent.
   *
   * Returns the texts that the agent searches when it answers, newest first. An API key needs the scope `messaging:read`.
   */
  listKnowledge(
    botId: string,
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): List<KnowledgeEntry>
  /**
   * Search the knowledge of an agent.
   *
   * Returns up to five texts that answer a question, best first, as the agent finds them. An API key needs the scope `messaging:read`.
   */
  searchKnowledge(
    botId: string,
    query: {
      /** Question in ordinary words; 1 to 1000 characters. */
      readonly q: string
    },
    options?: RequestOptions
  ): Promise<ReadonlyArray<FoundKnowledge>>
  /**
   * Change knowledge of an agent.
   *
   * Changes the fields of one text that you send; the agent finds it by its new words at once. An API key needs the scope `messaging:write`.
   */
  changeKnowledge(
    botId: string,
    entryId: string,
    body: KnowledgeEntryChange,
    options?: RequestOptions
  ): Promise<KnowledgeEntry>
  /**
   * Delete knowledge of an agent.
   *
   * Deletes one text from the agent's knowledge. An API key needs the scope `messaging:write`.
   */
  removeKnowledge(botId: string, entryId: string, options?: RequestOptions): Promise<void>
}

/** The routes of the area agents. */
export interface AgentsClient {
  readonly bots: BotsMethods
}

/** For the `areas` of `createClient`. */
export const agents: ClientArea<AgentsClient> = clientArea({
  bots: {
    test: { method: "POST", path: "/api/v1/bots/{bot_id}/test", takes: ["json"] },
    create: { method: "POST", path: "/api/v1/bots", takes: ["json"], key: "always" },
    list: { method: "GET", path: "/api/v1/bots", takes: ["query"], pages: "offset" },
    get: { method: "GET", path: "/api/v1/bots/{bot_id}" },
    change: { method: "PATCH", path: "/api/v1/bots/{bot_id}", takes: ["json"] },
    remove: { method: "DELETE", path: "/api/v1/bots/{bot_id}" },
    addKnowledge: { method: "POST", path: "/api/v1/bots/{bot_id}/knowledge", takes: ["json"], key: "always" },
    listKnowledge: { method: "GET", path: "/api/v1/bots/{bot_id}/knowledge", takes: ["query"], pages: "offset" },
    searchKnowledge: { method: "GET", path: "/api/v1/bots/{bot_id}/knowledge/search", takes: ["query"] },
    changeKnowledge: { method: "PATCH", path: "/api/v1/bots/{bot_id}/knowledge/{entry_id}", takes: ["json"] },
    removeKnowledge: { method: "DELETE", path: "/api/v1/bots/{bot_id}/knowledge/{entry_id}" }
  }
})
