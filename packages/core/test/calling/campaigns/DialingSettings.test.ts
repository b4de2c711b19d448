import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  checkSettings,
  type DialingSettings,
  type DialMode,
  defaults,
  mergeSettings,
  settings
} from "../../../src/calling/campaigns/DialingSettings.ts"

const parallel: DialingSettings = { ...defaults, dialMode: "parallel", parallelLines: 3 }

/** Fields at fault, or the lines that came of it. */
const outcome = (present: DialingSettings, patch: Partial<DialingSettings>) =>
  Result.match(mergeSettings(present, patch), {
    onFailure: (faults) => faults.map((fault) => fault.field),
    onSuccess: (merged) => merged.parallelLines
  })

describe("the calling window's hours", () => {
  it.each([
    [9, 21, []],
    [0, 24, []],
    [23, 24, []],
    [9, 9, ["quietHoursEnd"]],
    [21, 9, ["quietHoursEnd"]],
    [23, 1, ["quietHoursEnd"]]
    // Verifies: C-39, C-40.
  ])("from %i to %i have the faults %j", (quietHoursStart, quietHoursEnd, faults) => {
    expect(checkSettings({ ...defaults, quietHoursStart, quietHoursEnd }).map((fault) => fault.field)).toEqual(faults)
  })

  // Verifies: D-3.
  it("are checked on the merged record", () => {
    expect(outcome(defaults, { quietHoursStart: 21 })).toEqual(["quietHoursEnd"])
    expect(outcome(defaults, { quietHoursEnd: 9 })).toEqual(["quietHoursEnd"])
    expect(outcome(defaults, { quietHoursStart: 22, quietHoursEnd: 24 })).toBe(1)
  })
})

describe("lines and mode", () => {
  it.each<[string, DialingSettings, Partial<DialingSettings>, number | ReadonlyArray<string>]>([
    ["a new campaign has one line", defaults, {}, 1],
    ["a new parallel campaign may have several", defaults, { dialMode: "parallel", parallelLines: 5 }, 5],
    ["a new parallel campaign has one unless told", defaults, { dialMode: "parallel" }, 1],
    // Verifies: C-41.
    ["several lines need the mode on create", defaults, { parallelLines: 2 }, ["parallelLines"]],
    // Verifies: C-42.
    ["several lines contradict power", defaults, { dialMode: "power", parallelLines: 2 }, ["parallelLines"]],
    ["several lines contradict preview", parallel, { dialMode: "preview", parallelLines: 2 }, ["parallelLines"]],
    ["one line goes with any mode", defaults, { dialMode: "preview", parallelLines: 1 }, 1],
    // Verifies: C-43, D-4.
    ["a change to power resets the lines", parallel, { dialMode: "power" }, 1],
    ["a change to preview resets the lines", parallel, { dialMode: "preview" }, 1],
    ["the same mode again keeps the lines", parallel, { dialMode: "parallel" }, 3],
    ["any other change keeps the lines", parallel, { paceSeconds: 60 }, 3],
    ["the lines of a parallel campaign may change alone", parallel, { parallelLines: 2 }, 2],
    [
      "a change back to parallel does not bring lines back",
      { ...defaults, dialMode: "power" },
      { dialMode: "parallel" },
      1
    ]
  ])("%s", (_, present, patch, expected) => {
    expect(outcome(present, patch)).toEqual(expected)
  })

  it("are reported beside the window's hours when both are wrong", () => {
    expect(outcome(defaults, { quietHoursStart: 23, parallelLines: 2 })).toEqual(["quietHoursEnd", "parallelLines"])
  })
})

const within = (field: "quietHoursStart" | "quietHoursEnd" | "maxAttempts" | "paceSeconds" | "parallelLines") =>
  fc.integer({ min: settings[field].bounds.minimum, max: settings[field].bounds.maximum })

const patch: fc.Arbitrary<Partial<DialingSettings>> = fc.record(
  {
    timezone: fc.constantFrom("UTC", "Asia/Kolkata"),
    quietHoursStart: within("quietHoursStart"),
    quietHoursEnd: within("quietHoursEnd"),
    maxAttempts: within("maxAttempts"),
    dialMode: fc.constantFrom<DialMode>("preview", "power", "parallel"),
    paceSeconds: within("paceSeconds"),
    parallelLines: within("parallelLines"),
    amdEnabled: fc.boolean()
  },
  { requiredKeys: [] }
)

describe("any sequence of changes", () => {
  it("never leads to settings that do not go together, and keeps what a change leaves out", () => {
    fc.assert(
      fc.property(fc.array(patch, { maxLength: 10 }), (patches) => {
        let settings: DialingSettings = defaults
        for (const each of patches) {
          const merged = mergeSettings(settings, each)
          if (Result.isFailure(merged)) {
            expect(merged.failure.length).toBeGreaterThan(0)
            continue
          }
          expect(merged.success).toMatchObject(each)
          const { parallelLines: _, ...kept } = settings
          expect(merged.success).toMatchObject({ ...kept, ...each })
          settings = merged.success
          expect(checkSettings(settings)).toEqual([])
          expect(settings.quietHoursStart).toBeLessThan(settings.quietHoursEnd)
          if (settings.dialMode !== "parallel") expect(settings.parallelLines).toBe(1)
        }
      }),
      { numRuns: 500 }
    )
  })
})
