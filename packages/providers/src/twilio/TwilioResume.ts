/** Answers a call that asks what to do next: its stream has ended, or the person to whom it was transferred. */
import { type CallbackAnswer, CallbackRefused, type CallMedia, Ids, tracedFn } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { TwilioSettings } from "./TwilioOptions.ts"
import { agentStream } from "./TwilioRequests.ts"
import type { Fields } from "./TwilioSignature.ts"
import * as TwiML from "./TwiML.ts"

/** States of a transferred call whose conversation with the person is over. */
const transferred = new Set(["completed", "answered"])

const replying = (body: string): CallbackAnswer => ({ reports: [], reply: { contentType: "text/xml", body } })

/** Connects the call to its agent again, where the agent wants it; else the call is hung up. Source: docs/reference/telephony.md#media. */
export const resume = tracedFn("Twilio.resume")(function* (
  settings: TwilioSettings,
  media: CallMedia,
  query: URLSearchParams,
  form: Fields
) {
  const given = query.get("call_id")?.toLowerCase() ?? ""
  if (!Ids.isUuid(given)) return yield* new CallbackRefused({ reason: "malformed", detail: "call_id is no UUID" })
  const callId = Ids.as<"Call">(given)
  const dialed = new Map(form).get("DialCallStatus")
  if (dialed !== undefined && transferred.has(dialed)) return replying(TwiML.hangup)
  const isWanted = yield* media.mayResume(callId, dialed === undefined ? "lost" : "unanswered")
  const token = isWanted ? yield* newToken(media, callId) : null
  if (token === null) return replying(TwiML.hangup)
  return replying(Result.getOrElse(TwiML.connecting(agentStream(settings, callId, token)), () => TwiML.hangup))
})

const newToken = (media: CallMedia, callId: Ids.CallId) =>
  Effect.catch(media.newToken(callId), (error) => Effect.as(Effect.logError("resuming a call", callId, error), null))
