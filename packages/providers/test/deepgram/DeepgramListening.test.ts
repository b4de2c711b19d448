/** Speech that is heard while it is spoken: docs/reference/upstreams.md#listening. Verifies: DEEP-5, DEEP-8, DEEP-9. */
import { assert, describe, it } from "@effect/vitest"
import type { ListenConnection, ListenOptions, LiveSound, UpstreamFailed } from "@trunkline/core/provider"
import { type FakeListenServer, type ListenClient, startFakeListenServer } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { listenPath } from "../../src/deepgram/DeepgramListen.ts"
import { makeListening } from "../../src/deepgram/DeepgramListening.ts"

/** An utterance that the test speaks. */
class Spoken implements LiveSound {
  readonly pieces: Array<Int16Array> = []
  readonly #watchers = new Set<() => void>()
  isEnded = false
  turnsEnded = 0
  sentSamples = 0
  readonly watch = (changed: () => void) => {
    this.#watchers.add(changed)
    return () => this.#watchers.delete(changed)
  }
  readonly sent = (samples: number) => {
    this.sentSamples += samples
  }
  readonly turnEnded = () => {
    this.turnsEnded += 1
  }
  /** Hundredths of a second of sound, each sample of this value. */
  add(hundredths: number, value = 1): this {
    this.pieces.push(new Int16Array(160 * hundredths).fill(value))
    return this.#changed()
  }
  end(): this {
    this.isEnded = true
    return this.#changed()
  }
  #changed(): this {
    for (const changed of [...this.#watchers]) changed()
    return this
  }
}

const times = { openMs: 2000, aliveMs: 20, graceMs: 60 }
const nova: ListenOptions = { model: "deepgram-nova-3", language: "en" }
const flux: ListenOptions = { model: "deepgram-flux-general-en", language: "en" }

const piece = (transcript: string, more: object = {}) => ({
  ...{ type: "Results", is_final: true, start: 0, duration: 1 },
  ...{ channel: { alternatives: [{ transcript }] } },
  ...more
})
const turn = (event: string, transcript: string, until = 0) => ({
  ...{ type: "TurnInfo", event, transcript, turn_index: 0, audio_window_start: 0, audio_window_end: until }
})

/** Answers each `Finalize` with this text. */
const finalizing = (text: string) => (client: ListenClient, type: string) => {
  if (type === "Finalize") client.say(piece(text, { from_finalize: true }))
}

const connected = (options: ListenOptions, alive = times.aliveMs) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => startFakeListenServer()),
      (one) => Effect.promise(one.close)
    )
    const headers = { authorization: "Token deepgram-topsecret" }
    const listening = makeListening({ baseUrl: server.origin, headers, times: { ...times, aliveMs: alive } })
    const connection = yield* listening.open(options)
    return { server, connection, listening }
  })

const until = (server: FakeListenServer, holds: () => boolean) => Effect.promise(() => server.until(holds))

const hearing = (connection: ListenConnection, sound: LiveSound) => Effect.forkChild(connection.hear(sound))

const textOf = (fiber: Fiber.Fiber<{ readonly text: string }, UpstreamFailed>) =>
  Effect.map(Fiber.join(fiber), ({ text }) => text)

describe("a conversation at Deepgram", () => {
  // Verifies: V-101.
  it.live("gets the sound while it is spoken, and answers each utterance on one connection", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* connected(nova)
      const first = new Spoken().add(10, 7)
      const heard = yield* hearing(connection, first)
      yield* until(server, () => server.clients[0]?.sound().length === 3200)
      const [client] = server.clients
      assert.strictEqual(client!.path, "/v1/listen")
      assert.deepInclude(Object.fromEntries(client!.query), {
        ...{ model: "nova-3", language: "en", encoding: "linear16", sample_rate: "16000", channels: "1" },
        ...{ interim_results: "true", punctuate: "true" }
      })
      assert.strictEqual(client!.headers.authorization, "Token deepgram-topsecret")
      assert.strictEqual(new Int16Array(new Uint8Array(client!.sound()).buffer)[5], 7)
      client!.say(piece("Good mor", { is_final: false }))
      client!.say(piece("Good morning."))
      client!.say(piece("How a", { is_final: false, start: 1 }))
      server.behave(finalizing("How are you?"))
      first.add(5).end()
      assert.strictEqual(yield* textOf(heard), "Good morning. How are you?")
      assert.strictEqual(first.sentSamples, 160 * 15)
      server.behave(finalizing("Fine."))
      assert.strictEqual((yield* connection.hear(new Spoken().add(10).end())).text, "Fine.")
      assert.strictEqual(server.clients.length, 1)
      assert.strictEqual(client!.sound().length, 320 * 25)
    }).pipe(Effect.scoped)
  )

  it.live("goes on, on another connection, where a callback of its socket throws", () =>
    Effect.gen(function* () {
      const throwsOnce = () => {
        let isThrown = false
        return () => {
          if (isThrown) return
          isThrown = true
          throw new Error("thrown in a callback of the socket")
        }
      }
      const { listening, server } = yield* connected(flux)
      // As a message is read, and as the connection opens.
      for (const callback of [{ turnEnded: throwsOnce() }, { sent: throwsOnce() }]) {
        const connection = yield* listening.open(flux)
        const before = server.clients.length
        const sound = new Spoken().add(10)
        Object.assign(sound, callback)
        const heard = yield* hearing(connection, sound)
        yield* until(server, () => server.clients.length > before)
        server.clients.at(-1)!.say(turn("EndOfTurn", "Hello.", 0.1))
        yield* until(server, () => server.clients.length > before + 1)
        sound.end()
        server.clients.at(-1)!.say(turn("EndOfTurn", "Hello again.", 0.1))
        assert.strictEqual(yield* textOf(heard), "Hello again.")
      }
    }).pipe(Effect.scoped)
  )

  it.live("is kept alive while nobody speaks, and closed with the session", () =>
    Effect.gen(function* () {
      const { listening, server } = yield* connected(nova)
      server.behave(finalizing("Hello."))
      const session = Effect.gen(function* () {
        const connection = yield* listening.open(nova)
        yield* connection.hear(new Spoken().add(10).end())
        yield* until(server, () => server.clients[0]!.texts.at(-1)?.type === "KeepAlive")
      })
      yield* Effect.scoped(session)
      yield* until(server, () => server.clients[0]!.isClosed())
      assert.strictEqual(server.clients[0]!.texts.at(-1)?.type, "CloseStream")
    }).pipe(Effect.scoped)
  )

  // Verifies: V-101.
  it.live("that breaks in an utterance is made again once, with all of the sound", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* connected(nova)
      const sound = new Spoken().add(10)
      const heard = yield* hearing(connection, sound)
      yield* until(server, () => server.clients[0]?.sound().length === 3200)
      server.clients[0]!.say(piece("Lost"))
      server.clients[0]!.drop()
      yield* until(server, () => server.clients[1]?.sound().length === 3200)
      server.behave(finalizing("Hello."))
      sound.end()
      assert.strictEqual(yield* textOf(heard), "Hello.")
    }).pipe(Effect.scoped)
  )

  it.live("that breaks twice in an utterance has failed, and the next utterance has a new one", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* connected(nova)
      server.behave((client) => client.drop())
      const failed = yield* Effect.flip(connection.hear(new Spoken().add(10).end()))
      assert.strictEqual(failed.why, "unreachable")
      assert.strictEqual(server.clients.length, 2)
      server.behave(finalizing("Hello."))
      assert.strictEqual((yield* connection.hear(new Spoken().add(10).end())).text, "Hello.")
    }).pipe(Effect.scoped)
  )

  // Verifies: V-207.
  it.live("that is refused has failed, without key, address or foreign words", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* connected(nova)
      server.refuse(403)
      const { message, why } = yield* Effect.flip(connection.hear(new Spoken().add(10).end()))
      assert.strictEqual(why, "unreachable")
      assert.strictEqual(server.refused(), 2)
      assert.notMatch(message, /leaky|topsecret|127\.0\.0\.1/)
    }).pipe(Effect.scoped)
  )

  it.live("that reports an error has failed", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* connected(nova)
      server.behave((client) => client.say({ type: "Error", description: "leaky words" }))
      const { message, why } = yield* Effect.flip(connection.hear(new Spoken().add(10).end()))
      assert.strictEqual(why, "failed")
      assert.notInclude(message, "leaky")
    }).pipe(Effect.scoped)
  )

  it.live("ends at once where nobody waits for an utterance any more", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* connected(nova)
      const heard = yield* hearing(connection, new Spoken().add(10))
      yield* until(server, () => server.clients[0]?.sound().length === 3200)
      yield* Fiber.interrupt(heard)
      yield* Effect.promise(() => server.until(() => server.clients[0]!.isClosed(), 200))
      server.behave(finalizing("Hello."))
      assert.strictEqual((yield* connection.hear(new Spoken().add(10).end())).text, "Hello.")
      assert.strictEqual(server.clients.length, 2)
    }).pipe(Effect.scoped)
  )

  it.live("hears a second utterance once the first has its text", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* connected(nova)
      const first = yield* hearing(connection, new Spoken().add(10).end())
      const second = yield* hearing(connection, new Spoken().add(20).end())
      yield* until(server, () => server.clients[0]?.texts.some(({ type }) => type === "Finalize") === true)
      assert.strictEqual(server.clients[0]!.sound().length, 3200)
      server.behave(finalizing("Second."))
      server.clients[0]!.say(piece("First.", { from_finalize: true }))
      assert.deepEqual([yield* textOf(first), yield* textOf(second)], ["First.", "Second."])
    }).pipe(Effect.scoped)
  )

  it.live("that has a final text for all but the silence, and does not finalize, is taken at its word", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* connected(nova)
      const sound = new Spoken().add(150)
      const heard = yield* hearing(connection, sound)
      yield* until(server, () => server.clients[0]?.sound().length === 48_000)
      server.clients[0]!.say(piece("Hello."))
      sound.end()
      assert.strictEqual(yield* textOf(heard), "Hello.")
      // What it says of this utterance later is none of the next one's.
      server.behave(finalizing("Second."))
      assert.strictEqual((yield* connection.hear(new Spoken().add(10).end())).text, "Second.")
      assert.strictEqual(server.clients.length, 2)
    }).pipe(Effect.scoped)
  )

  it.live("passes over messages that are none", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* connected(nova)
      server.behave((client, type) => {
        client.say({ type: "Metadata" })
        client.say({ type: "Results", channel: { alternatives: 5 } })
        client.say([1] as object)
        finalizing("Hello.")(client, type)
      })
      assert.strictEqual((yield* connection.hear(new Spoken().add(10).end())).text, "Hello.")
    }).pipe(Effect.scoped)
  )
})

describe("a model that decides turns", () => {
  // Verifies: V-81.
  it.live("says when a turn ends, and what was said in it", () =>
    Effect.gen(function* () {
      const { connection, listening, server } = yield* connected(flux, 10_000)
      assert.isTrue(listening.decidesTurns(flux.model))
      assert.isFalse(listening.decidesTurns(nova.model))
      const sound = new Spoken().add(100)
      const heard = yield* hearing(connection, sound)
      yield* until(server, () => server.clients[0]?.sound().length === 32_000)
      const [client] = server.clients
      assert.strictEqual(client!.path, "/v2/listen")
      assert.deepEqual(Object.fromEntries(client!.query), {
        ...{ model: "flux-general-en", encoding: "linear16", sample_rate: "16000" }
      })
      client!.say(turn("StartOfTurn", "Good", 0.3))
      client!.say(turn("Update", "Good morn", 0.6))
      client!.say(turn("EndOfTurn", "Good morning.", 0.9))
      yield* Effect.promise(async () => {
        while (sound.turnsEnded === 0) await new Promise((resolve) => setImmediate(resolve))
      })
      sound.end()
      assert.strictEqual(yield* textOf(heard), "Good morning.")
      assert.deepEqual(client!.texts, [])
    }).pipe(Effect.scoped)
  )

  it.live("is asked for what it has where somebody else ends the turn", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* connected(flux, 10_000)
      const sound = new Spoken().add(100)
      const heard = yield* hearing(connection, sound)
      yield* until(server, () => server.clients[0]?.sound().length === 32_000)
      sound.end()
      server.clients[0]!.say(turn("Update", "Good morning", 1))
      assert.strictEqual(yield* textOf(heard), "Good morning")
    }).pipe(Effect.scoped)
  )

  it.live("is kept alive with silence, since it knows no other sign", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* connected(flux)
      server.behave(() => {})
      const sound = new Spoken().add(10)
      const heard = yield* hearing(connection, sound)
      yield* until(server, () => server.clients[0]?.sound().length === 3200)
      sound.end()
      server.clients[0]!.say(turn("EndOfTurn", "Yes."))
      assert.strictEqual(yield* textOf(heard), "Yes.")
      yield* until(server, () => server.clients[0]!.sound().length > 3200)
      assert.deepEqual(server.clients[0]!.texts, [])
    }).pipe(Effect.scoped)
  )
})

describe("what Deepgram is asked for a conversation", () => {
  it.each([
    [{ model: "deepgram-nova-3", language: null }, /^\/v1\/listen\?model=nova-3&(?!.*language)/],
    [{ model: "nova-2-phonecall", language: "en-US" }, /^\/v1\/listen\?model=nova-2-phonecall&.*language=en-US/],
    [
      { model: "deepgram-flux-general-multi", language: "es" },
      /^\/v2\/listen\?model=flux-general-multi&.*language_hint=es$/
    ],
    [{ model: "flux-general-en", language: "en" }, /^\/v2\/listen\?model=flux-general-en&(?!.*language)/]
  ] as const)("%o", (options, path) => {
    assert.match(listenPath(options), path)
  })
})
