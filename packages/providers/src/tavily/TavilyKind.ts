/** The kind `tavily` of search providers, without its client. */
import { searchKind } from "../upstream/SearchOptions.ts"
import { defaults, type TavilyOptions } from "./TavilyOptions.ts"

export const tavilyKind = searchKind<TavilyOptions>(defaults, async () => (await import("./Tavily.ts")).tavily)
