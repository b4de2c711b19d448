/** One thread that works, the queue before it, and its life: it starts with a job and ends when there was none for a while. */
import { existsSync } from "node:fs"
import { type Transferable, Worker } from "node:worker_threads"

/** An order as its thread gets it. */
export type Stoppable<Order> = Order & {
  /** One number in memory that is shared: anything but 0 stops the job. */
  readonly stop: Int32Array
}

/** What a thread replies to an order. `Own` is what its kind of work comes to; a job that was not stopped is `done` at best. */
export type ThreadReply<Own> = Own | { readonly kind: "stopped" } | { readonly kind: "failed"; readonly detail: string }

/** `error` is what `tools` rejected with. */
export type EngineReply<Own> =
  | ThreadReply<Own>
  | { readonly kind: "not_started"; readonly error: unknown }
  | { readonly kind: "closed" }

export interface EngineOptions<Order> {
  /** What a new thread works with. Asked before each start; where it rejects, the job fails with that error. */
  readonly tools: () => Promise<unknown>
  readonly thread: URL
  /** Jobs that wait; one more is refused. */
  readonly queue: number
  readonly idleMs: number
  /** Of one job, before anything has been measured. */
  readonly guessedJobMs: number
  /** What of an order is moved into the thread, not copied. */
  readonly moved?: ((order: Order) => ReadonlyArray<Transferable>) | undefined
  /** For a job that was stopped and goes on. Default 10 s. */
  readonly graceMs?: number | undefined
}

export interface ThreadEngine<Order, Own> {
  /**
   * Queues a job whose answer is given once. Ends it where the result is called: one that waits is dropped, one that runs
   * stops at its next step, and neither is answered. A number instead where the queue is full: seconds until there is room.
   */
  readonly submit: (order: Order, answer: (reply: EngineReply<Own>) => void) => (() => void) | number
  /** Ends the thread; whatever waits or runs is answered with `closed`, and so is whatever comes later. */
  readonly close: () => Promise<void>
}

interface Job<Order, Own> {
  readonly order: Stoppable<Order>
  readonly answer: (reply: EngineReply<Own>) => void
}

/** Undefined where a bundler has turned this module into CommonJS. */
const here: string | undefined = import.meta.url

/**
 * The file of a thread in this folder. From sources a thread runs the source, from a build the build. Throws where a bundle lacks
 * it: docs/embedding.md#bundles.
 */
export const threadFile = (name: string): URL => {
  const file = here === undefined ? null : new URL(`./${name}${here.endsWith(".ts") ? ".ts" : ".js"}`, here)
  if (file !== null && existsSync(file)) return file
  throw new Error(`The embedded engine cannot start its thread ${name}: keep @trunkline/providers out of the bundle.`)
}

export const makeThreadEngine = <Order, Own extends { readonly kind: string }>(
  options: EngineOptions<Order>
): ThreadEngine<Order, Own> => {
  const { graceMs = 10_000, idleMs, moved = () => [], queue, thread } = options
  const waiting: Array<Job<Order, Own>> = []
  let running: Job<Order, Own> | null = null
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let closed = false
  let meanJobMs = options.guessedJobMs

  const started = async (): Promise<Worker> => {
    const workerData = await options.tools()
    if (closed) throw new Error("closed while it was starting")
    const fresh = new Worker(thread, { workerData })
    // Without a listener an error of the thread would end the process. Who waits for an answer hears of it by `exit`.
    fresh.on("error", () => undefined)
    fresh.once("exit", () => {
      if (worker === fresh) worker = null
    })
    return fresh
  }

  /** The thread's answer to one job. A thread that ends meanwhile has failed it. */
  const ask = (on: Worker, order: Stoppable<Order>): Promise<ThreadReply<Own>> =>
    new Promise((resolve) => {
      const settle = (reply: ThreadReply<Own>) => {
        on.off("message", settle).off("exit", gone).off("error", broken)
        resolve(reply)
      }
      const gone = (code: number) => settle({ kind: "failed", detail: `the thread ended with ${code} and no answer` })
      const broken = (error: Error) => settle({ kind: "failed", detail: `the thread broke: ${error.message}` })
      on.on("message", settle).on("exit", gone).on("error", broken)
      on.ref()
      on.postMessage(order, moved(order))
    })

  const carriedOut = async (job: Job<Order, Own>): Promise<EngineReply<Own>> => {
    try {
      worker ??= await started()
    } catch (error) {
      return { kind: "not_started", error }
    }
    if (Atomics.load(job.order.stop, 0) !== 0) return { kind: "stopped" }
    const from = performance.now()
    const reply = await ask(worker, job.order)
    if (reply.kind === "done") meanJobMs += (performance.now() - from - meanJobMs) / 4
    // One whose tools could not be loaded, or that broke, is not asked again.
    if (reply.kind === "missing" || reply.kind === "failed") await dismiss()
    return reply
  }

  const dismiss = async (): Promise<void> => {
    const old = worker
    worker = null
    await old?.terminate()
  }

  /** Jobs one after the other, for as long as there are any. */
  const work = async (): Promise<void> => {
    clearTimeout(idle)
    while (running === null) {
      const job = waiting.shift()
      if (job === undefined) break
      running = job
      const reply = await carriedOut(job)
      running = null
      job.answer(reply)
    }
    if (running === null) rest()
  }

  /** An idle thread keeps no process alive, and itself not for long. */
  const rest = (): void => {
    worker?.unref()
    idle = setTimeout(() => {
      worker?.postMessage(null)
      worker = null
    }, idleMs).unref()
  }

  const submit = (order: Order, answer: (reply: EngineReply<Own>) => void): (() => void) | number => {
    if (waiting.length >= queue) return Math.max(1, Math.ceil(meanJobMs / 1_000))
    let open = true
    const once = (reply: EngineReply<Own>): void => {
      if (open) answer(reply)
      open = false
    }
    const job = { order: { ...order, stop: new Int32Array(new SharedArrayBuffer(4)) }, answer: once }
    if (closed) {
      once({ kind: "closed" })
      return () => undefined
    }
    waiting.push(job)
    void work()
    return () => {
      open = false
      end(job)
    }
  }

  const end = (job: Job<Order, Own>): void => {
    const place = waiting.indexOf(job)
    if (place >= 0) return void waiting.splice(place, 1)
    if (running !== job) return
    Atomics.store(job.order.stop, 0, 1)
    // Work that is stuck, such as a decoder in a file, hears nothing.
    setTimeout(() => {
      if (running === job) void dismiss()
    }, graceMs).unref()
  }

  const close = async (): Promise<void> => {
    closed = true
    clearTimeout(idle)
    const open = [...waiting.splice(0), ...(running === null ? [] : [running])]
    for (const job of open) job.answer({ kind: "closed" })
    await dismiss()
  }

  return { submit, close }
}
