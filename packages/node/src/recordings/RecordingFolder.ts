/** Recordings of voice sessions as files of a folder, named by their sessions. Source: docs/reference/voice.md#recording. */
import { createReadStream, createWriteStream, type WriteStream } from "node:fs"
import { mkdir, open, rm } from "node:fs/promises"
import { join } from "node:path"
import type { RecordingsProvider } from "@trunkline/core"
import {
  type Ids,
  RecordingFailed,
  RecordingFiles,
  type RecordingWriter,
  recordingsProvider,
  wavHeader,
  wavHeaderBytes
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

export interface RecordingsOptions {
  /** Where the files are. It is made when the first recording begins, readable by this user alone. */
  readonly folder: string
  /** Days after which a recording is removed. Default 30. */
  readonly keepDays?: number
}

/** Sound that waits for the disk: some minutes of a telephone line. */
const maxWaitingBytes = 16 * 1024 * 1024

const dayMs = 86_400_000

const ownerAlone = 0o600

const failed = (doing: string) => (error: unknown) =>
  new RecordingFailed({ detail: `${doing}: ${error instanceof Error ? error.message : String(error)}` })

const attempt = <A>(doing: string, run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: failed(doing) })

const isMissing = (error: unknown): boolean => (error as { readonly code?: string }).code === "ENOENT"

/** Bytes of a file, or null where there is none. */
const begunFile = async (path: string) => {
  try {
    const file = await open(path, "r")
    try {
      const { size } = await file.stat()
      const header = Buffer.alloc(wavHeaderBytes)
      await file.read(header, 0, wavHeaderBytes, 0)
      return { size, header }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Samples a second, as a header says. */
const rateOf = (header: Uint8Array): number => new DataView(header.buffer, header.byteOffset).getUint32(24, true)

/** Bytes of whole samples of both channels. A process that died may have written half of one. */
const soundBytes = (size: number): number => Math.max(0, size - wavHeaderBytes - ((size - wavHeaderBytes) % 4))

/** Corrects the lengths in the header, which nobody knows before the end. */
const completeHeader = async (path: string): Promise<void> => {
  const file = await open(path, "r+")
  try {
    const { size } = await file.stat()
    const header = Buffer.alloc(wavHeaderBytes)
    await file.read(header, 0, wavHeaderBytes, 0)
    await file.write(wavHeader({ rate: rateOf(header), channels: 2, bytes: soundBytes(size) }), 0, wavHeaderBytes, 0)
  } finally {
    await file.close()
  }
}

const ended = (stream: WriteStream) =>
  new Promise<void>((resolve, reject) => {
    stream.once("error", reject)
    stream.end(() => resolve())
  })

const writerOf = (
  stream: WriteStream,
  path: string,
  onFailure: (failure: RecordingFailed) => void
): RecordingWriter => {
  let failure: RecordingFailed | null = null
  const fail = (error: unknown) => {
    if (failure !== null) return
    failure = failed("a recording cannot be written")(error)
    onFailure(failure)
  }
  stream.on("error", fail)
  return {
    append: (samples) => {
      if (failure !== null) return
      if (stream.writableLength > maxWaitingBytes) return fail(new Error("the disk is too slow"))
      // A copy: the caller may reuse its samples while they wait.
      stream.write(Buffer.from(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)))
    },
    finish: Effect.suspend(() =>
      failure !== null
        ? Effect.fail(failure)
        : attempt("a recording cannot be finished", async () => {
            await ended(stream)
            await completeHeader(path)
          })
    )
  }
}

const layerOf = ({ folder, keepDays = 30 }: RecordingsOptions): Layer.Layer<RecordingFiles> => {
  // An id is a UUID and never a path.
  const pathOf = (id: Ids.VoiceSessionId) => join(folder, `${id}.wav`)

  return Layer.succeed(RecordingFiles, {
    keepMs: keepDays * dayMs,
    open: (id, sampleRate, onFailure) =>
      attempt("a recording cannot be begun", async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const path = pathOf(id)
        const begun = await begunFile(path)
        const stream = createWriteStream(path, { flags: "a", mode: ownerAlone })
        const writer = writerOf(stream, path, onFailure)
        await new Promise((resolve, reject) => {
          stream.once("open", resolve)
          stream.once("error", reject)
        })
        if (begun === null || begun.size < wavHeaderBytes)
          stream.write(wavHeader({ rate: sampleRate, channels: 2, bytes: 0 }))
        return writer
      }),
    read: (id) =>
      Effect.map(
        attempt("a recording cannot be read", () => begunFile(pathOf(id))),
        (begun) => {
          if (begun === null || begun.size < wavHeaderBytes) return null
          const bytes = soundBytes(begun.size)
          return { bytes: wavHeaderBytes + bytes, content: contentOf(pathOf(id), rateOf(begun.header), bytes) }
        }
      ),
    remove: (id) => attempt("a recording cannot be removed", () => rm(pathOf(id), { force: true }))
  })
}

const contentOf = (path: string, sampleRate: number, bytes: number): Stream.Stream<Uint8Array> => {
  const header = Stream.make<[Uint8Array]>(wavHeader({ rate: sampleRate, channels: 2, bytes }))
  if (bytes === 0) return header
  const sound = Stream.suspend(() =>
    Stream.fromAsyncIterable<Uint8Array, RecordingFailed>(
      createReadStream(path, { start: wavHeaderBytes, end: wavHeaderBytes + bytes - 1 }),
      failed("a recording cannot be read")
    )
  )
  return Stream.concat(header, Stream.orDie(sound))
}

/**
 * Where recordings of voice sessions are kept: WAV files of a folder, removed after some days.
 *
 * @example
 * createTrunkline({ storage, encryptionKey, recordings: recordings({ folder: "./data/recordings" }) })
 */
export const recordings = (options: RecordingsOptions): RecordingsProvider => recordingsProvider(layerOf(options))

/** The same for programs that use Effect. */
export const recordingsLayer = layerOf
