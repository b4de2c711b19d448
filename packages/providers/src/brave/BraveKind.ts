/** The kind `brave` of search providers, without its client. */
import { searchKind } from "../upstream/SearchOptions.ts"
import { type BraveOptions, defaults } from "./BraveOptions.ts"

export const braveKind = searchKind<BraveOptions>(defaults, async () => (await import("./Brave.ts")).brave)
