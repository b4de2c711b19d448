/** Which models an agent may use, and updates of settings: docs/reference/voice-agent.md#models, #updates. Verifies: VAGT-1. */

import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { ModelCatalogue } from "../../../src/gateway/catalogue/index.ts"
import { type ModelRules, modelsRefusal, withOurNames } from "../../../src/voice/agent/AgentModels.ts"
import type { GivenAgent } from "../../../src/voice/agent/GivenAgent.ts"
import { type SettingsUpdate, updateSettings } from "../../../src/voice/agent/SettingsUpdates.ts"
import { merged, settings } from "./VoiceAgentRows.ts"

const catalogue = await Effect.runPromise(Effect.provide(ModelCatalogue.use(Effect.succeed), ModelCatalogue.layer()))

const rules = (over: Partial<ModelRules> = {}): ModelRules => ({
  catalogue,
  caller: { plan: "enterprise", key: null },
  problem: () => null,
  ...over
})
const named = (given: GivenAgent) => withOurNames(merged([given]), catalogue)
const refusal = (given: GivenAgent, over: Partial<ModelRules> = {}) => modelsRefusal(named(given), rules(over))

// Verifies: V-26.
describe("the protocol's own names", () => {
  it.each([
    ["flux-general-en", "deepgram-flux-general-en"],
    ["flux-general-multi", "deepgram-flux-general-multi"],
    ["nova-2", "deepgram-nova-2"],
    ["nova-2-phonecall", "deepgram-nova-2-phonecall"],
    ["nova-3", "nova-3"],
    ["saaras:v3", "saaras:v3"]
  ])("of listening models stand for ours: %s", (name, id) => {
    expect(named({ listen: { model: name, fallback: name } }).listen).toMatchObject({ model: id, fallback: id })
  })

  it.each([
    ["aura-2-thalia-en", null, { model: "aura-2-en", voice: "thalia" }],
    ["aura-2-celeste-es", null, { model: "aura-2-es", voice: "celeste" }],
    ["aura-2-thalia-en", "apollo", { model: "aura-2-en", voice: "apollo" }],
    ["aura-2-en", null, { model: "aura-2-en", voice: null }],
    ["deepgram-aura-2-en", null, { model: "deepgram-aura-2-en", voice: null }]
  ])("of speaking models have the voice in them: %s", (model, voice, choice) => {
    expect(named({ speak: { model, voice: voice ?? undefined } }).speak).toEqual([choice])
  })
})

describe("the models of an agent", () => {
  // Verifies: V-25.
  it("may be those of the catalogue for the stage, the embedded ones included", () => {
    expect(refusal({})).toBeNull()
    expect(refusal({ listen: { model: "moonshine-tiny" }, speak: { model: "flite" } })).toBeNull()
    expect(refusal({ listen: { model: "flux-general-en" }, speak: { model: "aura-2-thalia-en" } })).toBeNull()
  })

  it.each<[GivenAgent, string]>([
    [{ think: { model: "gpt-0" } }, "There is no model gpt-0."],
    [{ listen: { fallback: "ear" } }, "There is no model ear."],
    [{ speak: { fallbacks: [{ model: "mouth", voice: null }] } }, "There is no model mouth."],
    [{ listen: { model: "whisper-1" } }, "The model whisper-1 cannot listen in a voice session."],
    [{ think: { model: "flite" } }, "The model flite cannot think in a voice session."],
    [{ speak: { model: "oss-120b" } }, "The model oss-120b cannot speak in a voice session."]
  ])("are named where they cannot be used: %j", (given, description) => {
    expect(refusal(given)).toEqual({ code: "INVALID_SETTINGS", description })
  })

  // Verifies: V-27.
  it("are all named at once", () => {
    expect(refusal({ think: { model: "a" }, speak: { model: "b" }, listen: { model: "c" } })?.description).toBe(
      "There is no model c. There is no model a. There is no model b."
    )
  })

  // Verifies: V-27.
  it("are those of the plan and of the key", () => {
    expect(refusal({ listen: { model: "deepgram-nova-3" } }, { caller: { plan: "free", key: null } })).toEqual({
      code: "INVALID_SETTINGS",
      description: "The plan does not have the model deepgram-nova-3."
    })
    const key = { allowedModels: ["saaras:v3", "bulbul:v3"] }
    expect(refusal({}, { caller: { plan: "enterprise", key } })).toEqual({
      code: "INVALID_SETTINGS",
      description: "The API key may not use the model oss-120b."
    })
  })

  // Verifies: V-28.
  it("are unavailable where they are known and cannot be served, the first of a stage alone", () => {
    const problem: ModelRules["problem"] = (stage, model) => (stage === "speak" ? `No upstream runs ${model}.` : null)
    expect(refusal({}, { problem })).toEqual({ code: "MODEL_UNAVAILABLE", description: "No upstream runs bulbul:v3." })
    const closed: ModelRules["problem"] = (_, model) => (model === "flite" ? "closed" : null)
    expect(refusal({ speak: { fallbacks: [{ model: "flite", voice: null }] } }, { problem: closed })).toBeNull()
    expect(refusal({ speak: { model: "mouth" } }, { problem })?.code).toBe("INVALID_SETTINGS")
  })

  // Verifies: V-28.
  it("are unavailable while they are out of service", () => {
    const closed = {
      get: (id: string) => ({ ...catalogue.get(id)!, status: "maintenance", successor: "flite" }) as never
    }
    expect(modelsRefusal(merged(), rules({ catalogue: closed }))).toMatchObject({
      code: "MODEL_UNAVAILABLE",
      description: expect.stringContaining("The model saaras:v3 is out of service. Use flite.")
    })
  })
})

describe("an update", () => {
  const before = settings({
    prompt: "Sell tea.",
    functions: [{ name: "a", description: "", parameters: {}, endpoint: null }]
  })
  const update = (one: SettingsUpdate) => updateSettings(before, one, rules())
  const applied = (one: SettingsUpdate) => {
    const after = update(one)
    if ("code" in after) throw new Error(after.description)
    return after
  }

  // Verifies: V-39.
  it("of the prompt adds to it, up to the maximum", () => {
    expect(applied({ _tag: "UpdatePrompt", prompt: "Be brief." })).toEqual({
      settings: { ...before, prompt: "Sell tea.\n\nBe brief." },
      warnings: []
    })
    const { settings: after, warnings } = applied({ _tag: "UpdatePrompt", prompt: "x".repeat(30_000) })
    expect(after.prompt).toHaveLength(25_000)
    expect(warnings.map(({ code }) => code)).toEqual(["PROMPT_TOO_LONG"])
  })

  // Verifies: V-40.
  it("of thinking changes what it names; functions that are present replace all", () => {
    const after = applied({ _tag: "UpdateThink", think: { provider: { model: "gemma-4-26b-a4b-it", temperature: 1 } } })
    expect(after.settings).toEqual({ ...before, think: [{ model: "gemma-4-26b-a4b-it", temperature: 1 }] })
    expect(applied({ _tag: "UpdateThink", think: { functions: [] } }).settings).toEqual({ ...before, functions: [] })
    expect(applied({ _tag: "UpdateThink", think: { prompt: "New." } }).settings.prompt).toBe("New.")
  })

  // Verifies: V-40.
  it("of listening and speaking changes the models, by either name, and says what has no effect", () => {
    const listen = { provider: { model: "nova-2", language: "hi", keyterms: [] } }
    expect(applied({ _tag: "UpdateListen", listen })).toMatchObject({
      settings: { listen: { model: "deepgram-nova-2", language: "hi" } },
      warnings: [
        { code: "SETTINGS_FIELDS_IGNORED", description: "These fields have no effect: listen.provider.keyterms" }
      ]
    })
    expect(applied({ _tag: "UpdateSpeak", speak: { provider: { model: "aura-2-luna-en" } } }).settings.speak).toEqual([
      { model: "aura-2-en", voice: "luna" }
    ])
  })

  // Verifies: V-41.
  it.each<[SettingsUpdate, string]>([
    [{ _tag: "UpdatePrompt", prompt: 7 }, "prompt: must be a text"],
    [{ _tag: "UpdateThink", think: undefined }, "think: is needed"],
    [{ _tag: "UpdateThink", think: { provider: { temperature: 9 } } }, "think.provider.temperature"],
    [{ _tag: "UpdateThink", think: { endpoint: {} } }, "think.endpoint: cannot be set"],
    [{ _tag: "UpdateThink", think: { provider: { model: "gpt-0" } } }, "There is no model gpt-0."],
    [{ _tag: "UpdateListen", listen: "nova" }, "listen: must be an object"],
    [{ _tag: "UpdateSpeak", speak: null }, "speak: is needed"]
  ])("that cannot be applied is refused with the reason: %j", (one, reason) => {
    expect(update(one)).toEqual({ code: "INVALID_UPDATE", description: expect.stringContaining(reason) })
  })
})
