/** How what is said of an agent is merged: docs/reference/voice-agent.md#merge, #variables. Verifies: VAGT-2, VAGT-3. */
import { describe, expect, it } from "vitest"
import { readBotVoiceConfig } from "../../../src/voice/agent/BotVoiceConfig.ts"
import { merged } from "./VoiceAgentRows.ts"

describe("an agent of which nothing is said", () => {
  // Verifies: V-29.
  it("has the defaults", () => {
    expect(merged()).toEqual({
      botId: null,
      greeting: null,
      firstSpeaker: "agent",
      prompt: null,
      language: "en",
      context: [],
      listen: { model: "saaras:v3", fallback: null, language: "en" },
      think: [{ model: "oss-120b", temperature: null }],
      speak: [{ model: "bulbul:v3", voice: null }],
      turn: { silenceMs: 500, maxSilenceMs: 1500, minSpeechMs: 400, bargeIn: true, backchannel: null, echoGuard: true },
      nudge: { max: null, delayMs: 12_000, message: "Are you still there?", hangUp: true },
      waitMessage: "One moment, please.",
      messages: {
        reprompt: "Sorry, I did not catch that. Could you say it again?",
        trouble: "I am having trouble right now. Please say that again in a moment.",
        goodbye: "I am sorry, something is wrong here. Goodbye.",
        resumed: "Sorry, the line was gone for a moment."
      },
      recordCalls: false,
      recordingNotice: "This call is recorded.",
      functions: [],
      tools: [],
      transferTargets: [],
      sendsHistory: true
    })
  })
})

describe("of several sources", () => {
  // Verifies: V-119.
  it("the later one wins, field by field", () => {
    const bot = readBotVoiceConfig({
      greeting: "Hello",
      model: "a",
      temperature: 0.2,
      think_fallbacks: ["b"],
      turn: { silence_ms: 300 },
      messages: { goodbye: "Bye." }
    }).read.agent
    const agent = merged([bot, { greeting: "Hi", turn: { bargeIn: false }, think: { model: "c" } }])
    expect(agent).toMatchObject({ greeting: "Hi", turn: { silenceMs: 300, bargeIn: false, minSpeechMs: 400 } })
    expect(agent.messages).toMatchObject({ goodbye: "Bye.", resumed: "Sorry, the line was gone for a moment." })
    expect(agent.think).toEqual([
      { model: "c", temperature: 0.2 },
      { model: "b", temperature: null }
    ])
  })

  it("fallbacks are replaced as a whole", () => {
    const first = { think: { fallbacks: [{ model: "b", temperature: null }] } }
    expect(merged([first, { think: { fallbacks: [] } }]).think).toHaveLength(1)
  })

  it("a voice stays with its model", () => {
    expect(merged([{ speak: { model: "flite" } }], {}, { voice: "anushka" }).speak).toEqual([
      { model: "flite", voice: null }
    ])
    expect(merged([{ speak: { voice: "x" } }, { speak: { model: "bulbul:v3" } }]).speak[0].voice).toBe("x")
    expect(merged([{ speak: { voice: "x" } }, { speak: { model: "flite", voice: "y" } }]).speak[0].voice).toBe("y")
  })

  it("the language is that which is listened in, where it is a tag and listening has no other", () => {
    expect(merged([{ language: "hi-IN" }]).listen.language).toBe("hi-IN")
    expect(merged([{ language: "plain English" }]).listen.language).toBeNull()
    expect(merged([{ language: "hi", listen: { language: "multi" } }]).listen.language).toBe("multi")
  })

  it.each([
    [[{ hasRecordingNotice: false }], null],
    [[{ recordingNotice: "We record." }], "We record."],
    [[{ hasRecordingNotice: false }, { recordingNotice: "We record." }], null],
    [[{ hasRecordingNotice: false }, { hasRecordingNotice: true }], "This call is recorded."],
    [[{ recordingNotice: "" }], null]
  ])("%j have the notice of recording %j", (given, notice) => {
    expect(merged(given).recordingNotice).toBe(notice)
  })
})

describe("variables", () => {
  // Verifies: V-120.
  it("are filled into greeting, prompt and every fixed sentence, and unknown ones are empty", () => {
    const agent = merged(
      [
        {
          greeting: "Hello {{ first_name }}{{nobody}}!",
          prompt: "You call {{name}}.",
          nudge: { message: "{{first_name}}?" },
          waitMessage: "Wait, {{first_name}}.",
          messages: { reprompt: "A{{x}}", trouble: "B {{name}}", goodbye: "C{{x}}", resumed: "D{{x}}" },
          recordingNotice: "{{company}} records."
        }
      ],
      { name: "Ann Lee", first_name: "Ann", company: "Acme" }
    )
    expect(agent).toMatchObject({
      greeting: "Hello Ann!",
      prompt: "You call ⟦Ann Lee⟧.",
      nudge: { message: "Ann?" },
      waitMessage: "Wait, Ann.",
      messages: { reprompt: "A", trouble: "B Ann Lee", goodbye: "C", resumed: "D" },
      recordingNotice: "Acme records."
    })
  })

  it("that leave nothing of a greeting leave none", () => {
    expect(merged([{ greeting: "{{greeting}}" }]).greeting).toBeNull()
  })
})
