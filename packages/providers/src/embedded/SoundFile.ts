/** Turns an uploaded file into one channel of 16,000 samples a second, block by block. Source: docs/reference/embedded.md#formats. */
import { type Resampler, resampler } from "@trunkline/core/audio"
import { boundedReads } from "@trunkline/core/provider"
import type { EncodedPacket, InputAudioTrack } from "mediabunny"
import { AudioUnreadable, believable, pcmSound, type Sound } from "./PcmWav.ts"

/** A package that is not installed, although this file needs it. */
export class PackageMissing extends Error {
  override readonly name = "PackageMissing"
  readonly packageName: string

  constructor(packageName: string) {
    super(`the package ${packageName} is not installed`)
    this.packageName = packageName
  }
}

const isMissing = (error: unknown): boolean => (error as { code?: string }).code === "ERR_MODULE_NOT_FOUND"

/** Loads an optional package. */
export const optional = async <M>(packageName: string, load: () => Promise<M>): Promise<M> => {
  try {
    return await load()
  } catch (error) {
    throw isMissing(error) ? new PackageMissing(packageName) : error
  }
}

/** Samples by channel, as all the decoders give them. */
interface Decoded {
  readonly channelData: ReadonlyArray<Float32Array>
  readonly sampleRate: number
}

/** A decoder of one stream. `free` releases its memory outside of the heap. */
interface Decoder {
  readonly decode: (parts: Array<Uint8Array>) => Decoded | Promise<Decoded>
  /** What it held back until it knew that nothing follows. */
  readonly rest?: () => Promise<Decoded>
  readonly free: () => void
}

const mean = ({ channelData }: Decoded): Float32Array => {
  const [first, ...others] = channelData
  if (first === undefined || others.length === 0) return first ?? new Float32Array(0)
  return first.map((sample, index) => others.reduce((sum, one) => sum + (one[index] ?? 0), sample) / channelData.length)
}

const flac = async (): Promise<Decoder> => {
  const { FLACDecoder } = await optional("@wasm-audio-decoders/flac", () => import("@wasm-audio-decoders/flac"))
  const decoder = new FLACDecoder()
  await decoder.ready
  return { decode: (frames) => decoder.decodeFrames(frames), free: () => decoder.free() }
}

const mp3 = async (): Promise<Decoder> => {
  const { MPEGDecoder } = await optional("mpg123-decoder", () => import("mpg123-decoder"))
  const decoder = new MPEGDecoder()
  await decoder.ready
  return { decode: (frames) => decoder.decodeFrames(frames), free: () => decoder.free() }
}

/** What the head of an Opus stream says of its channels beyond the number of them. */
const opusMapping = (head: Uint8Array): object => {
  const channels = head[9] ?? 1
  if (head.length < 21 + channels || head[18] === 0) return {}
  return {
    streamCount: head[19],
    coupledStreamCount: head[20],
    channelMappingTable: [...head.subarray(21, 21 + channels)]
  }
}

const opus = async (channels: number, head: Uint8Array): Promise<Decoder> => {
  const { OpusDecoder } = await optional("opus-decoder", () => import("opus-decoder"))
  const preSkip = (head[10] ?? 0) + ((head[11] ?? 0) << 8)
  const decoder = new OpusDecoder({ channels, preSkip, ...opusMapping(head) })
  await decoder.ready
  return { decode: (packets) => decoder.decodeFrames(packets), free: () => decoder.free() }
}

const vorbis = async (): Promise<Decoder> => {
  const load = () => import("@wasm-audio-decoders/ogg-vorbis")
  const { OggVorbisDecoder } = await optional("@wasm-audio-decoders/ogg-vorbis", load)
  const decoder = new OggVorbisDecoder()
  await decoder.ready
  return {
    decode: ([bytes]) => decoder.decode(bytes as Uint8Array),
    rest: () => decoder.flush(),
    free: () => decoder.free()
  }
}

type Mediabunny = typeof import("mediabunny")

/** Enough that calls cost little, and few enough that a block stays small. */
const packetBatch = 32
const oggBatchBytes = 16_384

const batches = async function* (packets: AsyncIterable<EncodedPacket>): AsyncGenerator<Array<Uint8Array>> {
  let batch: Array<Uint8Array> = []
  try {
    for await (const { data } of packets) {
      if (batch.push(data) < packetBatch) continue
      yield batch
      batch = []
    }
  } catch (error) {
    // What came before the file broke.
    if (batch.length > 0) yield batch
    throw error
  }
  if (batch.length > 0) yield batch
}

const slices = function* (bytes: Uint8Array): Generator<Array<Uint8Array>> {
  for (let at = 0; at < bytes.length; at += oggBatchBytes) yield [bytes.subarray(at, at + oggBatchBytes)]
}

/** The decoder for Vorbis reads Ogg alone: what comes in another container is put into one. */
const asOgg = async (media: Mediabunny, track: InputAudioTrack): Promise<Uint8Array> => {
  const target = new media.BufferTarget()
  const output = new media.Output({ format: new media.OggOutputFormat(), target })
  const source = new media.EncodedAudioPacketSource("vorbis")
  output.addAudioTrack(source)
  await output.start()
  const decoderConfig = await track.getDecoderConfig()
  if (decoderConfig === null) throw new AudioUnreadable("Vorbis without its headers")
  for await (const packet of new media.EncodedPacketSink(track).packets()) await source.add(packet, { decoderConfig })
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0))
}

const bytesOf = (source: AllowSharedBufferSource | undefined): Uint8Array => {
  if (source === undefined) return new Uint8Array(0)
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
}

/** The stream's own decoder, and what to feed it with. */
const opened = async (media: Mediabunny, track: InputAudioTrack, isOgg: boolean, bytes: Uint8Array) => {
  const codec = await track.getCodec()
  const packets = () => batches(new media.EncodedPacketSink(track).packets())
  if (codec === "mp3") return { decoder: await mp3(), parts: packets() }
  if (codec === "flac") return { decoder: await flac(), parts: packets() }
  if (codec === "vorbis") return { decoder: await vorbis(), parts: slices(isOgg ? bytes : await asOgg(media, track)) }
  if (codec === "opus") {
    const config = await track.getDecoderConfig()
    return { decoder: await opus(await track.getNumberOfChannels(), bytesOf(config?.description)), parts: packets() }
  }
  throw new AudioUnreadable(`the codec ${codec ?? "of the file is not known"}`)
}

const circle = () => new AudioUnreadable("the file leads in a circle")

/** Everything but WAV: the container is taken apart, each packet decoded. */
const compressed = async function* (bytes: Uint8Array): AsyncGenerator<Decoded> {
  const media = await optional("mediabunny", () => import("mediabunny"))
  const { ADTS, FLAC, MATROSKA, MP3, MP4, OGG, QTFF, WEBM } = media
  // A list of our own: some of what the library can read makes it fetch addresses that a file names.
  using input = new media.Input({
    source: boundedReads(new media.BufferSource(bytes), bytes.length, circle),
    formats: [MP3, OGG, FLAC, WEBM, MATROSKA, MP4, QTFF, ADTS]
  })
  const track = (await input.canRead()) ? await input.getPrimaryAudioTrack() : null
  if (track === null) throw new AudioUnreadable("no audio that is known here")
  const isOgg = (await input.getFormat()) === OGG
  believable({ rate: await track.getSampleRate(), channels: await track.getNumberOfChannels() })
  const { decoder, parts } = await opened(media, track, isOgg, bytes)
  try {
    for await (const part of parts) yield await decoder.decode(part)
    if (decoder.rest !== undefined) yield await decoder.rest()
  } finally {
    decoder.free()
  }
}

interface Block extends Pick<Sound, "rate"> {
  readonly samples: Float32Array
}

const blocks = async function* (bytes: Uint8Array): AsyncGenerator<Block> {
  const wav = pcmSound(bytes)
  if (wav !== undefined) {
    for (const samples of wav.blocks()) yield { rate: wav.rate, samples }
    return
  }
  for await (const decoded of compressed(bytes)) yield { rate: decoded.sampleRate, samples: mean(decoded) }
}

/** Errors of libraries about the file, in one word; those of this house pass as they are. */
const unreadable = (error: unknown): Error =>
  error instanceof AudioUnreadable || error instanceof PackageMissing
    ? error
    : new AudioUnreadable(error instanceof Error ? error.message : String(error), { cause: error })

/**
 * The sound of a file, one channel at 16,000 samples a second, in the order of time. Holds a few blocks at a time, however
 * long the recording is. A file that breaks in the middle ends there. Throws `AudioUnreadable` for what cannot be read at
 * all, and `PackageMissing`.
 */
export const soundOf = async function* (bytes: Uint8Array): AsyncGenerator<Float32Array> {
  let [rate, rated]: [number, Resampler | undefined] = [0, undefined]
  try {
    for await (const block of blocks(bytes)) {
      if (block.samples.length === 0) continue
      if (rated === undefined || rate !== block.rate) {
        // Streams may change their rate in the middle.
        if (rated !== undefined) yield rated.end()
        believable({ rate: block.rate, channels: 1 })
        rate = block.rate
        rated = resampler(rate)
      }
      yield rated.add(block.samples)
    }
  } catch (error) {
    if (rated === undefined || error instanceof PackageMissing) throw unreadable(error)
  }
  if (rated === undefined) throw new AudioUnreadable("the file holds no sound")
  yield rated.end()
}
