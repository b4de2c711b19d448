/** Texts spoken in threads of their own, one after the other. */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { tracedFn, UpstreamFailed, type UpstreamWhy } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { fileOf, flitePackage, installCommand } from "./EnginePackages.ts"
import type { FliteOrder } from "./Flite.ts"
import type { FliteTools } from "./FliteThread.ts"
import { threadFile } from "./ThreadLife.ts"

export interface FliteEngine {
  readonly speak: (order: FliteOrder) => Effect.Effect<Uint8Array, UpstreamFailed>
  /** Compiles the module, which stays compiled. */
  readonly load: Effect.Effect<void, UpstreamFailed>
}

const failed = (why: UpstreamWhy, detail: string): UpstreamFailed =>
  new UpstreamFailed({ why, detail, retryAfterSeconds: null, advice: null })

const notInstalled = `the embedded voices lack ${flitePackage.name}; run ${installCommand([flitePackage.name])}`

/** Node warns of WASI, which it calls experimental, once in each thread. */
const execArgv = [...process.execArgv, "--disable-warning=ExperimentalWarning"]

const run = (workerData: FliteTools): Effect.Effect<Uint8Array, UpstreamFailed> =>
  Effect.callback((resume) => {
    const worker = new Worker(threadFile("FliteThread"), { workerData, execArgv })
    worker.once("message", (bytes: Uint8Array) => resume(Effect.succeed(bytes)))
    worker.once("error", (error: Error) => resume(Effect.fail(failed("failed", `the thread broke: ${error.message}`))))
    worker.once("exit", (code) => resume(Effect.fail(failed("failed", `the thread ended with ${code} and no audio`))))
    return Effect.promise(() => worker.terminate())
  })

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-speech-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** `locate`: where the module is; null where its package is not installed. An interruption ends the thread. */
export const makeFliteEngine = (locate: () => string | null = () => fileOf(flitePackage)): FliteEngine => {
  const turns = Semaphore.makeUnsafe(1)
  let compiled: Promise<WebAssembly.Module> | undefined

  const load = Effect.suspend(() => {
    const path = locate()
    if (path === null) return Effect.fail(failed("failed", notInstalled))
    compiled ??= readFile(path).then((bytes) => WebAssembly.compile(bytes))
    const loading = compiled
    return Effect.tryPromise({
      try: () => loading,
      catch: () => {
        compiled = undefined
        return failed("failed", `${path} is no module`)
      }
    })
  })

  const speak = tracedFn("Flite.speak")(function* (order: FliteOrder) {
    const module = yield* load
    const speaking = Effect.flatMap(temporaryFolder, (folder) => run({ module, order, folder }))
    return yield* Semaphore.withPermits(turns, 1)(Effect.scoped(speaking))
  })

  return { speak, load: Effect.asVoid(load) }
}
