/** What the file says of upstreams, as plugs: docs/configuration.md, docs/embedded.md#settings. */
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { plugOf, upstreamFaults } from "../src/Upstreams.ts"

describe("an upstream of the kind embedded", () => {
  it("takes as long as timeout_ms says, else ten minutes", () => {
    const longest = (timeout_ms?: number) =>
      plugOf({ kind: "embedded", ...(timeout_ms === undefined ? {} : { timeout_ms }) }).make("here").longestMs
    expect(longest(5000)).toBe(5000)
    expect(longest()).toBe(600_000)
  })

  it("is called as it is in the file, and serves speech", () => {
    expect(plugOf({ kind: "embedded", serves: ["stt"] }).make("here")).toMatchObject({
      name: "here",
      kind: "embedded",
      servedBy: expect.stringMatching(/^embedded; model=/),
      transcribe: expect.any(Function)
    })
  })

  it("takes no more than an hour, and nothing that is somewhere else: every fault is told with its path", () => {
    const faults = (section: object) =>
      upstreamFaults({ here: { kind: "embedded", ...section } }).map(({ message, path }) => `${path}: ${message}`)
    expect(faults({ timeout_ms: 3_600_000, serves: ["stt"] })).toEqual([])
    const api_key = Redacted.make("a key that is told to nobody")
    const told = faults({ api_key, base_url: "http://x.example", serves: ["stt", "llm"], timeout_ms: 3_600_001 })
    expect(told).toEqual([
      expect.stringMatching(/^models\.upstreams\.here\.api_key: .*somewhere else.* remove it$/),
      expect.stringMatching(/^models\.upstreams\.here\.base_url: .*somewhere else.* remove it$/),
      expect.stringMatching(/^models\.upstreams\.here\.serves: must be \["stt"\]/),
      expect.stringMatching(/^models\.upstreams\.here\.timeout_ms: must be .*3600000/)
    ])
    expect(told.join()).not.toContain("told to nobody")
  })
})
