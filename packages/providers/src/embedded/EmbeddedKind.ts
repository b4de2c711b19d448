/** The kind `embedded` of upstreams, without its engines. */
import { faultsIn, providerKind, Settings, type TypedUpstreamProvider } from "@trunkline/core/provider"
import { settingsOfUpstreams } from "../upstream/UpstreamKinds.ts"
import { type EmbeddedOptions, embeddedSettings, modelSizes } from "./EmbeddedOptions.ts"

const { folder, oneOf, text, truth, whole } = Settings

/** Bounds are the engine's own, which its check reports. Source: docs/reference/embedded.md#settings. */
export const engineSettings = {
  /** The size of the model that hears. */
  model: oneOf(...modelSizes),
  /** The folder of the weights. */
  modelsFolder: folder,
  /** Whether weights that are missing are fetched. */
  install: truth,
  /** The command with which weights are fetched. */
  npm: text,
  /** The threads of the engine. */
  threads: whole({ min: 0 }),
  /** The runs that may wait. */
  queue: whole({ min: 0 }),
  /** The seconds of the longest audio. */
  longestSeconds: whole({ min: 0 }),
  /** The time of a request, in milliseconds. */
  timeoutMs: whole({ min: 1 }),
  /** The milliseconds without a run after which the engine is unloaded. */
  idleMs: whole({ min: 0 })
}

const { serves } = settingsOfUpstreams

const settings = { serves, ...engineSettings }

const elsewhere = 'belongs to an upstream that is somewhere else, and the kind "embedded" is not: remove it'

export const embeddedKind = providerKind<EmbeddedOptions, TypedUpstreamProvider>({
  name: "embedded",
  settings,
  refuses: { apiKey: elsewhere, baseUrl: elsewhere },
  faultsOf: (options) => faultsIn(embeddedSettings(options)),
  make: async (options, { log }) => (await import("./Embedded.ts")).embedded({ ...options, log })
})
