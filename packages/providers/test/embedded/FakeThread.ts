/** A thread that does what the bytes of its orders say: one character each. */
import { parentPort, workerData } from "node:worker_threads"
import type { SpeechOrder, SpeechReply } from "../../src/embedded/SpeechThread.ts"
import type { Stoppable, ThreadReply } from "../../src/embedded/ThreadEngine.ts"
import type { Warm } from "../../src/embedded/ThreadLife.ts"

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What a test's tools say beside what a thread works with. */
export interface FakeTools {
  /** Counts the threads. */
  readonly started?: Int32Array
  /** It cannot load. */
  readonly lacks?: string
}

const { lacks, started } = workerData as FakeTools
if (started !== undefined) Atomics.add(started, 0, 1)

let jobs = 0

const reply = async ({ bytes, stop }: Stoppable<SpeechOrder>): Promise<ThreadReply<SpeechReply>> => {
  const order = Buffer.from(bytes).toString()
  if (order === "crash") process.exit(3)
  if (order === "throw")
    queueMicrotask(() => {
      throw new Error("broken inside")
    })
  if (order === "throw") await pause(5_000)
  if (order === "stuck") for (;;) Atomics.load(stop, 0)
  if (order === "unreadable") return { kind: "unreadable", detail: "a picture" }
  if (order === "failed") return { kind: "failed", detail: "no memory" }
  if (order === "missing") return { kind: "missing", packageName: "mpg123-decoder" }
  if (order === "long") while (Atomics.load(stop, 0) === 0) await pause(5)
  if (order === "long") return { kind: "stopped" }
  return { kind: "done", text: `${order} ${++jobs}`, seconds: 1 }
}

parentPort?.on("message", async (order: Stoppable<SpeechOrder> | null) => {
  if (order === null) return parentPort?.close()
  parentPort?.postMessage(await reply(order))
})
const loaded: SpeechReply | Warm = lacks === undefined ? { kind: "warm" } : { kind: "missing", packageName: lacks }
parentPort?.postMessage(loaded)
