/** The kind `searxng` of search providers, without its client. */
import { searchKind } from "../upstream/SearchOptions.ts"
import { defaults, type SearxngOptions } from "./SearxngOptions.ts"

export const searxngKind = searchKind<SearxngOptions>(defaults, async () => (await import("./Searxng.ts")).searxng)
