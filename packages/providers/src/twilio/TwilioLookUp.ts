/** Finds the provider's record of a call: by its name, or by its numbers and time where the name never reached us. */
import { type CallRef, CarrierSilent, Instant } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type { TwilioSettings } from "./TwilioOptions.ts"
import { callIdsIn, candidates, readPage, type TwilioPage, type TwilioRecord } from "./TwilioRecord.ts"
import { events, nextPage, record, records, type TwilioRequest } from "./TwilioRequests.ts"
import { type Answer, type Send, understood } from "./TwilioWire.ts"

/** Pages of one list that are read. A list that goes on proves nothing. */
const pages = 10

/** Candidates that are asked whose they are. With more of them the rest are left as they are: none is then certain. */
const identified = 10

/** How far our clock may be from the provider's for the absence of a record to prove anything. */
const clockErrorMs = 2 * Instant.minute

/** The record of the call of this name. */
export const named = Effect.fnUntraced(function* (settings: TwilioSettings, send: Send, sid: string) {
  const found = yield* understood(yield* send(record(settings, sid)))
  // There was a call of this name. That its record is gone proves nothing about whether it took place.
  if (found === null) return yield* new CarrierSilent({ detail: "the record of the call is gone" })
  return found
})

/** Records that may be those of a call. */
export interface Recognized {
  readonly records: ReadonlyArray<TwilioRecord>
  /** There is one, and the provider has given our id of the call back with it. */
  readonly isCertain: boolean
}

/** All records of calls between these numbers that agree with `askedAt`. A list that was not read to its end proves nothing. */
export const listed = Effect.fnUntraced(function* (
  settings: TwilioSettings,
  send: Send,
  askedAt: Instant.Instant,
  to: string,
  from: string | null
): Effect.fn.Return<ReadonlyArray<TwilioRecord>, CarrierSilent> {
  const found: Array<TwilioRecord> = []
  let next: TwilioRequest | undefined = records(settings, to, from)
  for (let page = 0; next !== undefined; page++) {
    if (page === pages) return yield* new CarrierSilent({ detail: "too many calls between these numbers" })
    const answer: Answer = yield* send(next)
    const list = answer.status === 200 ? readPage(answer.body) : undefined
    if (list === undefined) return yield* new CarrierSilent({ detail: `answered ${answer.status} about calls` })
    yield* sameTime(answer)
    found.push(...candidates(list.calls, to, askedAt))
    next = yield* following(settings, list)
  }
  return found
})

/**
 * The records that may be the call of `ref`, between these numbers: one for certain where the provider gives our id back,
 * else those that agree in time. Source: docs/reference/telephony.md#recognition.
 */
export const recognized = Effect.fnUntraced(function* (
  settings: TwilioSettings,
  send: Send,
  { askedAt, callId }: CallRef,
  to: string,
  from: string | null
): Effect.fn.Return<Recognized, CarrierSilent> {
  const found = yield* listed(settings, send, askedAt, to, from)
  const ids = yield* Effect.forEach(found.slice(0, identified), ({ sid }) => idsOf(settings, send, sid), {
    concurrency: "unbounded"
  })
  const own = found.filter((_, at) => ids[at]?.includes(callId) === true)
  const nobodys = found.filter((_, at) => (ids[at] ?? []).length === 0)
  return own.length === 1 ? { records: own, isCertain: true } : { records: nobodys, isCertain: false }
})

/**
 * Our ids of calls in the requests that the provider has made for a call: its callbacks carry them in their address. None
 * where it publishes no requests: that may be a quarter of an hour after the call's end.
 */
const idsOf = (settings: TwilioSettings, send: Send, sid: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.match(send(events(settings, sid)), {
    onFailure: () => [],
    onSuccess: ({ body, status }) => (status === 200 ? callIdsIn(body) : [])
  })

const following = Effect.fnUntraced(function* (settings: TwilioSettings, list: TwilioPage) {
  if (!list.next_page_uri) return undefined
  const next = nextPage(settings, list.next_page_uri)
  return next ?? (yield* new CarrierSilent({ detail: "the list of calls goes on at another address" }))
})

/** Calls are recognised by their time, so nothing is proven while the two clocks disagree. */
const sameTime = Effect.fnUntraced(function* ({ date }: Answer) {
  if (date === undefined || Math.abs(date - (yield* Instant.now)) <= clockErrorMs) return
  return yield* new CarrierSilent({ detail: "our clock and the carrier's are minutes apart" })
})
