/** The adapter at a fake of the platform, and a number that asks. */
import type { ChannelConnection } from "@trunkline/core/provider"
import { type FakePlatform, type FakePlatformOptions, startFakePlatform } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { makeWire } from "../../src/chat/ChannelWire.ts"
import { makeClient } from "../../src/cloud-api/CloudApiClient.ts"
import { type CloudApiOptions, cloudApiSettings } from "../../src/cloud-api/CloudApiOptions.ts"
import type { CloudApiFailed } from "../../src/cloud-api/CloudApiRequests.ts"

export const token = "EAAGtopsecret+token/1"

export const number: ChannelConnection = {
  id: "106540352242922",
  accountId: "102290129340398",
  credentials: Redacted.make(token)
}

export const hello = { to: "491701234567", type: "text", text: { body: "Grüße 👋" } }

export const fakePlatform = (options: FakePlatformOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startFakePlatform({ tokens: [token], ...options })),
    (fake) => Effect.promise(fake.close)
  )

/** A client of it, which closes its connections with the scope. */
export const clientOf = (at: Pick<FakePlatform, "baseUrl">, options: Partial<CloudApiOptions> = {}) => {
  const settings = Result.getOrThrow(cloudApiSettings({ baseUrl: at.baseUrl, timeoutMs: 5_000, ...options }))
  const wire = Effect.acquireRelease(
    Effect.sync(() => makeWire(settings.timeoutMs)),
    ({ close }) => Effect.promise(close)
  )
  return Effect.map(wire, (one) => makeClient(settings, one))
}

/** Fails, and what it fails with holds no token and no address, unless the platform said it. */
export const failureOf = <E extends CloudApiFailed>(effect: Effect.Effect<unknown, E>) =>
  Effect.map(Effect.flip(effect), (failed) => {
    const all = JSON.stringify({ ...failed, message: failed.message, stack: failed.stack })
    if (all.includes("topsecret") || all.includes("127.0.0.1")) throw new Error(`it tells too much: ${all}`)
    return failed
  })

export const unreachable = (isCertain: boolean, detail: string) => ({
  _tag: "ChannelUnreachable" as const,
  isCertain,
  detail
})
