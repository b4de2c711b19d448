/** What an upstream is told about a file beside its bytes. A caller wrote both, so neither is passed on as it is. */
import type { Audio } from "@trunkline/core/effect"

/** Extensions that upstreams go by, and the type of each. */
const types: Readonly<Record<string, string>> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  mp4: "audio/mp4",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/ogg",
  flac: "audio/flac",
  webm: "audio/webm",
  aac: "audio/aac"
}

/** Types and what they are also called. */
const extensions: Readonly<Record<string, string>> = {
  wav: "wav",
  wave: "wav",
  "x-wav": "wav",
  mpeg: "mp3",
  mp3: "mp3",
  mp4: "m4a",
  m4a: "m4a",
  "x-m4a": "m4a",
  ogg: "ogg",
  opus: "ogg",
  flac: "flac",
  "x-flac": "flac",
  webm: "webm",
  aac: "aac"
}

const longestName = 100

const lookUp = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ""

/** Type and subtype of audio or video; undefined for anything else, which an upstream might take for an order of its own. */
const told = ({ contentType }: Audio): string | undefined =>
  /^\s*((?:audio|video)\/[\w.+-]+)\s*(?:;|$)/.exec(contentType.toLowerCase())?.[1]

/** A type of audio or video, by what was said or by the name; bytes of no type otherwise. */
export const contentTypeOf = (audio: Audio): string =>
  told(audio) ?? lookUp(types, extensionOf(audio.fileName)) ?? "application/octet-stream"

/** The name without folders and control characters, not too long, and with an extension where the type tells one. */
export const fileNameOf = (audio: Audio): string => {
  const name = [...(audio.fileName.split(/[/\\]/).at(-1) ?? "").replace(/\p{Cc}/gu, "")].slice(-longestName).join("")
  if (lookUp(types, extensionOf(name)) !== undefined) return name
  const extension = lookUp(extensions, told(audio)?.split("/")[1] ?? "")
  const stem = name === "" ? "audio" : name
  return extension === undefined ? stem : `${stem}.${extension}`
}
