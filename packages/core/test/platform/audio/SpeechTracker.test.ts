/** The sound of a line as frames of speech and silence. Verifies: AUDI-2, AUDI-3. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { SpeechDetector } from "../../../src/platform/audio/index.ts"
import { bytesOf } from "../../../src/platform/audio/Sound.ts"
import { type SpeechFrame, SpeechTracker } from "../../../src/platform/audio/SpeechTracker.ts"
import { tones, wide } from "./LineSounds.ts"

const counted = (samples: number) => Int16Array.from({ length: samples }, (_, at) => at % 30_000)

const tracking = (detector: SpeechDetector, format = wide) => {
  const frames: Array<SpeechFrame> = []
  const preRolls: Array<Int16Array> = []
  const tracker: SpeechTracker = new SpeechTracker({
    format,
    detector,
    echo: null,
    onFrame: (frame) => {
      frames.push(frame)
      preRolls.push(tracker.preRoll())
    }
  })
  return { frames, preRolls, tracker }
}

const later = () => new Promise((resolve) => setImmediate(resolve))

describe("frames of a line", () => {
  it("are the same whatever the size of the pieces that come, and lose no sample", () => {
    const sound = bytesOf(counted(5000))
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1 }), (sizes) => {
        const { frames, tracker } = tracking({ detect: () => 0 })
        let at = 0
        for (let nth = 0; at < sound.length; nth++) {
          const size = 2 * sizes[nth % sizes.length]!
          tracker.add(sound.subarray(at, at + size), 1000)
          at += size
        }
        expect(frames.flatMap(({ samples }) => [...samples])).toEqual([...counted(9 * 512)])
      })
    )
  })

  it("end 32 ms after each other, however unsteadily they arrive, and a gap is kept", () => {
    const { frames, tracker } = tracking({ detect: () => 0 })
    const piece = bytesOf(counted(512))
    for (const atMs of [32, 70, 96, 150, 160, 1160]) tracker.add(piece, atMs)
    expect(frames.map(({ endsAtMs }) => endsAtMs)).toEqual([32, 64, 96, 128, 160, 1160])
  })

  it("are speech from a likelihood of 0.5 on, down to 0.35", () => {
    const likelihoods = [0.4, 0.5, 0.36, 0.34, 0.49, 0.6, 0.2]
    const { frames, tracker } = tracking({ detect: () => likelihoods.shift() ?? 0 })
    tracker.add(bytesOf(counted(7 * 512)), 0)
    expect(frames.map(({ isSpeech }) => isSpeech)).toEqual([false, true, true, false, false, true, false])
  })

  // Verifies: V-77.
  it.each([
    ["the third in a row of at least 0.5", [0.4, 0.5, 0.5, 0.5, 0.6, 0.36, 0.34], [3, 4, 5]],
    ["no earlier one, as often as there are two", [0.9, 0.36, 0.9, 0.9, 0.4, 0.9, 0.9, 0.36], []],
    ["the third again after silence", [0.5, 0.5, 0.5, 0.1, 0.5, 0.5, 0.5], [2, 6]]
  ])("are certain to be speech from %s on", (_, likelihoods, certain) => {
    const left = [...likelihoods]
    const { frames, tracker } = tracking({ detect: () => left.shift() ?? 0 })
    tracker.add(bytesOf(counted(likelihoods.length * 512)), 0)
    expect(frames.flatMap(({ isCertain }, nth) => (isCertain ? [nth] : []))).toEqual(certain)
  })

  // Verifies: V-78.
  it("have the 300 ms before them at hand", () => {
    const { preRolls, tracker } = tracking({ detect: () => 0 })
    for (let nth = 0; nth < 40; nth++)
      tracker.add(bytesOf(counted(40 * 512).subarray(nth * 512, nth * 512 + 512)), nth * 32)
    expect(preRolls[0]).toHaveLength(0)
    expect([...preRolls[3]!]).toEqual([...counted(3 * 512)])
    expect([...preRolls[39]!]).toEqual([...counted(39 * 512).slice(-4800)])
  })

  it("stay in order and one at a time where the detector answers later", async () => {
    let running = 0
    const answers: Array<() => void> = []
    const { frames, tracker } = tracking({
      detect: () => {
        expect(++running).toBe(1)
        return new Promise((resolve) => answers.push(() => resolve(--running)))
      }
    })
    tracker.add(bytesOf(counted(3 * 512)), 0)
    for (let nth = 0; nth < 3; nth++) {
      expect(frames).toHaveLength(nth)
      answers.shift()?.()
      await later()
    }
    expect(frames.flatMap(({ samples }) => [...samples])).toEqual([...counted(3 * 512)])
  })

  it("are all reported before what is to follow the sound that has come, the one that has begun too", async () => {
    const answers: Array<() => void> = []
    const late = tracking({ detect: () => new Promise((resolve) => answers.push(() => resolve(0))) })
    const prompt = tracking({ detect: () => 0 })
    const seen: Array<number> = []
    for (const { frames, tracker } of [late, prompt]) {
      tracker.add(bytesOf(counted(512 + 100)), 0)
      tracker.flush(() => seen.push(frames.length))
      tracker.add(bytesOf(counted(512)), 0)
    }
    expect(seen).toEqual([2])
    for (let nth = 0; nth < 3; nth++) {
      answers.shift()?.()
      await later()
    }
    expect(seen).toEqual([2, 2])
    expect([...late.frames[1]!.samples]).toEqual([...counted(612).slice(512), ...new Int16Array(412)])
    prompt.tracker.flush(() => seen.push(0))
    expect(seen).toEqual([2, 2, 0])
  })

  it("have nothing before them that belongs to what has ended", () => {
    const { preRolls, tracker } = tracking({ detect: () => 0 })
    tracker.add(bytesOf(counted(20 * 512)), 0)
    tracker.forget()
    tracker.add(bytesOf(counted(2 * 512)), 0)
    expect(preRolls.slice(-2).map(({ length }) => length)).toEqual([0, 512])
  })

  it.each([
    ["never answers", () => new Promise<number>(() => undefined)],
    ["rejects", () => Promise.reject(new Error("no network"))],
    [
      "throws",
      () => {
        throw new Error("no network")
      }
    ]
  ])("go on, by energy and without a loss, where the detector %s", async (_, detect) => {
    const { frames, tracker } = tracking({ detect })
    const sound = bytesOf(tones(3, [440]))
    tracker.add(sound, 3000)
    await later()
    expect(frames).toHaveLength(93)
    expect(Buffer.concat(frames.map(({ samples }) => bytesOf(samples)))).toEqual(
      Buffer.from(sound.subarray(0, 93 * 1024))
    )
  })
})
