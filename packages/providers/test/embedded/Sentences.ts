/** The sentence encoder on this machine, and why there is none. */
import type { EmbedAnswer, UpstreamFailed } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { missingPackages, sentencePackages } from "../../src/embedded/EnginePackages.ts"
import type { EmbeddedProvider } from "../../src/embedded/index.ts"
import { install } from "../../src/embedded/ModelInstall.ts"
import { sentenceEncoder } from "../../src/embedded/SentenceEncoder.ts"

/** Null where it can run; its weights are fetched once, into the user's folder for caches. */
export const whyNoSentences = async (): Promise<string | null> => {
  const missing = missingPackages(sentencePackages)
  if (missing.length > 0) return `${missing.join(", ")} not installed`
  return install([sentenceEncoder], {}).then(
    () => null,
    (error: Error) => error.message
  )
}

export const embedder = (provider: EmbeddedProvider) => {
  const { embed } = provider.make("local").capabilities
  return (...input: ReadonlyArray<string>): Effect.Effect<EmbedAnswer, UpstreamFailed> =>
    embed === undefined ? Effect.die("it does not embed") : embed({ body: { model: sentenceEncoder.id, input } })
}

export const cosine = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
  Array.from(one).reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

/** Different sentences of about 30 tokens. */
export const sentences = (count: number): ReadonlyArray<string> =>
  Array.from(
    { length: count },
    (_, nth) => `Customer ${nth} asks when the order of three boxes of mangoes will arrive at the house in Pune.`
  )
