/** What the demo shows while it runs. */
import type { Trunkline } from "@trunkline/core"
import { afterEach, describe, expect, it, vi } from "vitest"
import { Progress, waitingText } from "../Progress.ts"

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe("a campaign that waits", () => {
  // 05:54 UTC is 11:24 in Kolkata, where the demo's campaigns are.
  const until = Date.UTC(2026, 10, 23, 5, 54)

  it.each([
    ["nothing_due", until, "nothing is due until 11:24"],
    ["window", until, "waiting for its calling hours until 11:24"],
    ["pace", until, "waiting for its pace until 11:24"],
    ["lines", null, "waiting for a free line"],
    ["approval", null, "waiting for approval"],
    ["credits", null, "waiting for credits"],
    ["provider", until, "waiting for the carrier until 11:24"],
    ["account", null, "waiting for its account"],
    ["not_running", null, "not running"]
  ] as const)("for %s reads as a sentence", (reason, at, text) => {
    expect(waitingText({ reason, until: at as never })).toBe(text)
  })
})

describe("the bar of events", () => {
  it("ends at its total: the last deliveries are waited for", async () => {
    vi.useFakeTimers()
    vi.spyOn(process.stderr, "write").mockReturnValue(true)
    const campaign = { status: "completed", completedContacts: 1, failedContacts: 0, totalContacts: 1 }
    const live = { campaign, ...campaign, activeCalls: [], waitingFor: null }
    const core = { campaigns: { live: async () => live, get: async () => campaign } } as unknown as Trunkline
    let verified = 0
    const progress = new Progress(core, "a", [{ id: "c", name: "C" }], () => ({ sent: 3, verified }))
    let isDone = false
    const done = progress.untilDone().then(() => {
      isDone = true
    })
    await vi.advanceTimersByTimeAsync(1000)
    expect(isDone).toBe(false)
    verified = 3
    await vi.advanceTimersByTimeAsync(200)
    await done
  })

  it("never passes its total, and lines of the log stand above it", async () => {
    vi.useFakeTimers()
    const printed: Array<string> = []
    vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0)
    const campaign = { status: "completed", completedContacts: 1, failedContacts: 0, totalContacts: 1 }
    const live = { campaign, ...campaign, activeCalls: [], waitingFor: null }
    const core = { campaigns: { live: async () => live, get: async () => campaign } } as unknown as Trunkline
    const progress = new Progress(core, "a", [{ id: "c", name: "C" }], () => ({ sent: 2, verified: 3 }))
    progress.log("a warning")
    const done = progress.untilDone()
    await vi.advanceTimersByTimeAsync(1000)
    await done
    const lines = printed.join("").split("\n")
    expect(lines).toContainEqual(expect.stringMatching(/ 3\/3 /))
    expect(lines).toContain("a warning")
    expect(lines.indexOf("a warning")).toBeLessThan(lines.findIndex((line) => line.includes("C ")))
  })

  it("is not waited for longer than ten seconds", async () => {
    vi.useFakeTimers()
    vi.spyOn(process.stderr, "write").mockReturnValue(true)
    const campaign = { status: "completed", completedContacts: 1, failedContacts: 0, totalContacts: 1 }
    const live = { campaign, ...campaign, activeCalls: [], waitingFor: null }
    const core = { campaigns: { live: async () => live, get: async () => campaign } } as unknown as Trunkline
    const progress = new Progress(core, "a", [{ id: "c", name: "C" }], () => ({ sent: 3, verified: 2 }))
    const done = progress.untilDone()
    await vi.advanceTimersByTimeAsync(11_000)
    await done
  })
})
