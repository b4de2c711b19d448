/** The header of a WAV file of 16-bit samples. Pure. */

export const wavHeaderBytes = 44

export interface WavSound {
  readonly sampleRate: number
  readonly channels: number
  /** Bytes of the sound that follows. */
  readonly bytes: number
}

export const wavHeader = ({ bytes, channels, sampleRate }: WavSound): Uint8Array => {
  const header = new DataView(new ArrayBuffer(wavHeaderBytes))
  const text = (at: number, word: string) => {
    for (let n = 0; n < word.length; n++) header.setUint8(at + n, word.charCodeAt(n))
  }
  text(0, "RIFF")
  header.setUint32(4, 36 + bytes, true)
  text(8, "WAVEfmt ")
  header.setUint32(16, 16, true)
  header.setUint16(20, 1, true)
  header.setUint16(22, channels, true)
  header.setUint32(24, sampleRate, true)
  header.setUint32(28, sampleRate * channels * 2, true)
  header.setUint16(32, channels * 2, true)
  header.setUint16(34, 16, true)
  text(36, "data")
  header.setUint32(40, bytes, true)
  return new Uint8Array(header.buffer)
}
