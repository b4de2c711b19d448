/** The formats of an answer about speech: docs/gateway.md#formats. */
import { describe, expect, it } from "vitest"
import { written } from "../../src/inference/SpeechAnswers.ts"
import type { SpeechFormat, SpeechRoute, SpeechTask } from "../../src/inference/SpeechRequest.ts"

const heard = {
  text: "नमस्ते\n“hello”",
  seconds: 2.4,
  segments: [{ id: "0", speaker: "A", start: 0, end: 1.5, text: "hello" }]
}

const told: SpeechTask = {
  task: "transcribe",
  language: "hi-IN",
  mode: "transcribe",
  features: [],
  diarize: true,
  languageTold: "hi",
  taskTold: "transcribe"
}

const say = (format: SpeechFormat, route: SpeechRoute = "transcriptions", task = told) => {
  const request = { route, model: "saaras:v3", language: "hi", mode: "transcribe", format, features: [] } as const
  const { body, contentType } = written(request, task, heard, 3)
  return contentType === "application/json" ? JSON.parse(body) : { contentType, body }
}

describe("an answer", () => {
  it("in JSON is the text alone", () => expect(say("json")).toEqual({ text: heard.text }))

  it("in text is the transcript as it is", () =>
    expect(say("text")).toEqual({ contentType: "text/plain; charset=utf-8", body: heard.text }))

  it("in verbose JSON tells what was done, in which language, and for how long it is billed", () =>
    expect(say("verbose_json")).toEqual({
      task: "transcribe",
      language: "hi",
      duration: 3,
      text: heard.text,
      segments: [{ id: "0", speaker: "A", start: 0, end: 1.5, text: "hello" }],
      words: []
    }))

  it("in diarized JSON tells who said what", () =>
    expect(say("diarized_json")).toEqual({
      task: "transcribe",
      duration: 3,
      text: heard.text,
      segments: [{ type: "transcript.text.segment", id: "0", speaker: "A", start: 0, end: 1.5, text: "hello" }]
    }))

  it("on the translation route tells nobody apart", () => {
    const english: SpeechTask = { ...told, languageTold: "en", taskTold: "translate" }
    expect(say("diarized_json", "translations", english)).toEqual({ text: heard.text })
    expect(say("verbose_json", "translations", english)).toEqual({
      task: "translate",
      language: "en",
      duration: 3,
      text: heard.text,
      segments: [],
      words: []
    })
  })
})
