/** Sound of telephone lines: 16-bit samples as 8 bits, by mu-law or A-law (ITU-T G.711). Pure. */

const bias = 0x84
const clip = 32_635

const muEncode = (sample: number): number => {
  const sign = sample < 0 ? 0x80 : 0
  const level = Math.min(Math.abs(sample), clip) + bias
  const exponent = 31 - Math.clz32(level) - 7
  return ~(sign | (exponent << 4) | ((level >> (exponent + 3)) & 0x0f)) & 0xff
}

const muDecode = (byte: number): number => {
  const bits = ~byte & 0xff
  const level = (((bits & 0x0f) << 3) + bias) << ((bits >> 4) & 0x07)
  return (bits & 0x80) !== 0 ? bias - level : level - bias
}

const aEncode = (sample: number): number => {
  const isPositive = sample >= 0
  const level = Math.min(isPositive ? sample : ~sample, 32_767) >> 4
  const exponent = level < 16 ? 0 : 31 - Math.clz32(level) - 3
  const code = exponent === 0 ? level : (exponent << 4) | ((level >> (exponent - 1)) & 0x0f)
  return (code ^ 0x55 ^ (isPositive ? 0x80 : 0)) & 0xff
}

const aDecode = (byte: number): number => {
  const code = byte ^ 0x55
  const exponent = (code >> 4) & 0x07
  const mantissa = ((code & 0x0f) << 4) + 8
  const level = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (code & 0x80) !== 0 ? level : -level
}

/** Encoding and decoding by table: one look-up for a sample. */
interface Law {
  readonly encoded: Uint8Array
  readonly decoded: Int16Array
}

const lawOf = (encode: (sample: number) => number, decode: (byte: number) => number): Law => ({
  // By the sample's bits as an unsigned number.
  encoded: Uint8Array.from({ length: 65_536 }, (_, bits) => encode((bits << 16) >> 16)),
  decoded: Int16Array.from({ length: 256 }, (_, byte) => decode(byte))
})

/** The tables of a law are made when it is first used. */
const laws: { mulaw?: Law; alaw?: Law } = {}

const law = (name: "alaw" | "mulaw"): Law => {
  laws[name] ??= name === "mulaw" ? lawOf(muEncode, muDecode) : lawOf(aEncode, aDecode)
  return laws[name]
}

export const encodeLaw = (name: "alaw" | "mulaw", samples: Int16Array): Uint8Array => {
  const { encoded } = law(name)
  const bytes = new Uint8Array(samples.length)
  for (let n = 0; n < samples.length; n++) bytes[n] = encoded[(samples[n] as number) & 0xffff] as number
  return bytes
}

export const decodeLaw = (name: "alaw" | "mulaw", bytes: Uint8Array): Int16Array => {
  const { decoded } = law(name)
  const samples = new Int16Array(bytes.length)
  for (let n = 0; n < bytes.length; n++) samples[n] = decoded[bytes[n] as number] as number
  return samples
}
