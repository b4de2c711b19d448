/** Distinguishes tones from voices: a tone, or two at once, has its power in two lines of the spectrum, which stay where they are. Pure. Source: docs/reference/voice-agent.md#detection. */
import { Fourier } from "./Fourier.ts"

/** Samples that are looked at: 64 ms at 4 kHz, since voices have most of their power below 2 kHz. */
export const span = 256
/** Of a sample, that is subtracted from the next: the steep fall of natural sounds is taken out. */
export const flattening = 0.7
/** Samples at 16 kHz that become one. */
const narrowing = 4

const fourier = new Fourier(span)
const window = Float64Array.from({ length: span }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / span))
/** Used by one frame at a time, of whichever line. */
const [real, imaginary] = [new Float64Array(span), new Float64Array(span)]
const powers = new Float64Array(span / 2)
const narrowed = new Float32Array(span)

/** The strongest lines of a spectrum. */
export interface StrongestLines {
  /** At most two, each between two whole ones. */
  readonly lines: ReadonlyArray<number>
  /** Of all power, that they have. */
  readonly share: number
}

/** Of all power, that a tone has in its strongest lines, and how far the first may move in 32 ms, in lines. */
export interface ToneLimits {
  readonly share: number
  readonly drift: number
}

/** Whether a frame goes on with the tone of the frame before it, of which there may be none. */
export const isTone = (now: StrongestLines, before: StrongestLines | null, { drift, share }: ToneLimits): boolean =>
  now.share > share && before?.lines.some((line) => Math.abs(line - (now.lines[0] as number)) < drift) === true

/** Of 256 flattened samples at 4 kHz. */
export const strongestLines = (sound: Float32Array): StrongestLines => {
  for (let at = 0; at < span; at++) {
    real[at] = (sound[at] as number) * (window[at] as number)
    imaginary[at] = 0
  }
  fourier.transform(real, imaginary)
  let total = 1e-20
  for (let line = 0; line < span / 2; line++) {
    powers[line] = (real[line] as number) ** 2 + (imaginary[line] as number) ** 2
    total += powers[line] as number
  }
  const first = takeStrongest()
  const second = takeStrongest()
  const lines = second.power > first.power / 30 ? [first.line, second.line] : [first.line]
  return { lines, share: (first.power + second.power) / total }
}

/** Of 64 ms at 16 kHz. */
export const strongestLinesOf = (sound: Float32Array): StrongestLines => {
  let before = 0
  for (let at = 0; at < span; at++) {
    let sum = 0
    for (let nth = 0; nth < narrowing; nth++) sum += sound[at * narrowing + nth] ?? 0
    narrowed[at] = sum - flattening * before
    before = sum
  }
  return strongestLines(narrowed)
}

/** The strongest line, with its two neighbours, which are then gone. */
const takeStrongest = (): { readonly line: number; readonly power: number } => {
  let top = 2
  for (let line = 3; line < span / 2 - 2; line++) if ((powers[line] as number) > (powers[top] as number)) top = line
  let [power, moment] = [1e-20, 0]
  for (let line = top - 1; line <= top + 1; line++) {
    power += powers[line] as number
    moment += (powers[line] as number) * line
  }
  powers.fill(0, top - 1, top + 2)
  return { line: moment / power, power }
}
