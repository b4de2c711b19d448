/** Readings by people, the engine on this machine, and why there is none. */
import { existsSync, readFileSync } from "node:fs"
import type { SpeechAnswer, SpeechWork, UpstreamFailed } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { missingPackages } from "../../src/embedded/EnginePackages.ts"
import type { EmbeddedProvider } from "../../src/embedded/index.ts"
import { install, neededModels } from "../../src/embedded/ModelInstall.ts"

/** Of the Debian package `pocketsphinx-testdata`: five sentences that a volunteer read for LibriVox. */
const library = "/usr/share/pocketsphinx/test/data/librivox"

export interface Reading {
  readonly wav: Uint8Array
  readonly words: string
}

/** In the order of the book; empty where the package is not installed. */
export const readings = (): ReadonlyArray<Reading> =>
  existsSync(library)
    ? [...readFileSync(`${library}/transcription`, "utf8").matchAll(/^<s> (.*) <\/s> \((.*)\)$/gm)].map(
        ([, words = "", name]) => ({ words, wav: Uint8Array.from(readFileSync(`${library}/${name}.wav`)) })
      )
    : []

/** Null where the engine can run; its weights are fetched once, into the user's folder for caches. */
export const whyNot = async (): Promise<string | null> => {
  const missing = missingPackages()
  if (missing.length > 0) return `${missing.join(", ")} not installed`
  return install(neededModels(), {}).then(
    () => null,
    (error: Error) => error.message
  )
}

export const noReadings = existsSync(library) ? null : "the Debian package pocketsphinx-testdata is not installed"

/** Says in a title why a test is skipped. */
export const skipped = (reason: string | null): string => (reason === null ? "" : ` [skipped: ${reason}]`)

export const workOf = (file: Uint8Array, more: Partial<SpeechWork> = {}): SpeechWork => ({
  task: "transcribe",
  model: "moonshine-tiny",
  requestedModel: "moonshine-tiny",
  audio: {
    ...{ chunks: [file], size: file.length, fileName: "speech", contentType: "application/octet-stream" }
  },
  language: null,
  mode: null,
  features: [],
  diarize: false,
  ...more
})

export const transcriber = (provider: EmbeddedProvider) => {
  const { transcribe } = provider.make("local").capabilities
  return (file: Uint8Array, more?: Partial<SpeechWork>): Effect.Effect<SpeechAnswer, UpstreamFailed> =>
    transcribe === undefined ? Effect.die("it does not transcribe") : transcribe(workOf(file, more))
}

/** As a listener compares them: without case, punctuation and abbreviation. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .replace(/\bmr\b\.?/g, "mister")
    .replace(/-/g, " ")
    .replace(/[^a-z0-9' ]/g, "")
    .split(/\s+/)
    .filter((word) => word !== "")

/** Words that were changed, left out or made up. */
export const wordErrors = (heard: ReadonlyArray<string>, meant: ReadonlyArray<string>): number => {
  let row = Array.from({ length: meant.length + 1 }, (_, at) => at)
  for (const [index, word] of heard.entries()) {
    const next = [index + 1]
    for (const [at, one] of meant.entries()) {
      const [left, above, across] = [next[at] ?? 0, row[at + 1] ?? 0, row[at] ?? 0]
      next.push(Math.min(left + 1, above + 1, across + Number(one !== word)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The sound of plain WAV files with a head of 44 bytes, one after the other. */
export const pcmOf = (files: ReadonlyArray<Uint8Array>): Uint8Array =>
  Uint8Array.from(Buffer.concat(files.map((file) => file.subarray(44))))
