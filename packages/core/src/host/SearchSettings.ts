/** Reads what a host decides about searching the web. */
import { SearchProviders } from "../gateway/web-search/index.ts"
import type { TrunklineOptions } from "./Options.ts"
import { searchProviderOf } from "./Providers.ts"

export const searchProviders = ({ search = {} }: TrunklineOptions) =>
  SearchProviders.layer({
    providers: Object.entries(search.providers ?? {}).map(([name, provider]) => searchProviderOf(provider, name)),
    standard: search.default ?? null
  })
