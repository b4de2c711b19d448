/** The samples of WAV files of every plain kind. Where their audio is, the core reads. */
import { aLaw, type G711, muLaw } from "@trunkline/core/audio"
import { ChunkBytes, readWav, type WavFile, type WavFormat } from "@trunkline/core/provider"

/** The file cannot be read, and why. */
export class AudioUnreadable extends Error {
  override readonly name = "AudioUnreadable"
}

export interface Sound {
  readonly rate: number
  readonly channels: number
}

export interface PcmSound extends Sound {
  /** One channel, the mean of all, in blocks of at most `blockFrames`. */
  readonly blocks: () => Iterable<Float32Array>
}

const blockFrames = 32_768
/** What devices really record at; outside of it a header is mistaken or meant to mislead. */
const [minRate, maxRate] = [4_000, 192_000]
const maxChannels = 32

/** Throws where no recording can have such a rate or number of channels. */
export const believable = ({ rate, channels }: Sound): void => {
  if (!(rate >= minRate && rate <= maxRate)) throw new AudioUnreadable(`${rate} samples a second`)
  if (!(channels >= 1 && channels <= maxChannels)) throw new AudioUnreadable(`${channels} channels`)
}

type ReadSample = (view: DataView, at: number) => number

const pcm: Readonly<Record<number, ReadSample>> = {
  1: (view, at) => (view.getUint8(at) - 128) / 128,
  2: (view, at) => view.getInt16(at, true) / 0x8000,
  3: (view, at) => (view.getUint16(at, true) + (view.getInt8(at + 2) << 16)) / 0x80_0000,
  4: (view, at) => view.getInt32(at, true) / 0x8000_0000
}

const float: Readonly<Record<number, ReadSample>> = {
  4: (view, at) => view.getFloat32(at, true),
  8: (view, at) => view.getFloat64(at, true)
}

const g711 =
  ({ decoded }: G711): ReadSample =>
  (view, at) =>
    (decoded[view.getUint8(at)] as number) / 0x8000

const readers: Readonly<Record<number, Readonly<Record<number, ReadSample>>>> = {
  1: pcm,
  3: float,
  6: { 1: g711(aLaw) },
  7: { 1: g711(muLaw) }
}

/** The samples of a WAV file; undefined for any other file. Throws `AudioUnreadable`. Source: docs/reference/embedded.md#formats. */
export const pcmSound = (bytes: Uint8Array): PcmSound | undefined => {
  const file = readWav(new ChunkBytes([bytes]))
  if (file === undefined) return undefined
  const { audio, format, isLittleEndian } = file
  if (!isLittleEndian) throw new AudioUnreadable("WAV with the highest byte first")
  if (format === null) throw new AudioUnreadable("the WAV file has no format")
  if (audio.length === 0) throw new AudioUnreadable("the WAV file has no data")
  return soundOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), format, audio)
}

const soundOf = (view: DataView, format: WavFormat, audio: WavFile["audio"]): PcmSound => {
  const { codec, channels, rate, bits, block } = format
  believable(format)
  const width = Math.ceil(bits / 8)
  const read = readers[codec]?.[width]
  if (read === undefined) throw new AudioUnreadable(`WAV of kind ${codec} with ${bits} bits`)
  const frameBytes = channels * width
  if (block !== frameBytes) throw new AudioUnreadable(`${block} bytes a frame in a WAV file`)

  const blockAt = (from: number, frames: number): Float32Array => {
    const samples = new Float32Array(frames)
    for (let frame = 0; frame < frames; frame++) {
      const at = from + frame * frameBytes
      let sum = 0
      for (let channel = 0; channel < channels; channel++) sum += read(view, at + channel * width)
      // Not a number, in a float file, would spread over everything after it.
      samples[frame] = Number.isFinite(sum) ? sum / channels : 0
    }
    return samples
  }

  return {
    rate,
    channels,
    blocks: function* () {
      for (const { begin, end } of audio) {
        const frames = Math.floor((Math.min(end, view.byteLength) - begin) / frameBytes)
        for (let frame = 0; frame < frames; frame += blockFrames) {
          yield blockAt(begin + frame * frameBytes, Math.min(blockFrames, frames - frame))
        }
      }
    }
  }
}
