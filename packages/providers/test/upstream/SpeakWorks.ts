/** Requests for speech to upstreams over loopback. */
import type { SpeakRequest, TypedUpstreamProvider, UpstreamFailed } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"

export const speakRequest = (change: Partial<SpeakRequest> = {}): SpeakRequest => ({
  ...{ model: "tts-1", input: "Hello", voice: null, format: "mp3", speed: null, language: null },
  fields: { model: "tts-1", input: "Hello" },
  ...change
})

export const runOf = (provider: TypedUpstreamProvider) => {
  const run = provider.make("voices").capabilities.speak
  if (run === undefined) throw new Error("it does not serve speech synthesis")
  return run
}

/** Speaks at the upstream that a provider makes; the pieces in which the audio came. */
export const speak = (provider: TypedUpstreamProvider, change: Partial<SpeakRequest> = {}) =>
  Effect.gen(function* () {
    const pieces: Array<Uint8Array> = []
    const onBytes = (bytes: Uint8Array) => Effect.sync(() => void pieces.push(bytes))
    const { ended } = yield* runOf(provider)({ ...speakRequest(change), onBytes })
    return { ended, audio: new Uint8Array(Buffer.concat(pieces)) }
  })

export const failureOf = <A>(speaking: Effect.Effect<A, UpstreamFailed>) =>
  Effect.map(Effect.flip(speaking), ({ detail, param, retryAfterSeconds, why }) => ({
    ...{ why, detail },
    ...(param === null ? {} : { param }),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds })
  }))
