/** Finds the provider's record of a call: by its name, or by its numbers and time where the name never reached us. */
import { type CallRef, CarrierSilent, Instant } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import type { TwilioSettings } from "./TwilioOptions.ts"
import { candidates, readPage, type TwilioPage, type TwilioRecord } from "./TwilioRecord.ts"
import { nextPage, record, records, type TwilioRequest } from "./TwilioRequests.ts"
import { type Answer, type Send, understood } from "./TwilioWire.ts"

/** Pages of one list that are read. A list that goes on proves nothing. */
const pages = 10

/** How far our clock may be from the provider's for the absence of a record to prove anything. */
const clockErrorMs = 2 * Instant.minute

/** The record of the call of this name. */
export const named = Effect.fnUntraced(function* (settings: TwilioSettings, send: Send, sid: string) {
  const found = yield* understood(yield* send(record(settings, sid)))
  // There was a call of this name. That its record is gone proves nothing about whether it took place.
  if (found === null) return yield* new CarrierSilent({ detail: "the record of the call is gone" })
  return found
})

/**
 * The one record that may be the call of `ref`, between these numbers; null where there is none. Several prove nothing,
 * and so does a list that was not read to its end. Source: docs/telephony.md#recognition.
 */
export const recognised = Effect.fnUntraced(function* (
  settings: TwilioSettings,
  send: Send,
  { askedAt }: CallRef,
  to: string,
  from: string | null
) {
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
  if (found.length > 1) return yield* new CarrierSilent({ detail: `${found.length} calls may be the one` })
  return found[0] ?? null
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
