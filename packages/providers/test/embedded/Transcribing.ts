/** A process that transcribes a file, then every four seconds for a number of milliseconds, and prints each text. */
import { readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import { embedded } from "../../src/embedded/index.ts"
import { transcriber } from "./Readings.ts"

const [modelsFolder, file, milliseconds] = process.argv.slice(2)

const engine = embedded({ modelsFolder, install: false })
const speech = Uint8Array.from(readFileSync(file!))
const transcribe = async () => console.log((await Effect.runPromise(transcriber(engine)(speech))).text)
await transcribe()
const until = performance.now() + Number(milliseconds)
while (performance.now() < until) {
  await setTimeout(4000)
  await transcribe()
}
await engine.close()
