/**
 * The one reader of WAV files: where their audio is, how it is encoded, and how long it is by its samples. A length in the
 * header that claims more, less, nothing or "unknown" is not believed. Pure. Source: docs/reference/metering.md#duration.
 */
import * as Result from "effect/Result"
import type { ChunkBytes } from "../upstreams/ChunkBytes.ts"

/**
 * `seconds` is null where only a decoder of its codec could tell. A fault is what the header says of itself and cannot be
 * so.
 */
type WavLength = Result.Result<{ readonly seconds: number | null }, string>

const forms = new Set(["RIFF", "RIFX", "RF64", "BW64"])

/** Rates and channels that recorders and telephones have. Beyond them a header only makes a file look shorter. */
const minRate = 1000
const maxRate = 384_000
const maxChannels = 64
/** A file of many empty parts would be walked for long; none that is meant to be heard has more. */
const maxParts = 4096

/** How the audio of a file is encoded, as its header says. */
export interface WavFormat {
  /** Of the registry of WAVE formats: 1 is PCM. The codec of the extensible form stands in its own field. */
  readonly codec: number
  readonly channels: number
  /** Samples a second. */
  readonly rate: number
  /** Bytes a second. */
  readonly byteRate: number
  /** Bytes of one block of all channels. */
  readonly block: number
  /** Of a sample. */
  readonly bits: number
}

export interface WavFile {
  /** Null where the file does not say. Fields that its header lacks are 0. */
  readonly format: WavFormat | null
  /** Where its audio is, in order: from `begin` up to `end`. */
  readonly audio: ReadonlyArray<{ readonly begin: number; readonly end: number }>
  readonly isLittleEndian: boolean
}

/** Reads where the audio of a WAV file is, and its format; undefined for any other file. */
export const readWav = (bytes: ChunkBytes): WavFile | undefined => {
  const form = textAt(bytes, 0)
  if (!forms.has(form) || textAt(bytes, 8) !== "WAVE") return undefined
  return fileOf(bytes, form !== "RIFX")
}

/** The length of a WAV file; undefined for any other file. */
export const wavLength = (bytes: ChunkBytes): WavLength | undefined => {
  const file = readWav(bytes)
  return file === undefined ? undefined : lengthOf(file)
}

const lengthOf = ({ audio, format }: WavFile): WavLength => {
  if (format === null) return Result.fail("The WAV file does not say how its audio is encoded")
  const layout = layoutOf(format)
  if (typeof layout === "string") return Result.fail(layout)
  const size = audio.reduce((sum, { begin, end }) => sum + (end - begin), 0)
  if (size === 0) return Result.fail("The WAV file holds no audio")
  return Result.succeed({ seconds: layout === null ? null : samplesOf(size, layout) / format.rate })
}

/** Walks the file's parts. Bytes that stand where a part should begin and cannot be one belong to the audio before them. */
const fileOf = (bytes: ChunkBytes, littleEndian: boolean): WavFile => {
  let format: DataView | undefined
  const audio: Array<WavFile["audio"][number]> = []
  let claimed64: number | null = null
  let position = 12
  for (let parts = 0; parts < maxParts && position + 8 <= bytes.size; parts++) {
    const name = textAt(bytes, position)
    const size = viewAt(bytes, position + 4, 4).getUint32(0, littleEndian)
    const begin = position + 8
    if (name === "data") {
      const claimed = size === unknown && claimed64 !== null ? claimed64 : size
      // What follows the end of the first audio are parts, all of them.
      const end = audio.length > 0 ? begin + claimed : endOfAudio(bytes, begin, claimed, littleEndian)
      audio.push({ begin, end })
      position = end + (end % 2)
      continue
    }
    if (name === "fmt ") format = format === undefined ? viewAt(bytes, begin, Math.min(size, 40)) : twice
    if (name === "ds64") claimed64 = sizeIn64(viewAt(bytes, begin, 16), littleEndian)
    position = begin + size + (size % 2)
  }
  return { format: format === undefined ? null : formatOf(format, littleEndian), audio, isLittleEndian: littleEndian }
}

/** Two descriptions of one audio are none: a decoder may follow either. */
const twice = new DataView(new ArrayBuffer(0))

const unknown = 0xffffffff

const sizeIn64 = (view: DataView, littleEndian: boolean): number | null =>
  view.byteLength < 16 ? null : Number(view.getBigUint64(8, littleEndian))

/** The claimed end where further parts follow it up to the file's own end; else everything that is there is audio. */
const endOfAudio = (bytes: ChunkBytes, begin: number, claimed: number, littleEndian: boolean): number => {
  const end = begin + claimed
  return end <= bytes.size && isParts(bytes, end + (end % 2), littleEndian) ? end : bytes.size
}

/** Whether nothing but whole parts stands from here on. Less than a part's head is padding. */
const isParts = (bytes: ChunkBytes, from: number, littleEndian: boolean): boolean => {
  let position = from
  for (let parts = 0; position + 8 <= bytes.size; parts++) {
    if (parts === maxParts || !printable.test(textAt(bytes, position))) return false
    const size = viewAt(bytes, position + 4, 4).getUint32(0, littleEndian)
    if (position + 8 + size > bytes.size) return false
    position += 8 + size + (size % 2)
  }
  return true
}

const printable = /^[\x20-\x7e]{4}$/

/** The codec of the extensible form stands in its own field. */
const extensible = 0xfffe

const formatOf = (view: DataView, littleEndian: boolean): WavFormat => {
  const short = (at: number) => (at + 2 <= view.byteLength ? view.getUint16(at, littleEndian) : 0)
  const long = (at: number) => (at + 4 <= view.byteLength ? view.getUint32(at, littleEndian) : 0)
  return {
    codec: short(0) === extensible ? short(24) : short(0),
    channels: short(2),
    rate: long(4),
    byteRate: long(8),
    block: short(12),
    bits: short(14)
  }
}

interface Layout {
  /** Bytes of a block, and samples of each channel in it. */
  readonly bytes: number
  readonly samples: number
}

const samplesOf = (audio: number, { bytes, samples }: Layout): number => Math.floor((audio * samples) / bytes)

const codecs = { pcm: 1, microsoftAdpcm: 2, float: 3, aLaw: 6, muLaw: 7, imaAdpcm: 0x11, gsm: 0x31 } as const

/** How samples lie in the data: a sentence for what cannot be, null for a codec that is not known here. */
const layoutOf = (format: WavFormat): Layout | string | null => {
  const { bits, block, byteRate, channels, rate } = format
  if (rate < minRate || rate > maxRate) return `The WAV file's sample rate of ${rate} Hz cannot be`
  if (channels < 1 || channels > maxChannels) return `The WAV file cannot have ${channels} channels`
  const layout = blockOf(format)
  if (layout === null) return null
  if (layout.bytes === 0 || layout.bytes !== block || layout.samples < 1) {
    return `The WAV file's blocks of ${block} bytes cannot be, with ${channels} channels of ${bits} bits`
  }
  // Writers of packed codecs use all kinds of rates; of plain samples there is one that is right.
  const isRight = layout.samples === 1 ? byteRate === rate * layout.bytes : byteRate > 0
  return isRight ? layout : `The WAV file's byte rate of ${byteRate} cannot be, at ${rate} samples a second`
}

/** A block of the codec; with no bytes where bits or channels are not what the codec has. */
const blockOf = ({ bits, block, channels, codec }: WavFormat): Layout | null => {
  /** Four bits a sample after a head for each channel, which holds the block's first samples. */
  const packed = (headBytes: number, headSamples: number): Layout => ({
    bytes: bits === 4 ? block : 0,
    samples: headSamples + Math.floor(((block - headBytes * channels) * 2) / channels)
  })
  switch (codec) {
    case codecs.pcm:
      return { bytes: bits >= 1 && bits <= 64 ? channels * Math.ceil(bits / 8) : 0, samples: 1 }
    case codecs.float:
      return { bytes: bits === 32 || bits === 64 ? (channels * bits) / 8 : 0, samples: 1 }
    case codecs.aLaw:
    case codecs.muLaw:
      return { bytes: bits === 8 ? channels : 0, samples: 1 }
    case codecs.microsoftAdpcm:
      return packed(7, 2)
    case codecs.imaAdpcm:
      return packed(4, 1)
    case codecs.gsm:
      return { bytes: channels === 1 ? 65 : 0, samples: 320 }
    default:
      return null
  }
}

const viewAt = (bytes: ChunkBytes, from: number, length: number): DataView => {
  const found = bytes.slice(from, from + length)
  return new DataView(found.buffer, found.byteOffset, found.byteLength)
}

const textAt = (bytes: ChunkBytes, from: number): string => String.fromCharCode(...bytes.slice(from, from + 4))
