/** WAV files of every plain kind, by what is in them: a length in the header is only believed where it fits. */

/** The file is none that can be read, and why. */
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
const [lowestRate, highestRate] = [4_000, 192_000]
const mostChannels = 32

/** Throws where no recording can have such a rate or number of channels. */
export const believable = ({ rate, channels }: Sound): void => {
  if (!(rate >= lowestRate && rate <= highestRate)) throw new AudioUnreadable(`${rate} samples a second`)
  if (!(channels >= 1 && channels <= mostChannels)) throw new AudioUnreadable(`${channels} channels`)
}

const text = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const isWav = (bytes: Uint8Array): boolean => {
  if (bytes.length < 12) return false
  const view = viewOf(bytes)
  return ["RIFF", "RF64"].includes(text(view, 0)) && text(view, 8) === "WAVE"
}

interface Format extends Sound {
  readonly tag: number
  readonly bits: number
  readonly frameBytes: number
}

const extensible = 0xfffe

const readFormat = (view: DataView, at: number, size: number): Format => {
  if (size < 16 || at + 16 > view.byteLength) throw new AudioUnreadable("the format of the WAV file is cut off")
  const tag = view.getUint16(at, true)
  return {
    // The real tag is the start of an identifier further on.
    tag: tag === extensible && size >= 26 && at + 26 <= view.byteLength ? view.getUint16(at + 24, true) : tag,
    channels: view.getUint16(at + 2, true),
    rate: view.getUint32(at + 4, true),
    frameBytes: view.getUint16(at + 12, true),
    bits: view.getUint16(at + 14, true)
  }
}

/** G.711: sign, exponent of three bits, mantissa of four, each kind with a bias of its own. */
const muLaw = Float32Array.from({ length: 256 }, (_, byte) => {
  const code = ~byte & 0xff
  const magnitude = ((((code & 0x0f) << 3) + 0x84) << ((code >> 4) & 7)) - 0x84
  return (code & 0x80 ? -magnitude : magnitude) / 32_768
})

const aLaw = Float32Array.from({ length: 256 }, (_, byte) => {
  const code = byte ^ 0x55
  const exponent = (code >> 4) & 7
  const mantissa = ((code & 0x0f) << 4) + 8
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (code & 0x80 ? magnitude : -magnitude) / 32_768
})

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

const readers: Readonly<Record<number, Readonly<Record<number, ReadSample>>>> = {
  1: pcm,
  3: float,
  6: { 1: (view, at) => aLaw[view.getUint8(at)] as number },
  7: { 1: (view, at) => muLaw[view.getUint8(at)] as number }
}

/** Reads a WAV file. Throws `AudioUnreadable`. Source: docs/embedded.md#formats. */
export const readWav = (bytes: Uint8Array): PcmSound => {
  const view = viewOf(bytes)
  let format: Format | undefined
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [id, size] = [text(view, at), view.getUint32(at + 4, true)]
    if (id === "fmt ") format = readFormat(view, at + 8, size)
    if (id === "data") {
      if (format === undefined) throw new AudioUnreadable("the WAV file has no format before its data")
      return sound(view, format, at + 8, size)
    }
    // Chunks begin at even places.
    at += 8 + size + (size % 2)
  }
  throw new AudioUnreadable("the WAV file has no data")
}

/** Whether what stands between `at` and the end of the file is whole chunks: tags, say. */
const isChunks = (view: DataView, at: number): boolean => {
  let end = at
  while (end + 8 <= view.byteLength) end += 8 + view.getUint32(end + 4, true) + (view.getUint32(end + 4, true) % 2)
  return end === view.byteLength
}

/**
 * How much of the file is sound. A length that is written while it is recorded is 0 or the highest number; of a file that
 * was cut off it is past the end; a false one is too small, and what follows is no chunk.
 */
const soundBytes = (view: DataView, from: number, claimed: number): number => {
  const present = view.byteLength - from
  const fits = claimed > 0 && claimed < present
  return fits && isChunks(view, from + claimed + (claimed % 2)) ? claimed : present
}

const sound = (view: DataView, format: Format, from: number, size: number): PcmSound => {
  const { tag, channels, rate, bits } = format
  believable(format)
  const width = Math.ceil(bits / 8)
  const read = readers[tag]?.[width]
  if (read === undefined) throw new AudioUnreadable(`WAV of kind ${tag} with ${bits} bits`)
  const frameBytes = channels * width
  if (format.frameBytes !== frameBytes) throw new AudioUnreadable(`${format.frameBytes} bytes a frame in a WAV file`)
  const frames = Math.floor(soundBytes(view, from, size) / frameBytes)
  return {
    rate,
    channels,
    blocks: function* () {
      for (let frame = 0; frame < frames; frame += blockFrames) {
        const block = new Float32Array(Math.min(blockFrames, frames - frame))
        for (let index = 0; index < block.length; index++) {
          const at = from + (frame + index) * frameBytes
          let sum = 0
          for (let channel = 0; channel < channels; channel++) sum += read(view, at + channel * width)
          // Not a number, in a float file, would spread over everything after it.
          block[index] = Number.isFinite(sum) ? sum / channels : 0
        }
        yield block
      }
    }
  }
}
