/** The search providers that the file configures, and what they find wrong with it, by path. */
import type { TrunklineOptions, WebSearchProvider } from "@trunkline/core"
import { brave } from "@trunkline/providers/brave"
import { searxng } from "@trunkline/providers/searxng"
import { tavily } from "@trunkline/providers/tavily"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"
import { defined } from "./Defined.ts"
import { problemFaults } from "./Upstreams.ts"

type Search = Sections["search"]
type ProviderSection = NonNullable<Search["providers"]>[string]

/** Throws `InvalidProviderOptions` for settings that cannot work. */
const providerOf = ({ apiKey, kind, ...given }: ProviderSection): WebSearchProvider => {
  const options = { ...given, ...defined({ apiKey: apiKey?.text }) }
  // The kind itself reports what is missing.
  const complete = options as typeof options & { readonly apiKey: string; readonly baseUrl: string }
  return kind === "brave" ? brave(complete) : kind === "tavily" ? tavily(complete) : searxng(complete)
}

export const searchOf = ({ providers = {}, ...search }: Search): NonNullable<TrunklineOptions["search"]> => ({
  ...search,
  providers: Object.fromEntries(Object.entries(providers).map(([name, section]) => [name, providerOf(section)]))
})

/** Everything that the kinds find wrong with their settings. */
export const searchFaults = ({ providers = {} }: Search): ReadonlyArray<Fault> =>
  Object.entries(providers).flatMap(([name, section]) =>
    problemFaults(`search.providers.${name}`, () => providerOf(section))
  )
