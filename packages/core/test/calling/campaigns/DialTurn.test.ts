/** Whom the dialer dials, and what follows: docs/reference/campaigns.md#modes. */
import { describe, expect, it } from "vitest"
import type { Refusal } from "../../../src/calling/calls/index.ts"
import type { CampaignState } from "../../../src/calling/campaigns/Campaign.ts"
import type { CampaignContact } from "../../../src/calling/campaigns/CampaignContact.ts"
import type { Situation } from "../../../src/calling/campaigns/DialPlan.ts"
import {
  admissionOf,
  afterAdmission,
  afterFailure,
  afterPlan,
  beginTurn,
  planTurn,
  planVisit,
  requestOf
} from "../../../src/calling/campaigns/DialTurn.ts"
import { Ids } from "../../../src/platform/kernel/index.ts"
import { PhoneNumber } from "../../../src/platform/numbers/index.ts"
import { queued, seconds, start } from "../calls/SampleCall.ts"
import { runningCampaign } from "./SampleCampaign.ts"

const campaign: CampaignState = { ...runningCampaign, dialMode: "parallel", parallelLines: 3, nextDialAt: start }
const burstId = Ids.as<"Burst">("01936f00-0000-7000-8000-0000000000b0")

const contactAt = (seq: number, fields: Partial<CampaignContact> = {}): CampaignContact => ({
  id: Ids.as(`01936f00-0000-7000-8000-0000000001${String(seq).padStart(2, "0")}`),
  tenantId: campaign.tenantId,
  campaignId: campaign.id,
  seq,
  phone: `+91 98765 4321${seq}`,
  matchKey: PhoneNumber.usable(`+91 98765 4321${seq}`)!.key,
  name: null,
  status: "pending",
  attempts: 0,
  nextAttemptAt: null,
  approvedAt: null,
  approvedBy: null,
  skippedAt: null,
  lastError: null,
  callId: null,
  createdAt: start,
  ...fields
})

const [a, b, c] = [contactAt(0), contactAt(1), contactAt(2)]

const situation: Situation = {
  campaign,
  accountOpen: true,
  openCalls: 0,
  due: 3,
  pendingApproval: 0,
  nextRetryAt: null
}

const turn = beginTurn(campaign, { burstId, awaitsAgent: false })
const admitted = afterAdmission(turn, a, { _tag: "Admitted", call: queued }, start)

describe("a campaign whose time has come", () => {
  it("is not changed when another process was faster, or when it is gone", () => {
    expect(planVisit(null, start)).toBeNull()
    expect(planVisit({ ...campaign, nextDialAt: null }, start)).toBeNull()
    expect(planVisit({ ...campaign, nextDialAt: seconds(1) }, start)).toBeNull()
  })

  it("starts at its scheduled time and says so", () => {
    const scheduled: CampaignState = { ...campaign, status: "scheduled", scheduledAt: start }
    expect(planVisit(scheduled, start)).toMatchObject({
      dials: true,
      campaign: { status: "running", updatedAt: start },
      events: [{ event: "campaign.started" }]
    })
    expect(planVisit({ ...scheduled, scheduledAt: seconds(60) }, start)).toMatchObject({
      dials: false,
      campaign: { status: "scheduled", nextDialAt: seconds(60) },
      events: []
    })
  })

  it("completes when nobody is left, and dials nobody", () => {
    expect(planVisit({ ...campaign, completedContacts: 2, failedContacts: 1 }, start)).toMatchObject({
      dials: false,
      campaign: { status: "completed", nextDialAt: null },
      events: [{ event: "campaign.completed" }]
    })
  })

  it("is paused with the reason where there is no clock for its zone", () => {
    expect(planVisit({ ...campaign, timezone: "Mars/Olympus" }, start)).toMatchObject({
      dials: false,
      campaign: { status: "paused", nextDialAt: null },
      events: [{ event: "campaign.failed", data: { reason: "timezone_unknown" } }],
      fault: expect.stringContaining("Mars/Olympus")
    })
  })

  it("sleeps until somebody sets it running again", () => {
    for (const status of ["draft", "paused", "insufficient_balance", "completed", "cancelled"] as const)
      expect(planVisit({ ...campaign, status }, start)).toMatchObject({ dials: false, campaign: { nextDialAt: null } })
  })
})

describe("a plan", () => {
  it("dials as many due contacts as there are lines, in their order", () => {
    const { decisions } = planTurn(turn, { contacts: [a, b, c, contactAt(3)], situation }, start)
    expect(decisions.map(({ _tag, contact }) => [_tag, contact.seq])).toEqual([
      ["Dial", 0],
      ["Dial", 1],
      ["Dial", 2]
    ])
  })

  it("fails contacts whose attempts are used up", () => {
    const { decisions } = planTurn(turn, { contacts: [contactAt(0, { attempts: 3 }), b], situation }, start)
    expect(decisions.map(({ _tag }) => _tag)).toEqual(["Fail", "Dial"])
  })

  it("dials nobody while the campaign has to wait, and returns until when", () => {
    const held = planTurn(turn, { contacts: [a], situation: { ...situation, accountOpen: false } }, start)
    expect(held.decisions).toEqual([])
    expect(held.turn).toMatchObject({ isOver: true, campaign: { nextDialAt: seconds(5) } })
  })

  it("fills the lines of a parallel dial that has begun, although its own calls are open", () => {
    const open = { ...situation, openCalls: 1 }
    const { decisions } = planTurn(admitted.turn, { contacts: [b, c, contactAt(3)], situation: open }, start)
    expect(decisions.map(({ contact }) => contact.seq)).toEqual([1, 2])
  })
})

describe("a request for admission", () => {
  it("carries the settings of the campaign and the number of the attempt", () => {
    const fields = { ...campaign, amdEnabled: true, quietHoursStart: 0, quietHoursEnd: 12 }
    const request = requestOf({ ...turn, campaign: fields }, contactAt(0, { attempts: 1 }), start)
    expect(request).toMatchObject({ attempt: 2, burstId, detectMachine: true, windowClosesAt: seconds(5.5 * 3600) })
  })

  it("waits for any start slot from the second leg on", () => {
    expect(admissionOf(turn)).toEqual({ waitForSlot: "within a second" })
    expect(admissionOf(admitted.turn)).toEqual({ waitForSlot: "any" })
  })
})

describe("after admission", () => {
  it("the contact is calling, and the campaign sleeps until a call ends", () => {
    expect(admitted.contact).toMatchObject({ status: "calling", callId: queued.id, nextAttemptAt: null })
    expect(admitted.turn).toMatchObject({
      calls: [queued],
      isOver: false,
      campaign: { lastDialAt: queued.startedAt, nextDialAt: null }
    })
  })

  it("a full carrier ends the turn, until it is free or a call has ended", () => {
    const deferred = { _tag: "Deferred", until: seconds(4) } as const
    expect(afterAdmission(turn, a, deferred, start)).toMatchObject({
      contact: null,
      turn: { isOver: true, campaign: { nextDialAt: seconds(4) } }
    })
    expect(afterAdmission(admitted.turn, b, deferred, start).turn.campaign.nextDialAt).toBeNull()
  })

  it("a suppressed number fails its contact without an attempt, and the turn goes on", () => {
    const { contact, turn: after } = afterAdmission(turn, a, { _tag: "Refused", reason: "suppressed" }, start)
    expect(contact).toMatchObject({ status: "failed", attempts: 0, lastError: "do_not_call" })
    expect(after).toMatchObject({ isOver: false, skipped: 1, campaign: { failedContacts: 1 } })
  })

  // Verifies: D-296.
  it("a text that is no number fails its contact without an attempt, and the turn goes on", () => {
    const { contact, turn: after } = afterAdmission(turn, a, { _tag: "Refused", reason: "number" }, start)
    expect(contact).toMatchObject({ status: "failed", attempts: 0, lastError: "invalid_number" })
    expect(after).toMatchObject({ isOver: false, skipped: 1, campaign: { failedContacts: 1 } })
  })

  it.each<readonly [Exclude<Refusal, "number" | "suppressed">, Partial<CampaignState>]>([
    ["credits", { status: "insufficient_balance", nextDialAt: null }],
    ["monthly_budget", { status: "insufficient_balance", nextDialAt: null }],
    ["payment", { status: "insufficient_balance", nextDialAt: null }],
    ["caller", { status: "running", refusals: 1, nextDialAt: seconds(10) }],
    ["account", { status: "running", nextDialAt: seconds(10) }],
    ["feature", { status: "running", nextDialAt: seconds(10) }]
  ])("a refusal because of %s ends the turn and leaves the contact as it is", (reason, expected) => {
    const step = afterAdmission(turn, a, { _tag: "Refused", reason }, start)
    expect(step.contact).toBeNull()
    expect(step.turn).toMatchObject({ isOver: true, campaign: expected })
  })

  it("the third missing caller number in a row pauses the campaign with its event", () => {
    const refused = { ...turn, campaign: { ...campaign, refusals: 2 } }
    expect(afterAdmission(refused, a, { _tag: "Refused", reason: "caller" }, start).turn).toMatchObject({
      campaign: { status: "paused" },
      events: [{ event: "campaign.failed", data: { reason: "caller_number_missing" } }]
    })
  })
})

describe("after a plan", () => {
  it("lines that failed contacts left free go to the next on the list", () => {
    expect(afterPlan(turn, afterFailure(turn, a).turn, start).isOver).toBe(false)
    expect(afterPlan(turn, admitted.turn, start).isOver).toBe(true)
  })

  it("the turn ends after a hundred failed contacts, and goes on at once", () => {
    const many = { ...turn, skipped: 100 }
    expect(afterPlan(turn, many, start)).toMatchObject({ isOver: true, campaign: { nextDialAt: start } })
    expect(afterPlan(turn, { ...turn, skipped: 99 }, start).isOver).toBe(false)
  })
})
