/** A process that embeds a text, then once a second for a number of milliseconds, and prints the length of each vector. */
import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import { embedded } from "../../src/embedded/index.ts"
import { embedder } from "./Sentences.ts"

const [modelsFolder, text = "", milliseconds] = process.argv.slice(2)

const engine = embedded({ modelsFolder, install: false })
const embed = async () => console.log((await Effect.runPromise(embedder(engine)(text))).vectors[0]?.length)
await embed()
const until = performance.now() + Number(milliseconds)
while (performance.now() < until) {
  await setTimeout(1000)
  await embed()
}
await engine.close()
