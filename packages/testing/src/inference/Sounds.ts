/** Audio files made in code, whole and forged. */

export interface WavOptions {
  /** Samples a second. Default 16,000. */
  readonly rate?: number
  readonly channels?: number
  readonly bits?: number
  /** Number of the codec in the header. Default 1: plain samples. */
  readonly codec?: number
  /** What the header says that the audio has in bytes. Default: the truth. */
  readonly claims?: number
  /** What the header says of a second's bytes, and of a block's. Default: the truth. */
  readonly byteRate?: number
  readonly block?: number
  readonly form?: "RIFF" | "RIFX" | "RF64"
  /** The audio's length in the `ds64` part, which then stands before the others. */
  readonly claims64?: bigint
  /** Names and contents of parts before and after the audio. */
  readonly before?: ReadonlyArray<readonly [name: string, content: Uint8Array]>
  readonly after?: ReadonlyArray<readonly [name: string, content: Uint8Array]>
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

export const join = (...pieces: ReadonlyArray<Uint8Array>): Uint8Array => joinAll(pieces)

/** As many pieces as there are: a call takes some ten thousand arguments. */
const joinAll = (pieces: ReadonlyArray<Uint8Array>): Uint8Array => {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.byteLength
  }
  return joined
}

const number = (bytes: 2 | 4, value: number, littleEndian: boolean): Uint8Array => {
  const view = new DataView(new ArrayBuffer(bytes))
  if (bytes === 2) view.setUint16(0, value, littleEndian)
  else view.setUint32(0, value, littleEndian)
  return new Uint8Array(view.buffer)
}

/** A WAV file around the bytes of its audio. */
export const wavOf = (audio: Uint8Array, options: WavOptions = {}): Uint8Array => {
  const { bits = 16, channels = 1, codec = 1, form = "RIFF", rate = 16_000 } = options
  const block = options.block ?? channels * Math.ceil(bits / 8)
  const little = form !== "RIFX"
  const part = (name: string, content: Uint8Array, claims = content.byteLength) => [
    text(name),
    number(4, claims, little),
    content,
    new Uint8Array(content.byteLength % 2)
  ]
  const head = join(
    ...[number(2, codec, little), number(2, channels, little), number(4, rate, little)],
    ...[number(4, options.byteRate ?? rate * block, little), number(2, block, little), number(2, bits, little)]
  )
  const { after = [], before = [], claims64 } = options
  const long = new DataView(new ArrayBuffer(28))
  if (claims64 !== undefined) long.setBigUint64(8, claims64, true)
  const parts = [
    ...(claims64 === undefined ? [] : part("ds64", new Uint8Array(long.buffer))),
    ...part("fmt ", head),
    ...before.flatMap(([name, content]) => part(name, content)),
    ...part("data", audio, options.claims),
    ...after.flatMap(([name, content]) => part(name, content))
  ]
  const body = [text("WAVE"), ...parts]
  const length = body.reduce((sum, piece) => sum + piece.byteLength, 0)
  return joinAll([text(form), number(4, length, little), ...body])
}

/** A quiet tone, as a WAV file. */
export const wav = (seconds: number, options: WavOptions = {}): Uint8Array => {
  const { bits = 16, channels = 1, rate = 16_000 } = options
  const frames = Math.round(seconds * rate)
  const bytes = new Uint8Array(frames * channels * Math.ceil(bits / 8))
  // Neither silence nor text: what follows a forged length must not look like further parts.
  for (let at = 0; at < bytes.length; at++) bytes[at] = 128 + ((at * 7) % 127)
  return wavOf(bytes, options)
}

/** Bytes that are no audio at all, always the same for a seed. */
export const noise = (length: number, seed = 1): Uint8Array => {
  const bytes = new Uint8Array(length)
  let state = seed
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}
