/** What tests of detection do with a detector, whichever it is. */

import { EchoGuard, type SoundFormat } from "@trunkline/core/audio"
import type { SpeechDetector } from "@trunkline/core/provider"
import { SpeechTracker } from "@trunkline/core/testing"
import { describe, expect, it } from "vitest"
import {
  joinedSamples,
  level,
  mixed,
  noiseOf,
  quiet,
  rate,
  recordings,
  telephone,
  toLine,
  tones,
  wide
} from "../../../core/test/platform/audio/LineSounds.ts"
import { noReadings, skipped } from "./Readings.ts"

interface Heard {
  readonly line: Int16Array
  readonly format: SoundFormat
  /** What the agent says meanwhile, and when the other side begins to hear it. */
  readonly agent?: { readonly sound: Int16Array; readonly atMs: number }
}

/** Which frames of 32 ms are speech, or certain to be. */
export const framesOfSpeech = async (
  detector: SpeechDetector,
  { agent, format, line }: Heard,
  kind: "isSpeech" | "isCertain" = "isSpeech"
) => {
  const frames: Array<boolean> = []
  const echo = new EchoGuard(format)
  /** What is worked on: it is waited for, and not asked for over and over, which would keep a second processor busy. */
  let detected: number | Promise<number> = 0
  const watched: SpeechDetector = {
    detect: (frame) => {
      detected = detector.detect(frame)
      return detected
    }
  }
  const tracker = new SpeechTracker({ format, detector: watched, echo, onFrame: (frame) => frames.push(frame[kind]) })
  const perMs = (format.sampleRate / 1000) * (format.encoding === "linear16" ? 2 : 1)
  const piece = 20 * perMs
  const spoken = agent === undefined ? new Uint8Array(0) : toLine(agent.sound, format)
  const bytes = toLine(line, format)
  let sent = 0
  // A clock as a process has it.
  const from = 1_700_000_000_000
  for (let at = 0; at < bytes.length; at += piece) {
    // Sound is sent half a second ahead of its time.
    for (; agent !== undefined && sent < spoken.length && agent.atMs + sent / perMs < at / perMs + 500; sent += piece) {
      echo.played(spoken.subarray(sent, sent + piece), from + agent.atMs + sent / perMs)
    }
    tracker.add(bytes.subarray(at, at + piece), from + (at + piece) / perMs)
    // A detector that is late would be replaced by another one.
    const whole = Math.floor(((Math.min(at + piece, bytes.length) / perMs / 1000) * rate - 100) / 512)
    while (frames.length < whole) {
      await detected
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return frames
}

const countOf = (frames: ReadonlyArray<boolean>): number => frames.filter((one) => one).length

/** Where in a sound of one frame each the speech really is: the level of frames that are not much below the loudest. */
const spokenFrames = (sound: Int16Array): ReadonlyArray<number> => {
  const levels = Array.from({ length: Math.floor(sound.length / 512) }, (_, at) =>
    level(sound.subarray(at * 512, at * 512 + 512))
  )
  const loudest = Math.max(...levels)
  return levels.flatMap((one, at) => (one > loudest - 20 ? [at] : []))
}

const part = (frames: ReadonlyArray<boolean>, spoken: ReadonlyArray<number>): number =>
  spoken.filter((at) => frames[at] === true).length / spoken.length

export interface Voices {
  readonly agent: Int16Array
  readonly caller: Int16Array
  readonly word: Int16Array
}

const formats = [
  ["8 kHz mu-law", telephone],
  ["16 kHz", wide]
] as const

const soundsWithoutSpeech: ReadonlyArray<readonly [string, Int16Array]> = [
  ["silence", quiet(5)],
  ["white noise", joinedSamples(noiseOf(5, -20), quiet(1), noiseOf(4, -40))],
  ["the noise of an engine", joinedSamples(quiet(1), noiseOf(5, -25, 0.98))],
  ["a tone of 440 Hz", joinedSamples(quiet(1), tones(5, [440]), quiet(1))],
  ["a quiet tone", tones(5, [440], 5, 0, 0.02)],
  ["a tone in noise", mixed(joinedSamples(quiet(1), tones(5, [440])), noiseOf(6, -40))],
  ["a telephone that rings in America", tones(8, [440, 480], 2, 4)],
  ["… in Europe", tones(6, [425], 1, 4)],
  ["… in Britain", tones(6, [400, 450], 0.4, 0.2)],
  // Where in a frame a tone begins decides what the detector takes that frame for.
  ...[350, 358, 366, 374].flatMap((ms) => {
    const after = (sound: Int16Array) => joinedSamples(quiet(ms / 1000), sound)
    return [
      [`a tone from ${ms} ms on`, after(tones(2, [440]))],
      [`a tone in noise from ${ms} ms on`, mixed(after(tones(2, [440], 2, 0, 0.05)), noiseOf(2, -50))],
      [`a busy line from ${ms} ms on`, after(tones(3, [480, 620], 0.5, 0.5, 0.1))],
      [`a busy line in noise from ${ms} ms on`, mixed(after(tones(3, [425], 0.5, 0.5, 0.05)), noiseOf(3, -45))],
      [`a line that rings from ${ms} ms on`, after(tones(3, [400, 450], 0.4, 0.2, 0.6))],
      [`a line that rings in noise from ${ms} ms on`, mixed(after(tones(3, [440, 480], 2, 4, 0.05)), noiseOf(3, -45))],
      [
        `a number out of service from ${ms} ms on`,
        after(joinedSamples(tones(0.33, [950]), tones(0.33, [1400]), quiet(1)))
      ]
    ] as const
  })
]

/** How much of the speech is to be found, by what makes it hard. */
export interface Expected {
  readonly clean: number
  readonly noisy: number
  readonly over: number
}

/** The same tests for every detector: what is speech, what is not, and what is the agent's own. */
export const detectsSpeech = (open: () => SpeechDetector, voices: () => Voices, expected: Expected) => {
  describe.each(formats)("on a line of %s", (_, format) => {
    const heard = (line: Int16Array, agent?: Heard["agent"]) =>
      framesOfSpeech(open(), { line, format, ...(agent === undefined ? {} : { agent }) })

    // Verifies: V-77.
    it.each(soundsWithoutSpeech)("%s is no speech", async (__, line) => {
      expect(countOf(await framesOfSpeech(open(), { line, format }, "isCertain"))).toBe(0)
    })

    it("a voice is speech, in noise as well, and a single word, and ends within 300 ms of the voice", async () => {
      const line = joinedSamples(quiet(1), voices().caller, quiet(1))
      const spoken = spokenFrames(line)
      const frames = await heard(line)
      expect(part(frames, spoken)).toBeGreaterThan(expected.clean)
      expect(frames.lastIndexOf(true) - spoken.at(-1)!).toBeLessThan(300 / 32)
      const noisy = mixed(line, noiseOf(line.length / rate, level(voices().caller) - 15))
      expect(part(await heard(noisy), spoken)).toBeGreaterThan(expected.noisy)
      const word = joinedSamples(quiet(1), voices().word, quiet(1))
      expect(countOf(await heard(word))).toBeGreaterThanOrEqual(5)
      expect(countOf(await framesOfSpeech(open(), { line: word, format }, "isCertain"))).toBeGreaterThan(0)
    })

    const echoes = [10 ** (-10 / 20), 0.1]
    const echoOf = (sound: Int16Array, delay: number, factor: number) =>
      mixed(quiet(sound.length / rate + 2), sound, (300 + delay) / 1000, factor)

    it("what the agent says would be speech to a detector alone when it comes back", async () => {
      for (const factor of echoes) expect(countOf(await heard(echoOf(voices().agent, 50, factor)))).toBeGreaterThan(20)
    })

    // Verifies: V-90.
    it.each([50, 200, 350, 500])("what the agent says is no speech when it comes back after %i ms", async (delay) => {
      const { agent } = voices()
      for (const factor of echoes) {
        expect(countOf(await heard(echoOf(agent, delay, factor), { sound: agent, atMs: 300 }))).toBe(0)
      }
    })

    // Verifies: V-90.
    it("who speaks over the agent is heard, over its echo as well", async () => {
      const { agent, caller } = voices()
      const alone = mixed(quiet(agent.length / rate + 2), caller, 2.5)
      const echo = mixed(alone, agent, 0.5, 10 ** (-10 / 20))
      const spoken = spokenFrames(alone)
      for (const line of [alone, echo]) {
        const frames = await heard(line, { sound: agent, atMs: 300 })
        expect(part(frames, spoken)).toBeGreaterThan(expected.over)
        // The first 400 ms decide about an interruption.
        expect(part(frames, spoken.slice(4, 17))).toBeGreaterThan(0.6)
      }
    })

    it.skipIf(noReadings !== null)(`people are heard${skipped(noReadings)}`, async () => {
      for (const person of recordings()) {
        const line = joinedSamples(quiet(1), person, quiet(0.5))
        expect(part(await heard(line), spokenFrames(line))).toBeGreaterThan(expected.clean)
        expect(
          countOf(await heard(mixed(quiet(person.length / rate + 1), person, 0.4, 0.3), { sound: person, atMs: 200 }))
        ).toBe(0)
      }
    })
  })
}
