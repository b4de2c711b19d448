/**
 * The search provider `brave`: Brave's index of the web.
 *
 * Promises  BRAV-1 a search is exactly one request, with each option under Brave's name for it, and nothing is sent twice.
 *           BRAV-2 an answer without a list of pages has found nothing.
 *           BRAV-3 every failure has its reason, and names neither key nor address nor foreign text.
 * Needs     nothing.                             Emits  nothing.
 * Not here  what a caller gets of a page (web-search/ in the core), time on the wire (../upstream).
 * Read      Brave.ts; in a file BraveKind.ts. Source: docs/reference/search.md#providers.
 */

export { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
export { brave } from "./Brave.ts"
export type { BraveOptions } from "./BraveOptions.ts"
