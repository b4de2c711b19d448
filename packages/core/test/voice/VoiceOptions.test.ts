/** What a host decides about agents that speak: docs/reference/configuration.md#voice. Verifies: VAGT-2. */
import { createTrunkline, type TrunklineOptions } from "@trunkline/core"
import { upstreamProvider } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import * as gateway from "../../src/gateway/GatewayConfigured.ts"
import { accountSessionsOf, VoiceSettings } from "../../src/voice/agent/index.ts"
import * as voice from "../../src/voice/VoiceConfigured.ts"

const base: TrunklineOptions = { storage: sqlite(":memory:"), encryptionKey: "a key for the secrets of this test" }

/** An upstream that has these capabilities and runs nothing. */
const upstream = (...capabilities: ReadonlyArray<"transcribe" | "speak">) =>
  upstreamProvider((name) => ({
    ...{ name, provider: "fake", servedBy: null, maxMs: 1000 },
    capabilities: Object.fromEntries(capabilities.map((one) => [one, () => Effect.never])),
    namedModels: { transcribe: ["moonshine-tiny"] },
    ownModels: name === "embedded" ? { speak: ["flite"] } : {}
  }))

const settings = (given: Partial<TrunklineOptions>) => {
  const options = { ...base, ...given }
  const layer = voice.configured(options).pipe(Layer.provide(gateway.configured(options)))
  return Effect.runSync(Effect.provide(VoiceSettings.use(Effect.succeed), layer))
}

describe("the models of agents that name none", () => {
  const fallback = upstream("transcribe", "speak")

  // Verifies: V-29, V-30.
  it("are the embedded ones for what no route leads to, whatever the upstreams could do", () => {
    const upstreams = { a: upstream("transcribe", "speak") }
    const models = (routes: Record<string, { readonly upstream: string }>) =>
      settings({ models: { upstreams, routes, fallback } }).defaults
    expect(models({})).toMatchObject({ sttModel: "moonshine-tiny", ttsModel: "flite" })
    expect(models({ "gpt-5.4": { upstream: "a" } })).toMatchObject({ sttModel: "moonshine-tiny", ttsModel: "flite" })
    expect(models({ "nova-3": { upstream: "a" } })).toMatchObject({ sttModel: "saaras:v3", ttsModel: "flite" })
    expect(models({ "tts-1": { upstream: "a" } })).toMatchObject({ sttModel: "moonshine-tiny", ttsModel: "bulbul:v3" })
    expect(settings({}).defaults).toEqual({
      ...{ sttModel: "saaras:v3", llmModel: null, ttsModel: "bulbul:v3", voice: null, language: "en" }
    })
  })

  // Verifies: V-29.
  it("are those that the host names", () => {
    const defaults = { sttModel: "nova-3", llmModel: "oss-120b", ttsModel: "aura-2-en", voice: "luna", language: "hi" }
    expect(settings({ models: { fallback }, voice: { defaults } }).defaults).toEqual(defaults)
  })
})

describe("the options of voice", () => {
  // Verifies: V-196.
  it("are read with their defaults", () => {
    expect(
      settings({ voice: { idleTimeoutSeconds: 7, concurrentSessions: { pro: null }, events: { transcript: false } } })
    ).toMatchObject({
      settingsTimeoutMs: 15_000,
      idleTimeoutMs: 7000,
      concurrentSessions: { free: 2, starter: 5, pro: null, enterprise: null },
      hasTranscriptInEvents: false,
      alertsEveryMs: 60_000
    })
  })

  // Verifies: V-197.
  it("fail the start where they cannot be used, all at once", async () => {
    const refused = createTrunkline({
      ...base,
      voice: { defaults: { sttModel: "ear", llmModel: "flite", ttsModel: "bulbul:v3" } }
    })
    await expect(refused).rejects.toMatchObject({
      code: "options_refused",
      fields: [
        { path: ["voice", "defaults", "sttModel"], message: 'There is no model "ear" in the catalogue' },
        { path: ["voice", "defaults", "llmModel"], message: "The model flite cannot think" }
      ]
    })
    expect([1, 20, 30, 200, 1000].map(accountSessionsOf)).toEqual([20, 20, 20, 100, 500])
    await expect(createTrunkline({ ...base, voice: { maxSessions: 0, sttTimeoutMs: 1 } })).rejects.toMatchObject({
      fields: [{ path: ["voice", "sttTimeoutMs"] }, { path: ["voice", "maxSessions"] }]
    })
  })
})
