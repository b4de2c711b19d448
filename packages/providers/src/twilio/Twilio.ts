/** The carrier `twilio`: the port's verbs as requests to Twilio's API, or to whatever speaks it. */
import {
  type Callback,
  CallbackRefused,
  type CallRef,
  CallRefused,
  Carrier,
  CarrierSilent,
  Instant,
  type Permit,
  type VoicemailMessage
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { toE164 } from "./E164.ts"
import { readCallback } from "./TwilioCallbacks.ts"
import * as TwilioErrors from "./TwilioErrors.ts"
import { type InvalidTwilioOptions, type TwilioOptions, type TwilioSettings, twilioSettings } from "./TwilioOptions.ts"
import * as TwilioRecord from "./TwilioRecord.ts"
import * as TwilioRequests from "./TwilioRequests.ts"
import { formFields, isForm, verify } from "./TwilioSignature.ts"
import * as TwiML from "./TwiML.ts"

/** A request that has no answer by then is given up. Whether it was carried out is not known. */
const answerWithinMs = 10_000

/** Share of the granted rate that is used, so that what jitter moves together does not wait in the provider's queue. */
const paceShare = 0.9

/** Pages of one list that are read. A list that goes on proves nothing. */
const pages = 10

/** How far our clock may be from the provider's for the absence of a record to prove anything. */
const clockErrorMs = 2 * Instant.minute

interface Answer extends TwilioErrors.WireAnswer {
  /** When the provider wrote the answer, by its own clock. */
  readonly date: Instant.Instant | undefined
}

/** The call is not in a state in which it can be changed that way; our forms give no other cause for a 400. */
const isStale = ({ status }: Answer): boolean => status === 400 || status === 409

const refused = (reason: TwilioErrors.Reason, detail: string): CallRefused =>
  new CallRefused({ reason, detail, retryAfterMs: null })

const tooLong = ({ length }: TwiML.TooLong): string =>
  `the instructions are ${length} characters long, of which the carrier takes ${TwiML.maxLength}`

const make = Effect.fnUntraced(function* (settings: TwilioSettings) {
  const client = yield* HttpClient.HttpClient

  /** Sends one request, once. Redirects are not followed: a redirected call would be a second request. */
  const send = (request: TwilioRequests.TwilioRequest): Effect.Effect<Answer, CarrierSilent> =>
    HttpClientRequest.make(request.method)(settings.baseUrl + request.path).pipe(
      HttpClientRequest.basicAuth(settings.accountSid, settings.authToken),
      HttpClientRequest.acceptJson,
      (bare) =>
        request.method === "GET"
          ? bare
          : HttpClientRequest.bodyText(bare, TwilioRequests.encode(request.form), "application/x-www-form-urlencoded"),
      client.execute,
      Effect.flatMap((response) =>
        Effect.map(response.text, (body) => ({
          status: response.status,
          retryAfter: response.headers["retry-after"] ?? null,
          date: TwilioRecord.instantOf(response.headers.date),
          body
        }))
      ),
      Effect.mapError((error) => new CarrierSilent({ detail: `no answer (${error.reason._tag})` })),
      Effect.timeoutOrElse({
        duration: answerWithinMs,
        orElse: () => Effect.fail(new CarrierSilent({ detail: `no answer within ${answerWithinMs} ms` }))
      }),
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      // Our trace ids are no business of a third party.
      Effect.provideService(HttpClient.TracerPropagationEnabled, false)
    )

  const caller = (from: string | null): string | null =>
    from === null ? settings.defaultFrom : toE164(from, settings.defaultFrom)

  const place = Effect.fn("Twilio.place")(function* (permit: Permit) {
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

  /** The sid of a call, looked up where it never reached us. */
  const nameOf = Effect.fnUntraced(function* (ref: CallRef) {
    if (ref.providerCallId !== null) return ref.providerCallId
    const report = yield* find(ref)
    if (report === null) return yield* new CarrierSilent({ detail: "the carrier does not know the call yet" })
    return report.providerCallId
  })

  const end = Effect.fn("Twilio.end")(function* (ref: CallRef, answered: boolean) {
    const sid = yield* nameOf(ref)
    if (!answered && (yield* cancelled(sid))) return
    yield* hangUp(sid)
  })

  /** False where the call was answered before the cancelling reached it, so that it goes on. */
  const cancelled = Effect.fnUntraced(function* (sid: string) {
    const answer = yield* send(TwilioRequests.cancel(settings, sid))
    if (isStale(answer)) return false
    const record = yield* understood(answer)
    return record?.status !== "in-progress"
  })

  const hangUp = Effect.fnUntraced(function* (sid: string) {
    const answer = yield* send(TwilioRequests.complete(settings, sid))
    if (!isStale(answer)) return void (yield* understood(answer))
    // Most likely over already; only its record can tell.
    const record = yield* understood(yield* send(TwilioRequests.record(settings, sid)))
    if (record !== null && !TwilioRecord.isOver(record)) {
      return yield* new CarrierSilent({ detail: "the call could not be ended in its present state" })
    }
  })

  /** The record in an answer to a request about one call; null where there is none, for records outlive their calls. */
  const understood = (answer: Answer): Effect.Effect<TwilioRecord.TwilioRecord | null, CarrierSilent> => {
    if (answer.status === 404) return Effect.succeed(null)
    const record = answer.status === 200 ? TwilioRecord.readRecord(answer.body) : undefined
    return record === undefined
      ? Effect.fail(new CarrierSilent({ detail: `answered ${answer.status} about a call` }))
      : Effect.succeed(record)
  }

  const leaveMessage = Effect.fn("Twilio.leaveMessage")(function* (ref: CallRef, message: VoicemailMessage) {
    const twiml = TwiML.leaving(message)
    if (Result.isFailure(twiml)) return yield* new CarrierSilent({ detail: tooLong(twiml.failure) })
    const sid = yield* nameOf(ref)
    const record = yield* understood(yield* send(TwilioRequests.instruct(settings, sid, twiml.success)))
    if (record === null) return yield* new CarrierSilent({ detail: "the call is over" })
  })

  const find = Effect.fn("Twilio.find")(function* (ref: CallRef) {
    const record = yield* ref.providerCallId === null ? recognised(ref) : named(ref.providerCallId)
    if (record === null) return null
    const report = TwilioRecord.reportOf(ref, record, yield* Instant.now)
    if (report === undefined) return yield* new CarrierSilent({ detail: `a call in state ${record.status}` })
    return report
  })

  const named = Effect.fnUntraced(function* (sid: string) {
    const record = yield* understood(yield* send(TwilioRequests.record(settings, sid)))
    // There was a call of this name. That its record is gone proves nothing about whether it took place.
    if (record === null) return yield* new CarrierSilent({ detail: "the record of the call is gone" })
    return record
  })

  const recognised = Effect.fnUntraced(function* (ref: CallRef) {
    const from = caller(ref.from)
    const to = toE164(ref.to, from)
    // Such a number is refused before anybody is asked.
    if (to === null) return null
    const found: Array<TwilioRecord.TwilioRecord> = []
    let next: TwilioRequests.TwilioRequest | undefined = TwilioRequests.records(settings, to, from)
    for (let page = 0; next !== undefined; page++) {
      if (page === pages) return yield* new CarrierSilent({ detail: "too many calls between these numbers" })
      const answer: Answer = yield* send(next)
      const list = answer.status === 200 ? TwilioRecord.readPage(answer.body) : undefined
      if (list === undefined) return yield* new CarrierSilent({ detail: `answered ${answer.status} about calls` })
      yield* sameTime(answer)
      found.push(...TwilioRecord.candidates(list.calls, to, ref.askedAt))
      next = yield* following(list)
    }
    if (found.length > 1) return yield* new CarrierSilent({ detail: `${found.length} calls may be the one` })
    return found[0] ?? null
  })

  const following = Effect.fnUntraced(function* (list: TwilioRecord.TwilioPage) {
    if (!list.next_page_uri) return undefined
    const next = TwilioRequests.nextPage(settings, list.next_page_uri)
    return next ?? (yield* new CarrierSilent({ detail: "the list of calls goes on at another address" }))
  })

  /** Calls are recognised by their time, so nothing is proven while the two clocks disagree. */
  const sameTime = Effect.fnUntraced(function* ({ date }: Answer) {
    if (date === undefined || Math.abs(date - (yield* Instant.now)) <= clockErrorMs) return
    return yield* new CarrierSilent({ detail: "our clock and the carrier's are minutes apart" })
  })

  const read = Effect.fn("Twilio.read")(function* (callback: Callback) {
    const url = settings.publicUrl + callback.target
    const contentType = callback.headers["content-type"] ?? ""
    const signature = callback.headers["x-twilio-signature"] ?? ""
    const token = Redacted.value(settings.authToken)
    if (!verify({ token, url, contentType, body: callback.body, signature })) {
      return yield* new CallbackRefused({ reason: "signature", detail: "the callback's signature does not hold" })
    }
    if (callback.method !== "POST" || !isForm(contentType)) {
      return yield* new CallbackRefused({ reason: "unsupported", detail: "callbacks are forms" })
    }
    const report = yield* Effect.fromResult(
      readCallback(new URL(url).searchParams, formFields(callback.body), yield* Instant.now)
    )
    return { reports: [report], reply: null }
  })

  return Carrier.of({
    traits: {
      name: "twilio",
      startsPerSecond: settings.callsPerSecond * paceShare,
      needsCaller: true,
      defaultFrom: settings.defaultFrom,
      proof: { lookUps: 3, overMs: 2 * Instant.minute },
      // A phone that rings must have told its end by then, delivery and the provider's buffer included.
      silenceMs: (TwilioRequests.ringSeconds + 120) * Instant.second
    },
    place,
    end,
    leaveMessage,
    find,
    read,
    listen: () => Effect.void
  })
})

/**
 * The carrier over the `HttpClient` in the context, for hosts that bring their own. It must neither retry nor follow
 * redirects: a call would be placed twice.
 */
export const layerWithoutClient = (
  options: TwilioOptions
): Layer.Layer<Carrier, InvalidTwilioOptions, HttpClient.HttpClient> =>
  Layer.effect(Carrier, Effect.flatMap(Effect.fromResult(twilioSettings(options)), make))

/** The carrier over `fetch`. Fails when the options cannot work. Source: docs/telephony.md#twilio. */
export const layer = (options: TwilioOptions): Layer.Layer<Carrier, InvalidTwilioOptions> =>
  Layer.provide(layerWithoutClient(options), FetchHttpClient.layer)

/** A carrier to be handed to the product as it is. */
export interface TelephonyPlug {
  readonly kind: "telephony"
  readonly layer: Layer.Layer<Carrier>
}

/**
 * The carrier for hosts that know nothing of Effect. Throws `InvalidTwilioOptions`, which names every fault.
 *
 * @example
 * const telephony = twilio({ accountSid, authToken, publicUrl: "https://voice.example.com" })
 */
export const twilio = (options: TwilioOptions): TelephonyPlug => {
  const settings = Result.getOrThrow(twilioSettings(options))
  return { kind: "telephony", layer: Layer.provide(Layer.effect(Carrier, make(settings)), FetchHttpClient.layer) }
}
