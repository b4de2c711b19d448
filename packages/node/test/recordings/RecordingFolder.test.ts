/** Recordings in a folder: docs/reference/voice.md#recording. Verifies: NODE-11, VOIC-11. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Ids, RecordingFiles } from "@trunkline/core/provider"
import { recordingsLayer } from "@trunkline/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { afterAll, describe, expect, it } from "vitest"

const root = mkdtempSync(join(tmpdir(), "trunkline-recordings-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const folder = join(root, "below", "recordings")
const ids = Ids.ascending()
let made = 0
const session = () => Ids.as<"VoiceSession">(ids.next((1_780_000_000_000 + made++) as never))

const run = <A, E>(use: (files: RecordingFiles["Service"]) => Effect.Effect<A, E>, at = folder): Promise<A> =>
  Effect.runPromise(Effect.provide(RecordingFiles.use(use), recordingsLayer({ folder: at })))

const begin = (id: Ids.VoiceSessionId) =>
  run((files) => files.open(id, 8000, (failed) => expect.unreachable(failed.message)))

const bytesOf = (id: Ids.VoiceSessionId) =>
  run((files) =>
    Effect.flatMap(files.read(id), (file) =>
      file === null
        ? Effect.succeed(null)
        : Effect.map(Stream.runCollect(file.content), (chunks) => {
            const content = Buffer.concat([...chunks])
            expect(content.length).toBe(file.bytes)
            return content
          })
    )
  )

/** What players read of a file. */
const shape = (wav: Buffer) => ({
  riff: wav.toString("latin1", 0, 4),
  whole: wav.readUInt32LE(4) + 8,
  channels: wav.readUInt16LE(22),
  rate: wav.readUInt32LE(24),
  bits: wav.readUInt16LE(34),
  sound: wav.readUInt32LE(40)
})

describe("a recording", () => {
  // Verifies: V-177, V-209.
  it("is a WAV file of two channels, for this user alone", async () => {
    const id = session()
    const writer = await begin(id)
    const samples = new Int16Array([1, -1, 2, -2])
    writer.append(samples)
    samples.fill(0)
    writer.append(samples.subarray(0, 2))
    await Effect.runPromise(writer.finish)
    const wav = (await bytesOf(id))!
    expect(shape(wav)).toEqual({ riff: "RIFF", whole: 56, channels: 2, rate: 8000, bits: 16, sound: 12 })
    expect([...new Int16Array(new Uint8Array(wav.subarray(44)).buffer)]).toEqual([1, -1, 2, -2, 0, 0])
    const path = join(folder, `${id}.wav`)
    expect(readFileSync(path).equals(wav)).toBe(true)
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it("of a process that died is as long as what was written, without half a sample", async () => {
    const id = session()
    const writer = await begin(id)
    writer.append(new Int16Array(8))
    await Effect.runPromise(writer.finish)
    truncateSync(join(folder, `${id}.wav`), 44 + 10)
    expect(shape((await bytesOf(id))!)).toMatchObject({ sound: 8, whole: 52 })
  })

  it("goes on where the session is resumed", async () => {
    const id = session()
    for (const sample of [1, 2]) {
      const writer = await begin(id)
      writer.append(new Int16Array([sample, sample]))
      await Effect.runPromise(writer.finish)
    }
    const wav = (await bytesOf(id))!
    expect(shape(wav)).toMatchObject({ sound: 8 })
    expect([...new Int16Array(new Uint8Array(wav.subarray(44)).buffer)]).toEqual([1, 1, 2, 2])
  })

  it("that is removed is gone, also when it never was", async () => {
    const id = session()
    await Effect.runPromise((await begin(id)).finish)
    await run((files) => files.remove(id))
    await run((files) => files.remove(id))
    expect(await bytesOf(id)).toBeNull()
    expect(readdirSync(folder)).not.toContain(`${id}.wav`)
  })

  it("that cannot be written fails before it begins", async () => {
    const file = join(folder, readdirSync(folder)[0]!)
    const opening = run((files) => Effect.flip(files.open(session(), 8000, () => undefined)), file)
    expect((await opening)._tag).toBe("RecordingFailed")
  })
})
