/** Callees of the simulator that somebody speaks for: docs/reference/telephony.md#simulator. Verifies: SIMU-7, SIMU-8, SIMU-9. */
import { assert, describe, it } from "@effect/vitest"
import {
  type CallReport,
  Carrier,
  Ids,
  Instant,
  type Permit,
  type SocketListener,
  wavHeader
} from "@trunkline/core/provider"
import { joined, mulawNoise, withoutSilence } from "@trunkline/testing/media-suite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { InvalidSimulatorOptions, layer, type SimulatorOptions, simulator } from "../../src/simulator/index.ts"
import { callId, door, FakeMedia, tenantId } from "../Media.ts"
import { requestOf } from "../twilio/FakeStream.ts"
import { FakeProviderStates } from "./FakeProviderStates.ts"

const start = Instant.make(Date.UTC(2026, 10, 21, 10, 0, 0))
const person = "+91 98765 43210"

const order = (change: object = {}): Permit =>
  ({
    callId,
    tenantId,
    botId: null,
    to: person,
    from: null,
    answer: { _tag: "Agent" },
    mediaToken: null,
    detectMachine: false,
    ...change
    // Only the placing of calls makes permits; this stands in for it.
  }) as unknown as Permit

/** A client that speaks for a callee. */
interface Client {
  readonly heard: () => Uint8Array
  readonly texts: ReadonlyArray<{ readonly type: string; readonly end_reason?: string }>
  readonly closes: ReadonlyArray<number>
  readonly listener: SocketListener
  readonly say: (message: object) => void
}

/** A process on the rows of all. */
const process = Effect.fnUntraced(function* (states: FakeProviderStates, options: SimulatorOptions = {}) {
  const media = new FakeMedia()
  const scope = yield* Scope.fork(yield* Scope.Scope)
  const layers = Layer.mergeAll(states.layer, media.layer)
  const carrier = Context.get(yield* Layer.buildWithScope(Layer.provide(layer(options), layers), scope), Carrier)
  const reports: Array<CallReport> = []
  const listen = carrier
    .listen((report) => Effect.sync(() => void reports.push(report)))
    .pipe(Effect.provideService(Scope.Scope, scope))
  const [route] = carrier.sockets!(door)
  const accept = (id: string = callId, headers: Readonly<Record<string, string>> = { authorization: "Bearer key" }) =>
    route!.accept({ ...requestOf("", headers), params: { call_id: id } })
  const connect = Effect.map(accept(), (accepted): Client => {
    if (accepted._tag === "Refused") throw new Error(`refused with ${accepted.status}`)
    const [heard, texts, closes]: [Array<Uint8Array>, Array<Client["texts"][number]>, Array<number>] = [[], [], []]
    const listener: SocketListener = accepted.open({
      send: (message) =>
        typeof message === "string" ? void texts.push(JSON.parse(message)) : void heard.push(message.slice()),
      unsentBytes: () => 0,
      close: (code) => {
        closes.push(code)
        listener.closed(code)
      },
      terminate: () => listener.closed(1006)
    })
    return {
      heard: () => joined(heard),
      texts,
      closes,
      listener,
      say: (message) => listener.text(JSON.stringify(message))
    }
  })
  const end = () => reports.find(({ news }) => news._tag === "Ended")
  return { media, carrier, reports, accept, connect, listen, end, kill: Scope.close(scope, Exit.void) }
})

const world = Effect.fnUntraced(function* (options: SimulatorOptions = {}) {
  yield* TestClock.setTime(start)
  const states = new FakeProviderStates()
  const first = yield* process(states, options)
  yield* first.listen
  return { states, ...first }
})

const seconds = (count: number) => TestClock.adjust(count * Instant.second)

describe("the socket of a callee", () => {
  // Verifies: V-154.
  it.effect("is there from the call's creation on, before the carrier was asked", () =>
    Effect.gen(function* () {
      const { carrier, connect, media } = yield* world()
      const client = yield* connect
      yield* seconds(1)
      yield* carrier.place(order())
      yield* seconds(3)
      assert.deepStrictEqual(client.texts, [{ type: "answered" }])
      assert.strictEqual(media.lines.length, 1)
    })
  )

  // Verifies: V-157.
  it.effect("is 401 without a key, and 404 for a call that is unknown, foreign, over, or on another carrier", () =>
    Effect.gen(function* () {
      const { accept, media } = yield* world()
      const status = (...of: Parameters<typeof accept>) =>
        Effect.map(accept(...of), (answer) => (answer._tag === "Refused" ? answer.status : answer._tag))
      assert.strictEqual(yield* status(callId, {}), 401)
      assert.strictEqual(yield* status("1"), 404)
      assert.strictEqual(yield* status(), "Accepted")
      for (const facts of [{ tenantId: Ids.as<"Account">("x") }, { endedAt: start }, { provider: "twilio" }]) {
        media.facts = facts
        assert.strictEqual(yield* status(), 404)
      }
      media.facts = {}
      media.unknown.add(callId)
      assert.strictEqual(yield* status(), 404)
    })
  )

  // Verifies: V-155.
  it.effect("keeps the callee on the line while it is open, and hangs up when it closes", () =>
    Effect.gen(function* () {
      const { carrier, connect, end, media } = yield* world({ speed: 20 })
      yield* carrier.place(order())
      const client = yield* connect
      yield* seconds(90)
      assert.isUndefined(end())
      client.listener.closed(1000)
      yield* seconds(1)
      assert.deepInclude(end()?.news, { _tag: "Ended", status: "completed", by: "remote", durationSeconds: 90 })
      assert.deepStrictEqual(media.lines[0]!.heard.ends, ["hangup"])
    })
  )

  // Verifies: V-155.
  it.effect("says why the call has ended", () =>
    Effect.gen(function* () {
      const { carrier, connect, media } = yield* world()
      yield* carrier.place(order())
      const client = yield* connect
      yield* seconds(5)
      media.facts = { endedAt: start, endReason: "credits" }
      yield* carrier.end({ callId, providerCallId: "", to: "", from: null, askedAt: start }, { isAnswered: true })
      yield* seconds(1)
      assert.deepStrictEqual(client.texts, [{ type: "answered" }, { type: "ended", end_reason: "credits" }])
      assert.deepStrictEqual([client.closes, media.lines[0]!.heard.ends], [[1000], ["hangup"]])
    })
  )

  // Verifies: V-156.
  it.effect("brings sound at its own speed, however fast the network's time is", () =>
    Effect.gen(function* () {
      const { carrier, connect, media } = yield* world({ speed: 100 })
      yield* carrier.place(order())
      const client = yield* connect
      yield* seconds(1)
      const { heard, line } = media.lines[0]!
      const [said, sent] = [mulawNoise(16_000, 1), mulawNoise(16_000, 2)]
      client.listener.bytes(said)
      line.send(sent)
      yield* seconds(1)
      assert.approximately(withoutSilence(heard.said()).length, 9600, 320)
      assert.approximately(client.heard().length, 8000, 320)
      yield* seconds(2)
      assert.deepStrictEqual([withoutSilence(heard.said()), client.heard()], [said, sent])
    })
  )

  // Verifies: V-155.
  it.effect("shows the client what was cleared, and gives way to a later one", () =>
    Effect.gen(function* () {
      const { carrier, connect, media } = yield* world()
      yield* carrier.place(order())
      const early = yield* connect
      yield* seconds(3)
      media.lines[0]!.line.clear()
      assert.deepStrictEqual(early.texts.at(-1), { type: "clear" })
      const late = yield* connect
      yield* seconds(1)
      media.lines[0]!.line.send(mulawNoise(160, 1))
      yield* seconds(1)
      assert.deepStrictEqual([early.closes, early.heard().length, late.heard().length], [[1000], 0, 160])
      assert.deepStrictEqual([media.lines.length, media.lines[0]!.heard.ends], [1, []])
    })
  )
})

describe("a line that is dropped", () => {
  // Verifies: V-155.
  it.effect("is lost, and comes back when the callee does", () =>
    Effect.gen(function* () {
      const { carrier, connect, end, media } = yield* world({ speed: 20 })
      yield* carrier.place(order())
      const client = yield* connect
      yield* seconds(3)
      client.say({ type: "drop" })
      client.listener.closed(1000)
      yield* seconds(10)
      assert.deepStrictEqual([media.lines.length, media.lines[0]!.heard.ends, end()], [1, ["lost"], undefined])
      yield* connect
      yield* seconds(1)
      assert.deepStrictEqual([media.asked, media.lines.length], [["lost"], 2])
    })
  )

  it.effect("comes back by itself while the callee's socket stays open", () =>
    Effect.gen(function* () {
      const { carrier, connect, media } = yield* world()
      yield* carrier.place(order())
      const client = yield* connect
      yield* seconds(3)
      client.say({ type: "drop" })
      yield* seconds(2)
      assert.strictEqual(media.lines.length, 2)
      client.listener.closed(1000)
      yield* seconds(1)
      assert.deepStrictEqual(media.lines[1]!.heard.ends, ["hangup"])
    })
  )

  it.effect("is hung up where no agent wants it back, and by its callee after a minute", () =>
    Effect.gen(function* () {
      const { carrier, connect, end, media } = yield* world()
      yield* carrier.place(order())
      const client = yield* connect
      yield* seconds(3)
      media.resumes = false
      client.say({ type: "drop" })
      yield* seconds(2)
      assert.deepInclude(end()?.news, { by: "local" })

      const { carrier: other, connect: again, end: endOfOther } = yield* world()
      yield* other.place(order())
      const left = yield* again
      yield* seconds(3)
      left.say({ type: "drop" })
      left.listener.closed(1000)
      yield* seconds(60)
      assert.isUndefined(endOfOther())
      yield* seconds(15)
      assert.deepInclude(endOfOther()?.news, { by: "remote" })
    })
  )
})

describe("a callee that nobody speaks for", () => {
  const wav = (samples: number) => {
    const sound = Int16Array.from({ length: samples }, (_, at) => Math.round(8000 * Math.sin(at / 3)))
    const bytes = new Uint8Array(sound.buffer)
    return joined([wavHeader({ rate: 16_000, channels: 1, bytes: bytes.length }), bytes])
  }

  // Verifies: V-154.
  it.effect("is silent, frame by frame, and hangs up by itself", () =>
    Effect.gen(function* () {
      const { carrier, end, media } = yield* world()
      yield* carrier.place(order())
      yield* seconds(12)
      const said = media.lines[0]!.heard.said()
      assert.approximately(said.length, 80_000, 1600)
      assert.isTrue(said.every((byte) => byte === 0xff))
      yield* seconds(11)
      assert.deepInclude(end()?.news, { by: "remote", durationSeconds: 20 })
      assert.deepStrictEqual(media.lines[0]!.heard.ends, ["hangup"])
    })
  )

  // Verifies: V-158.
  it.effect("says what is in the file that the operator has named", () =>
    Effect.gen(function* () {
      const { carrier, media } = yield* world({ calleeAudio: wav(32_000) })
      yield* carrier.place(order())
      yield* seconds(8)
      assert.approximately(withoutSilence(media.lines[0]!.heard.said()).length, 16_000, 160)
    })
  )

  it("says nothing of a file that cannot be read: it is refused", () => {
    assert.throws(() => simulator({ calleeAudio: new Uint8Array(10) }), InvalidSimulatorOptions, /calleeAudio.*WAV/)
  })

  it.effect("of a call without an agent has no line", () =>
    Effect.gen(function* () {
      const { carrier, media } = yield* world()
      yield* carrier.place(order({ answer: { _tag: "Say", text: "Hello", language: null } }))
      yield* seconds(10)
      assert.strictEqual(media.lines.length, 0)
    })
  )

  it.effect("is hung up where no agent accepts the call", () =>
    Effect.gen(function* () {
      const { carrier, end, media } = yield* world()
      media.answers = false
      yield* carrier.place(order())
      yield* seconds(4)
      assert.deepInclude(end()?.news, { by: "local" })
    })
  )
})

describe("a call that is transferred", () => {
  it.effect("ends with the conversation of the person who answers, without the agent", () =>
    Effect.gen(function* () {
      const { carrier, connect, end, media } = yield* world()
      yield* carrier.place(order())
      yield* connect
      yield* seconds(3)
      assert.isTrue(yield* Effect.promise(() => media.lines[0]!.line.transfer!("+919876543220")))
      yield* seconds(15)
      assert.deepStrictEqual([media.lines.length, end()], [1, undefined])
      yield* seconds(10)
      assert.deepInclude(end()?.news, { by: "remote" })
      assert.deepStrictEqual(media.lines[0]!.heard.ends, [])
    })
  )

  it.effect("comes back where nobody answers, and goes nowhere where the number cannot be dialed", () =>
    Effect.gen(function* () {
      const { carrier, connect, media } = yield* world()
      yield* carrier.place(order())
      yield* connect
      yield* seconds(3)
      const { line } = media.lines[0]!
      assert.isFalse(yield* Effect.promise(() => line.transfer!("12")))
      assert.isTrue(yield* Effect.promise(() => line.transfer!("+919876543265")))
      yield* seconds(29)
      assert.strictEqual(media.lines.length, 1)
      yield* seconds(2)
      assert.deepStrictEqual([media.lines.length, media.asked], [2, ["unanswered"]])
    })
  )
})

describe("several processes on one database", () => {
  it.effect("connect a silent call once", () =>
    Effect.gen(function* () {
      const { carrier, media, states } = yield* world()
      const other = yield* process(states)
      yield* other.listen
      yield* carrier.place(order())
      yield* seconds(8)
      assert.strictEqual(media.lines.length + other.media.lines.length, 1)
    })
  )

  it.effect("connect a call where its callee is spoken for, and none ends it early", () =>
    Effect.gen(function* () {
      const { carrier, end, media, states } = yield* world({ speed: 20 })
      const other = yield* process(states, { speed: 20 })
      yield* other.listen
      const client = yield* other.connect
      yield* carrier.place(order())
      yield* seconds(30)
      assert.deepStrictEqual([media.lines.length, other.media.lines.length], [0, 1])
      assert.deepStrictEqual([end(), other.end()], [undefined, undefined])
      client.listener.closed(1000)
      yield* seconds(3)
      assert.deepInclude((end() ?? other.end())?.news, { by: "remote" })
    })
  )

  it.effect("keep off a call whose callee is spoken for elsewhere, however slow that process is", () =>
    Effect.gen(function* () {
      const { carrier, end, media, states } = yield* world()
      yield* carrier.place(order())
      const row = states.rows.get(callId)!
      states.rows.set(callId, { ...row, state: { ...row.state, heldUntil: start + 15_000 } })
      yield* seconds(60)
      assert.deepStrictEqual([media.lines.length, end()], [0, undefined])
      yield* seconds(16)
      assert.deepInclude(end()?.news, { by: "remote" })
    })
  )

  it.effect("go on with a call whose process has died, once its callee is there again", () =>
    Effect.gen(function* () {
      const { carrier, connect, kill, states } = yield* world()
      yield* carrier.place(order())
      yield* connect
      yield* seconds(5)
      yield* kill
      yield* seconds(20)
      const next = yield* process(states)
      yield* next.listen
      yield* seconds(2)
      assert.isUndefined(next.end())
      yield* next.connect
      yield* seconds(2)
      assert.deepStrictEqual([next.media.asked, next.media.lines.length], [["lost"], 1])
    })
  )
})
