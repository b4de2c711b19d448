/** What a callee says, from a WAV file of any rate. */
import { readFileSync, statSync } from "node:fs"
import { calleeAudio } from "@trunkline/providers/simulator"
import { UsageError } from "./UsageError.ts"

const megabyte = 1024 * 1024
const maxFileBytes = 32 * megabyte

/** The network keeps as much of speech that comes faster than it can be heard. */
const maxSeconds = 60

export const bytesPerSecond = 8000

/** Mu-law of 8 kHz, as the line carries it. */
export const calleeSound = (path: string): Uint8Array => {
  const read = (): Uint8Array => {
    try {
      if (statSync(path).size > maxFileBytes) return new Uint8Array()
      return readFileSync(path)
    } catch (error) {
      throw new UsageError(`--say: ${path} cannot be read: ${(error as Error).message}`)
    }
  }
  const file = read()
  if (file.length === 0) throw new UsageError(`--say: ${path} must have 1 byte to ${maxFileBytes / megabyte} MiB`)
  const sound = soundOf(file, path)
  if (sound.length <= maxSeconds * bytesPerSecond) return sound
  throw new UsageError(`--say: ${path} lasts longer than ${maxSeconds} seconds: cut it`)
}

const soundOf = (file: Uint8Array, path: string): Uint8Array => {
  try {
    return calleeAudio(file)
  } catch {
    throw new UsageError(`--say: ${path} is no WAV file of PCM or floats: convert it, with ffmpeg for example`)
  }
}
