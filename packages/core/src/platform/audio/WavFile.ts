/** Writes WAV files of 16 bits. `gateway/speech/Wav.ts` reads them. Pure. Source: docs/reference/voice-agent.md#audio. */
import { bytesOf } from "./Linear16.ts"
import { speechRate } from "./SoundFormat.ts"

export interface WavSound {
  /** Samples a second. */
  readonly rate: number
  readonly channels: 1 | 2
  /** Of the samples of all channels. */
  readonly bytes: number
}

/** Of a header. Samples follow it. */
export const wavHeaderBytes = 44

const pcm = 1

/**
 * The header of a file. One whose length is known at its end alone begins with a header of 0 bytes, and gets the right one in
 * its place then.
 */
export const wavHeader = ({ bytes, channels, rate }: WavSound): Uint8Array => {
  const header = new Uint8Array(wavHeaderBytes)
  const view = new DataView(header.buffer)
  const text = (at: number, word: string) => {
    for (let nth = 0; nth < word.length; nth++) header[at + nth] = word.charCodeAt(nth)
  }
  text(0, "RIFF")
  view.setUint32(4, wavHeaderBytes - 8 + bytes, true)
  text(8, "WAVEfmt ")
  view.setUint32(16, 16, true)
  view.setUint16(20, pcm, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * channels * 2, true)
  view.setUint16(32, channels * 2, true)
  view.setUint16(34, 16, true)
  text(36, "data")
  view.setUint32(40, bytes, true)
  return header
}

/** A whole file of one channel. */
export const wavFile = (samples: Int16Array, rate: number = speechRate): Uint8Array => {
  const file = new Uint8Array(wavHeaderBytes + samples.byteLength)
  file.set(wavHeader({ rate, channels: 1, bytes: samples.byteLength }))
  file.set(bytesOf(samples), wavHeaderBytes)
  return file
}
