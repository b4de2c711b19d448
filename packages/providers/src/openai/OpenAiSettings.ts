/** Settings of the upstream `openai`. Source: docs/reference/upstreams.md#settings. */
import type { LlmApi } from "@trunkline/core/provider"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { llmApis } from "../upstream/GenerateForms.ts"
import {
  faultsOf,
  InvalidProviderOptions,
  type KindDefaults,
  type UpstreamOptions,
  type UpstreamSettings,
  upstreamSettings
} from "../upstream/UpstreamOptions.ts"

/** Settings as a host writes them. */
export interface OpenAiOptions extends UpstreamOptions {
  /** `https://api.openai.com/v1`, or wherever a compatible server has its routes. */
  readonly baseUrl: string
  /** The APIs of language models that the server has. Default: `["chat_completions"]`. */
  readonly apis?: ReadonlyArray<LlmApi> | undefined
  /** False for servers that refuse `stream_options`. Default true. */
  readonly streamUsage?: boolean | undefined
}

export interface OpenAiSettings extends UpstreamSettings {
  readonly apis: ReadonlyArray<LlmApi>
  readonly streamUsage: boolean
}

const defaults: KindDefaults = {
  provider: "openai",
  baseUrl: null,
  needsKey: false,
  serves: ["stt", "llm", "tts", "embedding", "image"]
}

const decode = Schema.decodeUnknownResult(
  Schema.Struct({
    apis: Schema.optional(Schema.Array(Schema.Literals(llmApis)).check(Schema.isMinLength(1))),
    streamUsage: Schema.optional(Schema.Boolean)
  })
)

/** Checks the options and fills in what was left out; every fault is named at once. */
export const openAiSettings = ({
  apis,
  streamUsage,
  ...others
}: OpenAiOptions): Result.Result<OpenAiSettings, InvalidProviderOptions> => {
  const common = upstreamSettings(defaults, others)
  const own = decode({ apis, streamUsage }, { errors: "all" })
  if (Result.isSuccess(common) && Result.isSuccess(own)) {
    const given = own.success
    return Result.succeed({
      ...common.success,
      apis: given.apis ?? ["chat_completions"],
      streamUsage: given.streamUsage ?? true
    })
  }
  const problems = [
    ...(Result.isFailure(common) ? common.failure.problems : []),
    ...(Result.isFailure(own) ? faultsOf(own.failure.issue) : [])
  ]
  return Result.fail(new InvalidProviderOptions({ kind: defaults.provider, problems }))
}
