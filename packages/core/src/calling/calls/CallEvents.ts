/** A call as receivers of its events see it, and which events a step of its life has. Pure. */
import * as Schema from "effect/Schema"
import { Money } from "../../platform/billing/index.ts"
import type { EventOf } from "../../platform/events/index.ts"
import { type Advance, type Call, CallRecord } from "./Call.ts"
import type { callEvents, callStarted } from "./CallEventEntries.ts"
import { notedOutcome } from "./NotedOutcome.ts"

const priced = (call: Call) => ({ ...call, credits: Money.toNumber(call.credits) })

/** The call's public fields for promises, with its price in credits. Source: docs/reference/telephony.md#call. */
export const shownOf = (call: Call) => ({ ...CallRecord.shown(priced(call)), outcome: notedOutcome(call) })

/** The same as answers have it. */
export const callBody = (call: Call) => ({ ...recordOf(call), outcome: notedOutcome(call) })

/** What events have of a call, under the names of the wire. */
export const recordOf = (call: Call) => CallRecord.toWire(priced(call))

const encode = Schema.encodeSync(CallRecord.schema)

/** The same with instants as text, as events carry it. */
export const publicFields = (call: Call) => encode(recordOf(call))

type CallEvent = EventOf<(typeof callEvents)[number]>

const about = <Name extends CallEvent["event"]>(event: Name, call: Call) => ({
  event,
  tenantId: call.tenantId,
  botId: call.botId,
  data: publicFields(call)
})

export const started = (call: Call): EventOf<typeof callStarted> => about("call.started", call)

/** The events of one step. Source: docs/reference/telephony.md#events. */
export const eventsOf = ({
  call,
  detected,
  ended
}: Pick<Advance, "call" | "detected" | "ended">): ReadonlyArray<CallEvent> => [
  ...(detected && call.detectMachine ? [about("call.amd_detected", call)] : []),
  ...(ended ? [about(call.status === "completed" ? "call.completed" : "call.failed", call)] : [])
]
