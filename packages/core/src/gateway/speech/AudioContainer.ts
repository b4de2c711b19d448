/** Which kind of audio file bytes are, by how they begin. Pure. Source: docs/reference/metering.md#duration. */
import { ChunkBytes } from "../upstreams/ChunkBytes.ts"

/** Containers that speech comes in, whether their length can be measured or not. Two digits for each byte. */
const beginnings: ReadonlyArray<readonly [container: string, beginning: RegExp]> = [
  ["wav", /^(?:52494646|52494658|52463634|42573634).{8}57415645/],
  ["mp3", /^494433/],
  ["aac", /^fff[0189]/],
  // Eleven set bits, then a version, a layer, a bit rate and a sample rate that exist.
  ["mp3", /^ff(?:e[2-7]|f[2-7a-f])[1-9a-e][0-9ab]/],
  ["flac", /^664c6143/],
  ["ogg", /^4f676753/],
  ["webm", /^1a45dfa3/],
  ["mp4", /^.{8}(?:66747970|6d6f6f76|6d6f6f66|73747970)/],
  ["aiff", /^464f524d.{8}414946[34]/],
  ["au", /^2e736e64/],
  ["caf", /^63616666/],
  ["amr", /^2321414d52/],
  ["asf", /^3026b2758e66cf11/],
  ["ac3", /^0b77/],
  ["mpegts", /^47.{374}47/]
]

const hex = (byte: number): string => byte.toString(16).padStart(2, "0")

/** The name of the container, from the file in its parts; null for an unknown one. */
export const containerOf = (chunks: ReadonlyArray<Uint8Array>): string | null => {
  const head = Array.from(new ChunkBytes(chunks).slice(0, 192), hex).join("")
  return beginnings.find(([, beginning]) => beginning.test(head))?.[0] ?? null
}
