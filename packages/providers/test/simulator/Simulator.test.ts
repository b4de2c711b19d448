/** The simulator over a states in memory, in virtual time. Verifies: SIMU-2, SIMU-3, SIMU-4, SIMU-5. */
import { assert, describe, it } from "@effect/vitest"
import {
  type CallNews,
  type CallReport,
  Carrier,
  type Found,
  Ids,
  Instant,
  type NamedCall,
  type Permit,
  type VoicemailMessage
} from "@trunkline/core/provider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { InvalidSimulatorOptions, layer, type SimulatorOptions, simulator } from "../../src/simulator/index.ts"
import { FakeProviderStates } from "./FakeProviderStates.ts"

const start = Instant.make(Date.UTC(2026, 10, 21, 10, 0, 0))
const person = "+91 98765 43210"
const nobody = "+91 98765 43265"
const machine = "+91 98765 43285"
const hello: VoicemailMessage = { _tag: "Text", text: "Please call us back." }

const id = (n: number): Ids.CallId => Ids.as(`01890000-0000-7000-8000-${String(n).padStart(12, "0")}`)

/** Only the placing of calls makes permits; this stands in for it. */
const permit = (to: string, change: Partial<Permit> = {}): Permit =>
  ({
    callId: id(1),
    tenantId: Ids.as("01890000-0000-7000-8000-0000000000aa"),
    botId: null,
    to,
    from: null,
    answer: { _tag: "Say", text: "Hello", language: null },
    detectMachine: false,
    ...change
  }) as Permit

const ref = (n = 1): NamedCall => ({
  callId: id(n),
  providerCallId: `SIM-${id(n)}`,
  to: person,
  from: null,
  askedAt: start
})

/** What a look-up has found. */
const reportIn = (found: Found): CallReport | null => (found._tag === "Record" ? found.report : null)

const word = (news: CallNews): string =>
  news._tag === "Ended" ? news.status : news._tag === "Detected" ? news.answeredBy : news._tag

interface Reported {
  readonly report: CallReport
  /** When it was reported, which may be later than when it happened. */
  readonly at: number
}

/** One process on a states: it ends when `kill` is run, or with the test. */
const process = Effect.fnUntraced(function* (
  states: FakeProviderStates,
  options: SimulatorOptions = {},
  tell: (report: CallReport) => Effect.Effect<void> = () => Effect.void
) {
  const scope = yield* Scope.fork(yield* Scope.Scope)
  const carrier = Context.get(yield* Layer.buildWithScope(Layer.provide(layer(options), states.layer), scope), Carrier)
  const reported: Array<Reported> = []
  const listen = carrier
    .listen((report) =>
      Effect.andThen(
        tell(report),
        Effect.map(Instant.now, (at) => void reported.push({ report, at }))
      )
    )
    .pipe(Effect.provideService(Scope.Scope, scope))
  return { carrier, reported, listen, kill: Scope.close(scope, Exit.void) }
})

/** A process that listens, on a states of its own, at a known instant. */
const world = Effect.fnUntraced(function* (
  options: SimulatorOptions = {},
  tell?: (report: CallReport) => Effect.Effect<void>
) {
  yield* TestClock.setTime(start)
  const states = new FakeProviderStates()
  const first = yield* process(states, options, tell)
  yield* first.listen
  return { states, ...first }
})

/** The row of a call. */
const storedCall = (states: FakeProviderStates, n: number) => states.rows.get(id(n))!.state

/** The reports of a call: what, when it happened and when it was reported, in milliseconds since the test began. */
const story = (reported: ReadonlyArray<Reported>, n = 1) =>
  reported
    .filter(({ report }) => report.callId === id(n))
    .map(({ at, report }) => [word(report.news), report.at - start, at - start] as const)

const onTime = (...expected: ReadonlyArray<readonly [string, number]>) => expected.map(([what, at]) => [what, at, at])

const [dialing, ringing, answered] = [
  ["Dialing", 0],
  ["Ringing", 0],
  ["Answered", 2000]
] as const
const wholeLife = [dialing, ringing, answered, ["completed", 22_000]] as const

describe("a call on the simulator", () => {
  it.effect("is accepted under an id made of ours, and is reported at the instants of its life", () =>
    Effect.gen(function* () {
      const { states, carrier, reported } = yield* world()
      assert.deepStrictEqual(yield* carrier.place(permit(person, { from: "+1 415 555 0100" })), {
        providerCallId: `SIM-${id(1)}`
      })
      assert.deepInclude(storedCall(states, 1), { to: person, from: "+1 415 555 0100", acceptedAt: start })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual<unknown>(story(reported), onTime(...wholeLife))
      for (const { report } of reported) assert.deepInclude(report, { callId: id(1), providerCallId: `SIM-${id(1)}` })
    })
  )

  it.effect("is placed before anything is reported of it", () =>
    Effect.gen(function* () {
      const { carrier, reported } = yield* world()
      yield* carrier.place(permit(person))
      assert.deepStrictEqual(reported, [])
      yield* TestClock.adjust(0)
      assert.deepStrictEqual<unknown>(story(reported), onTime(dialing, ringing))
    })
  )

  it.effect("is reported faster at a higher speed", () =>
    Effect.gen(function* () {
      const { carrier, reported } = yield* world({ speed: 10 })
      yield* carrier.place(permit(machine, { detectMachine: true }))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual<unknown>(
        story(reported),
        onTime(dialing, ringing, ["Answered", 200], ["machine", 300], ["completed", 2200])
      )
    })
  )

  it.effect("stays what it was when it is asked for a second time", () =>
    Effect.gen(function* () {
      const { states, carrier, reported } = yield* world()
      yield* carrier.place(permit(person))
      yield* TestClock.adjust("10 seconds")
      yield* carrier.place(permit(nobody))
      yield* TestClock.adjust("1 minute")
      yield* carrier.place(permit(nobody))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual<unknown>(story(reported), onTime(...wholeLife))
      assert.strictEqual(states.rows.size, 1)
    })
  )

  it.effect("may or may not have been placed when the states fails", () =>
    Effect.gen(function* () {
      const { states, carrier, reported } = yield* world()
      states.broken = true
      assert.strictEqual((yield* Effect.flip(carrier.place(permit(person))))._tag, "CarrierSilent")
      assert.strictEqual((yield* Effect.flip(carrier.find(ref())))._tag, "CarrierSilent")
      assert.strictEqual((yield* Effect.flip(carrier.end(ref(), { isAnswered: false })))._tag, "CarrierSilent")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(reported, [])
    })
  )
})

describe("a call that our side ends", () => {
  it.effect("while it rings is cancelled at that instant, and nothing follows", () =>
    Effect.gen(function* () {
      const { carrier, reported } = yield* world()
      yield* carrier.place(permit(nobody))
      yield* TestClock.adjust(12_345)
      const ended = yield* carrier.end(ref(), { isAnswered: false })
      assert.deepInclude(ended?.news, { _tag: "Ended", status: "canceled", rang: true })
      yield* TestClock.adjust(0)
      const expected = onTime(dialing, ringing, ["canceled", 12_345])
      assert.deepStrictEqual<unknown>(story(reported), expected)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual<unknown>(story(reported), expected)
    })
  )

  it.effect("after the answer is completed, by us, with the seconds that it lasted", () =>
    Effect.gen(function* () {
      const { carrier, reported } = yield* world()
      yield* carrier.place(permit(person))
      yield* TestClock.adjust("9 seconds")
      // Whether it was answered is the network's knowledge, not the caller's.
      yield* carrier.end(ref(), { isAnswered: false })
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual<unknown>(story(reported), onTime(dialing, ringing, answered, ["completed", 9000]))
      assert.deepStrictEqual(reported.at(-1)?.report.news, {
        _tag: "Ended",
        status: "completed",
        failure: null,
        durationSeconds: 7,
        by: "local"
      })
    })
  )

  it.effect("after its end stays as it was, and nothing is written", () =>
    Effect.gen(function* () {
      const { states, carrier, reported } = yield* world()
      yield* carrier.place(permit(person))
      yield* TestClock.adjust(22_000)
      const { commits } = states
      const over = yield* carrier.end(ref(), { isAnswered: true })
      assert.deepInclude(over, { at: Instant.plus(start, 22_000) })
      assert.strictEqual(states.commits, commits)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* carrier.end(ref(), { isAnswered: true }), over)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual<unknown>(story(reported), onTime(...wholeLife))
      assert.isNull(storedCall(states, 1).stoppedAt)
    })
  )

  it.effect("twice ended the first time", () =>
    Effect.gen(function* () {
      const { states, carrier, reported } = yield* world()
      yield* carrier.place(permit(nobody))
      yield* TestClock.adjust(1000)
      yield* Effect.all([carrier.end(ref(), { isAnswered: false }), carrier.end(ref(), { isAnswered: false })], {
        concurrency: 2
      })
      const { commits } = states
      yield* carrier.end(ref(), { isAnswered: false })
      assert.strictEqual(states.commits, commits)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual<unknown>(story(reported), onTime(dialing, ringing, ["canceled", 1000]))
    })
  )

  it.effect("is none where the simulator has no such call", () =>
    Effect.gen(function* () {
      const { states, carrier } = yield* world()
      assert.isNull(yield* carrier.end(ref(), { isAnswered: false }))
      assert.strictEqual(states.commits, 0)
    })
  )

  it.effect("in the middle of a report has that report completed, and its end afterwards", () =>
    Effect.gen(function* () {
      const { carrier, reported } = yield* world({}, ({ news }) =>
        news._tag === "Answered" ? Effect.sleep("3 seconds") : Effect.void
      )
      yield* carrier.place(permit(person))
      yield* TestClock.adjust("4 seconds")
      const ended = yield* Effect.forkChild(carrier.end(ref(), { isAnswered: true }))
      yield* TestClock.adjust("500 millis")
      // Its answer comes behind what led to it, as that of a look-up does.
      assert.isUndefined(ended.pollUnsafe())
      yield* TestClock.adjust("1 hour")
      assert.deepInclude((yield* Fiber.join(ended))?.news, { status: "completed", durationSeconds: 2 })
      assert.deepStrictEqual<unknown>(story(reported), [
        ...onTime(dialing, ringing),
        ["Answered", 2000, 5000],
        ["completed", 4000, 5000]
      ])
    })
  )
})

describe("a message", () => {
  it.effect("is heard for 5 s by a machine that was detected, and then the call ends by us", () =>
    Effect.gen(function* () {
      const { carrier, reported } = yield* world()
      yield* carrier.place(permit(machine, { detectMachine: true }))
      yield* TestClock.adjust(3000)
      yield* carrier.leaveMessage(ref(), hello)
      yield* TestClock.adjust(1500)
      // A repeated request does not begin it again.
      yield* carrier.leaveMessage(ref(), hello)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual<unknown>(
        story(reported),
        onTime(dialing, ringing, answered, ["machine", 3000], ["completed", 8000])
      )
      assert.deepInclude(reported.at(-1)!.report.news, { by: "local", durationSeconds: 6 })
    })
  )

  it.effect("is heard by a machine that answered, where detection is off", () =>
    Effect.gen(function* () {
      const { carrier, reported } = yield* world()
      yield* carrier.place(permit(machine))
      yield* TestClock.adjust(2500)
      yield* carrier.leaveMessage(ref(), hello)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual<unknown>(story(reported), onTime(dialing, ringing, answered, ["completed", 7500]))
    })
  )

  it.effect.each([
    ["before the answer", 1999],
    ["after the end", 22_000]
  ] as const)("is not left %s, nor later", ([, ms]) =>
    Effect.gen(function* () {
      const { states, carrier, reported } = yield* world()
      yield* carrier.place(permit(machine))
      yield* TestClock.adjust(ms)
      assert.strictEqual((yield* Effect.flip(carrier.leaveMessage(ref(), hello)))._tag, "CarrierSilent")
      assert.isNull(storedCall(states, 1).messageAt)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual<unknown>(story(reported), onTime(...wholeLife))
    })
  )

  it.effect("is not left on a call that the simulator does not have", () =>
    Effect.gen(function* () {
      const { carrier } = yield* world()
      assert.strictEqual((yield* Effect.flip(carrier.leaveMessage(ref(), hello)))._tag, "CarrierSilent")
    })
  )
})

describe("a call that outlives its process", () => {
  // Verifies: D-175.
  it.effect("goes on: the next one reports what happened, with its true instants, and the rest on time", () =>
    Effect.gen(function* () {
      const { states, carrier, kill, reported } = yield* world()
      yield* carrier.place(permit(machine, { detectMachine: true }))
      yield* TestClock.adjust(1000)
      yield* kill
      yield* TestClock.adjust(1500)
      const next = yield* process(states)
      yield* next.listen
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual<unknown>(story(reported), onTime(dialing, ringing))
      assert.deepStrictEqual<unknown>(story(next.reported), [
        ["Dialing", 0, 2500],
        ["Ringing", 0, 2500],
        ["Answered", 2000, 2500],
        ...onTime(["machine", 3000], ["completed", 22_000])
      ])
    })
  )

  it.effect("and ended meanwhile is reported at once, in order, with its true instants, and never again", () =>
    Effect.gen(function* () {
      const { states, carrier, kill, reported } = yield* world()
      yield* carrier.place(permit(machine, { detectMachine: true }))
      yield* carrier.place(permit(nobody, { callId: id(2) }))
      yield* kill
      yield* TestClock.adjust("1 hour")
      const hour = Instant.hour
      const next = yield* process(states)
      yield* next.listen
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(reported, [])
      assert.deepStrictEqual<unknown>(story(next.reported), [
        ["Dialing", 0, hour],
        ["Ringing", 0, hour],
        ["Answered", 2000, hour],
        ["machine", 3000, hour],
        ["completed", 22_000, hour]
      ])
      assert.deepStrictEqual<unknown>(story(next.reported, 2).at(-1), ["no_answer", 30_000, hour])
      yield* next.kill
      const last = yield* process(states)
      yield* last.listen
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(last.reported, [])
    })
  )

  it.effect("is not reported to a listener that has stopped", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { carrier } = yield* process(new FakeProviderStates())
      const reported: Array<CallReport> = []
      yield* Effect.scoped(carrier.listen((report) => Effect.sync(() => void reported.push(report))))
      yield* carrier.place(permit(person))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(reportIn(yield* carrier.find(ref()))?.news._tag, "Ended")
      assert.deepStrictEqual(reported, [])
    })
  )

  it.effect("is reported once a listener is there", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { carrier, listen, reported } = yield* process(new FakeProviderStates())
      yield* carrier.place(permit(person))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(reported, [])
      yield* listen
      yield* TestClock.adjust(0)
      assert.strictEqual(story(reported).length, 4)
    })
  )
})

describe("several processes on one database", () => {
  it.effect("a call that one accepts without listening is reported by another within 2 s", () =>
    Effect.gen(function* () {
      const { states, reported } = yield* world()
      const other = yield* process(states)
      yield* TestClock.adjust(500)
      yield* other.carrier.place(permit(person))
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual<unknown>(story(reported), [
        ["Dialing", 500, 2000],
        ["Ringing", 500, 2000],
        ...onTime(["Answered", 2500], ["completed", 22_500])
      ])
    })
  )

  it.effect.each([
    // Before the other one has closed the call, and after: both read the storage every 2 s, and close every second.
    [3800, [["canceled", 3800, 4000]]],
    [4500, []]
  ] as const)("a call that another one ends at %d is ended for both, and reported once more at most", ([ms, again]) =>
    Effect.gen(function* () {
      const { states, carrier, reported } = yield* world()
      const other = yield* process(states)
      yield* other.listen
      yield* carrier.place(permit(nobody))
      yield* TestClock.adjust(ms)
      yield* other.carrier.end(ref(), { isAnswered: false })
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual<unknown>(story(other.reported).at(-1), ["canceled", ms, ms])
      assert.deepStrictEqual<unknown>(story(reported), [...onTime(dialing, ringing), ...again])
    })
  )

  it.effect("what this process knows of a call is not forgotten over an older reading of the storage", () =>
    Effect.gen(function* () {
      const { states, carrier, reported } = yield* world({}, ({ callId, news }) =>
        callId === id(2) && news._tag === "Answered" ? Effect.sleep("3 seconds") : Effect.void
      )
      yield* carrier.place(permit(machine))
      yield* carrier.place(permit(person, { callId: id(2) }))
      yield* TestClock.adjust(2500)
      const before = [...states.rows]
      yield* carrier.leaveMessage(ref(1), hello)
      yield* Effect.forkChild(carrier.end(ref(2), { isAnswered: true }))
      yield* TestClock.adjust(0)
      for (const [key, row] of before) states.rows.set(key, row)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual<unknown>(story(reported).at(-1), ["completed", 7500, 7500])
      assert.deepStrictEqual<unknown>(story(reported, 2).at(-1), ["completed", 2500, 5000])
    })
  )

  it.effect("a call that was closed while the storage was read is not reported again", () =>
    Effect.gen(function* () {
      const { states, carrier, reported } = yield* world()
      yield* carrier.place(permit(person))
      yield* TestClock.adjust(21_500)
      states.readMs = 1500
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual<unknown>(story(reported), onTime(...wholeLife))
    })
  )
})

describe("many calls", () => {
  it.effect("500 at once are reported on time, and closed in one commit", () =>
    Effect.gen(function* () {
      const { states, carrier, reported } = yield* world()
      const all = Array.from({ length: 500 }, (_, i) => i + 1)
      yield* Effect.forEach(all, (n) => carrier.place(permit(person, { callId: id(n) })), { discard: true })
      assert.strictEqual(states.commits, 500)
      yield* TestClock.adjust("1 minute")
      for (const n of all) assert.deepStrictEqual<unknown>(story(reported, n), onTime(...wholeLife))
      assert.strictEqual(states.commits, 501)
      for (const { state } of states.rows.values()) assert.strictEqual(state.closedAt, start + 22_000)
    })
  )

  it.effect("do not wait for each other's reports", () =>
    Effect.gen(function* () {
      const { carrier, reported } = yield* world({}, ({ callId }) =>
        callId === id(1) ? Effect.sleep("10 minutes") : Effect.void
      )
      yield* carrier.place(permit(person))
      yield* carrier.place(permit(person, { callId: id(2) }))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual<unknown>(story(reported), [])
      assert.deepStrictEqual<unknown>(story(reported, 2), onTime(...wholeLife))
      // A report that has begun is finished, also when the process ends.
      yield* TestClock.adjust("1 hour")
    })
  )

  it.effect("go on when one report cannot be handled", () =>
    Effect.gen(function* () {
      const { states, carrier, reported } = yield* world({}, ({ news }) =>
        news._tag === "Answered" ? Effect.die(new Error("no")) : Effect.void
      )
      yield* carrier.place(permit(person))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual<unknown>(story(reported), onTime(dialing, ringing, ["completed", 22_000]))
      assert.isNotNull(storedCall(states, 1).closedAt)
    })
  )

  it.effect("are closed, and new ones found, once the states works again", () =>
    Effect.gen(function* () {
      const { states, carrier, reported } = yield* world()
      const other = yield* process(states)
      yield* carrier.place(permit(person))
      yield* TestClock.adjust("10 seconds")
      yield* other.carrier.place(permit(person, { callId: id(2) }))
      states.broken = true
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual<unknown>(story(reported), onTime(...wholeLife))
      assert.isNull(storedCall(states, 1).closedAt)
      states.broken = false
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(story(reported).length, 4)
      assert.deepStrictEqual(
        [...states.rows.values()].filter(({ isOpen }) => isOpen),
        []
      )
      assert.strictEqual(story(reported, 2).length, 4)
    })
  )
})

describe("a look-up", () => {
  // Verifies: D-175.
  it.effect("answers with the state of the call, whenever it is asked", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { carrier } = yield* process(new FakeProviderStates())
      const look = Effect.map(carrier.find(ref()), (found) => {
        const report = reportIn(found)
        return report === null ? null : [word(report.news), report.at - start, report.callId, report.providerCallId]
      })
      const known = (what: string, at: number) => [what, at, id(1), `SIM-${id(1)}`]
      assert.isNull(yield* look)
      yield* carrier.place(permit(machine, { detectMachine: true }))
      assert.deepStrictEqual(yield* look, known("Ringing", 0))
      yield* TestClock.adjust(2500)
      assert.deepStrictEqual(yield* look, known("Answered", 2000))
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(yield* look, known("machine", 3000))
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* look, known("completed", 22_000))
    })
  )

  it.effect("answers for a call whose end was reported", () =>
    Effect.gen(function* () {
      const { carrier, reported } = yield* world()
      yield* carrier.place(permit(person))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(reportIn(yield* carrier.find(ref()))?.at, start + 22_000)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(reported.length, 4)
    })
  )

  it.effect("knows a call that a clock ahead of ours has accepted", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { carrier } = yield* process(new FakeProviderStates())
      yield* carrier.place(permit(person))
      yield* TestClock.setTime(start - 1000)
      assert.strictEqual(reportIn(yield* carrier.find(ref()))?.news._tag, "Queued")
    })
  )

  it.effect("after a restart comes behind what led to the state that it finds", () =>
    Effect.gen(function* () {
      const { states, carrier, kill } = yield* world()
      yield* carrier.place(permit(machine, { detectMachine: true }))
      yield* kill
      yield* TestClock.adjust("1 hour")
      const next = yield* process(states, {}, () => Effect.sleep("1 second"))
      yield* next.listen
      const found = yield* Effect.forkChild(next.carrier.find(ref()))
      yield* TestClock.adjust(4500)
      assert.isUndefined(found.pollUnsafe())
      assert.deepStrictEqual(
        story(next.reported).map(([what]) => what),
        ["Dialing", "Ringing", "Answered", "machine"]
      )
      yield* TestClock.adjust(1000)
      const exit = found.pollUnsafe()
      assert.isTrue(exit !== undefined && Exit.isSuccess(exit) && reportIn(exit.value)?.news._tag === "Ended")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(story(next.reported).length, 5)
    })
  )

  // Verifies: D-161.
  it.effect("needs no second one to prove that there is no call", () =>
    Effect.gen(function* () {
      const { carrier } = yield* world()
      assert.deepStrictEqual(carrier.traits.proof, { lookUps: 1, overMs: 0 })
      assert.deepStrictEqual(yield* carrier.find(ref()), { _tag: "Nothing" })
    })
  )
})

describe("the simulator", () => {
  it.effect.each([
    [1, 60_000],
    [3, 20_000],
    [100, 10_000],
    [0.5, 120_000]
  ] as const)("at speed %d needs no caller, sets no rate, and counts %d ms as silence", ([speed, silenceMs]) =>
    Effect.gen(function* () {
      const { carrier } = yield* world({ speed })
      assert.deepInclude(carrier.traits, {
        name: "simulator",
        startsPerSecond: null,
        needsCaller: false,
        defaultFrom: null,
        silenceMs
      })
    })
  )

  it.effect("accepts no callbacks", () =>
    Effect.gen(function* () {
      const { carrier } = yield* world()
      const callback = { method: "POST", target: "/", headers: {}, body: new Uint8Array() }
      assert.strictEqual((yield* Effect.flip(carrier.read(callback))).reason, "unsupported")
    })
  )

  it.effect("is handed over as a provider, too", () =>
    Effect.gen(function* () {
      const provider = simulator({ speed: 2 })
      assert.strictEqual(provider.kind, "telephony")
      const context = yield* Layer.build(Layer.provide(provider.layer, new FakeProviderStates().layer))
      assert.strictEqual(Context.get(context, Carrier).traits.silenceMs, 30_000)
    })
  )

  it.effect.each([0, -1, 0.0001, Number.NaN, Number.POSITIVE_INFINITY, "fast", null])(
    "does not run at a speed of %s, in either form",
    (speed) =>
      Effect.gen(function* () {
        const options = { speed } as SimulatorOptions
        assert.throws(() => simulator(options), InvalidSimulatorOptions, /^simulator: speed: /)
        const error = yield* Effect.flip(Layer.build(Layer.provide(layer(options), new FakeProviderStates().layer)))
        assert.instanceOf(error, InvalidSimulatorOptions)
      })
  )

  it("does not overlook a misspelt setting", () => {
    assert.throws(() => simulator({ sped: 10 } as SimulatorOptions), /^simulator: sped: /)
  })
})
