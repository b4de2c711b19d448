/** Samples of 16 bits and their bytes, the lower byte first. Pure. */

/** The samples in bytes that may begin anywhere in memory; half a sample at the end is dropped. */
export const samplesOf = (bytes: Uint8Array): Int16Array => {
  const samples = new Int16Array(bytes.length >> 1)
  new Uint8Array(samples.buffer).set(bytes.subarray(0, samples.length * 2))
  return samples
}

/** The bytes of the samples, in the same memory. */
export const bytesOf = (samples: Int16Array): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)

/** Samples between -1 and 1 as whole numbers; louder ones are cut. */
export const wholeSamples = (sound: Float32Array): Int16Array => {
  const samples = new Int16Array(sound.length)
  for (let at = 0; at < sound.length; at++) {
    samples[at] = Math.max(-32_768, Math.min(32_767, Math.round((sound[at] as number) * 32_768)))
  }
  return samples
}

/** Whole numbers as samples between -1 and 1. */
export const fractions = (samples: Int16Array): Float32Array => {
  const sound = new Float32Array(samples.length)
  for (let at = 0; at < samples.length; at++) sound[at] = (samples[at] as number) / 32_768
  return sound
}
