/** Reads Twilio's callbacks of a call. Which call it is stands in the callback's address, since the sid may not be known yet. */
import { CallbackRefused, type CallNews, type CallReport, Ids, type Instant } from "@trunkline/core/provider"
import * as Result from "effect/Result"
import { answeredBy, instantOf, newsOf } from "./TwilioRecord.ts"
import type { About } from "./TwilioRequests.ts"
import type { Fields } from "./TwilioSignature.ts"

/**
 * One callback as a report. Callbacks come late, twice and in any order; `SequenceNumber` is not needed, because a
 * call only ever moves forwards by a report. `now` stands in where the callback has no time of its own.
 */
export const readCallback = (
  query: URLSearchParams,
  form: Fields,
  now: Instant.Instant
): Result.Result<CallReport, CallbackRefused> => {
  const fields = new Map(form)
  const callId = query.get("call_id")?.toLowerCase() ?? ""
  const sid = fields.get("CallSid") ?? ""
  if (!Ids.isUuid(callId)) return malformed("call_id is no UUID")
  if (sid === "") return malformed("CallSid is missing")
  return Result.map(newsIn(query.get("about"), fields), (news) => ({
    callId: Ids.as<"Call">(callId),
    providerCallId: sid,
    at: instantOf(fields.get("Timestamp")) ?? now,
    news
  }))
}

const newsIn = (
  about: string | null,
  fields: ReadonlyMap<string, string>
): Result.Result<CallNews, CallbackRefused> => {
  switch (about as About | null) {
    case "status": {
      const status = fields.get("CallStatus") ?? ""
      const news = newsOf(status, {
        duration: fields.get("CallDuration"),
        code: fields.get("ErrorCode"),
        sip: fields.get("SipResponseCode")
      })
      return news === undefined ? malformed(`CallStatus ${quoted(status)}`) : Result.succeed(news)
    }
    case "detection": {
      const word = fields.get("AnsweredBy") ?? ""
      const by = answeredBy(word)
      return by === undefined
        ? malformed(`AnsweredBy ${quoted(word)}`)
        : Result.succeed({ _tag: "Detected", answeredBy: by })
    }
    default:
      return Result.fail(
        new CallbackRefused({ reason: "unsupported", detail: `a callback about ${quoted(about ?? "")}` })
      )
  }
}

const malformed = (detail: string) => Result.fail(new CallbackRefused({ reason: "malformed", detail }))

const quoted = (text: string): string => JSON.stringify(text.slice(0, 40))
