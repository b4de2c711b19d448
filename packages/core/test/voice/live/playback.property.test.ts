/** What the agent says on a line, however its sound comes. Verifies: LIVE-2. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { bytesPerSample, millisecondsIn, type SoundFormat } from "../../../src/platform/audio/index.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"
import { Playback } from "../../../src/voice/live/Playback.ts"

const formats: ReadonlyArray<SoundFormat> = [
  { encoding: "linear16", sampleRate: 24_000 },
  { encoding: "linear16", sampleRate: 44_100 },
  { encoding: "mulaw", sampleRate: 8000 }
]

/** A line, its clock, and what a listener at its end has heard. */
class Line {
  now = 0
  readonly events: Array<string> = []
  sentMs = 0
  /** When all that was sent has been heard. */
  heardUntil = 0
  readonly playback: Playback
  readonly #format: SoundFormat
  readonly #markMs: number | null
  #timers: Array<{ readonly at: number; readonly run: () => void }> = []

  constructor(format: SoundFormat, markMs: number | null) {
    this.#format = format
    this.#markMs = markMs
    this.playback = new Playback({
      line: {
        ...{ input: format, output: format, hasMarks: markMs !== null, transfer: null },
        send: (bytes) => this.#sent(bytes),
        clear: () => this.#cleared(),
        mark: (name) => this.#mark(name),
        hangUp: () => undefined
      },
      events: {
        begun: (sentence) => void this.events.push(`begun ${sentence}`),
        sent: (sentence) => void this.events.push(`sent ${sentence}`),
        played: (sentence) => void this.events.push(`played ${sentence}`),
        ...{ sound: () => undefined, cut: () => undefined }
      },
      schedule: (ms, run) => this.#after(ms, run),
      now: () => Instant.make(this.now)
    })
  }

  pass(ms: number): void {
    const until = this.now + ms
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined || next.at > until) break
      this.#timers = this.#timers.filter((one) => one !== next)
      this.now = Math.max(this.now, next.at)
      next.run()
    }
    this.now = until
  }

  #after(ms: number, run: () => void): () => void {
    const timer = { at: this.now + ms, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  #sent(bytes: Uint8Array): void {
    expect(bytes.length % bytesPerSample(this.#format)).toBe(0)
    expect(bytes.length).toBeGreaterThan(0)
    const ms = millisecondsIn(this.#format, bytes.length)
    this.sentMs += ms
    this.heardUntil = Math.max(this.heardUntil, this.now) + ms
    expect(this.heardUntil - this.now).toBeLessThanOrEqual(1000)
  }

  #cleared(): void {
    this.heardUntil = this.now
  }

  #mark(name: string): void {
    if (this.#markMs !== null) {
      this.#after(this.heardUntil - this.now + this.#markMs, () => this.playback.marked(name))
    }
  }
}

const sentence = fc.record({
  /** The pieces in which its sound comes: after how long, and how many samples of 24 kHz. */
  pieces: fc.array(fc.tuple(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 1, max: 40_000 })), { maxLength: 5 }),
  breaks: fc.boolean(),
  pauseMs: fc.integer({ min: 0, max: 3000 })
})

it("is sent in whole samples, never more than a second ahead, in order, and what was begun is played once", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...formats),
      fc.option(fc.constantFrom(0, 200, 5000)),
      fc.array(sentence, { minLength: 1, maxLength: 6 }),
      fc.option(fc.integer({ min: 0, max: 8000 })),
      (format, markMs, sentences, stopsAt) => {
        const line = new Line(format, markMs)
        const { playback } = line
        for (const n of sentences.keys()) playback.add(n, "A sentence.")
        let hasStopped = false
        const pass = (ms: number) => {
          if (stopsAt !== null && !hasStopped && line.now + ms >= stopsAt) {
            line.pass(stopsAt - line.now)
            hasStopped = true
            playback.stop()
            const { sentMs } = line
            // Nothing goes out any more.
            line.pass(5000)
            expect(line.sentMs).toBe(sentMs)
            playback.forget()
            line.events.length = 0
          } else line.pass(ms)
        }
        let isDropped = false
        for (const [n, { breaks, pauseMs, pieces }] of sentences.entries()) {
          for (const [afterMs, samples] of pieces) {
            pass(afterMs)
            if (!isDropped) playback.sound(n, new Int16Array(samples), 1)
          }
          if (isDropped) continue
          if (breaks) {
            playback.drop(n)
            isDropped = true
          } else playback.whole(n)
          pass(pauseMs)
        }
        line.pass(60_000)
        const of = (name: string) =>
          line.events.filter((event) => event.startsWith(name)).map((event) => Number(event.split(" ")[1]))
        if (hasStopped) {
          expect(line.events).toEqual([])
          return
        }
        expect(of("begun")).toEqual([...of("begun")].sort((a, b) => a - b))
        expect(of("played")).toEqual([...new Set(of("played"))].sort((a, b) => a - b))
        for (const begun of of("begun")) expect(of("played")).toContain(begun)
        // All that has come of what was not dropped has been heard.
        expect(playback.waitingMs).toBe(0)
      }
    ),
    { numRuns: 500 }
  )
})
