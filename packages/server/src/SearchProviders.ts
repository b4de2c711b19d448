/** The search providers that the file configures, and what they find wrong with it, by path. */
import type { TrunklineOptions, WebSearchProvider } from "@trunkline/core"
import { brave } from "@trunkline/providers/brave"
import { searxng } from "@trunkline/providers/searxng"
import { tavily } from "@trunkline/providers/tavily"
import * as Redacted from "effect/Redacted"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"
import { defined } from "./Defined.ts"
import { problemFaults } from "./Upstreams.ts"

type Search = Sections["search"]
type ProviderSection = NonNullable<Search["providers"]>[string]

/** Throws `InvalidUpstreamOptions` for settings that cannot work. */
const providerOf = ({ api_key, base_url, kind, timeout_ms }: ProviderSection): WebSearchProvider => {
  const options = defined({
    baseUrl: base_url,
    apiKey: api_key === undefined ? undefined : Redacted.value(api_key),
    timeoutMs: timeout_ms
  })
  // The kind itself reports what is missing.
  const complete = options as typeof options & { readonly apiKey: string; readonly baseUrl: string }
  return kind === "brave" ? brave(complete) : kind === "tavily" ? tavily(complete) : searxng(complete)
}

export const searchOf = ({ default: standard, providers = {} }: Search): NonNullable<TrunklineOptions["search"]> =>
  defined({
    default: standard,
    providers: Object.fromEntries(Object.entries(providers).map(([name, section]) => [name, providerOf(section)]))
  })

/** Everything that the kinds find wrong with their settings. */
export const searchFaults = ({ providers = {} }: Search): ReadonlyArray<Fault> =>
  Object.entries(providers).flatMap(([name, section]) =>
    problemFaults(`search.providers.${name}`, () => providerOf(section))
  )
