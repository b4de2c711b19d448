/** What the connection of a call's sound may do to the call, as requests to Twilio. */
import { CarrierSilent, type NamedCall } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { toE164 } from "./E164.ts"
import type { TwilioSettings } from "./TwilioOptions.ts"
import { instruct, resumeUrl } from "./TwilioRequests.ts"
import { type Send, understood } from "./TwilioWire.ts"
import * as TwiML from "./TwiML.ts"

export interface CallControl {
  readonly end: (ref: NamedCall) => Effect.Effect<void, CarrierSilent>
  readonly goodbye: (ref: NamedCall, text: string, language: string) => Effect.Effect<void, CarrierSilent>
  /** False where the number cannot be dialed or the call is over. */
  readonly transfer: (ref: NamedCall, phone: string) => Effect.Effect<boolean, CarrierSilent>
}

interface ControlParts {
  readonly settings: TwilioSettings
  readonly send: Send
  /** The number that a call with this caller number comes from. */
  readonly caller: (from: string | null) => string | null
  readonly end: CallControl["end"]
}

export const callControl = ({ caller, end, send, settings }: ControlParts): CallControl => {
  /** Gives the call other instructions; false where it is over. */
  const give = Effect.fnUntraced(function* (sid: string, twiml: Result.Result<string, TwiML.TooLong>) {
    if (Result.isFailure(twiml)) return yield* new CarrierSilent({ detail: tooLong(twiml.failure) })
    return (yield* understood(yield* send(instruct(settings, sid, twiml.success)))) !== null
  })
  return {
    end,
    goodbye: ({ providerCallId }, text, language) => Effect.asVoid(give(providerCallId, TwiML.goodbye(text, language))),
    transfer: ({ callId, from, providerCallId }, phone) => {
      const to = toE164(phone, caller(from))
      const transfer = { to: to ?? "", from: caller(from), resumeUrl: resumeUrl(settings, callId) }
      return to === null ? Effect.succeed(false) : give(providerCallId, TwiML.transferring(transfer))
    }
  }
}

/** Why instructions are not sent. */
export const tooLong = ({ length }: TwiML.TooLong): string =>
  `the instructions are ${length} characters long, of which the carrier takes ${TwiML.maxLength}`
