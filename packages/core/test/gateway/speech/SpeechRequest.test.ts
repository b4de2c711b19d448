/** The parameters of the speech routes, and what of them a model does: docs/reference/gateway.md#parameters. */
import { ModelCatalogue } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { type FormFields, readRequest, type SpeechRoute, taskOf } from "../../../src/gateway/speech/SpeechRequest.ts"

const catalogue = Effect.runSync(ModelCatalogue.use(Effect.succeed).pipe(Effect.provide(ModelCatalogue.layer())))

const read = (fields: FormFields, route: SpeechRoute = "transcriptions") =>
  Result.getOrThrow(readRequest(route, fields))

const faultsOf = (fields: FormFields, route: SpeechRoute = "transcriptions"): ReadonlyArray<string> => {
  const found = readRequest(route, fields)
  return Result.isFailure(found) ? found.failure.map(({ field }) => field) : []
}

const task = (fields: FormFields, route: SpeechRoute = "transcriptions") => {
  const request = read(fields, route)
  return taskOf(request, catalogue.get(request.model ?? catalogue.defaultModels.stt)!)
}

describe("a form without fields", () => {
  // Verifies: G-3, G-50, G-54.
  it("asks the standard model for a transcript in JSON", () => {
    expect(read([])).toEqual({
      route: "transcriptions",
      model: null,
      language: null,
      mode: "transcribe",
      format: "json",
      stream: false,
      features: [],
      unserved: null
    })
  })
})

describe("a field", () => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["mode", ["transcribe", "translate", "verbatim", "translit", "codemix"], ["", "Transcribe", "summary", "json"]],
    [
      "temperature",
      ["0", "2", "0.7", "1e-1", " 1 ", "+1", ".5"],
      ["2.1", "-0.1", "warm", "", "NaN", "Infinity", "0x1", "1,5"]
    ],
    ["utt_split", ["0", "10", "0.8"], ["-1", "10.01", "long", ""]],
    ["diarize", ["true", "false", "1", "0", "TRUE", "False", " true "], ["yes", "2", "", "on"]],
    ["multichannel", ["true", "0"], ["maybe"]],
    ["detect_language", ["true", "false", "es", ""], ["x".repeat(1001)]],
    ["keyterm", ["Trunkline", ""], ["x".repeat(1001)]],
    ["stream", ["true", "false", "1", "0", "TRUE", " false "], ["yes", "", "on"]],
    ["response_format", ["json", "text", "srt", "", "anything"], []],
    ["prompt", ["", "x".repeat(60_000)], []],
    ["language", ["", "hi", "no language"], []]
    // Verifies: G-54, G-55, G-57, G-58, G-77, G-79, G-86, G-88, H-59, H-132.
  ])("%s is accepted within its bounds and refused beyond them", (name, taken, refused) => {
    for (const value of taken) expect(faultsOf([[name, value]]), value).toEqual([])
    for (const value of refused) expect(faultsOf([[name, value]]), value).toEqual([name])
  })

  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["timestamp_granularities[]", ["segment", ""], ["word", "letter"]],
    ["include[]", [""], ["logprobs"]],
    ["chunking_strategy", ["auto", ""], ["server_vad"]],
    ["chunking_strategy[type]", [], ["server_vad"]],
    ["known_speaker_names[]", [""], ["agent"]],
    ["known_speaker_references[]", [""], ["data:audio/wav;base64,AAA="]]
    // Verifies: H-158.
  ])("%s is refused only with a value that no model here can serve", (name, served, unserved) => {
    const option = name.replace(/\[.*/, "")
    for (const value of served) expect(read([[name, value]]).unserved, value).toBeNull()
    for (const value of unserved) expect(read([[name, value]]).unserved, value).toBe(option)
    // The translations of the original know none of these.
    for (const value of unserved) expect(read([[name, value]], "translations").unserved, value).toBeNull()
    if (unserved.length > 0 && served.length > 0) {
      expect(
        read([
          [name, served[0]!],
          [name, unserved[0]!]
        ]).unserved
      ).toBe(option)
    }
  })

  it("is reported with every other that fails", () => {
    expect(
      faultsOf([
        ["mode", "x"],
        ["temperature", "3"],
        ["diarize", "x"],
        ["utt_split", "11"]
      ])
    ).toEqual(["temperature", "mode", "diarize", "utt_split"])
  })

  // Verifies: G-90.
  it("counts by its last value, unless it may be repeated", () => {
    const { features, model } = read([
      ["model", "nova-3"],
      ["model", "deepgram-nova-3"],
      ["keyterm", "one"],
      ["diarize", "false"],
      ["diarize", "true"],
      ["keyterm[]", "two"]
    ])
    expect(model).toBe("deepgram-nova-3")
    expect(features).toEqual([
      ["diarize", "true"],
      ["keyterm", "one"],
      ["keyterm", "two"]
    ])
    expect(faultsOf(Array.from({ length: 101 }, () => ["search", "word"] as const))).toEqual(["search"])
  })

  // Verifies: G-97, G-104, H-134.
  it("is passed over where the route has none of its name, faults and all", () => {
    const request = read(
      [
        ["mode", "x"],
        ["language", "hi"],
        ["diarize", "maybe"],
        ["response_format", "verbose_json"],
        ["foo", "bar"]
      ],
      "translations"
    )
    expect(request).toMatchObject({ language: null, mode: "transcribe", features: [], format: "verbose_json" })
    expect(faultsOf([["temperature", "3"]], "translations")).toEqual(["temperature"])
  })

  // Verifies: G-19, G-56.
  it("names one of four formats, or is JSON", () => {
    const formats = ["json", "text", "verbose_json", "diarized_json", "srt", "vtt", "JSON", ""]
    expect(formats.map((format) => read([["response_format", format]]).format)).toEqual([
      ...["json", "text", "verbose_json", "diarized_json"],
      ...["json", "json", "json", "json"]
    ])
  })
})

describe("a language", () => {
  it.each<[string, string | null, string | null, string]>([
    ["saaras:v3", "hi-IN", "hi-IN", "hi-IN"],
    ["saaras:v3", "hi", "hi-IN", "hi"],
    ["saaras:v4", "en", "en-IN", "en"],
    ["saaras:v3", "TA-in", "ta-IN", "TA-in"],
    ["saaras:v3", "fr", null, "unknown"],
    ["saaras:v3", "en-US", null, "unknown"],
    ["saaras:v3", "unknown", null, "unknown"],
    ["saaras:v3", null, null, "unknown"],
    ["whisper-large-v3-turbo", "fr", "fr", "fr"],
    ["whisper-large-v3-turbo", "xx", "xx", "xx"],
    ["whisper-large-v3-turbo", null, null, "unknown"],
    ["deepgram-nova-3", "es-419", "es-419", "es-419"],
    ["nova-3", "multi", "multi", "multi"]
    // Verifies: G-4, G-15, G-52, G-53, G-94, H-48, H-49, H-50.
  ])("%s given %s hears %s and reports %s", (model, sent, heard, reported) => {
    const fields: FormFields = [["model", model], ...(sent === null ? [] : [["language", sent] as const])]
    expect(task(fields)).toMatchObject({ language: heard, reportedLanguage: reported })
  })
})

describe("a mode", () => {
  it.each<[string, string, string | null, string]>([
    ["saaras:v3", "codemix", "codemix", "transcribe"],
    ["saaras:v4", "translate", "translate", "translate"],
    ["saaras:v3", "verbatim", "verbatim", "transcribe"],
    ["whisper-large-v3-turbo", "translate", "translate", "translate"],
    ["whisper-large-v3-turbo", "translit", "transcribe", "transcribe"],
    ["nova-3", "translate", null, "transcribe"],
    ["gpt-4o-transcribe", "verbatim", null, "transcribe"]
    // Verifies: G-59, G-60, G-61, G-63, G-64, H-51, H-55.
  ])("of %s: %s becomes %s, and the answer says %s", (model, mode, honoured, reported) => {
    expect(
      task([
        ["model", model],
        ["mode", mode]
      ])
    ).toMatchObject({ task: "transcribe", mode: honoured, reportedTask: reported })
  })
})

describe("a translation", () => {
  it.each<[string, string, string | null]>([
    ["saaras:v3", "translate", "translate"],
    ["saaras:v4", "translate", "translate"],
    ["whisper-large-v3-turbo", "translate", "translate"],
    ["nova-3", "transcribe", null],
    ["gpt-4o-transcribe-diarize", "transcribe", null]
    // Verifies: G-96, G-101, G-102.
  ])("by %s is to %s", (model, done, mode) => {
    expect(
      task(
        [
          ["model", model],
          ["response_format", "verbose_json"],
          ["diarize", "true"]
        ],
        "translations"
      )
    ).toEqual({
      task: done,
      mode,
      language: null,
      features: [],
      diarize: false,
      reportedLanguage: "en",
      reportedTask: "translate"
    })
  })
})

describe("features", () => {
  const all: FormFields = [
    ...["diarize", "utterances", "paragraphs", "numerals", "measurements", "dictation", "profanity_filter"],
    ...["filler_words", "multichannel", "detect_entities"]
  ].map((name) => [name, "1"] as const)
  const lists: FormFields = [
    ["redact", "pci"],
    ["redact", "pii"],
    ["keyterm", "a"],
    ["keywords", "b:2"],
    ["search", "c"]
  ]
  const asked = (model: string, fields: FormFields) =>
    task([["model", model], ...fields]).features.map(([name]) => name)

  // Verifies: G-75, G-76, G-78, G-80, G-81, G-82, G-83, G-84, G-85, G-87, G-89, G-90, G-91, G-92.
  it("go to models that have them, and to no others", () => {
    expect(asked("deepgram-nova-3", [...all, ...lists])).toEqual([
      ...["diarize", "utterances", "paragraphs", "numerals", "measurements", "dictation", "profanity_filter"],
      ...["filler_words", "multichannel", "detect_entities", "redact", "redact", "keyterm", "search"]
    ])
    expect(asked("deepgram-nova-2", lists)).toEqual(["redact", "redact", "keywords", "search"])
    expect(asked("deepgram-base", all)).not.toContain("filler_words")
    for (const model of ["nova-3", "saaras:v3", "whisper-large-v3-turbo", "gpt-4o-transcribe-diarize"]) {
      expect(asked(model, [...all, ...lists]), model).toEqual([])
    }
  })

  // Verifies: G-82, G-83, G-87.
  it("that are English go with English alone", () => {
    const english = ["measurements", "dictation", "detect_entities"]
    expect(asked("deepgram-nova-3", [...all, ["language", "en-GB"]])).toEqual(expect.arrayContaining(english))
    expect(asked("deepgram-nova-3", [...all, ["language", "es"]]).filter((name) => english.includes(name))).toEqual([])
  })

  it("include the speakers of segments when they are requested of a model that has them", () => {
    const diarize = (model: string, format: string) =>
      task([
        ["model", model],
        ["response_format", format]
      ]).diarize
    expect(diarize("gpt-4o-transcribe-diarize", "diarized_json")).toBe(true)
    expect(diarize("gpt-4o-transcribe-diarize", "verbose_json")).toBe(true)
    expect(diarize("gpt-4o-transcribe-diarize", "json")).toBe(false)
    expect(diarize("deepgram-nova-3", "diarized_json")).toBe(false)
  })
})
