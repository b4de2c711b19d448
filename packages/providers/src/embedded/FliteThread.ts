/**
 * What runs in the thread of FliteEngine: one text, spoken into a file, which is returned in its format. Of the core it imports
 * the rules of sound alone, so that it starts fast.
 */
import { closeSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { WASI } from "node:wasi"
import { parentPort, workerData } from "node:worker_threads"
import {
  bytesOf,
  fractions,
  resampler,
  samplesOf,
  synthesisRate,
  wavHeaderBytes,
  wholeSamples
} from "@trunkline/core/audio"
import type { FliteOrder } from "./Flite.ts"

export interface FliteTools {
  readonly module: WebAssembly.Module
  readonly order: FliteOrder
  /** Of this order alone; who started the thread removes it. */
  readonly folder: string
}

const pcmOf = (wav: Uint8Array): Uint8Array => {
  const rate = new DataView(wav.buffer, wav.byteOffset, wav.byteLength).getUint32(24, true)
  const { add, end } = resampler(rate, synthesisRate)
  const sound = add(fractions(samplesOf(wav.subarray(wavHeaderBytes))))
  return new Uint8Array(Buffer.concat([sound, end()].map((block) => bytesOf(wholeSamples(block)))))
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
parentPort?.postMessage(order.format === "wav" ? wav : pcmOf(wav))
