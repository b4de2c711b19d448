/** A transcript as people and players of subtitles read it. Pure. Source: docs/reference/voice.md#transcript. */
import type { TranscriptEntry } from "../../calling/calls/index.ts"

export const transcriptFormats = ["json", "txt", "srt"] as const
export type TranscriptFormat = (typeof transcriptFormats)[number]

const speakers: Readonly<Record<TranscriptEntry["role"], string>> = {
  user: "User",
  assistant: "Agent",
  tool: "Function"
}

const lineOf = ({ role, text, tool }: TranscriptEntry): string =>
  `${speakers[role]}: ${tool === null ? text : `${tool.name}(${tool.arguments})`}`.replace(/\s+/g, " ").trim()

const two = (value: number): string => String(value).padStart(2, "0")

/** Hours, minutes and seconds since the session began. */
const clock = (ms: number): string => {
  const seconds = Math.floor(ms / 1000)
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** One line for each entry. */
export const transcriptText = (entries: ReadonlyArray<TranscriptEntry>): string =>
  entries.map((entry) => `[${clock(entry.offsetMs)}] ${lineOf(entry)}\n`).join("")

const stamp = (ms: number): string => `${clock(ms)},${String(ms % 1000).padStart(3, "0")}`

/** How long words are shown whose length is not known. */
const shownMs = 2000

/** Subtitles in the SubRip format: what was said, without functions. */
export const transcriptSubtitles = (entries: ReadonlyArray<TranscriptEntry>): string =>
  entries
    .filter(({ role }) => role !== "tool")
    .map((entry, i) => {
      const { durationMs, offsetMs } = entry
      return `${i + 1}\n${stamp(offsetMs)} --> ${stamp(offsetMs + (durationMs ?? shownMs))}\n${lineOf(entry)}\n`
    })
    .join("\n")
