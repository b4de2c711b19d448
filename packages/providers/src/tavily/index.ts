/**
 * The search provider `tavily`: searching for programs, within hosts and without them.
 *
 * Promises  TAVI-1 a search is exactly one request, with each option under Tavily's name for it, and nothing is sent twice.
 *           TAVI-2 an answer without a list of pages is no answer.
 *           TAVI-3 every failure has its reason, and names neither key nor address nor foreign text.
 * Needs     nothing.                             Emits  nothing.
 * Not here  what a caller gets of a page (web-search/ in the core), time on the wire (../upstream).
 * Read      Tavily.ts; in a file TavilyKind.ts. Source: docs/reference/search.md#providers.
 */

export { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
export { tavily } from "./Tavily.ts"
export type { TavilyOptions } from "./TavilyOptions.ts"
