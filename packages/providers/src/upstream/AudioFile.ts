/** The name and the type under which an upstream gets a file. A caller wrote both, so neither is passed on as it is. */
import type { Audio } from "@trunkline/core/effect"
import { type FormFile, plainFileName } from "../http/index.ts"

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

const maxNameLength = 100

const lookUp = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ""

/** Type and subtype of audio or video; undefined for anything else, which an upstream might take for an order of its own. */
const declaredType = ({ contentType }: Audio): string | undefined =>
  /^\s*((?:audio|video)\/[\w.+-]+)\s*(?:;|$)/.exec(contentType.toLowerCase())?.[1]

/** A type of audio or video, as declared or by the name; bytes of no type otherwise. */
export const contentTypeOf = (audio: Audio): string =>
  declaredType(audio) ?? lookUp(types, extensionOf(audio.fileName)) ?? "application/octet-stream"

/** The name without folders and control characters, not too long, and with an extension where the type implies one. */
export const fileNameOf = (audio: Audio): string => {
  const name = plainFileName(audio.fileName, maxNameLength)
  if (lookUp(types, extensionOf(name)) !== undefined) return name
  const extension = lookUp(extensions, declaredType(audio)?.split("/")[1] ?? "")
  const stem = name === "" ? "audio" : name
  return extension === undefined ? stem : `${stem}.${extension}`
}

/** Audio as the file of a form. */
export const formFileOf = (audio: Audio): FormFile => ({
  fileName: fileNameOf(audio),
  contentType: contentTypeOf(audio),
  size: audio.size,
  chunks: audio.chunks,
  onSent: audio.onSent
})
