/** Recordings made in code: frames that every reader counts, with nothing to hear in them. */
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat
} from "mediabunny"

export const join = (...pieces: ReadonlyArray<Uint8Array>): Uint8Array => new Uint8Array(Buffer.concat(pieces))

const repeat = (piece: Uint8Array, times: number): Uint8Array => {
  const whole = new Uint8Array(piece.byteLength * times)
  for (let nth = 0; nth < times; nth++) whole.set(piece, nth * piece.byteLength)
  return whole
}

const frame = (head: ReadonlyArray<number>, bytes: number): Uint8Array => {
  const made = new Uint8Array(bytes)
  made.set(head)
  return made
}

/** 1,152 samples at 48 kHz in 384 bytes: 128 kbit/s. */
const mp3Frame = frame([0xff, 0xfb, 0x94, 0xc4], 384)
const mp3FrameSeconds = 1152 / 48_000

export const mp3 = (seconds: number): Uint8Array => repeat(mp3Frame, Math.round(seconds / mp3FrameSeconds))

/** An MP3 file whose first frame claims a number of further frames. */
export const mp3Claiming = (seconds: number, frames: number): Uint8Array => {
  const head = mp3Frame.slice()
  // After the side information of a stereo frame: the mark, which fields there are, and the number of frames.
  head.set(Buffer.from("Xing"), 36)
  new DataView(head.buffer).setUint32(40, 1)
  new DataView(head.buffer).setUint32(44, frames)
  return join(head, mp3(seconds))
}

/** 1,024 samples at 16 kHz in 135 bytes. */
export const adts = (seconds: number): Uint8Array => {
  const bytes = 135
  const head = [0xff, 0xf1, 0x60, 0x40 | (bytes >> 11), (bytes >> 3) & 0xff, ((bytes & 7) << 5) | 0x1f, 0xfc]
  return repeat(frame(head, bytes), Math.round((seconds * 16_000) / 1024))
}

const opusHead = new Uint8Array([...Buffer.from("OpusHead"), 1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])

const packed = async (
  format: OutputFormat,
  codec: "aac" | "opus",
  rate: number,
  secondsOfPacket: number,
  seconds: number,
  packetBytes = 128
) => {
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source)
  await output.start()
  const meta = {
    decoderConfig: {
      codec: codec === "aac" ? "mp4a.40.2" : "opus",
      numberOfChannels: 1,
      sampleRate: rate,
      description: codec === "aac" ? new Uint8Array([0x14, 0x08]) : opusHead
    }
  }
  // 20 ms of one channel, and nothing in them.
  const data = frame(codec === "opus" ? [0x78] : [], packetBytes)
  const packets = Math.round(seconds / secondsOfPacket)
  for (let nth = 0; nth < packets; nth++) {
    const packet = new EncodedPacket(data, "key", nth * secondsOfPacket, secondsOfPacket)
    await source.add(packet, nth === 0 ? meta : undefined)
  }
  await output.finalize()
  return new Uint8Array(target.buffer!)
}

export const m4a = (seconds: number, fastStart: false | "in-memory" | "fragmented" = "in-memory") =>
  packed(new Mp4OutputFormat({ fastStart }), "aac", 16_000, 0.064, seconds)

export const ogg = (seconds: number) => packed(new OggOutputFormat(), "opus", 48_000, 0.02, seconds)

export const webm = (seconds: number, appendOnly = false) =>
  packed(new WebMOutputFormat({ appendOnly }), "opus", 48_000, 0.02, seconds)

/** Seconds of packets of 20 ms, whose timestamps are only a millisecond apart. */
export const hurried = (seconds: number) => packed(new WebMOutputFormat(), "opus", 48_000, 0.001, seconds / 20, 250)
