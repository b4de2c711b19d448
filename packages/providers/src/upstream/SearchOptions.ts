/** The options that all search providers have, and what a file can know of their kinds. */
import {
  faultsIn,
  type ProviderKind,
  providerKind,
  Settings,
  type TypedWebSearchProvider
} from "@trunkline/core/provider"
import { timeoutBounds } from "./Bounds.ts"
import { type KindDefaults, upstreamSettings, type WireOptions } from "./UpstreamOptions.ts"

/** Settings as a host writes them. `timeoutMs` is 10,000 by default. Source: docs/reference/search.md#settings. */
export interface SearchProviderOptions extends WireOptions {}

/** The same of a provider that needs a key. */
export interface KeyedSearchOptions extends SearchProviderOptions {
  /** Kept redacted, and never part of a message. */
  readonly apiKey: Exclude<WireOptions["apiKey"], undefined>
}

export type SearchDefaults = Pick<KindDefaults, "provider" | "baseUrl" | "needsKey">

const timeoutMs = 10_000

/** Checks the options of a kind and fills in what was left out. */
export const searchSettings = (defaults: SearchDefaults, options: SearchProviderOptions) =>
  upstreamSettings({ ...defaults, serves: [], timeoutMs }, options)

const settings = {
  /** The address of the provider. */
  baseUrl: Settings.web,
  /** The key of the provider. */
  apiKey: Settings.secret,
  /** The time of a request to the provider, in milliseconds. */
  timeoutMs: Settings.whole(timeoutBounds)
}

/** A kind of search provider, by what loads its client. */
export const searchKind = <O extends SearchProviderOptions>(
  defaults: SearchDefaults,
  load: () => Promise<(options: O) => TypedWebSearchProvider>
): ProviderKind<TypedWebSearchProvider> =>
  providerKind<O, TypedWebSearchProvider>({
    name: defaults.provider,
    settings,
    faultsOf: (options) => faultsIn(searchSettings(defaults, options)),
    make: async (options) => (await load())(options)
  })
