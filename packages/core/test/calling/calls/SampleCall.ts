/** A call to begin a test with. */

import type { Call } from "../../../src/calling/calls/index.ts"
import { Ids, Instant } from "../../../src/platform/kernel/index.ts"
import { PhoneNumber } from "../../../src/platform/numbers/index.ts"

export const start = Instant.parse("2026-11-21T06:30:00Z")!

export const seconds = (count: number): Instant.Instant => Instant.plus(start, count * Instant.second)

/** Committed and not yet asked for. */
export const queued: Call = {
  id: Ids.as("01936f00-0000-7000-8000-000000000001"),
  tenantId: Ids.as("01936f00-0000-7000-8000-000000000002"),
  campaignId: Ids.as("01936f00-0000-7000-8000-000000000003"),
  contactId: Ids.as("01936f00-0000-7000-8000-000000000004"),
  attempt: 1,
  botId: null,
  fromNumberId: null,
  from: "+14155550100",
  to: "+1 415 555 0101",
  toKey: PhoneNumber.usable("+1 415 555 0101")!.key,
  status: "queued",
  answeredBy: null,
  burstId: null,
  isWinner: false,
  abandoned: false,
  provider: "fake",
  providerCallId: null,
  startedAt: start,
  rangAt: null,
  answeredAt: null,
  endedAt: null,
  durationSeconds: null,
  endReason: null,
  failure: null,
  voiceSessionId: null,
  credits: 0n,
  createdAt: start,
  detectMachine: false,
  voicemailTemplateId: null,
  windowClosesAt: null,
  mediaToken: null,
  awaitsAgent: false,
  stopReason: null,
  messageAt: null,
  paidUntil: null,
  lookUps: 0,
  firstLookUpAt: null,
  silentSince: null,
  outcome: null,
  outcomeNote: null,
  outcomeBy: null,
  outcomeByName: null,
  outcomeAt: null,
  endRequests: 0,
  lookUpAt: seconds(15),
  checkAt: seconds(15)
}

export const dialing: Call = { ...queued, status: "dialing", providerCallId: "C1" }
export const ringing: Call = { ...dialing, status: "ringing", rangAt: seconds(2) }
export const talking: Call = { ...ringing, status: "in_progress", answeredAt: seconds(5), paidUntil: seconds(65) }
