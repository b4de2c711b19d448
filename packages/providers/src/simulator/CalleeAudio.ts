/** The sound of a WAV file as a telephone line carries it. */
import { SynthesisToLine, telephoneFormat } from "@trunkline/core/provider"
import { pcmSound } from "../embedded/PcmWav.ts"

/** Throws where the file cannot be read. */
export const calleeAudio = (file: Uint8Array): Uint8Array => {
  const sound = pcmSound(file)
  if (sound === undefined) throw new Error("it is no WAV file")
  const line = new SynthesisToLine(telephoneFormat, sound.rate)
  const parts: Array<Uint8Array> = []
  for (const block of sound.blocks()) {
    parts.push(line.add(Int16Array.from(block, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767))))
  }
  parts.push(line.end())
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}
