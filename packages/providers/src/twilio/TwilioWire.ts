/** Sends a request to Twilio, once, and separates an answer from silence. */
import { CarrierSilent, type Instant } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type BoundedHttp, formBody, type HttpResponse, textIn } from "../http/index.ts"
import type { WireAnswer } from "./TwilioErrors.ts"
import type { TwilioSettings } from "./TwilioOptions.ts"
import { instantOf, readRecord, type TwilioRecord } from "./TwilioRecord.ts"
import { encode, type TwilioRequest } from "./TwilioRequests.ts"

/** A request that has no whole answer by then is cancelled. Whether it was carried out is not known. */
const maxAnswerMs = 10_000

/** A page of 200 records has some 200 kB. */
const maxAnswerBytes = 4 * 1024 * 1024

export interface Answer extends WireAnswer {
  /** When the provider wrote the answer, by its own clock. */
  readonly date: Instant.Instant | undefined
}

export type Send = (request: TwilioRequest) => Effect.Effect<Answer, CarrierSilent>

/** Requests are neither retried nor redirected: either could place a call twice. */
export const makeSend = (settings: TwilioSettings, { exchange }: BoundedHttp): Send => {
  const { accountSid, authToken, baseUrl } = settings
  const credentials = Buffer.from(`${accountSid}:${Redacted.value(authToken)}`).toString("base64")
  const headers = { accept: "application/json", authorization: `Basic ${credentials}` }
  return ({ form, method, path }) =>
    exchange({
      method,
      url: new URL(baseUrl + path),
      headers,
      body: method === "GET" ? null : formBody(encode(form)),
      headMs: maxAnswerMs,
      bodyMs: maxAnswerMs,
      maxBytes: () => maxAnswerBytes
    }).pipe(
      Effect.mapError(({ detail }) => silent(detail)),
      Effect.flatMap((response) =>
        response.cut === null ? Effect.succeed(answerIn(response)) : Effect.fail(silent("the answer broke off"))
      ),
      Effect.timeoutOrElse({
        duration: maxAnswerMs,
        orElse: () => Effect.fail(new CarrierSilent({ detail: `no answer within ${maxAnswerMs} ms` }))
      })
    )
}

const silent = (cause: string) => new CarrierSilent({ detail: `no answer (${cause})` })

const answerIn = ({ body, header, status }: HttpResponse): Answer => ({
  status,
  retryAfter: header("retry-after"),
  date: instantOf(header("date") ?? undefined),
  body: textIn(body)
})

/** The call is not in a state in which it can be changed that way; our forms give no other cause for a 400. */
export const isStale = ({ status }: Answer): boolean => status === 400 || status === 409

/** The record in an answer about one call; null where the provider has none (records outlive their calls). */
export const understood = (answer: Answer): Effect.Effect<TwilioRecord | null, CarrierSilent> => {
  if (answer.status === 404) return Effect.succeed(null)
  const record = answer.status === 200 ? readRecord(answer.body) : undefined
  return record === undefined
    ? Effect.fail(new CarrierSilent({ detail: `answered ${answer.status} about a call` }))
    : Effect.succeed(record)
}
