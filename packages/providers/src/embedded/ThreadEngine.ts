/** One thread that works, and the queue before it. */
import type { Transferable, Worker } from "node:worker_threads"
import {
  makeThreadLife,
  type NotStarted,
  nextReply,
  type ThreadFailure,
  type ThreadSettings,
  type Warm
} from "./ThreadLife.ts"

/** An order as its thread gets it. */
export type Stoppable<Order> = Order & {
  /** One number in memory that is shared: anything but 0 stops the job. */
  readonly stop: Int32Array
}

/** What a thread replies to an order. `Own` is what its kind of work comes to; a job that was not stopped is `done` at best. */
export type ThreadReply<Own> = Own | ThreadFailure

export type EngineReply<Own> = ThreadReply<Own> | NotStarted | { readonly kind: "closed" }

export interface EngineOptions<Order> extends ThreadSettings {
  /** Jobs that wait; one more is refused. */
  readonly queue: number
  /** Of one job, before anything has been measured. */
  readonly guessedJobMs: number
  /** What of an order is moved into the thread, not copied. */
  readonly moved?: ((order: Order) => ReadonlyArray<Transferable>) | undefined
  /** For a job that was stopped and goes on. Default 10 s. */
  readonly graceMs?: number | undefined
}

export interface Kept<Own> {
  /** `warm` once the next job finds everything loaded, or why it will not. */
  readonly loaded: Promise<EngineReply<Own> | Warm>
  readonly letGo: () => void
}

export interface ThreadEngine<Order, Own> {
  /**
   * Queues a job whose answer is given once. Ends it where the result is called: one that waits is dropped, one that runs
   * stops at its next step, and neither is answered. A number instead where the queue is full: seconds until there is room.
   */
  readonly submit: (order: Order, answer: (reply: EngineReply<Own>) => void) => (() => void) | number
  /** Starts the thread where there is none, and keeps it until it is let go. */
  readonly keep: () => Kept<Own>
  /** Ends the thread; work that waits or runs is answered with `closed`, and so is later work. */
  readonly close: () => Promise<void>
}

interface Job<Order, Own> {
  readonly order: Stoppable<Order>
  readonly answer: (reply: EngineReply<Own>) => void
}

export const makeThreadEngine = <Order, Own extends { readonly kind: string }>(
  options: EngineOptions<Order>
): ThreadEngine<Order, Own> => {
  const { graceMs = 10_000, moved = () => [], queue } = options
  const life = makeThreadLife<Own>(options)
  const waiting: Array<Job<Order, Own>> = []
  let running: Job<Order, Own> | null = null
  let isWorking = false
  let closed = false
  let meanJobMs = options.guessedJobMs

  const ask = (on: Worker, order: Stoppable<Order>): Promise<ThreadReply<Own>> => {
    const reply = nextReply<ThreadReply<Own>>(on)
    on.postMessage(order, moved(order))
    return reply
  }

  const carriedOut = async ({ order }: Job<Order, Own>): Promise<EngineReply<Own>> => {
    const loaded = await life.loaded()
    if (!("worker" in loaded)) return loaded as Exclude<typeof loaded, { readonly worker: Worker }>
    if (Atomics.load(order.stop, 0) !== 0) return { kind: "stopped" }
    const from = performance.now()
    const reply = await ask(loaded.worker, order)
    if (reply.kind === "done") meanJobMs += (performance.now() - from - meanJobMs) / 4
    // One whose tools could not be loaded, or that broke, is not asked again.
    if (reply.kind === "missing" || reply.kind === "failed") await life.dismiss()
    return reply
  }

  /** Jobs one after the other, for as long as there are any. */
  const work = async (): Promise<void> => {
    if (isWorking) return
    isWorking = true
    const letGo = life.keep()
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      running = job
      const reply = await carriedOut(job)
      running = null
      job.answer(reply)
    }
    isWorking = false
    letGo()
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
      if (running === job) void life.dismiss()
    }, graceMs).unref()
  }

  const keep = (): Kept<Own> => {
    if (closed) return { loaded: Promise.resolve({ kind: "closed" }), letGo: () => undefined }
    const letGo = life.keep()
    return { loaded: life.loaded().then((loaded) => ("worker" in loaded ? { kind: "warm" } : loaded)), letGo }
  }

  const close = async (): Promise<void> => {
    closed = true
    const open = [...waiting.splice(0), ...(running === null ? [] : [running])]
    for (const job of open) job.answer({ kind: "closed" })
    await life.close()
  }

  return { submit, keep, close }
}
