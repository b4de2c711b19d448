/**
 * Answers that hosts pass on while they come: piece by piece, torn where they break off, and ended where their client goes.
 *
 * Verifies: INFE-4, NODE-1.
 */
import type { StorageProvider } from "@trunkline/core"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeSynthesis } from "../inference/index.ts"
import { llmEvents } from "../upstreams/index.ts"
import { gate, type HttpWorld, openWorld, type Start, unheld, until } from "./HttpWorld.ts"
import { dataIn, type LlmWorld, openLlmWorld } from "./LlmWorld.ts"
import { openAnswer } from "./OpenedAnswer.ts"

const path = "/v1/audio/speech"
const asked = { model: "bulbul:v3", input: "Good day" }
const bytes = (text: string) => new TextEncoder().encode(text)

const bytesSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`bytes that come piece by piece through ${name}`, () => {
    const voices = new FakeSynthesis()
    let world: HttpWorld

    beforeAll(async () => {
      const models = { upstreams: { fake: voices.provider }, routes: { "*": { upstream: "fake" } } }
      world = await openWorld(start, storage, { core: { models } })
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
    })
    afterAll(() => world.close())

    /** Audio whose second piece comes when the test opens the gate. */
    const inTwoPieces = () => {
      const door = gate()
      voices.does(({ onBytes }) =>
        Effect.gen(function* () {
          yield* onBytes(bytes("one"))
          yield* Effect.promise(door.wait)
          yield* onBytes(bytes("two"))
        })
      )
      return door
    }

    // Verifies: G-898.
    it("are sent on while the rest has not come", async () => {
      const door = inTwoPieces()
      const answer = await openAnswer(world, path, asked)
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({ "content-type": "audio/mpeg", "transfer-encoding": "chunked" })
      expect((await answer.read())?.toString()).toBe("one")
      door.open()
      expect((await answer.read())?.toString()).toBe("two")
      expect(await answer.read()).toBeNull()
    })

    // Verifies: G-900.
    it("are torn where they break off, so that half a file does not pass for a whole one", async () => {
      voices.fails("unreadable", bytes("half"))
      await expect(
        (async () => {
          const answer = await openAnswer(world, path, asked)
          while ((await answer.read()) !== null);
        })()
      ).rejects.toThrow(/aborted|hang up|ECONNRESET/)
      const { items } = await world.send("GET", "/v1/usage/logs?limit=1", { key: world.key })
      expect(items).toMatchObject([{ service: "tts", status: 502, units: 0 }])
    })

    it("are no longer asked for when their client goes", async () => {
      const before = voices.interrupted
      inTwoPieces()
      const answer = await openAnswer(world, path, asked)
      await answer.read()
      answer.leave()
      await until(async () => (voices.interrupted > before ? true : undefined))
    })
  })

const eventsSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`events through ${name}`, () => {
    let world: LlmWorld
    beforeAll(async () => {
      world = await openLlmWorld(start, storage)
    })
    afterAll(() => world.close())

    it("come one by one, unheld, and are no longer asked for when their client goes", async () => {
      const events = llmEvents.chat_completions("one two three")
      const rest = gate()
      world.there.says({ stream: [...events.slice(0, -1), rest.wait(), ...events.slice(-1)] })
      const aborted = world.there.aborted()
      const stream = await world.open("chat_completions")
      expect(stream.headers).toMatchObject({ "content-type": "text/event-stream", ...unheld })
      expect(stream.headers).not.toHaveProperty("content-length")
      expect(stream.headers).not.toHaveProperty("content-encoding")
      await stream.has("three")
      stream.leave()
      await world.there.until(() => world.there.aborted() === aborted + 1)
      rest.open()
    })

    it("are all there, however many they are", async () => {
      const words = Array.from({ length: 400 }, (_, n) => `${n} ${"x".repeat(2000)} `).join("")
      world.there.says({ stream: llmEvents.chat_completions(words) })
      const { text } = await world.ask("chat_completions", { stream: true })
      expect(dataIn(text).length).toBeGreaterThan(800)
      expect(text).toMatch(/\[DONE\]\n\n$/)
    })
  })

export const streamSuite = (name: string, start: Start, storage: () => StorageProvider) => {
  bytesSuite(name, start, storage)
  eventsSuite(name, start, storage)
}
