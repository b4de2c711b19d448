/** The carrier against a telephone company that misbehaves. Verifies: TWIL-1, TWIL-2, TWIL-3, TWIL-4, TWIL-5. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import {
  type Callback,
  type CallRef,
  type CallReport,
  Carrier,
  type Found,
  Ids,
  Instant,
  type Permit
} from "@trunkline/core/provider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { layer, type TwilioOptions } from "../../src/twilio/index.ts"
import { FakeTwilio, type FakeTwilioOptions } from "./FakeTwilio.ts"

const accountSid = "ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
const authToken = "a-token-that-nobody-may-see"
const publicUrl = "https://voice.example.com/base"
const from = "+14155550100"
const to = "+919876543210"
const start = Date.UTC(2026, 10, 21, 10, 0, 0)
const callId = Ids.as<"Call">("01890000-0000-7000-8000-000000000001")

interface Setup extends Omit<Partial<FakeTwilioOptions>, "proxy"> {
  readonly options?: Partial<TwilioOptions>
}

/** A carrier, the fake behind it, and the reports that its callbacks make; virtual time on both sides. */
const world = Effect.fnUntraced(function* ({ options, ...fakeOptions }: Setup = {}) {
  yield* TestClock.setTime(start)
  const fake = yield* Effect.acquireRelease(
    Effect.promise(() => FakeTwilio.start({ accountSid, authToken, now: start, ...fakeOptions })),
    (running) => Effect.promise(() => running.stop())
  )
  const carrier = Context.get(
    yield* Layer.build(layer({ accountSid, authToken, publicUrl, baseUrl: fake.url, ...options })),
    Carrier
  )
  const reports: Array<CallReport> = []
  const callbacks: Array<Callback> = []
  const inbox = (callback: Callback) =>
    Effect.match(carrier.read(callback), {
      onFailure: ({ reason }) => (reason === "signature" ? 403 : 400),
      onSuccess: (answer) => {
        callbacks.push(callback)
        reports.push(...answer.reports)
        return 204
      }
    })
  fake.proxy = { publicUrl, to: yield* receiver(inbox) }
  /** Lets time pass for the fake and for us. */
  const pass = (ms: number) =>
    Effect.andThen(
      Effect.promise(() => fake.advance(ms)),
      TestClock.adjust(ms)
    )
  const place = (change: Partial<Permit> = {}) => carrier.place(permit(change))
  return { fake, carrier, reports, callbacks, inbox, pass, place }
})

/** The service's side of the reverse proxy: hands each request's exact bytes to `inbox` and answers its status. */
const receiver = Effect.fnUntraced(function* (inbox: (callback: Callback) => Effect.Effect<number>) {
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Record<string, string>
    const callback = { method: request.method ?? "", target: request.url ?? "", headers, body: Buffer.concat(chunks) }
    response.writeHead(await run(inbox(callback))).end()
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

/** Only the placing of calls makes permits; this stands in for it. */
const permit = (change: Partial<Permit>): Permit =>
  ({
    callId,
    tenantId: Ids.as("01890000-0000-7000-8000-0000000000aa"),
    botId: null,
    to,
    from,
    answer: { _tag: "Say", text: "Hello", language: null },
    detectMachine: false,
    ...change
  }) as Permit

const ref = <Change extends Partial<CallRef>>(change: Change = {} as Change): CallRef & Change => ({
  callId,
  providerCallId: null,
  to,
  from,
  askedAt: Instant.make(start),
  ...change
})

/** The report of the one record that a look-up is certain of. */
const recordOf = (found: Found): CallReport => {
  assert.strictEqual(found._tag, "Record")
  return (found as Extract<Found, { readonly _tag: "Record" }>).report
}

/** The sids of the records that may be the call. */
const candidatesOf = (found: Found): ReadonlyArray<string> =>
  found._tag === "Candidates" ? found.reports.map(({ providerCallId }) => providerCallId) : []

const story = (reports: ReadonlyArray<CallReport>) =>
  reports.map(({ news }) =>
    news._tag === "Ended" ? news.status : news._tag === "Detected" ? news.answeredBy : news._tag
  )

const posts = (fake: FakeTwilio) => fake.log.filter(({ method }) => method === "POST")
const creations = (fake: FakeTwilio) => posts(fake).filter(({ path }) => path.endsWith("/Calls.json"))
const lists = (fake: FakeTwilio) =>
  fake.log.filter(({ method, path }) => method === "GET" && path.endsWith("/Calls.json"))
const statuses = (fake: FakeTwilio) => posts(fake).flatMap(({ form }) => form.get("Status") ?? [])

/** Waits, in real time, until the fake has got a number of requests. */
const arrived = (fake: FakeTwilio, count: number) =>
  Effect.promise(async () => {
    while (fake.log.length < count) await new Promise((done) => setTimeout(done, 2))
  })

describe("a call that is placed", () => {
  it.effect("rings, is answered, ends, and reports each step under its own id", () =>
    Effect.gen(function* () {
      const { fake, pass, place, reports } = yield* world()
      const { providerCallId } = yield* place()
      assert.strictEqual(providerCallId, fake.calls[0]?.sid)
      yield* pass(60_000)
      assert.deepStrictEqual(story(reports), ["Dialing", "Ringing", "Answered", "completed"])
      for (const report of reports) assert.deepInclude(report, { callId, providerCallId })
      assert.deepStrictEqual(
        reports.map(({ at }) => at - start),
        [0, 500, 2500, 22_500].map(toSecond)
      )
      assert.deepStrictEqual(reports.at(-1)?.news, {
        _tag: "Ended",
        status: "completed",
        failure: null,
        durationSeconds: 20,
        by: null
      })
      assert.isTrue(fake.sent.every(({ status }) => status === 204))
    })
  )

  it.effect.each([
    ["busy", { does: "busy" }, ["Dialing", "busy"]],
    ["that rings out after 30 seconds", { does: "ring-out" }, ["Dialing", "Ringing", "no_answer"]],
    ["that fails", { does: "fail" }, ["Dialing", "failed"]]
  ] as const)("reports the end of one %s", ([, phone, expected]) =>
    Effect.gen(function* () {
      const { pass, place, reports } = yield* world({ phone: () => phone })
      yield* place()
      yield* pass(30_500)
      assert.deepStrictEqual(story(reports), [...expected])
    })
  )

  it.effect("fails as an invalid number where the network says that there is no such number", () =>
    Effect.gen(function* () {
      const { pass, place, reports } = yield* world({ phone: () => ({ does: "fail", sip: 404 }) })
      yield* place()
      yield* pass(5000)
      assert.deepInclude(reports.at(-1)?.news, { status: "failed", failure: "invalid_number" })
    })
  )

  it.effect("reports who answered, where detection was requested", () =>
    Effect.gen(function* () {
      const { pass, place, reports } = yield* world({ phone: () => ({ does: "answer", who: "machine_end_beep" }) })
      yield* place()
      yield* place({ callId: Ids.as("01890000-0000-7000-8000-000000000002"), detectMachine: true })
      yield* pass(60_000)
      const of = (id: string) => story(reports.filter((report) => report.callId === id))
      assert.deepStrictEqual(of(callId), ["Dialing", "Ringing", "Answered", "completed"])
      assert.deepStrictEqual(of("01890000-0000-7000-8000-000000000002"), [
        "Dialing",
        "Ringing",
        "Answered",
        "machine",
        "completed"
      ])
    })
  )

  it.effect("is dialed in the one form that the provider accepts, however it is written", () =>
    Effect.gen(function* () {
      const { fake, place } = yield* world({ options: { defaultFrom: "+442079460958" } })
      yield* place({ to: " (415) 555-0111 ext 7 " })
      yield* place({ to: "020 7946 0000", from: null })
      yield* place({ to: "+९१ ९८७६५ ४३२१०", from: "020 7946 0001" })
      assert.deepStrictEqual(
        creations(fake).map(({ form }) => [form.get("To"), form.get("From")]),
        [
          ["+14155550111", "+14155550100"],
          ["+442079460000", "+442079460958"],
          ["+919876543210", "+442079460001"]
        ]
      )
    })
  )

  it.effect("waits in the provider's queue when it comes too fast, and the traits say how not to", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place } = yield* world({ callsPerSecond: 2, options: { callsPerSecond: 2 } })
      assert.isBelow(carrier.traits.startsPerSecond ?? Number.POSITIVE_INFINITY, 2)
      for (let call = 0; call < 3; call++) yield* place()
      yield* pass(600)
      assert.deepStrictEqual(
        fake.calls.map(({ startedAt }) => (startedAt === null ? null : startedAt - start)),
        [0, 500, null]
      )
    })
  )
})

describe("a call that is not placed", () => {
  it.effect("because its number cannot be dialed costs no request", () =>
    Effect.gen(function* () {
      const { fake, place } = yield* world()
      for (const number of ["112", "12", "unknown", "+1 415 555"]) {
        assert.deepInclude(yield* Effect.flip(place({ to: number })), { reason: "invalid_number" })
      }
      assert.lengthOf(fake.log, 0)
    })
  )

  it.effect("because nobody is calling costs no request", () =>
    Effect.gen(function* () {
      const { fake, place } = yield* world()
      for (const number of [null, "bank"]) {
        assert.deepInclude(yield* Effect.flip(place({ from: number })), { reason: "configuration" })
      }
      assert.lengthOf(fake.log, 0)
    })
  )

  it.effect("because it has too much to say costs no request, and is not cut", () =>
    Effect.gen(function* () {
      const { fake, place } = yield* world()
      const answer = { _tag: "Say", text: "a".repeat(4000), language: null } as const
      assert.deepInclude(yield* Effect.flip(place({ answer })), { _tag: "CallRefused", reason: "rejected" })
      assert.lengthOf(fake.log, 0)
    })
  )

  it.effect.each([
    [{ status: 400, code: 21211 }, "invalid_number", null],
    [{ status: 400, code: 21216 }, "blocked_number", null],
    [{ status: 400, code: 21210 }, "configuration", null],
    [{ status: 429, code: 20429, headers: { "retry-after": "3" } }, "throttled", 3000],
    [{ status: 400, code: 29999 }, "rejected", null]
  ] as const)("because the provider refuses it: %o", ([fault, reason, retryAfterMs]) =>
    Effect.gen(function* () {
      const { fake, place } = yield* world()
      fake.faults.push({ kind: "refuse", ...fault })
      assert.deepInclude(yield* Effect.flip(place()), { _tag: "CallRefused", reason, retryAfterMs })
      assert.lengthOf(fake.log, 1)
    })
  )

  it.effect("because the credentials are wrong is a fault of the configuration, and the token stays unseen", () =>
    Effect.gen(function* () {
      const wrong = "another-token-that-nobody-may-see"
      const { place } = yield* world({ options: { authToken: wrong } })
      const error = yield* Effect.flip(place())
      assert.deepInclude(error, { reason: "configuration" })
      for (const text of [JSON.stringify(error), String(error), error.stack]) {
        assert.notInclude(text, wrong)
        assert.notInclude(text, Buffer.from(`${accountSid}:${wrong}`).toString("base64"))
      }
    })
  )
})

describe("a call of which nobody knows whether it was placed", () => {
  it.effect.each([
    ["the answer is lost", { kind: "lose" }, 1],
    ["the connection breaks", { kind: "break" }, 0],
    ["the server fails", { kind: "refuse", status: 500, code: 21211 }, 0],
    ["the server fails after taking it", { kind: "say", status: 503, body: "busy" }, 1],
    ["the answer cannot be read", { kind: "say", status: 201, body: "<html>" }, 1],
    ["the answer names no call", { kind: "say", status: 201, body: '{"status":"queued"}' }, 1],
    ["it is redirected", { kind: "say", status: 307, body: "", headers: { location: "/again" } }, 1]
  ] as const)("is reported as unknown when %s, and asked for once", ([, fault, calls]) =>
    Effect.gen(function* () {
      const { fake, place } = yield* world()
      fake.faults.push(fault)
      assert.strictEqual((yield* Effect.flip(place()))._tag, "CarrierSilent")
      assert.lengthOf(fake.log, 1)
      assert.lengthOf(fake.calls, calls)
    })
  )

  it.effect("is reported as unknown when no answer comes within ten seconds", () =>
    Effect.gen(function* () {
      const { fake, place } = yield* world()
      fake.faults.push({ kind: "hang" })
      const placing = yield* Effect.forkChild(place())
      yield* arrived(fake, 1)
      yield* TestClock.adjust(9999)
      assert.isUndefined(placing.pollUnsafe())
      yield* TestClock.adjust(1)
      const exit = yield* Fiber.await(placing)
      assert.isTrue(Exit.isFailure(exit))
      assert.match(JSON.stringify(exit), /CarrierSilent/)
      assert.lengthOf(fake.log, 1)
    })
  )

  it.effect("is reported as unknown when nobody is there", () =>
    Effect.gen(function* () {
      const { place } = yield* world({ options: { baseUrl: "http://127.0.0.1:1" } })
      assert.strictEqual((yield* Effect.flip(place()))._tag, "CarrierSilent")
    })
  )

  it.effect("waits for a slow answer", () =>
    Effect.gen(function* () {
      const { fake, place } = yield* world()
      fake.faults.push({ kind: "delay", ms: 50 })
      assert.strictEqual((yield* place()).providerCallId, fake.calls[0]?.sid)
    })
  )
})

describe("a call that is looked up", () => {
  it.effect("is found by its id, with its present state", () =>
    Effect.gen(function* () {
      const { carrier, pass, place } = yield* world()
      const { providerCallId } = yield* place()
      const state = () => Effect.map(carrier.find(ref({ providerCallId })), (found) => story([recordOf(found)]))
      assert.deepStrictEqual(yield* state(), ["Queued"])
      yield* pass(1000)
      assert.deepStrictEqual(yield* state(), ["Ringing"])
      yield* pass(2000)
      assert.deepStrictEqual(yield* state(), ["Answered"])
      yield* pass(60_000)
      assert.deepStrictEqual(yield* state(), ["completed"])
    })
  )

  it.effect("is found by its numbers and time when the answer was lost, queued or over", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place } = yield* world()
      fake.faults.push({ kind: "lose" })
      yield* Effect.flip(place({ to: "098765 43210", from: "+91 22 1234 5678" }))
      const written = ref({ to: "098765 43210", from: "+91 22 1234 5678" })
      assert.deepStrictEqual(candidatesOf(yield* carrier.find(written)), [fake.calls[0]!.sid])
      yield* pass(60_000)
      const found = yield* carrier.find(written)
      assert.deepStrictEqual(found._tag === "Candidates" && story(found.reports), ["completed"])
      assert.lengthOf(creations(fake), 1)
    })
  )

  it.effect("is not there when it never came through", () =>
    Effect.gen(function* () {
      const { carrier, fake, place } = yield* world()
      fake.faults.push({ kind: "break" })
      yield* Effect.flip(place())
      assert.deepStrictEqual(yield* carrier.find(ref()), { _tag: "Nothing" })
    })
  )

  // Verifies: D-160.
  it.effect("is not mistaken for a call to another number, from another, or of another hour", () =>
    Effect.gen(function* () {
      const { carrier, pass, place } = yield* world()
      yield* place({ to: "+919876543211" })
      yield* place({ from: "+14155550101" })
      assert.deepStrictEqual(yield* carrier.find(ref()), { _tag: "Nothing" })
      yield* place()
      yield* pass(15 * Instant.minute)
      const later = ref({ askedAt: Instant.make(start + 15 * Instant.minute) })
      assert.deepStrictEqual(yield* carrier.find(later), { _tag: "Nothing" })
    })
  )

  it.effect("is never guessed where several may be the one", () =>
    Effect.gen(function* () {
      const { carrier, fake, place } = yield* world()
      yield* place()
      yield* place()
      const found = candidatesOf(yield* carrier.find(ref()))
      assert.deepStrictEqual([...found].sort(), fake.calls.map(({ sid }) => sid).sort())
    })
  )

  // Verifies: D-254.
  it.effect("is known among several by our id where the provider returns it", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place } = yield* world({ eventsAfterMs: 0 })
      const other = Ids.as<"Call">("01890000-0000-7000-8000-000000000002")
      yield* place({ callId: other })
      fake.faults.push({ kind: "lose" })
      yield* Effect.flip(place())
      assert.strictEqual(recordOf(yield* carrier.find(ref())).providerCallId, fake.calls[1]!.sid)
      yield* pass(60_000)
      assert.strictEqual(recordOf(yield* carrier.find(ref())).providerCallId, fake.calls[1]!.sid)
      // An order that never arrived: both records are known to be those of other calls.
      const lost = ref({ callId: Ids.as<"Call">("01890000-0000-7000-8000-000000000003") })
      assert.deepStrictEqual(yield* carrier.find(lost), { _tag: "Nothing" })
    })
  )

  it.effect("is known by our id from a quarter of an hour after its end", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place } = yield* world()
      yield* place()
      yield* pass(60_000)
      assert.strictEqual((yield* carrier.find(ref()))._tag, "Candidates")
      yield* pass(15 * Instant.minute)
      assert.strictEqual(recordOf(yield* carrier.find(ref())).providerCallId, fake.calls[0]!.sid)
    })
  )

  it.effect("may be any of several whose requests cannot be read", () =>
    Effect.gen(function* () {
      const { carrier, fake, place } = yield* world({ eventsAfterMs: 0 })
      yield* place()
      fake.faults.push({ kind: "refuse", status: 500, only: ({ path }) => path.endsWith("/Events.json") })
      assert.deepStrictEqual(candidatesOf(yield* carrier.find(ref())), [fake.calls[0]!.sid])
    })
  )

  it.effect("is found on whatever page of the list it stands", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place } = yield* world({ pageSize: 2 })
      const { providerCallId } = yield* place()
      yield* pass(10 * Instant.minute)
      for (let call = 0; call < 4; call++) yield* place()
      assert.deepStrictEqual(candidatesOf(yield* carrier.find(ref())), [providerCallId])
      assert.deepStrictEqual(
        lists(fake).map(({ query }) => query.get("Page")),
        [null, "1", "2"]
      )
    })
  )

  it.effect("proves nothing where the list never ends", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place } = yield* world({ pageSize: 1 })
      for (let call = 0; call < 11; call++) yield* place()
      yield* pass(10 * Instant.minute)
      const late = ref({ askedAt: Instant.make(start + 10 * Instant.minute) })
      assert.strictEqual((yield* Effect.flip(carrier.find(late)))._tag, "CarrierSilent")
      assert.lengthOf(lists(fake), 10)
    })
  )

  it.effect("proves nothing where the list goes on elsewhere, and our credentials do not follow it", () =>
    Effect.gen(function* () {
      const { carrier, fake } = yield* world()
      const body = JSON.stringify({ calls: [], next_page_uri: "http://127.0.0.1:1/2010-04-01/x" })
      fake.faults.push({ kind: "say", status: 200, body })
      assert.strictEqual((yield* Effect.flip(carrier.find(ref())))._tag, "CarrierSilent")
      assert.lengthOf(fake.log, 1)
    })
  )

  it.effect("proves nothing while the two clocks are minutes apart", () =>
    Effect.gen(function* () {
      const { carrier } = yield* world()
      yield* TestClock.adjust(2 * Instant.minute)
      assert.deepStrictEqual(yield* carrier.find(ref()), { _tag: "Nothing" })
      yield* TestClock.adjust(Instant.second)
      assert.match((yield* Effect.flip(carrier.find(ref()))).detail, /clock/)
    })
  )

  it.effect("proves nothing where there is no answer, no list, or a record that is gone", () =>
    Effect.gen(function* () {
      const { carrier, fake } = yield* world()
      fake.faults.push(
        { kind: "break" },
        { kind: "refuse", status: 500 },
        { kind: "refuse", status: 404, code: 20404 },
        { kind: "refuse", status: 429, code: 20429 },
        { kind: "say", status: 200, body: "{}" }
      )
      for (let time = 0; time < 5; time++) {
        assert.strictEqual((yield* Effect.flip(carrier.find(ref())))._tag, "CarrierSilent")
      }
      const gone = ref({ providerCallId: "CAffffffffffffffffffffffffffffffff" })
      assert.match((yield* Effect.flip(carrier.find(gone))).detail, /gone/)
    })
  )
})

describe("a call that is to end", () => {
  it.effect("is cancelled while it is queued or rings, and hung up once it is answered", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place } = yield* world()
      const first = yield* place()
      const ended = yield* carrier.end(ref(first), { isAnswered: false })
      assert.deepInclude(ended?.news, { _tag: "Ended", status: "canceled" })
      assert.strictEqual(fake.calls[0]?.status, "canceled")
      yield* pass(2000)
      const second = yield* place()
      yield* pass(1000)
      yield* carrier.end(ref(second), { isAnswered: false })
      assert.strictEqual(fake.calls[1]?.status, "canceled")
      const third = yield* place()
      yield* pass(5000)
      yield* carrier.end(ref(third), { isAnswered: true })
      assert.strictEqual(fake.calls[2]?.status, "completed")
      assert.deepStrictEqual(statuses(fake), ["canceled", "canceled", "completed"])
    })
  )

  it.effect("is hung up when it was answered before the cancelling came", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place, reports } = yield* world()
      const placed = yield* place()
      yield* pass(5000)
      const ended = yield* carrier.end(ref(placed), { isAnswered: false })
      assert.deepInclude(ended?.news, { _tag: "Ended", status: "completed" })
      assert.strictEqual(fake.calls[0]?.status, "completed")
      assert.deepStrictEqual(statuses(fake), ["canceled", "completed"])
      yield* pass(0)
      assert.deepStrictEqual(story(reports), ["Dialing", "Ringing", "Answered", "completed"])
    })
  )

  it.effect("is hung up when the provider took the cancelling but says that the call goes on", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place } = yield* world()
      const placed = yield* place()
      yield* pass(5000)
      fake.faults.push({
        kind: "say",
        status: 200,
        body: JSON.stringify({ ...placed, sid: "CA1", status: "in-progress" })
      })
      yield* carrier.end(ref(placed), { isAnswered: false })
      assert.strictEqual(fake.calls[0]?.status, "completed")
    })
  )

  it.effect("had ended before: its record says how, whether or not that was reported", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place } = yield* world({ phone: () => ({ does: "busy" }) })
      const placed = yield* place()
      yield* pass(60_000)
      const before = fake.log.length
      const ended = yield* carrier.end(ref(placed), { isAnswered: false })
      assert.deepInclude(ended?.news, { _tag: "Ended", status: "busy" })
      assert.deepStrictEqual(yield* carrier.end(ref(placed), { isAnswered: true }), ended)
      // Two requests each: one to end it, one for the record.
      assert.lengthOf(fake.log, before + 4)
    })
  )

  it.effect("has no end where its record is gone", () =>
    Effect.gen(function* () {
      const { carrier } = yield* world()
      assert.isNull(
        yield* carrier.end(ref({ providerCallId: "CAffffffffffffffffffffffffffffffff" }), { isAnswered: true })
      )
    })
  )

  it.effect("is not seen as ended where it goes on after all", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place } = yield* world()
      const placed = yield* place()
      yield* pass(5000)
      fake.faults.push({ kind: "refuse", status: 400, code: 21220 })
      assert.deepStrictEqual((yield* carrier.end(ref(placed), { isAnswered: true }))?.news, { _tag: "Answered" })
    })
  )

  it.effect("is not known to have ended when the provider does not answer", () =>
    Effect.gen(function* () {
      const { carrier, fake, place } = yield* world()
      const placed = yield* place()
      fake.faults.push({ kind: "refuse", status: 503 }, { kind: "lose" }, { kind: "refuse", status: 429, code: 20429 })
      for (let time = 0; time < 3; time++) {
        assert.strictEqual((yield* Effect.flip(carrier.end(ref(placed), { isAnswered: false })))._tag, "CarrierSilent")
      }
    })
  )
})

describe("a message for a machine", () => {
  it.effect("is heard on the call that is up, and ends it", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place, reports } = yield* world({
        phone: () => ({ does: "answer", who: "machine_end_beep", talksFor: 600_000 })
      })
      const placed = yield* place({ detectMachine: true })
      yield* pass(6000)
      assert.strictEqual(story(reports).at(-1), "machine")
      yield* carrier.leaveMessage(ref(placed), { _tag: "Audio", url: "https://a.example/m.mp3" })
      assert.strictEqual(fake.calls[0]?.twiml, "<Response><Play>https://a.example/m.mp3</Play><Hangup/></Response>")
      yield* pass(10_000)
      assert.strictEqual(story(reports).at(-1), "completed")
    })
  )

  it.effect("is not seen as left when there is no record of the call", () =>
    Effect.gen(function* () {
      const { carrier } = yield* world()
      const gone = ref({ providerCallId: "CAffffffffffffffffffffffffffffffff" })
      const error = yield* Effect.flip(carrier.leaveMessage(gone, { _tag: "Text", text: "Call us" }))
      assert.strictEqual(error._tag, "CarrierSilent")
    })
  )

  it.effect("is not seen as left when the call is over, or the message is too long", () =>
    Effect.gen(function* () {
      const { carrier, fake, pass, place } = yield* world()
      const placed = yield* place()
      yield* pass(60_000)
      const leave = (text: string) => Effect.flip(carrier.leaveMessage(ref(placed), { _tag: "Text", text }))
      assert.strictEqual((yield* leave("Call us"))._tag, "CarrierSilent")
      const requests = fake.log.length
      assert.strictEqual((yield* leave("a".repeat(4000)))._tag, "CarrierSilent")
      assert.lengthOf(fake.log, requests)
    })
  )
})

describe("a callback", () => {
  it.effect("may come twice and late: each is read alike", () =>
    Effect.gen(function* () {
      const { fake, pass, place, reports } = yield* world()
      Object.assign(fake.callbacks, { times: 2, reversed: true })
      yield* place()
      yield* pass(60_000)
      assert.deepStrictEqual(story(reports), [
        ...["completed", "completed", "Answered", "Answered"],
        ...["Ringing", "Ringing", "Dialing", "Dialing"]
      ])
      assert.deepStrictEqual(
        reports.map(({ at }) => at - start),
        [22_000, 22_000, 2000, 2000, 0, 0, 0, 0]
      )
    })
  )

  it.effect("comes before the answer to the request, and names its call all the same", () =>
    Effect.gen(function* () {
      const { fake, pass, place, reports } = yield* world()
      fake.faults.push({ kind: "lose" })
      yield* Effect.flip(place())
      yield* pass(0)
      assert.deepInclude(reports[0], { callId, providerCallId: fake.calls[0]!.sid })
    })
  )

  // Verifies: D-157.
  it.effect("is refused when anything in it was changed, or it was signed by another", () =>
    Effect.gen(function* () {
      const { callbacks, carrier, pass, place } = yield* world()
      yield* place()
      yield* pass(1000)
      const genuine = callbacks[0]!
      const refusal = (change: Partial<Callback>) =>
        Effect.map(Effect.flip(carrier.read({ ...genuine, ...change })), ({ reason }) => reason)
      assert.lengthOf((yield* carrier.read(genuine)).reports, 1)
      const other = genuine.target.replace(callId, callId.replace(/1$/, "2"))
      const body = Buffer.from(genuine.body).toString().replace("initiated", "completed")
      assert.strictEqual(yield* refusal({ target: other }), "signature")
      assert.strictEqual(yield* refusal({ target: `/else${genuine.target}` }), "signature")
      assert.strictEqual(yield* refusal({ body: Buffer.from(body) }), "signature")
      assert.strictEqual(yield* refusal({ headers: { ...genuine.headers, "x-twilio-signature": "x" } }), "signature")
      assert.strictEqual(yield* refusal({ headers: {} }), "signature")
      assert.strictEqual(yield* refusal({ method: "GET" }), "unsupported")
      const { carrier: elsewhere } = yield* world({ options: { authToken: "another token" } })
      assert.deepInclude(yield* Effect.flip(elsewhere.read(genuine)), { reason: "signature" })
    })
  )
})

describe("the fake", () => {
  it.live("can let its time pass by itself, many times as fast", () =>
    Effect.gen(function* () {
      const { fake, place, reports } = yield* Effect.provide(world(), TestClock.layer())
      yield* place()
      fake.run(2000)
      yield* Effect.promise(async () => {
        while (reports.length < 4) await new Promise((done) => setTimeout(done, 5))
      })
      assert.deepStrictEqual(story(reports), ["Dialing", "Ringing", "Answered", "completed"])
    })
  )
})

describe("the requests to the provider", () => {
  it.effect("carry the account's credentials and nothing of our traces", () =>
    Effect.gen(function* () {
      const { fake, place } = yield* world()
      yield* Effect.withSpan(place(), "a span of the host")
      const { headers } = fake.log[0]!
      assert.strictEqual(headers.authorization, `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`)
      assert.strictEqual(headers["content-type"], "application/x-www-form-urlencoded")
      assert.isUndefined(headers.traceparent)
      assert.isUndefined(headers.b3)
    })
  )
})

/** The provider returns its times in whole seconds. */
const toSecond = (ms: number): number => Math.floor(ms / 1000) * 1000
