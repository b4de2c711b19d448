/** A call as others see it: docs/reference/telephony.md#call, docs/reference/telephony.md#events. */
import { describe, expect, it } from "vitest"
import { advance, type Call, closeUnplaced } from "../../../src/calling/calls/Call.ts"
import { eventsOf, publicFields, started } from "../../../src/calling/calls/CallEvents.ts"
import type { CallNews, FinalStatus } from "../../../src/calling/calls/CallNews.ts"
import { Ids } from "../../../src/platform/kernel/index.ts"
import { queued, ringing, seconds, talking } from "./SampleCall.ts"

const ended = (status: FinalStatus): CallNews => ({
  _tag: "Ended",
  status,
  failure: null,
  durationSeconds: null,
  by: null
})

const names = (call: Call, news: CallNews) =>
  eventsOf(advance(call, news, seconds(30))).map(({ event, data }) => [event, data.status])

describe("a call's public fields", () => {
  // Verifies: D-139.
  it("are those of the reference, under their wire names", () => {
    expect(Object.keys(publicFields(queued))).toEqual([
      "id",
      "campaign_id",
      "contact_id",
      "attempt",
      "bot_id",
      "from_number_id",
      "from",
      "to",
      "status",
      "answered_by",
      "burst_id",
      "is_winner",
      "abandoned",
      "provider",
      "provider_call_id",
      "started_at",
      "answered_at",
      "ended_at",
      "duration_seconds",
      "end_reason",
      "voice_session_id",
      "credits",
      "created_at"
    ])
  })

  // Verifies: D-177.
  it("have instants in UTC with milliseconds, and credits as a number", () => {
    const call: Call = {
      ...talking,
      status: "completed",
      endedAt: seconds(66),
      durationSeconds: 61,
      credits: 1_500_000_000n
    }
    expect(publicFields(call)).toMatchObject({
      to: "+1 415 555 0101",
      started_at: "2026-11-21T06:30:00.000Z",
      answered_at: "2026-11-21T06:30:05.000Z",
      ended_at: "2026-11-21T06:31:06.000Z",
      duration_seconds: 61,
      credits: 1.5
    })
    expect(publicFields(queued)).toMatchObject({
      answered_at: null,
      ended_at: null,
      duration_seconds: null,
      credits: 0
    })
  })
})

describe("the events of a call", () => {
  it("say for whom and for which agent they are", () => {
    const botId = Ids.as<"Bot">("01936f00-0000-7000-8000-00000000000b")
    expect(started({ ...queued, botId })).toEqual({
      event: "call.started",
      tenantId: queued.tenantId,
      botId,
      data: publicFields({ ...queued, botId })
    })
  })

  it.each<[FinalStatus, string]>([
    ["completed", "call.completed"],
    ["busy", "call.failed"],
    ["no_answer", "call.failed"],
    ["failed", "call.failed"],
    ["canceled", "call.failed"]
    // Verifies: D-163, D-164.
  ])("report an end as %s by %s", (status, event) => {
    expect(names(status === "completed" ? talking : ringing, ended(status))).toEqual([[event, status]])
  })

  it("are silent about everything in between", () => {
    for (const news of [{ _tag: "Queued" }, { _tag: "Dialing" }, { _tag: "Ringing" }, { _tag: "Answered" }] as const) {
      expect(names(queued, news)).toEqual([])
    }
  })

  it("name once who answered, and only where detection is on", () => {
    const human: CallNews = { _tag: "Detected", answeredBy: "human" }
    expect(names({ ...talking, detectMachine: true }, human)).toEqual([["call.amd_detected", "in_progress"]])
    expect(names({ ...talking, detectMachine: true, answeredBy: "machine" }, human)).toEqual([])
    expect(names(talking, human)).toEqual([])
  })

  it("are none when nothing has ended", () => {
    expect(eventsOf({ call: closeUnplaced(queued, "failed", seconds(1)), detected: false, ended: false })).toEqual([])
  })
})
