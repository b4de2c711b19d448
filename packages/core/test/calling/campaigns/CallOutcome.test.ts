/** What the end of a call means for its contact: docs/reference/campaigns.md#retry. */
import { describe, expect, it } from "vitest"
import type { Call } from "../../../src/calling/calls/index.ts"
import { outcomeOf, unplacedOutcome } from "../../../src/calling/campaigns/CallOutcome.ts"
import type { Outcome } from "../../../src/calling/campaigns/ContactLifecycle.ts"
import { Ids } from "../../../src/platform/kernel/index.ts"
import { queued, seconds, talking } from "../calls/SampleCall.ts"

const rang = { rangAt: seconds(2) }
const leg = { burstId: Ids.as<"Burst">("01936f00-0000-7000-8000-000000000009") }
const completed: Call = {
  ...talking,
  status: "completed",
  endReason: "hangup_remote",
  endedAt: seconds(20),
  durationSeconds: 15
}
const detected = { ...completed, detectMachine: true }
const machine = { ...detected, answeredBy: "machine" as const }
const left = { ...machine, messageAt: seconds(7), endReason: "hangup_local" as const }
const over = (status: Call["status"], more: Partial<Call> = {}): Call => ({ ...queued, status, ...more })

describe("a call that ended", () => {
  it.each<[string, Call, Outcome]>([
    ["answered", completed, { _tag: "Answered" }],
    ["answered, whoever it was, without detection", { ...completed, answeredBy: "machine" }, { _tag: "Answered" }],
    ["answered by a human", { ...detected, answeredBy: "human" }, { _tag: "Answered" }],
    ["answered by nobody knows whom", { ...detected, answeredBy: "unknown" }, { _tag: "Answered" }],
    ["answered and over before detection", detected, { _tag: "Answered" }],
    ["cut for want of credit", { ...completed, endReason: "credits", stopReason: "credits" }, { _tag: "Answered" }],
    ["a machine without a message", machine, { _tag: "MachineHungUp" }],
    ["a machine with a message", left, { _tag: "MachineMessageLeft" }],
    ["a message that the winner cut", { ...left, ...leg, stopReason: "lost_race" }, { _tag: "MachineHungUp" }],
    ["a message that a person cut", { ...left, stopReason: "hangup_local" }, { _tag: "MachineHungUp" }],
    ["a message to a machine of a parallel dial", { ...left, ...leg }, { _tag: "MachineMessageLeft" }],
    ["the winner of a parallel dial", { ...completed, ...leg, isWinner: true }, { _tag: "Answered" }],
    ["answered after the winner", { ...completed, ...leg, abandoned: true }, { _tag: "LostRace", rang: true }],
    ["busy", over("busy", rang), { _tag: "Busy" }],
    ["no answer", over("no_answer", rang), { _tag: "NoAnswer" }],
    [
      "listed while ringing",
      over("canceled", { ...rang, endReason: "do_not_call" }),
      { _tag: "Suppressed", rang: true }
    ],
    ["listed before it rang", over("canceled", { endReason: "do_not_call" }), { _tag: "Suppressed", rang: false }],
    [
      "window closed, rang",
      over("canceled", { ...rang, endReason: "window_closed" }),
      { _tag: "WindowClosed", rang: true }
    ],
    ["window closed before", over("canceled", { endReason: "window_closed" }), { _tag: "WindowClosed", rang: false }],
    ["lost the race, rang", over("canceled", { ...rang, endReason: "lost_race" }), { _tag: "LostRace", rang: true }],
    ["lost the race before", over("canceled", { endReason: "lost_race" }), { _tag: "LostRace", rang: false }],
    [
      "hung up by a person, rang",
      over("canceled", { ...rang, endReason: "hangup_local" }),
      { _tag: "Canceled", rang: true }
    ],
    ["hung up before", over("canceled", { endReason: "hangup_local" }), { _tag: "Canceled", rang: false }],
    [
      "cancelled by the carrier",
      over("canceled", { ...rang, endReason: "canceled" }),
      { _tag: "Canceled", rang: true }
    ],
    ["not connected", over("failed", { failure: "provider_error" }), { _tag: "ProviderError" }],
    ["an invalid number", over("failed", { failure: "invalid_number" }), { _tag: "InvalidNumber" }],
    ["a blocked number", over("failed", { failure: "blocked_number" }), { _tag: "BlockedNumber" }],
    ["unproven", over("failed", { ...rang, endReason: "unknown" }), { _tag: "OutcomeUnknown" }]
  ])("%s", (_, call, outcome) => {
    expect(outcomeOf(call)).toEqual(outcome)
  })
})

describe("a call that was never placed", () => {
  it.each<[string, Partial<Call>, Outcome]>([
    ["throttled or refused for our sake", { endReason: "failed" }, { _tag: "NeverPlaced" }],
    ["unknown to the carrier", { endReason: "canceled" }, { _tag: "NeverPlaced" }],
    [
      "listed at the last look",
      { endReason: "do_not_call", stopReason: "do_not_call" },
      { _tag: "Suppressed", rang: false }
    ],
    [
      "listed meanwhile, and throttled",
      { endReason: "failed", stopReason: "do_not_call" },
      { _tag: "Suppressed", rang: false }
    ],
    [
      "window closed meanwhile",
      { endReason: "window_closed", stopReason: "window_closed" },
      { _tag: "WindowClosed", rang: false }
    ],
    [
      "window closed meanwhile, and throttled",
      { endReason: "failed", stopReason: "window_closed" },
      { _tag: "WindowClosed", rang: false }
    ],
    [
      "lost the race meanwhile, and throttled",
      { endReason: "failed", stopReason: "lost_race" },
      { _tag: "LostRace", rang: false }
    ],
    ["hung up meanwhile", { endReason: "hangup_local", stopReason: "hangup_local" }, { _tag: "Canceled", rang: false }]
  ])("%s", (_, more, outcome) => {
    expect(unplacedOutcome(over("canceled", more))).toEqual(outcome)
  })
})
