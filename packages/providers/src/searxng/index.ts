/**
 * The search provider `searxng`: a server of one's own that asks other search engines.
 *
 * Promises  SRXN-1 a search is exactly one request, with each option under SearXNG's name for it, and nothing is sent twice.
 *           SRXN-2 an answer without a list of pages is no answer.
 *           SRXN-3 every failure has its reason, and names neither key nor address nor foreign text.
 *           SRXN-4 where the server has JSON switched off, the log names the setting that switches it on.
 * Needs     nothing.                             Emits  nothing.
 * Not here  what a caller gets of a page (web-search/ in the core), time on the wire (../upstream).
 * Read      Searxng.ts; in a file SearxngKind.ts. Source: docs/reference/search.md#providers.
 */

export { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
export { searxng } from "./Searxng.ts"
export type { SearxngOptions } from "./SearxngOptions.ts"
