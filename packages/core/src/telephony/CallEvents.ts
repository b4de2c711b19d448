/** A call as receivers of its events see it, and which events a step of its life has. Pure. */

import { Money } from "../billing/index.ts"
import type { NewEvent, ProductEvent } from "../events/index.ts"
import { Instant } from "../kernel/index.ts"
import type { Advance, Call } from "./Call.ts"

const iso = (at: Instant.Instant | null): string | null => (at === null ? null : Instant.toIso(at))

/** The call's public fields under their wire names. Source: docs/telephony.md#call. */
export const publicFields = (call: Call) => ({
  id: call.id,
  campaign_id: call.campaignId,
  contact_id: call.contactId,
  attempt: call.attempt,
  bot_id: call.botId,
  from_number_id: call.fromNumberId,
  from: call.from,
  to: call.to,
  status: call.status,
  answered_by: call.answeredBy,
  burst_id: call.burstId,
  is_winner: call.isWinner,
  abandoned: call.abandoned,
  provider: call.provider,
  provider_call_id: call.providerCallId,
  started_at: Instant.toIso(call.startedAt),
  answered_at: iso(call.answeredAt),
  ended_at: iso(call.endedAt),
  duration_seconds: call.durationSeconds,
  end_reason: call.endReason,
  credits: Money.toNumber(call.credits),
  created_at: Instant.toIso(call.createdAt)
})

type CallEvent = Extract<ProductEvent, `call.${string}`>

const about = <Name extends CallEvent>(event: Name, call: Call) => ({
  event,
  tenantId: call.tenantId,
  botId: call.botId,
  data: publicFields(call)
})

export const started = (call: Call): NewEvent<"call.started"> => about("call.started", call)

/** The events of one step. Source: docs/telephony.md#events. */
export const eventsOf = ({
  call,
  detected,
  ended
}: Pick<Advance, "call" | "detected" | "ended">): ReadonlyArray<NewEvent<CallEvent>> => [
  ...(detected && call.detectMachine ? [about("call.amd_detected", call)] : []),
  ...(ended ? [about(call.status === "completed" ? "call.completed" : "call.failed", call)] : [])
]
