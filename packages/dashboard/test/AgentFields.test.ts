import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type AgentField,
  type AgentValues,
  agentChange,
  agentFields,
  agentStatus,
  agentValues,
  differingLines,
  fieldOfFault,
  misplaced,
  moreSettings,
  rebased
} from "../pages/agents/AgentFields.ts"

const agent = (config: Readonly<Record<string, unknown>> = {}) => ({ name: "Nora", system_prompt: "Be kind.", config })

const stored = {
  model: "kimi-k2.5",
  turn: { silence_ms: 600, echo_guard: false },
  functions: [{ name: "book", parameters: {} }],
  ours: "kept"
}

/** What is sent after some fields have been typed in. */
const sent = (config: Readonly<Record<string, unknown>>, typed: Partial<AgentValues>) => {
  const before = agentValues(agent(config))
  return agentChange(config, before, { ...before, ...typed })
}

describe("the form of an agent", () => {
  it("shows each setting in its field, and the others as JSON", () => {
    const values = agentValues(agent(stored))
    expect(values).toMatchObject({ model: "kimi-k2.5", silence_ms: "600", barge_in: "yes", record_calls: "" })
    expect(values.first_speaker).toBe("agent")
    expect(JSON.parse(values.more)).toEqual({
      turn: { echo_guard: false },
      functions: stored.functions,
      ours: "kept"
    })
    expect(agentValues(agent()).more).toBe("")
    expect(agentValues(null)).toMatchObject({ name: "", system_prompt: "", model: "" })
  })

  it("sends only what has been changed, and loses no setting that has no field", () => {
    expect(sent(stored, {})).toEqual({})
    expect(sent(stored, { name: " Nora B " })).toEqual({ name: "Nora B" })
    expect(sent(stored, { system_prompt: " " })).toEqual({ system_prompt: null })
    expect(sent(stored, { silence_ms: "900", model: "" }).config).toEqual({
      turn: { silence_ms: 900, echo_guard: false },
      functions: stored.functions,
      ours: "kept"
    })
    expect(sent({}, { barge_in: "" }).config).toEqual({ turn: { barge_in: false } })
    expect(sent({ turn: { silence_ms: 600 } }, { silence_ms: "" }).config).toEqual({})
    expect(sent(stored, { more: '{ "ours": "new", "turn": { "echo_guard": true } }' }).config).toEqual({
      model: "kimi-k2.5",
      turn: { silence_ms: 600, echo_guard: true },
      ours: "new"
    })
  })

  it("sends what is no number as it is, so that the server says what is wrong with it", () => {
    expect(sent({}, { temperature: "warm" }).config).toEqual({ temperature: "warm" })
    expect(sent({}, { temperature: "0.5" }).config).toEqual({ temperature: 0.5 })
  })

  it("takes one JSON object for the other settings, without those that have a field", () => {
    expect(moreSettings("")).toEqual({})
    for (const text of ["[]", "1", "null", "{"]) expect(moreSettings(text)).toBeNull()
    expect(misplaced({ model: "x", turn: { barge_in: true, echo_guard: true }, ours: 1 })).toEqual([
      "model",
      "barge_in"
    ])
  })

  it("keeps every configuration through any change of one field", () => {
    const json = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 2 }))
    fc.assert(
      fc.property(json, fc.string(), (config, greeting) => {
        const change = sent(config, { greeting: `${greeting}!` })
        const { greeting: _, ...others } = config
        expect(change.config).toEqual({ ...others, greeting: `${greeting}!`.trim() })
      })
    )
  })

  it("finds the field of a fault, and the place within the other settings", () => {
    expect(fieldOfFault(["body", "name"])).toEqual({ field: "name", at: "" })
    expect(fieldOfFault(["body", "config", "turn", "silence_ms"])).toEqual({ field: "silence_ms", at: "" })
    expect(fieldOfFault(["body", "config", "functions", 0, "name"])).toEqual({ field: "more", at: "functions.0.name" })
    expect(fieldOfFault(["query", "limit"])).toBeNull()
  })

  it("takes over what somebody else has changed, and leaves what is typed here", () => {
    const before = agentValues(agent())
    const mine = { ...before, system_prompt: "Be brief." }
    const theirs = { ...before, system_prompt: "Be long.", name: "Nora B" }
    expect(rebased(before, mine, theirs)).toEqual({ adopted: ["name"], contested: ["system_prompt"] })
    expect(rebased(before, mine, before)).toEqual({ adopted: [], contested: [] })
    expect(rebased(before, mine, mine)).toEqual({ adopted: [], contested: [] })
  })

  it("never takes over a field that is typed in, whatever both have done", () => {
    const values = fc.record(
      Object.fromEntries(agentFields.map((name) => [name, fc.constantFrom("a", "b", "c")])) as Record<
        AgentField,
        fc.Arbitrary<string>
      >
    )
    fc.assert(
      fc.property(values, values, values, (before, mine, theirs) => {
        const { adopted, contested } = rebased(before, mine, theirs)
        for (const name of adopted) expect(mine[name]).toBe(before[name])
        for (const name of agentFields) {
          const isMissed = theirs[name] !== before[name] && theirs[name] !== mine[name]
          expect([...adopted, ...contested].includes(name)).toBe(isMissed)
        }
      })
    )
  })

  it("shows of another text the lines that differ", () => {
    expect(differingLines("a\nb\nc", "a\nx\nc")).toBe("…\nb\n…")
    expect(differingLines("a\nb", "a")).toBe("…\nb")
    expect(differingLines("b", "a\nb")).toBe("…")
    expect(differingLines("a", "b")).toBe("a")
    const texts = fc.array(fc.constantFrom("a", "b"), { minLength: 1 }).map((lines) => lines.join("\n"))
    fc.assert(
      fc.property(texts, texts, (theirs, mine) => {
        const shown = differingLines(theirs, mine)
          .split("\n")
          .filter((line) => line !== "…")
        expect(theirs).toContain(shown.join("\n"))
      })
    )
  })

  it("calls an agent without a prompt a draft, unless it is off", () => {
    expect(agentStatus({ is_active: true, system_prompt: "Be kind." })).toBe("active")
    expect(agentStatus({ is_active: true, system_prompt: " " })).toBe("draft")
    expect(agentStatus({ is_active: false, system_prompt: null })).toBe("off")
  })
})
