/** The name and the type under which an upstream gets a file. A caller wrote both, so neither is passed on as it is. */
import { type Audio, containerOf } from "@trunkline/core/provider"
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

/** Extensions of the containers that bytes are found to be. */
const containers: Readonly<Record<string, string>> = {
  wav: "wav",
  mp3: "mp3",
  mp4: "m4a",
  ogg: "ogg",
  flac: "flac",
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

/** The extension of a type that servers know. */
const declaredExtension = (audio: Audio): string | undefined =>
  lookUp(extensions, declaredType(audio)?.split("/")[1] ?? "")

/** The extension of what the bytes are. */
const foundExtension = ({ chunks }: Audio): string | undefined => lookUp(containers, containerOf(chunks) ?? "")

/**
 * A type of audio or video: as declared, where servers know it; else by the name or by the bytes; else as declared. Bytes of no type
 * otherwise.
 */
export const contentTypeOf = (audio: Audio): string => {
  const declared = declaredType(audio)
  if (declared !== undefined && declaredExtension(audio) !== undefined) return declared
  const extension = extensionOf(audio.fileName)
  const known = lookUp(types, lookUp(types, extension) === undefined ? (foundExtension(audio) ?? "") : extension)
  return known ?? declared ?? "application/octet-stream"
}

/** The name without folders and control characters, not too long, and with the extension of what the bytes are, or of the type. */
export const fileNameOf = (audio: Audio): string => {
  const name = plainFileName(audio.fileName, maxNameLength)
  if (lookUp(types, extensionOf(name)) !== undefined) return name
  const extension = foundExtension(audio) ?? declaredExtension(audio)
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
