/** Why nothing is dialed: docs/reference/campaigns.md#waiting-for. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { CampaignState } from "../../../src/calling/campaigns/Campaign.ts"
import { startedBy } from "../../../src/calling/campaigns/CampaignProgress.ts"
import {
  type AdmissionForecast,
  type HoldReason,
  holdReason,
  isFinished,
  linesOf,
  recheckAt,
  type Situation
} from "../../../src/calling/campaigns/DialPlan.ts"
import { seconds, start } from "../calls/SampleCall.ts"
import { campaignStatusesButRunning, runningCampaign } from "./SampleCampaign.ts"

const campaign: CampaignState = { ...runningCampaign, dialMode: "power", paceSeconds: 30, lastDialAt: seconds(-30) }

/** Nothing holds it up. */
const free: Situation & AdmissionForecast = {
  campaign,
  accountOpen: true,
  maySpend: true,
  affordable: true,
  agentRefusal: null,
  carrierBusyUntil: null,
  openCalls: 0,
  due: 1,
  pendingApproval: 0,
  nextRetryAt: null
}

const with_ =
  (fields: Partial<CampaignState>) =>
  (situation: typeof free): typeof free => ({
    ...situation,
    campaign: { ...situation.campaign, ...fields }
  })

/** What makes each reason hold, in the order of the reference. */
const causes: ReadonlyArray<readonly [HoldReason, (situation: typeof free) => typeof free]> = [
  ["not_running", with_({ status: "paused" })],
  ["account", (situation) => ({ ...situation, accountOpen: false })],
  ["credits", (situation) => ({ ...situation, affordable: false })],
  ["provider", (situation) => ({ ...situation, carrierBusyUntil: seconds(4) })],
  ["window", with_({ quietHoursStart: 0, quietHoursEnd: 1 })],
  ["approval", (situation) => ({ ...with_({ dialMode: "preview" })(situation), due: 0, pendingApproval: 3 })],
  ["lines", (situation) => ({ ...situation, openCalls: 1 })],
  ["pace", with_({ lastDialAt: seconds(-29) })],
  ["nothing_due", (situation) => ({ ...situation, due: 0, nextRetryAt: seconds(900) })]
]

describe("what a campaign waits for", () => {
  it("is nothing when the next call may start", () => {
    expect(holdReason(free, start)).toBeNull()
  })

  it.each(causes)("is %s when that alone applies", (reason, cause) => {
    expect(holdReason(cause(free), start)?.reason).toBe(reason)
  })

  // Verifies: D-87, D-88.
  it("is the first that applies, in the order of the reference", () => {
    const indices = fc.uniqueArray(fc.nat({ max: causes.length - 1 }), { minLength: 1 })
    fc.assert(
      fc.property(indices, (chosen) => {
        // Pace is a rule of power mode, approval one of preview mode: they never hold together.
        const names = chosen.map((i) => causes[i]![0])
        fc.pre(!(names.includes("approval") && (names.includes("pace") || names.includes("nothing_due"))))
        const situation = [...chosen].sort((a, b) => b - a).reduce((so, i) => causes[i]![1](so), free)
        expect(holdReason(situation, start)?.reason).toBe(causes[Math.min(...chosen)]![0])
      })
    )
  })

  it.each(campaignStatusesButRunning)("is not_running while %s, until its time if it is scheduled", (status) => {
    const scheduled = with_({ status, scheduledAt: seconds(600) })(free)
    expect(holdReason(scheduled, start)).toEqual({
      reason: "not_running",
      until: status === "scheduled" ? seconds(600) : null
    })
  })

  // Verifies: D-87, D-88.
  it("says until when, where that is known", () => {
    const until = (reason: HoldReason) => {
      const cause = causes.find(([name]) => name === reason)![1]
      return holdReason(cause(free), start)!.until
    }
    expect(until("account")).toBeNull()
    expect(until("credits")).toBeNull()
    expect(until("provider")).toBe(seconds(4))
    // The window is that of UTC, 0 to 1 h: it is 06:30.
    expect(until("window")).toBe(seconds((17 * 60 + 30) * 60))
    expect(until("approval")).toBeNull()
    expect(until("lines")).toBeNull()
    expect(until("pace")).toBe(seconds(1))
    expect(until("nothing_due")).toBe(seconds(900))
  })

  it("is no longer the carrier or the pace once their time has come", () => {
    expect(holdReason({ ...free, carrierBusyUntil: start }, start)).toBeNull()
    expect(holdReason(with_({ lastDialAt: seconds(-30) })(free), start)).toBeNull()
    expect(holdReason(with_({ lastDialAt: null })(free), start)).toBeNull()
  })

  it("is the pace in power mode alone", () => {
    for (const dialMode of ["preview", "parallel"] as const) {
      expect(holdReason(with_({ dialMode, lastDialAt: seconds(-1) })(free), start)).toBeNull()
    }
  })

  it("is approval only in preview mode, when nobody is approved and somebody waits", () => {
    const preview = with_({ dialMode: "preview" })(free)
    expect(holdReason({ ...preview, due: 1, pendingApproval: 3 }, start)).toBeNull()
    expect(holdReason({ ...preview, due: 0, pendingApproval: 0 }, start)?.reason).toBe("nothing_due")
    expect(holdReason({ ...free, due: 0, pendingApproval: 3 }, start)?.reason).toBe("nothing_due")
  })

  it("is a line of any mode while the last call, or one leg of the last parallel dial, is not over", () => {
    for (const dialMode of ["preview", "power", "parallel"] as const) {
      expect(holdReason({ ...with_({ dialMode, parallelLines: 5 })(free), openCalls: 1 }, start)?.reason).toBe("lines")
    }
  })
})

describe("how many calls start at once", () => {
  it("is the number of lines in parallel mode, and one otherwise", () => {
    expect(linesOf({ ...campaign, dialMode: "parallel", parallelLines: 5 })).toBe(5)
    expect(linesOf({ ...campaign, dialMode: "power", parallelLines: 1 })).toBe(1)
    expect(linesOf({ ...campaign, dialMode: "preview", parallelLines: 1 })).toBe(1)
  })
})

describe("a campaign that is finished", () => {
  it.each([
    [0, 0, 0, false],
    [3, 0, 0, false],
    [3, 1, 1, false],
    [3, 3, 0, true],
    [3, 0, 3, true],
    [3, 2, 1, true]
  ])("of %i contacts %i done and %i failed: %s", (totalContacts, completedContacts, failedContacts, finished) => {
    expect(isFinished({ ...campaign, totalContacts, completedContacts, failedContacts })).toBe(finished)
  })
})

describe("when the dialer looks again", () => {
  it("is when the reason ends by itself, soon where another process may end it, and else when something happens", () => {
    const at = (reason: HoldReason, until = seconds(99)) => recheckAt({ reason, until }, start)
    expect(at("account")).toBe(seconds(5))
    expect(at("not_running")).toBeNull()
    expect(at("credits")).toBeNull()
    expect(at("lines")).toBeNull()
    for (const reason of ["provider", "window", "approval", "pace", "nothing_due"] as const)
      expect(at(reason)).toBe(seconds(99))
  })
})

describe("the start from which the pace counts", () => {
  it("is that of a call that was placed later than planned, and never an earlier one", () => {
    const planned = { ...campaign, lastDialAt: seconds(0) }
    expect(startedBy(planned, { startedAt: seconds(20) }).lastDialAt).toBe(seconds(20))
    expect(startedBy(planned, { startedAt: seconds(-20) }).lastDialAt).toBe(seconds(0))
    expect(startedBy({ ...campaign, lastDialAt: null }, { startedAt: seconds(5) }).lastDialAt).toBe(seconds(5))
  })
})
