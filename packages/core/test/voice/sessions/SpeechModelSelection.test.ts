/** Which speech model a voice session uses, and in which language: docs/reference/voice.md#speech-model. */

import { ModelCatalogue } from "@trunkline/core/provider"
import type { ApiKeys } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { ModelCaller } from "../../../src/gateway/admission/index.ts"
import type { Models } from "../../../src/gateway/catalogue/index.ts"
import { selectLanguage, selectSpeechModel } from "../../../src/voice/sessions/SpeechModelSelection.ts"

const catalogue = await Effect.runPromise(Effect.provide(ModelCatalogue, ModelCatalogue.layer()))
const model = (id: string) => catalogue.get(id)!

/** Only the field that is read. */
const keyFor = (...allowedModels: ReadonlyArray<string>) => ({ allowedModels }) as unknown as ApiKeys.ApiKey
const host: ModelCaller = { plan: "pro", key: null }

const codeOf = (id: string, caller: ModelCaller = host, given: Models.Model | null = catalogue.get(id)) =>
  Result.match(selectSpeechModel(id, given, caller), { onFailure: ({ code }) => code, onSuccess: () => "usable" })

describe("the model of a voice session", () => {
  // Verifies: G-70, G-71.
  it.each(["ink-2", "ink-whisper", "deepgram-flux-general-en", "deepgram-flux-general-multi"])("may be %s", (id) => {
    expect(codeOf(id)).toBe("usable")
  })

  // Verifies: G-195, H-40.
  it("must be known, the key's, the plan's, in service and for voice, and is asked for in this order", () => {
    expect(codeOf("ink-3")).toBe("model_not_found")
    expect(codeOf("ink-3", { plan: "free", key: keyFor("ink-2") })).toBe("model_not_found")
    expect(codeOf("ink-2", { plan: "free", key: keyFor("ink-whisper") })).toBe("model_not_allowed")
    expect(codeOf("ink-2", { plan: "free", key: keyFor("ink-2") })).toBe("model_not_available")
    expect(codeOf("ink-2", { plan: "starter", key: keyFor("ink-2") })).toBe("usable")
    for (const status of ["maintenance", "retired"] as const) {
      expect(codeOf("ink-2", { plan: "free", key: null }, { ...model("ink-2"), status })).toBe("model_not_available")
      expect(codeOf("ink-2", host, { ...model("ink-2"), voice: false, status })).toBe("model_under_maintenance")
    }
    for (const id of ["whisper-large-v3-turbo", "kimi-k2.5", "bulbul:v3"]) expect(codeOf(id)).toBe("invalid_request")
  })

  // Verifies: G-245, H-41.
  it("is named in the refusal, and so is what replaces it", () => {
    const retired = { ...model("ink-2"), status: "retired" as const, successor: "ink-3" }
    const refusal = Result.getFailure(selectSpeechModel("ink-2", retired, host))
    expect(refusal).toMatchObject({
      value: { message: "The model ink-2 is out of service. Use ink-3.", param: "stt_model", status: 503 }
    })
  })
})

describe("the language of a voice session", () => {
  it.each(["en", "fr", "hi", "ja", "es"])("may be %s for ink-2", (language) => {
    expect(selectLanguage(model("ink-2"), language)).toEqual({ language, isFallback: false })
  })

  // Verifies: D-216, G-74.
  it("is English for ink-2 when it lacks what was asked for", () => {
    for (const language of ["de", "ta-IN", "zh-CN", "english", "-", "constructor"])
      expect(selectLanguage(model("ink-2"), language)).toEqual({ language: "en", isFallback: true })
  })

  it("stands for its language with a region", () => {
    expect(selectLanguage(model("ink-2"), "hi-IN")).toEqual({ language: "hi", isFallback: false })
    expect(selectLanguage(model("ink-2"), "EN-us")).toEqual({ language: "en", isFallback: false })
  })

  it("is what was sent for other models, and nothing where nothing was said", () => {
    expect(selectLanguage(model("ink-whisper"), "xx")).toEqual({ language: "xx", isFallback: false })
    expect(selectLanguage(model("deepgram-flux-general-en"), "de")).toEqual({ language: "de", isFallback: false })
    for (const id of ["ink-2", "ink-whisper"])
      expect(selectLanguage(model(id), null)).toEqual({ language: null, isFallback: false })
  })
})
