/** What the embedded voices can speak. Pure. Source: docs/reference/embedded.md#voices. */
import type { FieldRefusal, SpeakRequest } from "@trunkline/core/provider"
import { chosenVoice, fieldRefusal } from "../upstream/SpeechFields.ts"

/** The id of the model in the catalogue. */
export const fliteModel = "flite"

const voices = ["slt", "rms", "awb", "kal", "kal16"] as const
export type FliteVoice = (typeof voices)[number]

const formats = ["wav", "pcm"] as const
export type FliteFormat = (typeof formats)[number]

/** One text, as the thread gets it. */
export interface FliteOrder {
  readonly text: string
  readonly voice: FliteVoice
  readonly format: FliteFormat
  readonly speed: number
}

const voiceOf = (request: Pick<SpeakRequest, "voice">): FliteVoice | undefined =>
  voices.find((one) => one === (chosenVoice(request) ?? voices[0]))

const refusal = (param: string, message: string): FieldRefusal => ({ param, message })

/** Refuses what it would speak otherwise than it was asked, or as silence; null where there is nothing. */
export const fliteRefusal = (request: SpeakRequest): FieldRefusal | null => {
  const { format, input, language } = request
  if (voiceOf(request) === undefined) return refusal("voice", `This model has the voices ${voices.join(", ")}.`)
  if (!formats.some((one) => one === format)) {
    return refusal("response_format", `This model gives the formats ${formats.join(" and ")}.`)
  }
  if (language !== null && !/^en(-|$)/i.test(language)) return refusal("language", "This model speaks English alone.")
  if (!/[\p{Script=Latin}\d]/u.test(input)) {
    return refusal("input", "This model speaks English alone: the input has no Latin character and no digit.")
  }
  return fieldRefusal(request)
}

/** The order for a request that is not refused. */
export const fliteOrder = (request: SpeakRequest): FliteOrder => ({
  // A program's argument ends at the first of them.
  text: request.input.replaceAll("\0", " "),
  voice: voiceOf(request) ?? voices[0],
  format: request.format === "pcm" ? "pcm" : "wav",
  speed: request.speed ?? 1
})
