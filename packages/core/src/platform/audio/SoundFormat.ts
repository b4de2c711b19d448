/** The form in which sound travels on a line: mono, little-endian, without a container. Pure. Source: docs/reference/voice-agent.md#audio. */

export const encodings = ["linear16", "mulaw", "alaw"] as const
export type SoundEncoding = (typeof encodings)[number]

export interface SoundFormat {
  readonly encoding: SoundEncoding
  /** Samples a second. */
  readonly sampleRate: number
}

/** Samples a second that each encoding may have; the default stands first. */
export const sampleRates: Readonly<Record<SoundEncoding, ReadonlyArray<number>>> = {
  linear16: [24_000, 8000, 16_000, 32_000, 44_100, 48_000],
  mulaw: [8000, 16_000],
  alaw: [8000, 16_000]
}

/** What telephone lines carry. */
export const telephoneFormat: SoundFormat = { encoding: "mulaw", sampleRate: 8000 }

/** Samples a second in which speech is detected and transcribed. */
export const speechRate = 16_000

/** Samples a second in which models speak. */
export const synthesisRate = 24_000

export const bytesPerSample = ({ encoding }: SoundFormat): number => (encoding === "linear16" ? 2 : 1)

/** Milliseconds of sound in this many bytes. */
export const millisecondsIn = (format: SoundFormat, bytes: number): number =>
  (bytes / bytesPerSample(format) / format.sampleRate) * 1000
