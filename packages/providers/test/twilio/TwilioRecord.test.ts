/** Verifies: TWIL-4. */

import { assert, describe, it } from "@effect/vitest"
import { type CallRef, Ids, Instant } from "@trunkline/core/provider"
import {
  callIdsIn,
  candidates,
  readPage,
  readRecord,
  recognitionMs,
  reportOf,
  type TwilioRecord
} from "../../src/twilio/TwilioRecord.ts"

const askedAt = Instant.make(Date.UTC(2026, 10, 21, 10, 0, 0))
const now = Instant.plus(askedAt, 60_000)
const to = "+919876543210"
const ref: CallRef = {
  callId: Ids.as("01890000-0000-7000-8000-000000000001"),
  providerCallId: null,
  to,
  from: null,
  askedAt
}
const at = (offset: number) => new Date(askedAt + offset).toUTCString().replace("GMT", "+0000")
const record = (change: Partial<TwilioRecord> = {}): TwilioRecord => ({
  sid: "CA1",
  status: "completed",
  to,
  direction: "outbound-api",
  date_created: at(0),
  ...change
})
const news = (change: Partial<TwilioRecord>) => reportOf(ref, record(change), now)?.news

describe("the provider's record of a call", () => {
  it.each([
    ["queued", { _tag: "Queued" }],
    ["ringing", { _tag: "Ringing" }],
    ["in-progress", { _tag: "Answered" }]
  ])("shows a call that goes on: %s", (status, expected) => {
    assert.deepStrictEqual(news({ status }), expected as never)
  })

  it.each([
    ["completed", "completed", null, 42],
    ["busy", "busy", null, null],
    ["no-answer", "no_answer", null, null],
    ["canceled", "canceled", null, null],
    ["failed", "failed", "provider_error", null]
  ] as const)("shows an end: %s", (word, status, failure, durationSeconds) => {
    assert.deepStrictEqual(news({ status: word, duration: "42" }), {
      _tag: "Ended",
      status,
      failure,
      durationSeconds,
      by: null
    })
  })

  it("shows who answered, of an answered call whose detection has ended", () => {
    assert.deepStrictEqual(news({ status: "in-progress", answered_by: "machine_end_beep" }), {
      _tag: "Detected",
      answeredBy: "machine"
    })
    assert.strictEqual(news({ status: "completed", answered_by: "human" })?._tag, "Ended")
  })

  it("reports under the call's own id, at the provider's own time", () => {
    assert.deepInclude(reportOf(ref, record({ end_time: at(30_000), date_updated: at(31_000) }), now), {
      callId: ref.callId,
      providerCallId: "CA1",
      at: Instant.plus(askedAt, 30_000)
    })
    assert.strictEqual(reportOf(ref, record({ status: "ringing", date_updated: at(2000) }), now)?.at, askedAt + 2000)
    assert.strictEqual(reportOf(ref, record({ status: "ringing" }), now)?.at, now)
  })

  it("shows nothing where its status is none of the provider's", () => {
    for (const status of ["paused", "", null, "constructor"]) assert.isUndefined(news({ status }))
  })

  it("is read from JSON, and nothing else is a record", () => {
    assert.strictEqual(readRecord('{"sid":"CA1","status":"queued","duration":null,"price":1}')?.sid, "CA1")
    assert.strictEqual(readRecord('{"sid":"CA1","duration":12}')?.duration, 12)
    for (const body of ["", "<html>", "null", "[]", "{}", '{"sid":""}', '{"sid":5}', '{"sid":"CA1","status":1}']) {
      assert.isUndefined(readRecord(body), body)
    }
    assert.lengthOf(readPage('{"calls":[{"sid":"CA1"}],"next_page_uri":null}')?.calls ?? [], 1)
    // A list in which one record cannot be read is not a shorter list.
    for (const body of ["{}", '{"calls":[{"sid":"CA1"},{}]}']) assert.isUndefined(readPage(body), body)
  })
})

describe("a call whose name was lost", () => {
  const found = (change: Partial<TwilioRecord>) => candidates([record(change)], to, askedAt).length === 1

  it.each([
    ["was created when it was asked for", {}, true],
    ["was created seconds later", { date_created: at(9000) }, true],
    ["was created seconds earlier by a clock that is behind", { date_created: at(-9000) }, true],
    ["lies at the edge of the window", { date_created: at(recognitionMs) }, true],
    ["lies behind the window", { date_created: at(recognitionMs + 1000) }, false],
    ["lies before the window", { date_created: at(-recognitionMs - 1000) }, false],
    ["has only a start", { date_created: null, start_time: at(5000) }, true],
    ["started another time", { date_created: null, start_time: at(recognitionMs + 1000) }, false],
    ["has no time at all", { date_created: null }, true],
    ["goes to another number", { to: "+919876543211" }, false],
    ["writes the number another way", { to: "09876543210" }, true],
    ["names no number", { to: null }, true],
    ["came in", { direction: "inbound" }, false],
    ["is a leg of another call", { direction: "outbound-dial" }, false],
    ["says nothing about its direction", { direction: null }, true]
  ] as const)("may be a record that %s", (_, change, expected) => {
    assert.strictEqual(found(change), expected)
  })
})

describe("our ids in the requests that were made for a call", () => {
  const [first, second] = ["01890000-0000-7000-8000-00000000000a", "01890000-0000-7000-8000-00000000000b"]
  const callback = (id: string) =>
    `https://voice.example.com/base/api/v1/telephony/providers/twilio/callback?call_id=${id}&about=status`

  it("are those in the addresses of our callbacks, wherever these stand", () => {
    const events = [
      { request: { url: "https://api.twilio.com/Calls.json", parameters: { status_callback: callback(first) } } },
      { request: { url: callback(second.toUpperCase()) } }
    ]
    assert.deepStrictEqual(callIdsIn(JSON.stringify({ events })), [first, second])
    assert.deepStrictEqual(callIdsIn(JSON.stringify({ events }).replaceAll("/", "\\/")), [first, second])
  })

  it("are not those of anybody else's addresses", () => {
    const foreign = [`https://other.example/?call_id=${first}`, `https://voice.example.com/callback?call_id=${first}`]
    for (const url of foreign) assert.deepStrictEqual(callIdsIn(JSON.stringify({ events: [{ request: { url } }] })), [])
    assert.deepStrictEqual(callIdsIn("no JSON"), [])
  })
})
