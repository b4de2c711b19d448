/** The carrier `twilio`: the port's verbs as requests to Twilio's API, or to another server that speaks it. */
import type { TelephonyProvider } from "@trunkline/core"
import {
  type Callback,
  CallbackRefused,
  CallMedia,
  type CallRef,
  CallRefused,
  Carrier,
  CarrierSilent,
  type CarrierTraits,
  type EndOptions,
  type Found,
  Instant,
  type NamedCall,
  type Permit,
  telephonyProvider,
  tracedFn,
  type VoicemailMessage
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { makeBoundedHttp } from "../http/index.ts"
import { callControl, tooLong } from "./CallControl.ts"
import { toE164 } from "./E164.ts"
import { readCallback } from "./TwilioCallbacks.ts"
import * as TwilioErrors from "./TwilioErrors.ts"
import { listed, named, recognized } from "./TwilioLookUp.ts"
import { mediaRoute } from "./TwilioMedia.ts"
import { type InvalidTwilioOptions, type TwilioOptions, type TwilioSettings, twilioSettings } from "./TwilioOptions.ts"
import * as TwilioRecord from "./TwilioRecord.ts"
import * as TwilioRequests from "./TwilioRequests.ts"
import { resume } from "./TwilioResume.ts"
import { formFields, isForm, signatureForm, signatureHeader, verify } from "./TwilioSignature.ts"
import { isStale, makeSend, understood } from "./TwilioWire.ts"
import * as TwiML from "./TwiML.ts"

/** Share of the granted rate that is used, so that what jitter moves together does not wait in the provider's queue. */
const paceShare = 0.9

const refused = (reason: TwilioErrors.Reason, detail: string): CallRefused =>
  new CallRefused({ reason, detail, retryAfterMs: null })

const traitsOf = ({ callsPerSecond, defaultFrom }: TwilioSettings): CarrierTraits => ({
  name: "twilio",
  startsPerSecond: callsPerSecond * paceShare,
  needsCaller: true,
  defaultFrom,
  proof: { lookUps: 3, overMs: 2 * Instant.minute },
  // The end of a phone that rings must be reported by then, delivery and the provider's buffer included.
  silenceMs: (TwilioRequests.ringSeconds + 120) * Instant.second,
  callbacks: { proof: { header: signatureHeader, form: signatureForm } }
})

const make = Effect.fnUntraced(function* (settings: TwilioSettings) {
  const http = yield* Effect.acquireRelease(
    Effect.sync(() => makeBoundedHttp()),
    ({ close }) => Effect.promise(close)
  )
  const send = makeSend(settings, http)
  const media = yield* CallMedia
  const run = yield* FiberSet.makeRuntime<never, void, never>()

  const caller = (from: string | null): string | null =>
    from === null ? settings.defaultFrom : toE164(from, settings.defaultFrom)

  const place = tracedFn("Twilio.place")(function* (permit: Permit) {
    const from = caller(permit.from)
    if (from === null) return yield* refused("configuration", "there is no caller number that can be dialed from")
    const to = toE164(permit.to, from)
    if (to === null) return yield* refused("invalid_number", "the number cannot be dialed")
    const request = TwilioRequests.create(settings, { ...permit, to, from })
    if (Result.isFailure(request)) return yield* refused("rejected", tooLong(request.failure))
    const answer = yield* send(request.success)
    if (answer.status < 200 || answer.status > 299) {
      return yield* TwilioErrors.refusal(answer, yield* Instant.now)
    }
    const record = TwilioRecord.readRecord(answer.body)
    if (record === undefined) return yield* new CarrierSilent({ detail: `answered ${answer.status} without a call` })
    return { providerCallId: record.sid }
  })

  /** A record as a report. */
  const reportIn = Effect.fnUntraced(function* (ref: CallRef, record: TwilioRecord.TwilioRecord) {
    const report = TwilioRecord.reportOf(ref, record, yield* Instant.now)
    return report ?? (yield* new CarrierSilent({ detail: `a call in state ${record.status}` }))
  })

  const end = tracedFn("Twilio.end")(function* (ref: NamedCall, { isAnswered }: EndOptions) {
    const sid = ref.providerCallId
    const first = (isAnswered ? TwilioRequests.complete : TwilioRequests.cancel)(settings, sid)
    let record = yield* recordAfter(first, sid)
    // Answered before the cancelling reached it.
    if (!isAnswered && record?.status === "in-progress") {
      record = yield* recordAfter(TwilioRequests.complete(settings, sid), sid)
    }
    return record === null ? null : yield* reportIn(ref, record)
  })

  /** The record after a change, or as it is where the call is not in a state in which it can be changed so. */
  const recordAfter = Effect.fnUntraced(function* (change: TwilioRequests.TwilioRequest, sid: string) {
    const answer = yield* send(change)
    return yield* understood(isStale(answer) ? yield* send(TwilioRequests.record(settings, sid)) : answer)
  })

  const leaveMessage = tracedFn("Twilio.leaveMessage")(function* (ref: NamedCall, message: VoicemailMessage) {
    const twiml = TwiML.leaving(message)
    if (Result.isFailure(twiml)) return yield* new CarrierSilent({ detail: tooLong(twiml.failure) })
    const record = yield* understood(yield* send(TwilioRequests.instruct(settings, ref.providerCallId, twiml.success)))
    if (record === null) return yield* new CarrierSilent({ detail: "the call is over" })
  })

  const find = tracedFn("Twilio.find")(function* (ref: CallRef): Effect.fn.Return<Found, CarrierSilent> {
    if (ref.providerCallId !== null) {
      const record = yield* named(settings, send, ref.providerCallId)
      return { _tag: "Record", report: yield* reportIn(ref, record) }
    }
    const from = caller(ref.from)
    const to = toE164(ref.to, from)
    // Such a number is refused before anybody is asked, so that there is no call.
    if (to === null) return { _tag: "Nothing" }
    const { isCertain, records } = yield* recognized(settings, send, ref, to, from)
    const reports = yield* Effect.forEach(records, (record) => reportIn(ref, record))
    const [report] = reports
    if (report === undefined) return { _tag: "Nothing" }
    return isCertain ? { _tag: "Record", report } : { _tag: "Candidates", reports }
  })

  const findAll = tracedFn("Twilio.findAll")(function* (ref: CallRef) {
    const from = caller(ref.from)
    const to = toE164(ref.to, from)
    const records = to === null ? [] : yield* listed(settings, send, ref.askedAt, to, from)
    return yield* Effect.forEach(records, (record) => reportIn(ref, record))
  })

  const read = tracedFn("Twilio.read")(function* (callback: Callback) {
    const url = settings.publicUrl + callback.target
    const signature = callback.headers[signatureHeader] ?? ""
    const token = Redacted.value(settings.authToken)
    const form = isForm(callback.headers["content-type"] ?? "") ? formFields(callback.body) : null
    if (form === undefined || !verify({ token, url, form, body: callback.body, signature })) {
      return yield* new CallbackRefused({ reason: "signature", detail: "the callback's signature does not hold" })
    }
    if (callback.method !== "POST" || form === null) {
      return yield* new CallbackRefused({ reason: "unsupported", detail: "callbacks are forms" })
    }
    const { pathname, searchParams } = new URL(url)
    if (pathname.endsWith(TwilioRequests.resumePath)) return yield* resume(settings, media, searchParams, form)
    const report = yield* Effect.fromResult(readCallback(searchParams, form, yield* Instant.now))
    return { reports: [report], reply: null }
  })

  const control = callControl({
    ...{ settings, send, caller },
    end: (ref) => Effect.asVoid(end(ref, { isAnswered: true }))
  })

  return Carrier.of({
    traits: traitsOf(settings),
    place,
    end,
    leaveMessage,
    find,
    findAll,
    read,
    listen: () => Effect.void,
    sockets: (door) => [mediaRoute({ settings, media, control, door, run })]
  })
})

/** The carrier for hosts that use Effect. Fails when the options cannot work. Source: docs/reference/telephony.md#twilio. */
export const layer = (options: TwilioOptions): Layer.Layer<Carrier, InvalidTwilioOptions> =>
  Layer.effect(Carrier, Effect.flatMap(Effect.fromResult(twilioSettings(options)), make))

/**
 * The carrier for hosts that know nothing of Effect. Throws `InvalidTwilioOptions`, which names every fault.
 *
 * @example
 * const telephony = twilio({ accountSid, authToken, publicUrl: "https://voice.example.com" })
 */
export const twilio = (options: TwilioOptions): TelephonyProvider =>
  telephonyProvider(Layer.effect(Carrier, make(Result.getOrThrow(twilioSettings(options)))))
