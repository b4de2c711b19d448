/** The formats of an answer about speech: docs/reference/gateway.md#formats. */
import { describe, expect, it } from "vitest"
import { encodeTranscript } from "../../../src/gateway/speech/SpeechAnswers.ts"
import type { SpeechFormat, SpeechRoute, SpeechTask } from "../../../src/gateway/speech/SpeechRequest.ts"

const heard = {
  text: "नमस्ते\n“hello”",
  seconds: 2.4,
  segments: [{ id: "0", speaker: "A", start: 0, end: 1.5, text: "hello" }]
}

const spoken: SpeechTask = {
  task: "transcribe",
  language: "hi-IN",
  mode: "transcribe",
  features: [],
  diarize: true,
  reportedLanguage: "hi",
  reportedTask: "transcribe"
}

const say = (format: SpeechFormat, route: SpeechRoute = "transcriptions", task = spoken, stream = false) => {
  const { body, contentType } = encodeTranscript({
    ...{ request: { route, format, stream }, task, answer: heard, seconds: 3 }
  })
  return contentType === "application/json" ? JSON.parse(body) : { contentType, body }
}

/** The events of a stream, which is written as its standard says. */
const events = (format: SpeechFormat) => {
  const { body, contentType } = say(format, "transcriptions", spoken, true)
  expect(contentType).toBe("text/event-stream")
  expect(body).toMatch(/^(?:data: [^\r\n]+\n\n)+$/)
  return body
    .trim()
    .split("\n\n")
    .map((event: string) => JSON.parse(event.slice("data: ".length)))
}

describe("an answer", () => {
  // Verifies: G-11.
  it("in JSON is the text alone", () => expect(say("json")).toEqual({ text: heard.text }))

  // Verifies: G-12.
  it("in text is the transcript as it is", () =>
    expect(say("text")).toEqual({ contentType: "text/plain; charset=utf-8", body: heard.text }))

  // Verifies: G-13.
  it("in verbose JSON has the task, the language, and the seconds that are billed", () =>
    expect(say("verbose_json")).toEqual({
      task: "transcribe",
      language: "hi",
      duration: 3,
      text: heard.text,
      segments: [{ id: "0", speaker: "A", start: 0, end: 1.5, text: "hello" }],
      words: []
    }))

  // Verifies: G-14.
  it("in diarized JSON names the speaker of each segment", () =>
    expect(say("diarized_json")).toEqual({
      task: "transcribe",
      duration: 3,
      text: heard.text,
      segments: [{ type: "transcript.text.segment", id: "0", speaker: "A", start: 0, end: 1.5, text: "hello" }]
    }))

  // Verifies: H-153.
  it("streams the text, the segments of a diarizing model, and the whole text with the billed seconds", () => {
    const whole = { type: "transcript.text.done", text: heard.text, usage: { type: "duration", seconds: 3 } }
    for (const format of ["json", "text", "verbose_json", "diarized_json"] as const) {
      expect(events(format)).toEqual([
        { type: "transcript.text.delta", delta: heard.text },
        { type: "transcript.text.segment", id: "0", speaker: "A", start: 0, end: 1.5, text: "hello" },
        whole
      ])
    }
  })

  // Verifies: G-18, H-57.
  it("on the translation route distinguishes no speakers", () => {
    const english: SpeechTask = { ...spoken, reportedLanguage: "en", reportedTask: "translate" }
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
