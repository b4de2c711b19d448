/** A thread's side of ThreadEngine: one order after the other, each answered once. Imports nothing of the core. */
import { parentPort } from "node:worker_threads"
import type { Stoppable, ThreadReply } from "./ThreadEngine.ts"
import type { Warm } from "./ThreadLife.ts"

/** Work that ThreadEngine asks for. */
export interface ThreadWork<Order, Own> {
  /** Loads everything, and runs it once: the first run of a network is the slowest. Begins when the thread starts. */
  readonly load: () => Promise<unknown>
  /** Null where the order was stopped. */
  readonly run: (order: Stoppable<Order>) => Promise<Own | null>
  /** The reply to an error of `run`; null for one that is nobody's but the thread's. */
  readonly refusal?: (error: unknown) => Own | null
  /** Lets go of everything that keeps the thread alive. */
  readonly free?: () => Promise<unknown>
}

/** Loads, and answers the orders of the thread's parent until it asks the thread to end, with null. */
export const answerOrders = <Order, Own>({ free, load, refusal, run }: ThreadWork<Order, Own>): void => {
  const replyTo = async (work: () => Promise<Own | Warm | null>): Promise<ThreadReply<Own> | Warm> => {
    try {
      return (await work()) ?? { kind: "stopped" }
    } catch (error) {
      return refusal?.(error) ?? { kind: "failed", detail: error instanceof Error ? error.message : String(error) }
    }
  }
  parentPort?.on("message", async (order: Stoppable<Order> | null) => {
    if (order !== null) return parentPort?.postMessage(await replyTo(() => run(order)))
    await free?.()
    parentPort?.close()
  })
  void replyTo(async () => {
    await load()
    return { kind: "warm" }
  }).then((reply) => parentPort?.postMessage(reply))
}
