/** What an agent's configuration says about the analysis of its sessions. Verifies: VAGT-1. */
import { describe, expect, it } from "vitest"
import { readBotVoiceConfig } from "../../../src/voice/agent/BotVoiceConfig.ts"
import { analysisSettingsOf } from "../../../src/voice/agent/index.ts"

const field = { name: "a", type: "string" }
const faultsOf = (analysis: unknown) => readBotVoiceConfig({ analysis } as never).faults.map((fault) => fault.field)

// Verifies: V-183.
describe("the configuration of an analysis", () => {
  it("is refused where it is written wrongly, at the field", () => {
    expect(faultsOf({})).toEqual([])
    expect(faultsOf({ enabled: true, model: null, outcomes: ["a"], fields: [field], prompt: "x" })).toEqual([])
    expect(faultsOf({ fields: Array.from({ length: 20 }, (_, n) => ({ ...field, name: `f${n}` })) })).toEqual([])
    for (const [wrong, at] of [
      [{ enabled: "yes" }, "enabled"],
      [{ model: 7 }, "model"],
      [{ outcomes: [""] }, "outcomes.0"],
      [{ outcomes: "sale" }, "outcomes"],
      [{ fields: [{ type: "string" }] }, "fields.0.name"],
      [{ fields: [{ ...field, type: "date" }] }, "fields.0.type"],
      [{ fields: [{ ...field, name: "summary" }] }, "fields.0.name"],
      [{ fields: [{ ...field, name: "__proto__" }] }, "fields.0.name"],
      [{ fields: [field, field] }, "fields.1.name"],
      [{ fields: Array.from({ length: 21 }, (_, n) => ({ ...field, name: `f${n}` })) }, "fields"],
      [{ prompt: 1 }, "prompt"]
    ] as const) {
      expect(faultsOf(wrong), JSON.stringify(wrong)).toEqual([`config.analysis.${at}`])
    }
  })

  it("is what the analysis is made by, to the last character and without a type", () => {
    const outcomes = ["😀".repeat(200)]
    expect(analysisSettingsOf({ analysis: { enabled: true, outcomes, fields: [{ name: "a" }] } })).toEqual({
      ...{ isEnabled: true, model: null, outcomes, prompt: null },
      fields: [{ ...field, description: "" }]
    })
  })

  it("that was stored wrongly counts for nothing in its wrong parts", () => {
    expect(analysisSettingsOf({ analysis: "on" })).toEqual(analysisSettingsOf({}))
    expect(analysisSettingsOf({ analysis: { enabled: true, outcomes: [1], fields: [field, 2], model: 7 } })).toEqual({
      ...{ isEnabled: true, model: null, outcomes: [], prompt: null },
      fields: [{ ...field, description: "" }]
    })
    expect(analysisSettingsOf({ analysis: { enabled: 1 } }).isEnabled).toBe(false)
  })
})
