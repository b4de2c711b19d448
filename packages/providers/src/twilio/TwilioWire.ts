/** Sends a request to Twilio, once, and tells an answer from silence. */
import { CarrierSilent, type Instant } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { WireAnswer } from "./TwilioErrors.ts"
import type { TwilioSettings } from "./TwilioOptions.ts"
import { instantOf, readRecord, type TwilioRecord } from "./TwilioRecord.ts"
import { encode, type TwilioRequest } from "./TwilioRequests.ts"

/** A request that has no answer by then is given up. Whether it was carried out is not known. */
const answerWithinMs = 10_000

export interface Answer extends WireAnswer {
  /** When the provider wrote the answer, by its own clock. */
  readonly date: Instant.Instant | undefined
}

export type Send = (request: TwilioRequest) => Effect.Effect<Answer, CarrierSilent>

/** Requests are not retried and redirects not followed: either could place a call twice. */
export const makeSend = (settings: TwilioSettings): Effect.Effect<Send, never, HttpClient.HttpClient> =>
  Effect.map(
    HttpClient.HttpClient,
    (client) => (request) =>
      client.execute(asHttp(settings, request)).pipe(
        Effect.flatMap((response) =>
          Effect.map(response.text, (body) => ({
            status: response.status,
            retryAfter: response.headers["retry-after"] ?? null,
            date: instantOf(response.headers.date),
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
  )

const asHttp = (settings: TwilioSettings, { form, method, path }: TwilioRequest) => {
  const bare = HttpClientRequest.make(method)(settings.baseUrl + path).pipe(
    HttpClientRequest.basicAuth(settings.accountSid, settings.authToken),
    HttpClientRequest.acceptJson
  )
  return method === "GET" ? bare : HttpClientRequest.bodyText(bare, encode(form), "application/x-www-form-urlencoded")
}

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
