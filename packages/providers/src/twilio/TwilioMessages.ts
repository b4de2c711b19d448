/** The messages of a media stream, both ways. Pure. */
import { jsonIn } from "../http/index.ts"

/** What Twilio says, as far as it matters. */
export type StreamMessage =
  | {
      readonly event: "start"
      readonly streamSid: string
      readonly callSid: string
      readonly callId: string
      readonly token: string
    }
  | {
      readonly event: "media"
      readonly streamSid: string
      readonly sound: Uint8Array
      readonly sequence: number | null
      readonly chunk: number | null
    }
  | { readonly event: "mark"; readonly streamSid: string; readonly name: string }
  | { readonly event: "dtmf"; readonly streamSid: string; readonly key: string }
  | { readonly event: "stop"; readonly streamSid: string }

type Fields = { readonly [name: string]: unknown }

const fieldsIn = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {})
const textIn = (value: unknown): string => (typeof value === "string" ? value : "")

/** Numbers are written as texts. */
const numberIn = (value: unknown): number | null =>
  (typeof value === "string" && /^\d+$/.test(value)) || typeof value === "number" ? Number(value) : null

/** One message; null for one that is malformed or says nothing that matters. */
export const readMessage = (text: string): StreamMessage | null => {
  const message = fieldsIn(jsonIn(text))
  const start = fieldsIn(message.start)
  const streamSid = textIn(message.streamSid) || textIn(start.streamSid)
  if (streamSid === "") return null
  switch (message.event) {
    case "start": {
      const { call_id, token } = fieldsIn(start.customParameters)
      const callSid = textIn(start.callSid)
      return { event: "start", streamSid, callSid, callId: textIn(call_id).toLowerCase(), token: textIn(token) }
    }
    case "media":
      return soundIn(streamSid, message)
    case "mark": {
      const name = textIn(fieldsIn(message.mark).name)
      return name === "" ? null : { event: "mark", streamSid, name }
    }
    case "dtmf": {
      const key = textIn(fieldsIn(message.dtmf).digit)
      return /^[0-9*#]$/.test(key) ? { event: "dtmf", streamSid, key } : null
    }
    case "stop":
      return { event: "stop", streamSid }
    default:
      return null
  }
}

const soundIn = (streamSid: string, message: Fields): StreamMessage | null => {
  const { chunk, payload, track = "inbound" } = fieldsIn(message.media)
  const sound = Buffer.from(textIn(payload), "base64")
  if (track !== "inbound" || sound.length === 0) return null
  return { event: "media", streamSid, sound, sequence: numberIn(message.sequenceNumber), chunk: numberIn(chunk) }
}

/** Sound for the caller. */
export const soundMessage = (streamSid: string, sound: Uint8Array): string => {
  const payload = Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength).toString("base64")
  return JSON.stringify({ event: "media", streamSid, media: { payload } })
}

export const markMessage = (streamSid: string, name: string): string =>
  JSON.stringify({ event: "mark", streamSid, mark: { name } })

export const clearMessage = (streamSid: string): string => JSON.stringify({ event: "clear", streamSid })
