/** What voice sessions ask about their calls, answered from telephony's rows. Source: docs/reference/voice.md#leases. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeKnownCalls } from "../../calling/calls/index.ts"
import { Money } from "../../platform/billing/index.ts"
import { CallCosts, LiveCalls } from "../sessions/index.ts"
import type * as Ids from "../VoiceIds.ts"

const liveCalls = Layer.effect(
  LiveCalls,
  Effect.map(makeKnownCalls, (calls) => ({
    countAwaiting: calls.countAwaitingAgent,
    begin: calls.begin,
    giveUp: calls.giveUp,
    isUp: (callIds: ReadonlyArray<Ids.CallId>) =>
      Effect.map(
        Effect.forEach(callIds, (id) => calls.find(id)),
        (found) => new Set(found.flatMap((call) => (call === null || call.endedAt !== null ? [] : [call.id])))
      )
  }))
)

/** A call is paid for at its end: until then it has cost nothing. */
const callCosts = Layer.effect(
  CallCosts,
  Effect.map(makeKnownCalls, (calls) => ({
    find: (callId: Ids.CallId) =>
      Effect.map(calls.find(callId), (call) =>
        call === null || call.endedAt === null || call.answeredAt === null
          ? null
          : { credits: call.credits, minutes: Number(Money.startedMinutes(call.durationSeconds ?? 0)) }
      )
  }))
)

export const layer = Layer.merge(liveCalls, callCosts)
