/** Twilio's media streams: who may open one, and what calls ask when it has ended. Verifies: TWIL-7, TWIL-8, TWIL-9. */
import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { type Callback, Carrier, type Permit } from "@trunkline/core/provider"
import { mulawNoise } from "@trunkline/testing/media-suite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { layer } from "../../src/twilio/index.ts"
import { callId, door, FakeMedia, tenantId } from "../Media.ts"
import { openStream, requestOf, signatureOf } from "./FakeStream.ts"
import { FakeTwilio } from "./FakeTwilio.ts"

const account = { accountSid: "ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", authToken: "a-token" }
const publicUrl = "https://voice.example.com/phone"
const wss = "wss://voice.example.com/phone/api/v1/telephony/providers/twilio/media"
const resumeUrl = `${publicUrl}/api/v1/telephony/providers/twilio/resume?call_id=${callId}`

/** A call that is answered with an agent, and whose stream has not come yet. */
const world = Effect.gen(function* () {
  const network = yield* Effect.acquireRelease(
    Effect.promise(() => FakeTwilio.start({ ...account, now: 0, proxy: { publicUrl, to: "http://127.0.0.1:1" } })),
    (running) => Effect.promise(() => running.stop())
  )
  const media = new FakeMedia()
  const options = { ...account, publicUrl, baseUrl: network.url }
  const carrier = Context.get(yield* Layer.build(Layer.provide(layer(options), media.layer)), Carrier)
  const { providerCallId: callSid } = yield* carrier.place({
    callId,
    tenantId,
    botId: null,
    to: "+919876543210",
    from: "+14155550100",
    answer: { _tag: "Agent" },
    mediaToken: yield* media.service.newToken(callId),
    detectMachine: false
    // Only the placing of calls makes permits; this stands in for it.
  } as unknown as Permit)
  yield* Effect.promise(() => network.advance(4000))
  const [route] = carrier.sockets!(door)
  const open = (parameters: Readonly<Record<string, string>> = { call_id: callId, token: "cmt_1" }, sid = callSid) =>
    openStream({ route: route!, url: wss, authToken: account.authToken, callSid: sid, parameters })
  const call = network.calls[0]!
  /** Requests over a real socket have been answered. */
  const until = (holds: () => boolean) =>
    Effect.promise(async () => {
      for (let turns = 0; turns < 2_000_000 && !holds(); turns++) await new Promise(setImmediate)
      assert.isTrue(holds())
    })
  return { network, media, carrier, route: route!, open, call, callSid, until }
})

/** A stream that is connected. */
const connected = Effect.gen(function* () {
  const given = yield* world
  const stream = yield* given.open()
  yield* stream.start()
  yield* TestClock.adjust(1)
  const [first] = given.media.lines
  assert.isDefined(first)
  return { ...given, ...first!, stream }
})

describe("the instructions of a call with an agent", () => {
  // Verifies: V-147.
  it.effect("connect a stream with the call's token, and ask when it has ended", () =>
    Effect.gen(function* () {
      const { call } = yield* world
      assert.strictEqual(
        call.twiml,
        `<Response><Connect><Stream url="${wss}"><Parameter name="call_id" value="${callId}"/>` +
          `<Parameter name="token" value="cmt_1"/></Stream></Connect>` +
          `<Redirect method="POST">${resumeUrl}</Redirect></Response>`
      )
    })
  )
})

describe("the handshake of a stream", () => {
  const accept = (headers: Readonly<Record<string, string>>) =>
    Effect.flatMap(world, ({ route }) => route.accept(requestOf(route.path, headers)))

  for (const url of [wss, `${wss}/`, wss.replace("wss", "https"), `${wss.replace("wss", "https")}/`]) {
    // Verifies: V-148.
    it.effect(`is accepted where its signature is over ${url}`, () =>
      Effect.map(accept({ "x-twilio-signature": signatureOf(account.authToken, url) }), ({ _tag }) =>
        assert.strictEqual(_tag, "Accepted")
      )
    )
  }

  // Verifies: V-148.
  it.each([
    ["there is none", {}],
    ["it is by another token", { "x-twilio-signature": signatureOf("another", wss) }],
    ["it is over another address", { "x-twilio-signature": signatureOf(account.authToken, `${wss}?a=b`) }]
  ])("is 401 where %s", (_, headers) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.map(accept(headers as Readonly<Record<string, string>>), (answer) =>
          assert.deepInclude(answer, { _tag: "Refused", status: 401 })
        )
      )
    )
  )
})

describe("a stream whose proof is not valid is closed with 1008, and nothing else happens:", () => {
  const refused = (
    title: string,
    run: (
      given: Effect.Success<typeof world>
    ) => Effect.Effect<Effect.Success<ReturnType<typeof openStream>>, never, Scope.Scope>
  ) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        const given = yield* world
        const stream = yield* run(given)
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(stream.closes, [[1008, "refused"]])
        assert.deepStrictEqual([given.media.lines.length, stream.said, given.call.status], [0, [], "in-progress"])
      })
    )
  const started = (opened: ReturnType<typeof openStream>) => Effect.tap(opened, (stream) => stream.start())

  // Verifies: V-149.
  refused("a wrong token", ({ open }) => started(open({ call_id: callId, token: "cmt_9" })))
  refused("no parameters", ({ open }) => started(open({})))
  refused("an id that is none", ({ open }) => started(open({ call_id: "1", token: "cmt_1" })))
  refused("a call that is unknown or over", ({ media, open }) => {
    media.unknown.add(callId)
    return started(open())
  })
  refused("a token of ours on another call of the carrier's", ({ media, open }) => {
    media.facts = { providerCallId: "CAother" }
    return started(open())
  })
  refused("an agent that does not accept the call", ({ media, open }) => {
    media.answers = false
    return started(open())
  })
  // Verifies: V-149.
  refused("no start within ten seconds", ({ open }) =>
    Effect.gen(function* () {
      const stream = yield* open()
      stream.send("connected", {})
      stream.send("media", { media: { track: "inbound", chunk: "1", payload: "AAAA" } })
      yield* TestClock.adjust(9999)
      assert.deepStrictEqual(stream.closes, [])
      yield* TestClock.adjust(1)
      return stream
    })
  )

  // Verifies: V-149.
  it.effect("a token that was used before", () =>
    Effect.gen(function* () {
      const { media, open, stream: first } = yield* connected
      const second = yield* open()
      yield* second.start()
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(second.closes, [[1008, "refused"]])
      assert.deepStrictEqual([media.lines.length, first.closes], [1, []])
    })
  )
})

describe("a stream", () => {
  // Verifies: V-150.
  it.effect("sends whole frames, one to five in a message", () =>
    Effect.gen(function* () {
      const { line, stream } = yield* connected
      for (const bytes of [1, 159, 161, 2000, 39]) line.send(mulawNoise(bytes, bytes))
      line.mark("end")
      for (const size of stream.sizes) assert.include([160, 320, 480, 640, 800], size)
      assert.strictEqual(
        stream.sizes.reduce((sum, size) => sum + size, 0),
        2400
      )
    })
  )

  it.effect("passes over what is malformed, repeated, late, of another stream, or outbound", () =>
    Effect.gen(function* () {
      const { heard, stream } = yield* connected
      const message = (chunk: number, more: object = {}) =>
        JSON.stringify({
          event: "media",
          sequenceNumber: String(chunk + 2),
          streamSid: stream.streamSid,
          media: { track: "inbound", chunk: String(chunk), payload: Buffer.from([chunk]).toString("base64") },
          ...more
        })
      for (const text of ["{", "[]", "null", '"media"', message(1), message(1), message(3), message(2)])
        stream.raw(text)
      stream.raw(message(4, { streamSid: "MZother" }))
      stream.raw(message(5, { media: { track: "outbound", chunk: "5", payload: "BQ==" } }))
      stream.raw(message(6, { media: {} }))
      stream.raw(message(7))
      stream.send("mark", { mark: { name: "never sent" } })
      stream.send("dtmf", { dtmf: { digit: "12" } })
      yield* stream.start({ callSid: "CAother", customParameters: {} })
      assert.deepStrictEqual([...heard.said()], [1, 3, 7])
      assert.deepStrictEqual([heard.marks, heard.keys, heard.ends, stream.closes], [[], [], [], []])
    })
  )

  it.effect("keeps what comes while its token is checked", () =>
    Effect.gen(function* () {
      const { media, open } = yield* world
      const stream = yield* open()
      yield* stream.start()
      stream.send("media", { media: { track: "inbound", chunk: "1", payload: "AQI=" } })
      yield* TestClock.adjust(60_000)
      assert.deepStrictEqual([...media.lines[0]!.heard.said()], [1, 2])
      assert.deepStrictEqual([stream.closes, media.lines[0]!.heard.ends], [[], []])
    })
  )

  // Verifies: V-151.
  it.effect("is closed once the call is over, and so is a hang-up of ours", () =>
    Effect.gen(function* () {
      const { call, heard, line, stream, until } = yield* connected
      line.hangUp()
      yield* until(() => stream.closes.length > 0)
      assert.strictEqual(call.status, "completed")
      assert.deepStrictEqual([stream.closes, heard.ends], [[[1000, ""]], []])
    })
  )

  // Verifies: V-182.
  it.effect("is handed back without ending the call", () =>
    Effect.gen(function* () {
      const { call, heard, line, stream } = yield* connected
      line.handBack!()
      yield* TestClock.adjust(1)
      assert.deepStrictEqual([stream.closes, heard.ends, call.status], [[[1000, ""]], [], "in-progress"])
    })
  )

  // Verifies: V-114.
  it.effect("says goodbye in the carrier's own voice, and hangs up", () =>
    Effect.gen(function* () {
      const { call, line, stream, until } = yield* connected
      line.sayGoodbye!("Goodbye & thanks.", "en")
      yield* until(() => stream.closes.length > 0)
      assert.strictEqual(call.twiml, '<Response><Say language="en">Goodbye &amp; thanks.</Say><Hangup/></Response>')
    })
  )

  it.effect("is transferred to a person, and is heard of no more", () =>
    Effect.gen(function* () {
      const { call, heard, line, stream } = yield* connected
      assert.isTrue(yield* Effect.promise(() => line.transfer!("+1 415 555 0177")))
      yield* stream.stop
      assert.strictEqual(
        call.twiml,
        `<Response><Dial timeout="30" action="${resumeUrl}" method="POST" callerId="+14155550100">` +
          "<Number>+14155550177</Number></Dial></Response>"
      )
      assert.deepStrictEqual(heard.ends, [])
    })
  )

  it.effect("goes on where the number cannot be dialed, and reports an end that came meanwhile", () =>
    Effect.gen(function* () {
      const { call, heard, line, stream } = yield* connected
      assert.isFalse(yield* Effect.promise(() => line.transfer!("112")))
      assert.include(call.twiml ?? "", "<Connect>")
      yield* stream.hear(mulawNoise(160, 1)).pipe(Effect.forkScoped)
      yield* TestClock.adjust(100)
      assert.strictEqual(heard.said().length, 160)
      const transfer = line.transfer!("+14155550177")
      yield* Effect.promise(() => Promise.resolve())
      call.status = "completed"
      yield* stream.stop
      assert.isFalse(yield* Effect.promise(() => transfer))
      assert.deepStrictEqual(heard.ends, ["hangup"])
    })
  )
})

describe("a call whose stream has ended asks what to do", () => {
  const asked = (fields: Record<string, string> = {}, signedBy = account.authToken): Callback => {
    const form = new URLSearchParams({ CallSid: "CA1", ...fields })
    const signed = [...form.keys()].sort().reduce((text, name) => text + name + form.get(name), resumeUrl)
    return {
      method: "POST",
      target: resumeUrl.slice(publicUrl.length),
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": createHmac("sha1", signedBy).update(signed).digest("base64")
      },
      body: new TextEncoder().encode(form.toString())
    }
  }
  const hangup = { contentType: "text/xml", body: "<Response><Hangup/></Response>" }

  // Verifies: V-152.
  it.effect("and is connected again, with a new token", () =>
    Effect.gen(function* () {
      const { carrier, media, open } = yield* world
      const { reply, reports } = yield* carrier.read(asked())
      assert.deepStrictEqual(reports, [])
      assert.include(reply?.body ?? "", '<Parameter name="token" value="cmt_2"/>')
      assert.include(reply?.body ?? "", `<Redirect method="POST">${resumeUrl}</Redirect>`)
      assert.deepStrictEqual(media.asked, ["lost"])
      const stream = yield* open({ call_id: callId, token: "cmt_2" })
      yield* stream.start()
      yield* TestClock.adjust(1)
      assert.strictEqual(media.lines.length, 1)
    })
  )

  // Verifies: V-153.
  it.effect("and is hung up where no agent wants it", () =>
    Effect.gen(function* () {
      const { carrier, media } = yield* world
      media.resumes = false
      assert.deepStrictEqual((yield* carrier.read(asked())).reply, hangup)
    })
  )

  it.effect("and comes back from a transfer that nobody answered, and from no other", () =>
    Effect.gen(function* () {
      const { carrier, media } = yield* world
      assert.include((yield* carrier.read(asked({ DialCallStatus: "no-answer" }))).reply?.body ?? "", "<Connect>")
      assert.deepStrictEqual((yield* carrier.read(asked({ DialCallStatus: "completed" }))).reply, hangup)
      assert.deepStrictEqual(media.asked, ["unanswered"])
    })
  )

  it.effect("and is refused without a signature", () =>
    Effect.gen(function* () {
      const { carrier, media } = yield* world
      assert.strictEqual((yield* Effect.flip(carrier.read(asked({}, "another")))).reason, "signature")
      assert.deepStrictEqual(media.asked, [])
    })
  )
})
