/** What a client's `Settings` may say: docs/reference/voice-agent.md#settings. Verifies: VAGT-1. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { describeFaults } from "../../../src/voice/agent/GivenFields.ts"
import { type ReadSettings, readSettings } from "../../../src/voice/agent/SettingsMessage.ts"

const botId = "01936f00-0000-7000-8000-000000000001"

const applied = (message: unknown, isTokens = false): ReadSettings => {
  const read = readSettings(message, isTokens)
  expect(describeFaults(read.faults)).toBe("")
  return read
}
const refused = (message: unknown): string => {
  const { faults } = readSettings(message, false)
  expect(faults).not.toEqual([])
  return describeFaults(faults)
}
const agent = (fields: object) => ({ type: "Settings", agent: fields })
const think = (fields: object) => agent({ think: fields })
const ignored = (message: unknown, isTokens = false) =>
  applied(message, isTokens).warnings.flatMap(({ code, description }) =>
    code === "SETTINGS_FIELDS_IGNORED" ? [description.replace("These fields have no effect: ", "")] : []
  )

// Verifies: V-19.
describe("the formats of sound", () => {
  const input = (format: object) => applied({ audio: { input: format } }).input

  // Verifies: V-19.
  it("are linear16 at 24000 Hz where nothing is said, both ways", () => {
    const standard = { encoding: "linear16", sampleRate: 24_000 }
    expect(applied({ type: "Settings" })).toMatchObject({ input: standard, output: standard, warnings: [] })
  })

  it.each([
    ["linear16", [8000, 16_000, 24_000, 32_000, 44_100, 48_000], 24_000],
    ["mulaw", [8000, 16_000], 8000],
    ["alaw", [8000, 16_000], 8000]
  ])("may be %s at %j, by default at %i", (encoding, rates, standard) => {
    for (const sampleRate of rates) {
      expect(input({ encoding, sample_rate: sampleRate })).toEqual({ encoding, sampleRate })
    }
    expect(input({ encoding })).toEqual({ encoding, sampleRate: standard })
  })

  // Verifies: V-19.
  it("have no container, or say so", () => {
    expect(applied({ audio: { output: { encoding: "mulaw", container: "none" } } }).warnings).toEqual([])
    expect(refused({ audio: { output: { container: "wav" } } })).toContain(
      "audio.output.container: must be one of none"
    )
  })

  it.each([
    [{ encoding: "opus" }, "audio.input.encoding: must be one of linear16, mulaw, alaw"],
    [{ encoding: "mulaw", sample_rate: 24_000 }, "audio.input.sample_rate: must be one of 8000, 16000"],
    [{ sample_rate: "8000" }, "audio.input.sample_rate: must be one of 24000, 8000"],
    ["mulaw", "audio.input: must be an object"]
  ])("are nothing else: %j", (format, fault) => {
    expect(refused({ audio: { input: format } })).toContain(fault)
  })
})

describe("an agent", () => {
  // Verifies: V-21.
  it("may be named by its id, in either case", () => {
    expect(applied({ agent: botId.toUpperCase() }).botId).toBe(botId)
    expect(refused({ agent: "my agent" })).toBe("agent: is no agent of this account")
  })

  // Verifies: V-22.
  it("may be described, and every field of it left out or null", () => {
    expect(applied(agent({})).warnings).toEqual([])
    expect(applied(agent({ greeting: null, think: null, listen: null, turn: null, context: null })).warnings).toEqual(
      []
    )
  })

  // Verifies: V-22, V-24.
  it("has its words, its models and what it does under the names of the protocol", () => {
    const { given, warnings } = applied(
      agent({
        greeting: "Hello",
        language: "hi-IN",
        listen: { provider: { type: "deepgram", model: "nova-3", language: "hi" } },
        think: { provider: { type: "open_ai", model: "oss-120b", temperature: 0.5 }, prompt: "Sell tea." },
        speak: { provider: { type: "any", model_id: "bulbul:v3", voice: "anushka" } },
        first_speaker: "caller",
        turn: {
          silence_ms: 200,
          max_silence_ms: 5000,
          min_speech_ms: 0,
          barge_in: false,
          backchannel: ["Uh HUH"],
          echo_guard: false
        },
        nudge_max: 5,
        nudge_delay_seconds: 3.5,
        nudge_message: "Hello?",
        nudge_hangup: false,
        wait_message: "",
        messages: { reprompt: "Again?", trouble: "Oh.", goodbye: "Bye.", resumed: "Back." },
        record_calls: true,
        recording_notice: "We record.",
        recording_notice_enabled: true
      })
    )
    expect(warnings).toEqual([])
    expect(given).toMatchObject({
      greeting: "Hello",
      language: "hi-IN",
      prompt: "Sell tea.",
      listen: { model: "nova-3", language: "hi" },
      think: { model: "oss-120b", temperature: 0.5 },
      speak: { model: "bulbul:v3", voice: "anushka" },
      firstSpeaker: "caller",
      turn: {
        silenceMs: 200,
        maxSilenceMs: 5000,
        minSpeechMs: 0,
        bargeIn: false,
        backchannel: ["uh huh"],
        echoGuard: false
      },
      nudge: { max: 5, delayMs: 3500, message: "Hello?", hangUp: false },
      waitMessage: "",
      messages: { reprompt: "Again?", trouble: "Oh.", goodbye: "Bye.", resumed: "Back." },
      recordCalls: true,
      recordingNotice: "We record.",
      hasRecordingNotice: true
    })
  })

  // Verifies: V-23.
  it("may have lists of models, of which all but the first are fallbacks", () => {
    const { given } = applied(
      agent({
        think: [{ provider: { model: "a" }, prompt: "p" }, { provider: { model: "b", temperature: 1 } }],
        speak: [{ provider: { model: "c" } }, { provider: { model: "d", voice: "v" } }, { provider: { model_id: "e" } }]
      })
    )
    expect(given.think).toMatchObject({ model: "a", fallbacks: [{ model: "b", temperature: 1 }] })
    expect(given.speak).toMatchObject({
      model: "c",
      fallbacks: [
        { model: "d", voice: "v" },
        { model: "e", voice: null }
      ]
    })
  })

  it.each([
    [{ greeting: 1 }, "agent.greeting"],
    [{ language: {} }, "agent.language"],
    [{ think: "gpt" }, "agent.think"],
    [{ think: [] }, "agent.think"],
    [{ think: Array.from({ length: 5 }, () => ({})) }, "agent.think"],
    [{ think: [{}, {}] }, "agent.think.1.provider"],
    [{ think: { provider: { temperature: 2.1 } } }, "agent.think.provider.temperature"],
    [{ think: { provider: { temperature: "1" } } }, "agent.think.provider.temperature"],
    [{ think: { prompt: 7 } }, "agent.think.prompt"],
    [{ listen: { provider: { model: "" } } }, "agent.listen.provider.model"],
    [{ turn: { silence_ms: 199 } }, "agent.turn.silence_ms"],
    [{ turn: { max_silence_ms: 5001 } }, "agent.turn.max_silence_ms"],
    [{ turn: { min_speech_ms: 2001 } }, "agent.turn.min_speech_ms"],
    [{ turn: { backchannel: "yes" } }, "agent.turn.backchannel"],
    [{ nudge_max: 6 }, "agent.nudge_max"],
    [{ nudge_delay_seconds: 2 }, "agent.nudge_delay_seconds"],
    [{ record_calls: "yes" }, "agent.record_calls"],
    [{ messages: { goodbye: [] } }, "agent.messages.goodbye"]
  ])("is refused for %j", (fields, field) => {
    expect(refused(agent(fields))).toMatch(new RegExp(`^${field.replaceAll(".", "\\.")}: `))
  })

  // Verifies: V-36.
  it.each(["think", "speak"])("says nothing of where a model runs: %s.endpoint", (stage) => {
    const endpoint = { url: "https://models.example/v1", headers: { authorization: "Bearer s3cret" } }
    const description = refused(agent({ [stage]: { endpoint } }))
    expect(description).toContain(`agent.${stage}.endpoint: cannot be set`)
    expect(description).not.toContain("s3cret")
  })

  // Verifies: V-31.
  it("gets every fault in one description", () => {
    const description = refused({
      audio: { input: { encoding: "opus" } },
      flags: { history: "no" },
      agent: {
        greeting: 1,
        think: { provider: { temperature: 9 }, functions: [{ name: "a b" }, { name: "end_call" }] }
      }
    })
    for (const field of [
      "audio.input.encoding",
      "flags.history",
      "agent.greeting",
      "agent.think.provider.temperature",
      "agent.think.functions.0.name",
      "agent.think.functions.1.name"
    ]) {
      expect(description).toContain(`${field}: `)
    }
  })

  // Verifies: V-50.
  it("is asked for its history unless the flags say no", () => {
    expect(applied({}).sendsHistory).toBe(true)
    expect(applied({ flags: { history: false } }).sendsHistory).toBe(false)
  })

  it.each([["Settings"], [null], [[]], [7]])("is not read from %j", (message) => {
    expect(refused(message)).toBe("Settings must be a JSON object")
  })
})

describe("a prompt", () => {
  // Verifies: V-32.
  it("is cut at 25,000 characters, with a warning, and between characters", () => {
    expect(applied(think({ prompt: "x".repeat(25_000) })).warnings).toEqual([])
    const { given, warnings } = applied(think({ prompt: `${"🍵".repeat(25_000)}x` }))
    expect([...given.prompt!]).toHaveLength(25_000)
    expect(warnings.map(({ code }) => code)).toEqual(["PROMPT_TOO_LONG"])
  })
})

describe("functions", () => {
  const functions = (given: unknown) => applied(think({ functions: given })).given.functions
  const fault = (one: unknown) => refused(think({ functions: [one] }))

  // Verifies: V-33.
  it("have a name, a description, parameters and an endpoint, where they are not the client's", () => {
    const parameters = { type: "object", properties: { city: { type: "string" } } }
    expect(
      functions([
        { name: "get_Weather-2", description: "Weather", parameters },
        {
          name: "book",
          endpoint: { url: "https://a.example/book", method: "get", headers: { Authorization: "Bearer x" } }
        }
      ])
    ).toEqual([
      { name: "get_Weather-2", description: "Weather", parameters, endpoint: null },
      {
        name: "book",
        description: "",
        parameters: { type: "object", properties: {} },
        endpoint: { url: "https://a.example/book", method: "GET", headers: { Authorization: "Bearer x" } }
      }
    ])
  })

  it.each([
    [{ description: "no name" }, "functions.0.name"],
    [{ name: "a".repeat(65) }, "functions.0.name"],
    [{ name: "a", parameters: [] }, "functions.0.parameters"],
    [{ name: "a", endpoint: {} }, "functions.0.endpoint.url"],
    [{ name: "a", endpoint: { url: "ftp://a.example" } }, "functions.0.endpoint.url"],
    [{ name: "a", endpoint: { url: "https://a.example", method: "TRACE" } }, "functions.0.endpoint.method"],
    [
      { name: "a", endpoint: { url: "https://a.example", headers: { Host: "b.example" } } },
      "functions.0.endpoint.headers"
    ],
    [{ name: "search_knowledge_base" }, "is the name of a built-in tool"],
    ["book", "functions.0: must be an object"]
  ])("are refused: %j", (one, fault_) => {
    expect(fault(one)).toContain(fault_)
  })

  it("show no header in a fault", () => {
    const endpoint = { url: "https://a.example", headers: { "X-Key": "s3cret\r\nHost: b" } }
    expect(fault({ name: "a", endpoint })).toMatch(/headers\.X-Key: must be a text without line breaks$/)
  })

  // Verifies: V-33.
  it("have each name once, and are at most 64", () => {
    const named = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `f${n}` }))
    expect(functions(named(64))).toHaveLength(64)
    expect(refused(think({ functions: named(65) }))).toContain("at most 64")
    expect(refused(think({ functions: [{ name: "a" }, { name: "a" }] }))).toContain(
      "functions.1.name: a is the name of another"
    )
  })
})

describe("a context", () => {
  const context = (messages: unknown) => applied(agent({ context: { messages } }))
  const message = (content: string, role = "user") => ({ type: "History", role, content })

  // Verifies: V-34.
  it("is what was said before, oldest first", () => {
    expect(context([message("Hi"), message("Hello", "assistant")])).toMatchObject({
      given: {
        context: [
          { role: "user", content: "Hi" },
          { role: "assistant", content: "Hello" }
        ]
      },
      warnings: []
    })
  })

  // Verifies: V-34.
  it("keeps the newest 100 messages, and says so", () => {
    const messages = (count: number) => Array.from({ length: count }, (_, n) => message(`${n}`))
    expect(context(messages(100)).warnings).toEqual([])
    const { given, warnings } = context(messages(103))
    expect(given.context).toHaveLength(100)
    expect(given.context![0]).toEqual({ role: "user", content: "3" })
    expect(warnings).toMatchObject([{ code: "CONTEXT_TRUNCATED" }])
  })

  // Verifies: V-34.
  it("keeps the newest 60,000 characters, whole messages alone", () => {
    const half = "🍵".repeat(30_000)
    expect(context([message(half), message(half)]).warnings).toEqual([])
    const { given, warnings } = context([message("old"), message(half), message(half)])
    expect(given.context).toEqual([half, half].map((content) => ({ role: "user", content })))
    expect(warnings).toMatchObject([{ code: "CONTEXT_TRUNCATED" }])
  })

  const called = (over: object = {}) => ({
    type: "History",
    function_calls: [{ id: "a", name: "book", client_side: true, arguments: '{"at":9}', response: "ok", ...over }]
  })

  it("has the functions that were called, in the form of History, each under an id of its own", () => {
    const { given, warnings } = context([
      message("Book it."),
      called(),
      called(),
      called({ id: null, arguments: null })
    ])
    const book = { role: "tool", name: "book", result: "ok" }
    expect(given.context).toEqual([
      { role: "user", content: "Book it." },
      { ...book, id: "a", arguments: '{"at":9}' },
      { ...book, id: "a_2", arguments: '{"at":9}' },
      { ...book, id: "call", arguments: "" }
    ])
    expect(warnings).toEqual([])
  })

  it("counts arguments and results of functions among its characters", () => {
    const { given } = context([message("old"), called({ response: "x".repeat(59_992) }), message("")])
    expect(given.context).toHaveLength(2)
  })

  it.each([
    [called({ name: "a b" }), "agent.context.messages.0.function_calls.0.name"],
    [called({ response: 7 }), "agent.context.messages.0.function_calls.0.response"],
    [called({ arguments: "[]" }), "agent.context.messages.0.function_calls.0.arguments: must be the text of a JSON"],
    [{ function_calls: 7 }, "agent.context.messages.0.function_calls: must be a list"],
    ["hi", "agent.context.messages.0: must be an object"],
    [{ role: "system", content: "x" }, "agent.context.messages.0.role"],
    [{ role: "user" }, "agent.context.messages.0.content"],
    [{ role: "user", content: 7 }, "agent.context.messages.0.content"]
  ])("is refused with %j, also where it would be dropped", (entry, fault) => {
    const rest = Array.from({ length: 120 }, () => message("x"))
    expect(refused(agent({ context: { messages: [entry, ...rest] } }))).toContain(fault)
  })
})

describe("fields without effect", () => {
  // Verifies: V-35.
  it("are listed in one warning", () => {
    expect(
      ignored({
        type: "Settings",
        tags: ["a"],
        mip_opt_out: true,
        audio: { output: { bitrate: 48_000 } },
        agent: {
          listen: { provider: { keyterms: ["tea"], smart_format: true } },
          think: { context_length: "max", provider: { type: "x" } },
          speak: { provider: { speed: 1.2 } },
          context: { messages: [{ type: "History", function_calls: [], at: 1 }] }
        }
      })
    ).toEqual([
      "audio.output.bitrate, agent.listen.provider.keyterms, agent.listen.provider.smart_format, agent.think.context_length, " +
        "agent.speak.provider.speed, agent.context.messages.0.at, tags, mip_opt_out"
    ])
  })
})

describe("with a session's token", () => {
  // Verifies: V-37.
  it("only context and language of the agent count; all else has no effect, right or wrong", () => {
    const { given, botId: named } = applied(
      agent({
        language: "hi",
        context: { messages: [{ role: "user", content: "Hi" }] },
        greeting: 7,
        think: { endpoint: {}, functions: "all" },
        turn: { silence_ms: 1 }
      }),
      true
    )
    expect(named).toBeNull()
    expect(given).toEqual({ language: "hi", context: [{ role: "user", content: "Hi" }] })
  })

  it("names what has no effect, an agent's id included", () => {
    expect(ignored(agent({ greeting: "Hi", think: {} }), true)).toEqual(["agent.greeting, agent.think"])
    expect(ignored({ agent: botId }, true)).toEqual(["agent"])
    expect(applied({ agent: botId }, true).botId).toBeNull()
  })

  it("the formats of sound count as ever", () => {
    expect(applied({ audio: { input: { encoding: "mulaw" } } }, true).input).toEqual({
      encoding: "mulaw",
      sampleRate: 8000
    })
  })
})

// Verifies: V-31.
it("whatever JSON it is, it is applied or refused, and never throws", () => {
  const names = [
    "agent",
    "audio",
    "input",
    "think",
    "speak",
    "listen",
    "provider",
    "functions",
    "endpoint",
    "headers",
    "turn",
    "context",
    "messages",
    "name",
    "url",
    "role",
    "content"
  ]
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "medium" },
      fc.constantFrom(null, true, -1, 0.5, "", "x", "https://a.example"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 4 })
    )
  })).value
  fc.assert(
    fc.property(json, fc.boolean(), (message, isTokens) => {
      const read = readSettings(message, isTokens)
      return Array.isArray(read.faults) && Array.isArray(read.warnings)
    }),
    { numRuns: 500 }
  )
})
