/** The kind `openai` of upstreams, without its client. */
import { faultsIn, providerKind, Settings, type TypedUpstreamProvider } from "@trunkline/core/provider"
import { llmApis } from "../upstream/GenerateForms.ts"
import { settingsOfUpstreams } from "../upstream/UpstreamKinds.ts"
import { type OpenAiOptions, openAiSettings } from "./OpenAiSettings.ts"

const { list, oneOf, truth } = Settings

const settings = {
  ...settingsOfUpstreams,
  /** The APIs that an upstream of the kind `openai` has. */
  apis: list(oneOf(...llmApis)),
  /** Whether an upstream of the kind `openai` reports what a stream has used. */
  streamUsage: truth
}

export const openaiKind = providerKind<OpenAiOptions, TypedUpstreamProvider>({
  name: "openai",
  settings,
  faultsOf: (options) => faultsIn(openAiSettings(options)),
  make: async (options) => (await import("./OpenAi.ts")).openai(options)
})
