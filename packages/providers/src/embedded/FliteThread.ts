/**
 * What runs in the thread of FliteEngine: one text, spoken into a file, which is returned in its format. Imports nothing of the core,
 * so that it starts fast.
 */
import { closeSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { WASI } from "node:wasi"
import { parentPort, workerData } from "node:worker_threads"
import type { FliteOrder } from "./Flite.ts"
import { resampler } from "./Resampler.ts"

export interface FliteTools {
  readonly module: WebAssembly.Module
  readonly order: FliteOrder
  /** Of this order alone; who started the thread removes it. */
  readonly folder: string
}

/** Samples a second of `pcm`. */
const pcmRate = 24_000

/** Of the header that the program writes: its samples are of 16 bits and one channel. */
const headerBytes = 44

const samplesOf = (wav: Uint8Array): Uint8Array => {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength)
  const count = Math.floor((view.byteLength - headerBytes) / 2)
  const sound = Float32Array.from({ length: count }, (_, nth) => view.getInt16(headerBytes + 2 * nth, true) / 32_768)
  const resampled = resampler(view.getUint32(24, true), pcmRate)
  const blocks = [resampled.add(sound), resampled.end()]
  const bytes = new DataView(new ArrayBuffer(2 * blocks.reduce((count, { length }) => count + length, 0)))
  let at = 0
  for (const block of blocks) {
    for (const sample of block) {
      bytes.setInt16(at, Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))), true)
      at += 2
    }
  }
  return new Uint8Array(bytes.buffer)
}

const { folder, module, order } = workerData as FliteTools
// What the program says of itself belongs into no log of ours.
const log = openSync(join(folder, "log"), "w")
const wasi = new WASI({
  version: "preview1",
  args: [
    ...["flite", "-voice", order.voice, "--setf", `duration_stretch=${1 / order.speed}`],
    ...["-t", order.text, "-o", "/speech/out.wav"]
  ],
  preopens: { "/speech": folder },
  stdout: log,
  stderr: log,
  returnOnExit: true
})
const code = wasi.start(await WebAssembly.instantiate(module, { ...wasi.getImportObject() }))
closeSync(log)
if (code !== 0) throw new Error(`the program ended with ${code}`)
const wav = new Uint8Array(readFileSync(join(folder, "out.wav")))
parentPort?.postMessage(order.format === "wav" ? wav : samplesOf(wav))
