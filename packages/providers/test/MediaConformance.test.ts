/** Every kind of line against the suite of all lines. Verifies: TWIL-7, TWIL-9, SIMU-7. */

import { Carrier, Instant, type Permit, type SocketListener } from "@trunkline/core/provider"
import { exchangeLine, framesOf, HeardLine, joined, makeFakeExchange, mediaSuite } from "@trunkline/testing/media-suite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import * as Simulator from "../src/simulator/index.ts"
import * as Twilio from "../src/twilio/index.ts"
import { callId, door, FakeMedia, tenantId } from "./Media.ts"
import { FakeProviderStates } from "./simulator/FakeProviderStates.ts"
import { openStream, requestOf } from "./twilio/FakeStream.ts"
import { FakeTwilio } from "./twilio/FakeTwilio.ts"

const start = Instant.make(Date.UTC(2026, 10, 21, 10, 0, 0))

const permit = (mediaToken: string | null): Permit =>
  ({
    callId,
    tenantId,
    botId: null,
    to: "+919876543210",
    from: "+14155550100",
    answer: { _tag: "Agent" },
    mediaToken,
    detectMachine: false
    // Only the placing of calls makes permits; this stands in for it.
  }) as unknown as Permit

mediaSuite(
  "an exchange that speaks Asterisk's chan_websocket",
  Effect.gen(function* () {
    const media = new FakeMedia()
    const exchange = yield* makeFakeExchange((socket) => {
      const ours = exchangeLine(socket)
      const heard = new HeardLine()
      media.lines.push({ line: ours.line, heard })
      ours.listen(heard)
      return ours
    })
    yield* exchange.open
    const { hangUp, lose, player, press, say } = exchange
    const phone = { say, press, hangUp, lose, heard: player.heard, isHungUp: Effect.sync(exchange.isHungUp) }
    return { lines: media.lines, phone, again: exchange.open, pass: (ms) => TestClock.adjust(ms) }
  })
)

mediaSuite(
  "the simulator",
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    const media = new FakeMedia()
    const states = new FakeProviderStates()
    const layers = Layer.mergeAll(states.layer, media.layer)
    const carrier = Context.get(yield* Layer.build(Layer.provide(Simulator.layer(), layers)), Carrier)
    yield* carrier.listen(() => Effect.void)
    yield* carrier.place(permit(null))
    const [route] = carrier.sockets!(door)
    const accepted = yield* route!.accept({
      ...requestOf("", { authorization: "Bearer key" }),
      params: { call_id: callId }
    })
    if (accepted._tag === "Refused") throw new Error(`refused with ${accepted.status}`)
    const heard: Array<Uint8Array> = []
    const listener: SocketListener = accepted.open({
      send: (message) => {
        if (typeof message !== "string") heard.push(message.slice())
      },
      unsentBytes: () => 0,
      close: (code) => listener.closed(code),
      terminate: () => listener.closed(1006)
    })
    yield* TestClock.adjust(2500)
    const scope = yield* Effect.scope
    const say = (sound: Uint8Array) =>
      Effect.forEach(framesOf(sound), (frame) =>
        Effect.andThen(
          Effect.sync(() => listener.bytes(frame)),
          Effect.sleep(20)
        )
      ).pipe(Effect.forkIn(scope), Effect.asVoid)
    const text = (message: object) => Effect.sync(() => listener.text(JSON.stringify(message)))
    const isHungUp = carrier.find({ callId, providerCallId: null, to: "", from: null, askedAt: start }).pipe(
      Effect.map((found) => found._tag === "Record" && found.report.news._tag === "Ended"),
      Effect.orDie
    )
    const lose = text({ type: "drop" })
    return {
      lines: media.lines,
      phone: {
        say,
        heard: () => joined(heard),
        press: (digit) => text({ type: "dtmf", digit }),
        hangUp: text({ type: "hangup" }),
        lose,
        isHungUp
      },
      again: lose,
      pass: (ms) => TestClock.adjust(ms)
    }
  })
)

mediaSuite(
  "twilio",
  Effect.gen(function* () {
    const account = { accountSid: "ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", authToken: "a-token" }
    yield* TestClock.setTime(start)
    const network = yield* Effect.acquireRelease(
      Effect.promise(() => FakeTwilio.start({ ...account, now: start })),
      (running) => Effect.promise(() => running.stop())
    )
    network.proxy = { publicUrl: "https://voice.example.com", to: "http://127.0.0.1:1" }
    const media = new FakeMedia()
    media.tokens.add("first")
    const options = { ...account, publicUrl: "https://voice.example.com", baseUrl: network.url }
    const layer = Layer.provide(Twilio.layer(options), media.layer)
    const carrier = Context.get(yield* Layer.build(layer), Carrier)
    const { providerCallId: callSid } = yield* carrier.place(permit("first"))
    yield* Effect.promise(() => network.advance(4000))
    const [route] = carrier.sockets!(door)
    const url = "wss://voice.example.com/api/v1/telephony/providers/twilio/media"
    const open = Effect.fnUntraced(function* (token: string) {
      const parameters = { call_id: callId, token }
      const stream = yield* openStream({ route: route!, url, authToken: account.authToken, callSid, parameters })
      yield* stream.start()
      yield* Effect.yieldNow
      return stream
    })
    const streams = [yield* open("first")]
    yield* TestClock.adjust(1)
    const scope = yield* Effect.scope
    const latest = () => streams.at(-1)!
    return {
      lines: media.lines,
      phone: {
        say: (sound) => Effect.asVoid(Effect.forkIn(latest().hear(sound), scope)),
        heard: () => joined(streams.map(({ player }) => player.heard())),
        press: (digit) => Effect.sync(() => latest().send("dtmf", { dtmf: { track: "inbound_track", digit } })),
        hangUp: Effect.suspend(() => latest().stop),
        lose: Effect.suspend(() => latest().lose),
        isHungUp: Effect.promise(async () => {
          for (let i = 0; i < 30 && network.calls[0]!.status !== "completed"; i++) await new Promise(setImmediate)
          return network.calls[0]!.status === "completed"
        })
      },
      again: Effect.gen(function* () {
        media.tokens.add("second")
        const stream = yield* Effect.provideService(open("second"), Scope.Scope, scope)
        streams.push(stream)
      }),
      pass: (ms) => TestClock.adjust(ms)
    }
  })
)
