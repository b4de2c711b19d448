/** Audio as the fakes of providers speak it: bytes of every value, which are no text in any encoding. */
import type { UpstreamMood } from "./FakeUpstream.ts"

/** What is heard of a text: each byte of it, 256 times. */
export const audioOf = (text: string): Uint8Array => Uint8Array.from([...Buffer.from(text)].flatMap(everyByteFrom))

const everyByteFrom = (first: number): ReadonlyArray<number> =>
  Array.from({ length: 256 }, (_, nth) => (first + nth) % 256)

/** The same as an answer that comes in pieces. */
export const spokenAudio = (text: string, contentType: string): UpstreamMood => {
  const whole = audioOf(text)
  const middle = Math.ceil(whole.length / 2)
  return {
    does: "stream",
    headers: { "content-type": contentType },
    pieces: [whole.subarray(0, middle), whole.subarray(middle)]
  }
}
