/** Which tools are offered when, and what a configuration may say: docs/reference/voice-agent.md#tools, #configuration. Verifies: VAGT-1, VAGT-4. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { acceptConfig, headersOf } from "../../../src/voice/agent/BotConfigSecrets.ts"
import { readBotVoiceConfig } from "../../../src/voice/agent/BotVoiceConfig.ts"
import { type ToolSituation, toolsFor } from "../../../src/voice/agent/VoiceTools.ts"
import { settings } from "./VoiceAgentRows.ts"

const targets = [{ name: "Sales", phone: "+15005550006", description: "Prices\nand offers" }]

const tools = (over: Partial<ToolSituation> = {}) =>
  toolsFor({
    isTelephone: false,
    settings: settings(),
    hasEntries: false,
    isRecording: false,
    hasConnectedNumber: false,
    ...over
  })
const names = (over: Partial<ToolSituation> = {}) => tools(over).map(({ name }) => name)

describe("the tools of an agent", () => {
  // Verifies: V-122.
  it("are those that the situation has", () => {
    expect(names()).toEqual(["end_call"])
    expect(names({ hasEntries: true })).toEqual(["end_call", "search_knowledge_base"])
    expect(names({ isTelephone: true })).toEqual(["end_call", "place_on_do_not_call_list"])
    expect(names({ isRecording: true })).toEqual(["end_call", "stop_recording"])
  })

  // Verifies: V-125.
  it("transfer on telephones alone, to people who are named", () => {
    const withTargets = { settings: settings({ transferTargets: targets }) }
    expect(names(withTargets)).not.toContain("transfer_call")
    const transfer = tools({ ...withTargets, isTelephone: true }).find(({ name }) => name === "transfer_call")!
    expect(transfer.parameters).toMatchObject({ properties: { target: { enum: ["Sales"] } }, required: ["target"] })
    expect(transfer.description).toContain("- Sales: Prices and offers")
    expect(JSON.stringify(transfer)).not.toContain("5005550006")
  })

  // Verifies: V-128.
  it("send messages on telephones, when they are asked to and there is a number", () => {
    const all = { isTelephone: true, hasConnectedNumber: true, settings: settings({ tools: ["send_message"] }) }
    expect(names(all)).toContain("send_message")
    for (const one of [{ isTelephone: false }, { hasConnectedNumber: false }, { settings: settings() }]) {
      expect(names({ ...all, ...one })).not.toContain("send_message")
    }
  })

  it("include the functions of the host, without their endpoints", () => {
    const endpoint = { url: "https://a.example", method: "POST", headers: { Authorization: "s3cret" } }
    const one = { name: "book", description: "Books", parameters: { type: "object" }, endpoint }
    const offered = tools({ settings: settings({ functions: [one] }) })
    expect(offered.at(-1)).toEqual({ name: "book", description: "Books", parameters: { type: "object" } })
    expect(JSON.stringify(offered)).not.toMatch(/a\.example|s3cret/)
  })

  // Verifies: V-133.
  it("built-in ones have no number, address or id as argument", () => {
    const all = tools({
      ...{ isTelephone: true, hasEntries: true, isRecording: true, hasConnectedNumber: true },
      settings: settings({ transferTargets: targets, tools: ["send_message"] })
    })
    expect(all).toHaveLength(6)
    const fields = all.flatMap(({ parameters }) => Object.keys((parameters as { properties: object }).properties))
    expect(fields.sort()).toEqual(["query", "reason", "target", "text"])
  })
})

describe("the configuration of a bot", () => {
  const faults = (config: object) => readBotVoiceConfig(config as never).faults.map(({ field }) => field)

  // Verifies: V-116.
  it("is read under its own keys", () => {
    const config = {
      greeting: "Hi",
      language: "en",
      model: "oss-120b",
      temperature: 1,
      stt_model: "nova-3",
      stt_fallback_model: "saaras:v3",
      tts_model: "flite",
      voice: "kal",
      think_fallbacks: ["a", "b", "c"],
      speak_fallbacks: ["d"],
      max_duration_seconds: 7200,
      functions: [{ name: "book", endpoint: { url: "https://a.example" } }],
      tools: ["send_message"],
      transfer_targets: targets,
      analysis: { enabled: true, outcomes: ["sold"], fields: [{ name: "amount", type: "number" }], prompt: "Look." },
      anything: { else: [true] }
    }
    expect(readBotVoiceConfig(config)).toMatchObject({
      faults: [],
      read: {
        agent: {
          greeting: "Hi",
          listen: { model: "nova-3", fallback: "saaras:v3" },
          think: { model: "oss-120b", temperature: 1, fallbacks: [{ model: "a" }, { model: "b" }, { model: "c" }] },
          speak: { model: "flite", voice: "kal", fallbacks: [{ model: "d", voice: null }] },
          functions: [{ name: "book", endpoint: { url: "https://a.example", method: "POST", headers: {} } }],
          tools: ["send_message"],
          transferTargets: targets
        },
        maxDurationSeconds: 7200,
        analysis: {
          isEnabled: true,
          model: null,
          outcomes: ["sold"],
          fields: [{ name: "amount", type: "number", description: "" }],
          prompt: "Look."
        }
      }
    })
  })

  it("says nothing with null, and nothing of a model or language with white space", () => {
    const { faults: none, read } = readBotVoiceConfig({ greeting: null, model: " ", language: "\n", analysis: null })
    expect(none).toEqual([])
    expect(read).toMatchObject({ agent: { think: { model: undefined }, language: undefined }, analysis: null })
  })

  it.each([
    [{ model: 1 }, ["config.model"]],
    [{ temperature: 3 }, ["config.temperature"]],
    [{ voice: {} }, ["config.voice"]],
    [{ think_fallbacks: ["a", "b", "c", "d"] }, ["config.think_fallbacks"]],
    [{ speak_fallbacks: [1] }, ["config.speak_fallbacks.0"]],
    [{ first_speaker: "bot" }, ["config.first_speaker"]],
    [{ max_duration_seconds: 7201 }, ["config.max_duration_seconds"]],
    [{ functions: [{ name: "a" }] }, ["config.functions.0.endpoint"]],
    [{ tools: ["dial"] }, ["config.tools.0"]],
    [
      { transfer_targets: Array.from({ length: 11 }, (_, n) => ({ name: `${n}`, phone: "1" })) },
      ["config.transfer_targets"]
    ],
    [
      { transfer_targets: [{ phone: "1" }, { name: "a" }] },
      ["config.transfer_targets.0.name", "config.transfer_targets.1.phone"]
    ],
    [{ transfer_targets: [targets[0], targets[0]] }, ["config.transfer_targets.1.name"]],
    [
      { analysis: { fields: [{ name: "summary", type: "text" }] } },
      ["config.analysis.fields.0.name", "config.analysis.fields.0.type"]
    ],
    [{ turn: 1, nudge_max: -1, record_calls: 1 }, ["config.turn", "config.nudge_max", "config.record_calls"]]
  ])("is refused for %j", (config, fields) => {
    expect(faults(config)).toEqual(fields)
  })
})

describe("headers of functions", () => {
  const one = (headers: object, url = "https://a.example/book", name = "book") => ({
    functions: [{ name, endpoint: { url, headers } }]
  })
  const accepted = (config: object, before: Parameters<typeof acceptConfig>[1] = null) =>
    Result.getOrThrow(
      Result.mapError(acceptConfig(config as never, before), (faults) => new Error(JSON.stringify(faults)))
    )
  const secret = "s3cret of the host"

  // Verifies: V-139.
  it("are separated from the configuration, which has masks", () => {
    const stored = accepted({ greeting: "Hi", ...one({ Authorization: secret }) })
    expect(stored.config).toEqual({ greeting: "Hi", ...one({ Authorization: "***" }) })
    expect(headersOf(stored.secrets)).toEqual({ book: { Authorization: secret } })
    expect(accepted({ greeting: "Hi" })).toEqual({ config: { greeting: "Hi" }, secrets: null })
  })

  it("stay where the mask comes back, and are replaced where another value does", () => {
    const stored = accepted(one({ Authorization: secret, "X-Team": "a" }))
    const changed = accepted(one({ Authorization: "***", "X-Team": "b" }, "https://a.example/other"), stored)
    expect(headersOf(changed.secrets)).toEqual({ book: { Authorization: secret, "X-Team": "b" } })
    expect(accepted({}, stored).secrets).toBeNull()
  })

  it("are never sent to another host, nor lent to another function, by their mask", () => {
    const stored = accepted(one({ Authorization: secret }))
    for (const config of [
      one({ Authorization: "***" }, "https://b.example/book"),
      one({ Authorization: "***" }, undefined, "other"),
      one({ "X-Other": "***" })
    ]) {
      const refused = acceptConfig(config, stored)
      expect(Result.isFailure(refused) && refused.failure).toMatchObject([
        { field: expect.stringContaining("headers") }
      ])
    }
    expect(Result.isFailure(acceptConfig(one({ Authorization: "***" }), null))).toBe(true)
  })
})
