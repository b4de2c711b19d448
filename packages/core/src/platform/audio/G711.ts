/** G.711, in which telephone lines carry sound: sign, exponent of three bits, mantissa of four. Pure. Source: docs/reference/voice-agent.md#audio. */

/** Which byte stands for which sample, both ways. */
export interface G711 {
  /** The sample of each byte. */
  readonly decoded: Int16Array
  /** The byte of each sample, by its lower 16 bits. */
  readonly encoded: Uint8Array
}

const makeTables = (
  decode: (byte: number) => number,
  encode: (magnitude: number, isNegative: boolean) => number
): G711 => ({
  decoded: Int16Array.from({ length: 256 }, (_, byte) => decode(byte)),
  encoded: Uint8Array.from({ length: 65_536 }, (_, bits) => {
    const sample = (bits << 16) >> 16
    return encode(Math.abs(sample), sample < 0)
  })
})

/** Added to a magnitude of mu-law, so that each exponent has a leading one. */
const bias = 0x84
const maxMuLaw = 32_635

const exponentOf = (magnitude: number): number => 31 - Math.clz32(magnitude)

export const muLaw: G711 = makeTables(
  (byte) => {
    const code = ~byte & 0xff
    const magnitude = ((((code & 0x0f) << 3) + bias) << ((code >> 4) & 7)) - bias
    return code & 0x80 ? -magnitude : magnitude
  },
  (magnitude, isNegative) => {
    const biased = Math.min(magnitude, maxMuLaw) + bias
    const exponent = exponentOf(biased) - 7
    return ~((isNegative ? 0x80 : 0) | (exponent << 4) | ((biased >> (exponent + 3)) & 0x0f)) & 0xff
  }
)

export const aLaw: G711 = makeTables(
  (byte) => {
    const code = byte ^ 0x55
    const exponent = (code >> 4) & 7
    const mantissa = ((code & 0x0f) << 4) + 8
    const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
    return code & 0x80 ? magnitude : -magnitude
  },
  (magnitude, isNegative) => {
    // -1 is nearer to the first step below zero than to the one above it.
    const kept = Math.min(isNegative ? magnitude - 1 : magnitude, 32_767)
    const exponent = kept < 0x100 ? 0 : exponentOf(kept) - 7
    const mantissa = (kept >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f
    return ((isNegative ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55
  }
)
