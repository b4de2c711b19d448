/** A call's life: docs/reference/telephony.md#life. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  advance,
  type Call,
  callStatuses,
  closeUnknown,
  closeUnplaced,
  type EndReason,
  isEnded,
  rang,
  type StopReason,
  stop
} from "../../../src/calling/calls/Call.ts"
import type { CallNews, FinalStatus } from "../../../src/calling/calls/CallNews.ts"
import type { Instant } from "../../../src/platform/kernel/index.ts"
import { dialing, queued, ringing, seconds, start, talking } from "./SampleCall.ts"

const ended = (
  status: FinalStatus,
  more: Partial<Omit<Extract<CallNews, { _tag: "Ended" }>, "_tag" | "status">> = {}
): CallNews => ({ _tag: "Ended", status, failure: null, durationSeconds: null, by: null, ...more })

const news = {
  Queued: { _tag: "Queued" },
  Dialing: { _tag: "Dialing" },
  Ringing: { _tag: "Ringing" },
  Answered: { _tag: "Answered" },
  Detected: { _tag: "Detected", answeredBy: "human" },
  completed: ended("completed"),
  busy: ended("busy"),
  no_answer: ended("no_answer"),
  failed: ended("failed"),
  canceled: ended("canceled")
} as const satisfies Record<string, CallNews>

const open = { queued, dialing, ringing, in_progress: talking }

const statusAfter: Record<keyof typeof open, Record<keyof typeof news, Call["status"]>> = {
  queued: {
    Queued: "queued",
    Dialing: "dialing",
    Ringing: "ringing",
    Answered: "in_progress",
    Detected: "in_progress",
    completed: "completed",
    busy: "busy",
    no_answer: "no_answer",
    failed: "failed",
    canceled: "canceled"
  },
  dialing: {
    Queued: "dialing",
    Dialing: "dialing",
    Ringing: "ringing",
    Answered: "in_progress",
    Detected: "in_progress",
    completed: "completed",
    busy: "busy",
    no_answer: "no_answer",
    failed: "failed",
    canceled: "canceled"
  },
  ringing: {
    Queued: "ringing",
    Dialing: "ringing",
    Ringing: "ringing",
    Answered: "in_progress",
    Detected: "in_progress",
    completed: "completed",
    busy: "busy",
    no_answer: "no_answer",
    failed: "failed",
    canceled: "canceled"
  },
  // Somebody talked: whatever the carrier calls the end, the call is completed.
  in_progress: {
    Queued: "in_progress",
    Dialing: "in_progress",
    Ringing: "in_progress",
    Answered: "in_progress",
    Detected: "in_progress",
    completed: "completed",
    busy: "completed",
    no_answer: "completed",
    failed: "completed",
    canceled: "completed"
  }
}

describe("every piece of news about every open call", () => {
  for (const [from, row] of Object.entries(statusAfter)) {
    it.each(Object.entries(row))(`${from} and %s make %s`, (name, to) => {
      const call = open[from as keyof typeof open]
      const after = advance(call, news[name as keyof typeof news], seconds(10))
      expect(after.call.status).toBe(to)
      expect(after.ended).toBe(isEnded(after.call))
      if (after.call.status === from && name !== "Detected") expect(after.call).toBe(call)
    })
  }
})

describe("a call that is over", () => {
  it.each(callStatuses.slice(4))("%s stays exactly as it is, whatever else is reported", (status) => {
    const over: Call = { ...ringing, status, endedAt: seconds(9) }
    for (const late of Object.values(news)) {
      const after = advance(over, late, seconds(10))
      expect(after).toEqual({ call: over, answered: false, detected: false, ended: false })
      expect(after.call).toBe(over)
    }
    expect(stop(over, "hangup_local", seconds(11))).toBe(over)
  })
})

describe("reports that were lost on the way", () => {
  it("an answer shows that it rang", () => {
    const { answered, call } = advance(queued, news.Answered, seconds(4))
    expect(answered).toBe(true)
    expect(call).toMatchObject({ rangAt: seconds(4), answeredAt: seconds(4) })
  })

  it("a detection shows that it was answered", () => {
    expect(advance(dialing, { _tag: "Detected", answeredBy: "machine" }, seconds(4))).toMatchObject({
      answered: true,
      detected: true,
      call: { status: "in_progress", answeredAt: seconds(4), answeredBy: "machine" }
    })
  })

  it("an end with a conversation shows when it was answered", () => {
    expect(advance(dialing, ended("completed", { durationSeconds: 40 }), seconds(60))).toMatchObject({
      answered: true,
      ended: true,
      call: { answeredAt: seconds(20), rangAt: seconds(20), endedAt: seconds(60), durationSeconds: 40 }
    })
  })

  it("a conversation that is said to be longer than the call began with the call", () => {
    const { call } = advance(dialing, ended("completed", { durationSeconds: 600 }), seconds(60))
    expect(call).toMatchObject({ answeredAt: start, endedAt: seconds(60) })
    // Nobody answers before it rings, however a carrier rounds its seconds.
    const rounded = advance(ringing, ended("completed", { durationSeconds: 60 }), seconds(61)).call
    expect(rounded).toMatchObject({ rangAt: seconds(2), answeredAt: seconds(2), durationSeconds: 60 })
  })
})

describe("the instants of a call", () => {
  it("never lie before its start, whatever the carrier's clock says", () => {
    expect(advance(queued, news.Ringing, seconds(-90)).call.rangAt).toBe(start)
    expect(advance(queued, news.Answered, seconds(-90)).call.answeredAt).toBe(start)
    expect(advance(queued, news.busy, seconds(-90)).call.endedAt).toBe(start)
  })

  it("never lie before the step that came before them", () => {
    expect(advance(ringing, news.Answered, seconds(1)).call.answeredAt).toBe(seconds(2))
    expect(advance(ringing, news.no_answer, seconds(1)).call.endedAt).toBe(seconds(2))
    expect(advance(talking, news.completed, seconds(3)).call).toMatchObject({ endedAt: seconds(5), durationSeconds: 0 })
  })

  it("are those of the first report where one is repeated", () => {
    const once = advance(dialing, news.Ringing, seconds(2)).call
    expect(advance(once, news.Ringing, seconds(9)).call).toBe(once)
    const answered = advance(once, news.Answered, seconds(10)).call
    expect(advance(answered, news.Answered, seconds(12)).call).toBe(answered)
    expect(advance(answered, news.Ringing, seconds(12)).call).toBe(answered)
  })

  // Verifies: D-143.
  it("give the length of the conversation where the carrier does not count", () => {
    expect(advance(talking, news.completed, seconds(66)).call.durationSeconds).toBe(61)
    expect(advance(talking, ended("completed", { durationSeconds: 60 }), seconds(66)).call.durationSeconds).toBe(60)
    expect(advance(ringing, ended("busy", { durationSeconds: 3 }), seconds(66)).call.durationSeconds).toBe(0)
  })
})

describe("who answered", () => {
  // Verifies: D-141.
  it("is decided once", () => {
    const first = advance(talking, { _tag: "Detected", answeredBy: "unknown" }, seconds(6))
    expect(first).toMatchObject({ answered: false, detected: true, call: { answeredBy: "unknown" } })
    const second = advance(first.call, { _tag: "Detected", answeredBy: "machine" }, seconds(7))
    expect(second).toMatchObject({ detected: false, call: { answeredBy: "unknown" } })
  })
})

describe("why a call ended", () => {
  const wants = (call: Call, reason: StopReason) => stop(call, reason, seconds(8))

  it.each<[string, Call, CallNews, EndReason]>([
    ["the callee hangs up", talking, ended("completed", { by: "remote" }), "hangup_remote"],
    ["an answered call ends and nobody says who", talking, ended("completed"), "hangup_remote"],
    ["the carrier says that we hung up", talking, ended("completed", { by: "local" }), "hangup_local"],
    ["we hang up", wants(talking, "hangup_local"), ended("completed", { by: "local" }), "hangup_local"],
    ["the callee is faster", wants(talking, "hangup_local"), ended("completed", { by: "remote" }), "hangup_remote"],
    ["a message was left", { ...talking, messageAt: seconds(6) }, ended("completed"), "hangup_local"],
    ["credit ran out", wants(talking, "credits"), ended("completed"), "credits"],
    ["a late answer lost the race", wants(talking, "lost_race"), ended("completed"), "lost_race"],
    ["we cancel", wants(ringing, "hangup_local"), ended("canceled"), "hangup_local"],
    ["its number was listed", wants(ringing, "do_not_call"), ended("canceled"), "do_not_call"],
    ["the window closed", wants(ringing, "window_closed"), ended("canceled"), "window_closed"],
    ["another leg won", wants(ringing, "lost_race"), ended("canceled"), "lost_race"],
    ["the carrier cancelled on its own", ringing, ended("canceled"), "canceled"],
    ["the line was busy before our end arrived", wants(dialing, "window_closed"), ended("busy"), "busy"],
    ["it rang out before our end arrived", wants(ringing, "do_not_call"), ended("no_answer"), "no_answer"],
    ["it could not be connected", dialing, ended("failed"), "failed"]
  ])("%s", (_, call, last, reason) => {
    expect(advance(call, last, seconds(20)).call.endReason).toBe(reason)
  })

  it("is the first reason that our side had", () => {
    const once = stop(ringing, "window_closed", seconds(8))
    expect(stop(once, "do_not_call", seconds(9))).toBe(once)
    // The process that marks it asks the carrier at once; a worker does if that process dies.
    expect(once).toMatchObject({ stopReason: "window_closed", checkAt: seconds(13) })
  })

  it("rang where the carrier's record says so, also when the report of the ringing was lost", () => {
    const canceled = (rang?: boolean) =>
      advance(dialing, ended("canceled", rang === undefined ? {} : { rang }), seconds(9)).call.rangAt
    expect(canceled(true)).toBe(seconds(9))
    expect(canceled(false)).toBeNull()
    expect(canceled()).toBeNull()
    expect(advance(ringing, ended("canceled", { rang: false }), seconds(9)).call.rangAt).toBe(ringing.rangAt)
  })

  it("says why a failed call failed, and nothing of the kind about others", () => {
    expect(advance(dialing, ended("failed", { failure: "invalid_number" }), seconds(1)).call.failure).toBe(
      "invalid_number"
    )
    expect(advance(dialing, ended("failed"), seconds(1)).call.failure).toBe("provider_error")
    expect(advance(dialing, ended("busy", { failure: "invalid_number" }), seconds(1)).call.failure).toBeNull()
    expect(advance(talking, ended("failed", { failure: "invalid_number" }), seconds(9)).call.failure).toBeNull()
  })
})

describe("a call of which nothing more can be learnt", () => {
  it("is failed, with an unknown end, also where our side wanted it to end", () => {
    expect(closeUnknown(dialing, seconds(150))).toMatchObject({
      status: "failed",
      endReason: "unknown",
      endedAt: seconds(150),
      durationSeconds: 0,
      failure: null,
      checkAt: null
    })
    expect(closeUnknown(stop(ringing, "do_not_call", seconds(9)), seconds(150)).endReason).toBe("unknown")
  })

  it("keeps what is known of its conversation", () => {
    expect(closeUnknown(talking, seconds(65)).durationSeconds).toBe(60)
  })
})

// --- laws ------------------------------------------------------------------------------------------------------------

const anyNews: fc.Arbitrary<CallNews> = fc.oneof(
  fc.constantFrom<CallNews>(news.Queued, news.Dialing, news.Ringing, news.Answered),
  fc.record({
    _tag: fc.constant("Detected" as const),
    answeredBy: fc.constantFrom("human" as const, "machine" as const, "unknown" as const)
  }),
  fc.record({
    _tag: fc.constant("Ended" as const),
    status: fc.constantFrom<FinalStatus>("completed", "busy", "no_answer", "failed", "canceled"),
    failure: fc.constantFrom(null, "invalid_number" as const, "provider_error" as const),
    durationSeconds: fc.option(fc.nat({ max: 400 }), { nil: null }),
    by: fc.constantFrom(null, "remote" as const, "local" as const)
  })
)

type Happening =
  | { readonly _tag: "News"; readonly news: CallNews; readonly at: Instant.Instant }
  | { readonly _tag: "Stop"; readonly reason: StopReason; readonly at: Instant.Instant }

const at = fc.integer({ min: -300, max: 3000 }).map(seconds)

const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("News" as const), news: anyNews, at }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Stop" as const),
      reason: fc.constantFrom<StopReason>("hangup_local", "do_not_call", "window_closed", "lost_race", "credits"),
      at
    })
  }
)

/** Source: the table of docs/reference/telephony.md#call. A late answer that crossed our cancellation is completed. */
const statusesOf: Record<EndReason, ReadonlyArray<Call["status"]>> = {
  hangup_remote: ["completed"],
  hangup_local: ["completed", "canceled"],
  busy: ["busy"],
  no_answer: ["no_answer"],
  failed: ["failed", "canceled"],
  canceled: ["canceled"],
  do_not_call: ["canceled", "completed"],
  window_closed: ["canceled", "completed"],
  lost_race: ["canceled", "completed"],
  credits: ["completed", "canceled"],
  unknown: ["failed"]
}

const order = ["queued", "dialing", "ringing", "in_progress"]
const rankOf = (call: Call) => (isEnded(call) ? 4 : order.indexOf(call.status))

const live = (happenings: ReadonlyArray<Happening>, from: Call = queued) => {
  const steps: Array<{ readonly before: Call; readonly after: Call }> = []
  const flags = { answered: 0, detected: 0, ended: 0 }
  let call = from
  for (const happening of happenings) {
    const before = call
    if (happening._tag === "Stop") {
      call = stop(call, happening.reason, happening.at)
    } else {
      const moved = advance(call, happening.news, happening.at)
      call = moved.call
      for (const flag of ["answered", "detected", "ended"] as const) if (moved[flag]) flags[flag] += 1
    }
    steps.push({ before, after: call })
  }
  return { call, steps, flags }
}

const lives = fc.array(anyHappening, { maxLength: 12 })

describe("any life, as a law", () => {
  // Verifies: D-144, D-145.
  it("only moves forward, and changes nothing after its end", () => {
    fc.assert(
      fc.property(lives, (happenings) => {
        for (const { after, before } of live(happenings).steps) {
          expect(rankOf(after)).toBeGreaterThanOrEqual(rankOf(before))
          if (isEnded(before)) expect(after).toBe(before)
          if (before.answeredBy !== null) expect(after.answeredBy).toBe(before.answeredBy)
          if (before.stopReason !== null) expect(after.stopReason).toBe(before.stopReason)
        }
      })
    )
  })

  it("is answered, detected and ended at most once each, and each is reported exactly then", () => {
    fc.assert(
      fc.property(lives, (happenings) => {
        const { call, flags } = live(happenings)
        expect(flags).toEqual({
          answered: call.answeredAt === null ? 0 : 1,
          detected: call.answeredBy === null ? 0 : 1,
          ended: isEnded(call) ? 1 : 0
        })
      })
    )
  })

  it("has its instants in order: started, rang, answered, ended", () => {
    fc.assert(
      fc.property(lives, (happenings) => {
        const { answeredAt, endedAt, rangAt, startedAt } = live(happenings).call
        const instants = [startedAt, rangAt, answeredAt, endedAt].filter((one) => one !== null)
        expect(instants).toEqual([...instants].sort((one, other) => one - other))
      })
    )
  })

  it("is completed when it was answered, and never otherwise; without an answer it lasts no time", () => {
    fc.assert(
      fc.property(lives, (happenings) => {
        const { call } = live(happenings)
        expect(call.durationSeconds === null).toBe(!isEnded(call))
        expect(call.endReason === null).toBe(!isEnded(call))
        if (!isEnded(call)) return
        expect(call.status === "completed").toBe(call.answeredAt !== null)
        if (call.answeredAt === null) expect(call.durationSeconds).toBe(0)
        if (call.answeredAt !== null) expect(rang(call)).toBe(true)
      })
    )
  })

  it("is not changed by a report that comes twice", () => {
    fc.assert(
      fc.property(lives, anyNews, at, (happenings, again, when) => {
        const { call } = live(happenings)
        const once = advance(call, again, when).call
        expect(advance(once, again, when)).toEqual({ call: once, answered: false, detected: false, ended: false })
      })
    )
  })

  it("ends alike in whatever order a carrier's reports come, and however often", () => {
    const connected = fc.constantFrom<CallNews>(
      ended("busy"),
      ended("no_answer"),
      ended("failed", { failure: "invalid_number" }),
      ended("canceled")
    )
    const unanswered = connected.map((last): ReadonlyArray<CallNews> => [news.Queued, news.Dialing, news.Ringing, last])
    const answered = fc.constant<ReadonlyArray<CallNews>>([
      news.Dialing,
      news.Ringing,
      news.Answered,
      ended("completed", { durationSeconds: 30, by: "remote" })
    ])
    const reports = fc.oneof(unanswered, answered).chain((life) => {
      const reported = life.map((one, i): Happening => ({ _tag: "News", news: one, at: seconds(10 * (i + 1)) }))
      return fc.tuple(
        fc.constant(reported),
        fc.shuffledSubarray([...reported, ...reported], {
          minLength: reported.length * 2,
          maxLength: reported.length * 2
        })
      )
    })
    fc.assert(
      fc.property(reports, ([inOrder, disordered]) => {
        const { durationSeconds, endReason, failure, status } = live(inOrder).call
        expect(live(disordered).call).toMatchObject({ durationSeconds, endReason, failure, status })
      })
    )
  })

  // Verifies: D-142.
  it("has an end reason that its status allows, also when nothing can be learnt or there never was a call", () => {
    fc.assert(
      fc.property(lives, fc.constantFrom("advance", "unknown", "unplaced"), (happenings, way) => {
        const { call } = live(happenings)
        const over = isEnded(call)
          ? call
          : way === "unknown"
            ? closeUnknown(call, seconds(9000))
            : way === "unplaced"
              ? closeUnplaced(call, call.stopReason ?? "canceled", seconds(9000))
              : null
        if (over === null) return
        expect(statusesOf[over.endReason!]).toContain(over.status)
      })
    )
  })
})
