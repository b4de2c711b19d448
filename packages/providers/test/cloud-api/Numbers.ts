/** The adapter at a fake of the platform, and a number that asks. */
import { ChatPlatform, type PlatformFailed, type PlatformNumber } from "@trunkline/core/effect"
import { type FakePlatform, type FakePlatformOptions, startFakePlatform } from "@trunkline/testing/messaging"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { type CloudApiOptions, cloudApi } from "../../src/cloud-api/index.ts"

export const token = "EAAGtopsecret+token/1"

export const number: PlatformNumber = {
  phoneNumberId: "106540352242922",
  businessAccountId: "102290129340398",
  token: Redacted.make(token)
}

export const hello = { to: "491701234567", type: "text", text: { body: "Grüße 👋" } }

export const fakePlatform = (options: FakePlatformOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startFakePlatform({ tokens: [token], ...options })),
    (fake) => Effect.promise(fake.close)
  )

/** The port, as a host's plug provides it. */
export const portOf = (at: Pick<FakePlatform, "baseUrl">, options: Partial<CloudApiOptions> = {}) =>
  Effect.map(Layer.build(cloudApi({ baseUrl: at.baseUrl, timeoutMs: 5_000, ...options }).layer), (context) =>
    Context.get(context, ChatPlatform)
  )

/** Fails, and what it fails with holds no token and no address, unless the platform said it. */
export const failureOf = <E extends PlatformFailed>(effect: Effect.Effect<unknown, E>) =>
  Effect.map(Effect.flip(effect), (failed) => {
    const all = JSON.stringify({ ...failed, message: failed.message, stack: failed.stack })
    if (all.includes("topsecret") || all.includes("127.0.0.1")) throw new Error(`it tells too much: ${all}`)
    return failed
  })

export const unreachable = (isCertain: boolean, detail: string) => ({
  _tag: "PlatformUnreachable" as const,
  isCertain,
  detail
})
