/** The length of a recording by its packets. Only this file knows the library. */
import { boundedReads, type ChunkBytes, type Measured } from "@trunkline/core/provider"
import {
  ADTS,
  type AudioCodec,
  BufferSource,
  EncodedPacketSink,
  FLAC,
  Input,
  type InputAudioTrack,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  UnsupportedInputFormatError,
  WEBM
} from "mediabunny"

/** Not those that name other files, and not WAV, which the core measures. */
const formats = [MP4, QTFF, MATROSKA, WEBM, MP3, FLAC, ADTS, OGG, MPEG_TS]

/** Null for bytes that are no audio of a known kind. `seconds` is null for audio that cannot be measured. */
export const lengthOf = async (bytes: ChunkBytes): Promise<Measured | "no audio" | null> => {
  // The library wants the bytes in one piece; read bit by bit, a large file takes it a hundred times as long.
  const whole = withoutBrokenPage(bytes.slice(0, bytes.size))
  const input = new Input({ formats, source: boundedReads(new BufferSource(whole), whole.length, circle) })
  let container: string | null = null
  try {
    container = (await input.getFormat()).name.toLowerCase()
    const tracks = await input.getAudioTracks()
    if (tracks.length === 0) return (await input.getTracks()).length > 0 ? "no audio" : { container, seconds: null }
    const hasIndex = container === "mp4" || container === "quicktime"
    const lengths = await Promise.all(tracks.map((track) => (hasIndex ? lengthThere(track) : track.computeDuration())))
    const codecs = await Promise.all(tracks.map((track) => track.getCodec()))
    const seconds = Math.max(...lengths)
    if (!(seconds > 0)) return "no audio"
    return { container, seconds: isPlausible(bytes.size, seconds, codecs) ? seconds : null }
  } catch (error) {
    if (container === null && error instanceof UnsupportedInputFormatError) return null
    // It begins as what it is and is broken further on: how much of it can be heard, only who decodes it can say.
    return container === null ? null : { container, seconds: null }
  } finally {
    input.dispose()
  }
}

const circle = () => new Error("the file leads in a circle")

/** Up to the end of the last packet whose bytes are there: the index of such a file lists those that are cut off, too. */
const lengthThere = async (track: InputAudioTrack): Promise<number> => {
  const claimed = await track.computeDuration()
  const sink = new EncodedPacketSink(track)
  const isThere = async (at: number) => (await sink.getPacket(at)) !== null
  const first = await track.getFirstTimestamp()
  if (!(claimed > 0) || (await isThere(claimed))) return claimed
  let [low, high] = [first, claimed]
  if (!(await isThere(low))) return 0
  while (high - low > precision) {
    const middle = (low + high) / 2
    if (await isThere(middle)) low = middle
    else high = middle
  }
  return high
}

/** Seconds. */
const precision = 0.01

/** More than codecs that lose something need, in bits a second. */
const maxBitsPerSecond = 1_500_000
const lossless = /^(?:flac|alac|pcm)/

/**
 * Timestamps may be written as one likes. Where they would have more bytes heard in a second than any such codec has, they
 * say nothing, and the upstream's own measurement counts.
 */
const isPlausible = (size: number, seconds: number, codecs: ReadonlyArray<AudioCodec | null>): boolean =>
  (size * 8) / seconds <= maxBitsPerSecond * codecs.length ||
  codecs.some((codec) => codec !== null && lossless.test(codec))

const pageHead = 27

/** An Ogg file that is cut off in the middle of a page, up to its last whole one. */
const withoutBrokenPage = (file: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.toString("latin1", 0, 4) !== "OggS") return file
  const page = bytes.lastIndexOf("OggS")
  const segments = bytes[page + pageHead - 1] ?? 0
  const lacing = bytes.subarray(page + pageHead, page + pageHead + segments)
  const end = page + pageHead + segments + lacing.reduce((sum, length) => sum + length, 0)
  return page === 0 || (lacing.length === segments && page + pageHead <= bytes.length && end <= bytes.length)
    ? file
    : bytes.subarray(0, page)
}
