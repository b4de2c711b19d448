/** What Deepgram is asked and answers on the socket of a conversation. Pure. Source: docs/reference/upstreams.md#listening. */
import { foreignJson, isObject, type ListenOptions } from "@trunkline/core/provider"

/** Our own mark of the vendor's line, which the vendor does not know. */
const prefix = /^deepgram-/

/** Models that decide themselves when a turn ends, on a route of their own. */
export const isFlux = (model: string): boolean => /^flux-/i.test(model.replace(prefix, ""))

const sound = { encoding: "linear16", sample_rate: "16000" }

/** A pause within an utterance that ends a piece of its text, in milliseconds. */
const endpointingMs = "300"

/** Path and query. A flux model knows no language but its own; the one for many of them gets it as a hint. */
export const listenPath = ({ language, model: id }: ListenOptions): string => {
  const model = id.replace(prefix, "")
  if (isFlux(id)) {
    const hint = language === null || !model.endsWith("-multi") ? {} : { language_hint: language }
    return `/v2/listen?${new URLSearchParams({ model, ...sound, ...hint })}`
  }
  const query = {
    ...{ model, ...sound, channels: "1" },
    ...(language === null ? {} : { language }),
    ...{ punctuate: "true", interim_results: "true", endpointing: endpointingMs }
  }
  return `/v1/listen?${new URLSearchParams(query)}`
}

/** What a message says about the utterance. Seconds are counted from the beginning of the connection. */
export type Heard =
  | {
      readonly _tag: "Piece"
      readonly text: string
      readonly isFinal: boolean
      readonly isFinalized: boolean
      readonly until: number | null
    }
  | { readonly _tag: "Turn"; readonly text: string; readonly isOver: boolean; readonly until: number | null }
  | { readonly _tag: "Error" }

const numberOf = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null)

/** Null for a message that says nothing about what was heard. */
export const readHeard = (text: string): Heard | null => {
  const json = foreignJson(text)
  if (!isObject(json)) return null
  if (json.type === "Error") return { _tag: "Error" }
  if (json.type === "TurnInfo") {
    const said = typeof json.transcript === "string" ? json.transcript.trim() : ""
    return { _tag: "Turn", text: said, isOver: json.event === "EndOfTurn", until: numberOf(json.audio_window_end) }
  }
  if (json.type !== "Results" || !isObject(json.channel)) return null
  const { alternatives } = json.channel
  const best: unknown = Array.isArray(alternatives) ? alternatives[0] : null
  const said = isObject(best) && typeof best.transcript === "string" ? best.transcript.trim() : ""
  const [start, duration] = [numberOf(json.start), numberOf(json.duration)]
  return {
    _tag: "Piece",
    text: said,
    isFinal: json.is_final === true,
    isFinalized: json.from_finalize === true,
    until: start === null || duration === null ? null : start + duration
  }
}
