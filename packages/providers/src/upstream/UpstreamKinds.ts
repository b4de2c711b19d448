/** What a file can know of the kinds of upstreams that are asked over HTTP. */
import {
  faultsIn,
  type ProviderKind,
  providerKind,
  Settings,
  type TypedUpstreamProvider
} from "@trunkline/core/provider"
import { type KindDefaults, services, type UpstreamOptions, upstreamSettings } from "./UpstreamOptions.ts"

const { list, oneOf, secret, web, whole } = Settings

const settings = {
  /** The address of the upstream. */
  baseUrl: web,
  /** The key of the upstream. */
  apiKey: secret,
  /** The services that the upstream has. */
  serves: list(oneOf(...services)),
  // Kinds differ in what they wait at most.
  /** The time of a request, in milliseconds. */
  timeoutMs: whole({ min: 1 })
}

export { settings as settingsOfUpstreams }

/** A kind of upstream that has these settings alone, by what loads its client. */
export const upstreamKind = <O extends UpstreamOptions>(
  defaults: KindDefaults,
  load: () => Promise<(options: O) => TypedUpstreamProvider>
): ProviderKind<TypedUpstreamProvider> =>
  providerKind<O, TypedUpstreamProvider>({
    name: defaults.provider,
    settings,
    faultsOf: (options) => faultsIn(upstreamSettings(defaults, options)),
    make: async (options) => (await load())(options)
  })
