/** The upstream `anthropic`: the messages API. */
import { type TypedUpstreamProvider, type Upstream, upstreamProvider } from "@trunkline/core/provider"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { makeBoundedHttp } from "../http/index.ts"
import { apiHeaders, pathOf } from "../upstream/GenerateForms.ts"
import { makeGenerating } from "../upstream/Generating.ts"
import { type UpstreamSettings, upstreamSettings } from "../upstream/UpstreamOptions.ts"
import { anthropicChat } from "./AnthropicChat.ts"
import { type AnthropicOptions, defaults } from "./AnthropicOptions.ts"

const make =
  (settings: UpstreamSettings) =>
  (name: string): Upstream => {
    const { apiKey } = settings
    const key: Readonly<Record<string, string>> = apiKey === null ? {} : { "x-api-key": Redacted.value(apiKey) }
    const { generate, maxMs, openGenerate } = makeGenerating(
      settings,
      {
        path: (work) => `/v1${pathOf(work)}`,
        headers: (work) => ({ ...apiHeaders(work), ...key }),
        body: ({ body }) => body
      },
      makeBoundedHttp()
    )
    return {
      name,
      provider: "anthropic",
      capabilities: { generate, chat: anthropicChat(generate) },
      openGenerate,
      apis: ["messages"],
      servedBy: null,
      maxMs
    }
  }

/**
 * Anthropic, or any server that has its routes below `/v1`. Throws `InvalidProviderOptions`, which names every fault.
 *
 * @example
 * const claude = anthropic({ apiKey })
 */
export const anthropic = (options: AnthropicOptions): TypedUpstreamProvider =>
  upstreamProvider(make(Result.getOrThrow(upstreamSettings(defaults, options))))
