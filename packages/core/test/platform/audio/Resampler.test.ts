/** Sine waves through the resampler: what may be heard keeps its level and its place, what may not is gone. */
import { describe, expect, it } from "vitest"
import { decibels, joined, sine } from "../../../../providers/test/embedded/Sounds.ts"
import { resampler } from "../../../src/platform/audio/Resampler.ts"

const through = (sound: Float32Array, rate: number, blockSize: number): Float32Array => {
  const { add, end } = resampler(rate)
  const parts: Array<Float32Array> = []
  for (let at = 0; at < sound.length; at += blockSize) parts.push(add(sound.subarray(at, at + blockSize)))
  return joined([...parts, end()])
}

/** Without the ends, where the sound begins and stops all at once. */
const middle = (samples: Float32Array) => samples.subarray(800, samples.length - 800)

describe("resampling to 16 kHz", () => {
  it.each([
    [8_000, 440],
    [8_000, 3_400],
    [11_025, 4_000],
    [22_050, 6_500],
    [32_000, 5_000],
    [44_100, 1_000],
    [44_101, 6_500],
    [48_000, 6_500],
    [96_000, 3_000],
    [192_000, 200]
  ])("a tone in a recording of %i Hz keeps its level, its pitch and its place: %i Hz", (rate, hertz) => {
    const heard = through(sine(rate, hertz, 1), rate, 977)
    const meant = sine(16_000, hertz, 1)
    expect(heard.length).toBe(meant.length)
    expect(decibels(middle(heard))).toBeCloseTo(0, 1)
    expect(decibels(middle(heard.map((sample, at) => sample - (meant[at] ?? 0))))).toBeLessThan(-50)
  })

  it.each([
    [44_100, 8_300],
    [48_000, 9_000],
    [48_000, 15_000],
    [22_050, 10_000],
    [192_000, 50_000]
  ])("a tone above what 16 kHz can carry does not become another one: %i Hz, %i Hz", (rate, hertz) => {
    expect(decibels(middle(through(sine(rate, hertz, 0.5), rate, 1_000)))).toBeLessThan(-80)
  })

  it.each([8_000, 44_100, 48_000])("the size of the blocks changes nothing: %i Hz", (rate) => {
    const sound = sine(rate, 1_234, 0.2)
    const whole = through(sound, rate, sound.length)
    for (const size of [1, 7, 333]) expect(through(sound, rate, size)).toEqual(whole)
  })

  it("a recording of 16 kHz is left as it is", () => {
    const sound = sine(16_000, 100, 0.1)
    expect(through(sound, 16_000, 100)).toEqual(sound)
  })

  it("silence stays silence, and a recording shorter than the filter has its length", () => {
    expect(through(new Float32Array(4_800), 48_000, 100)).toEqual(new Float32Array(1_600))
    expect(through(sine(48_000, 100, 0.001), 48_000, 5).length).toBe(16)
  })
})
