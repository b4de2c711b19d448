/** The header of a WAV file of two channels with 16 bits. Pure. */

export const headerBytes = 44

const channels = 2
const sampleBytes = 2

/** The header of a file with this many bytes of sound. */
export const wavHeader = (sampleRate: number, soundBytes: number): Uint8Array => {
  const header = new Uint8Array(headerBytes)
  const view = new DataView(header.buffer)
  const word = (at: number, text: string) => {
    for (let i = 0; i < text.length; i++) header[at + i] = text.charCodeAt(i)
  }
  word(0, "RIFF")
  view.setUint32(4, headerBytes - 8 + soundBytes, true)
  word(8, "WAVEfmt ")
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * channels * sampleBytes, true)
  view.setUint16(32, channels * sampleBytes, true)
  view.setUint16(34, 8 * sampleBytes, true)
  word(36, "data")
  view.setUint32(40, soundBytes, true)
  return header
}

/** Samples a second, as a header says. */
export const rateOf = (header: Uint8Array): number => new DataView(header.buffer, header.byteOffset).getUint32(24, true)
