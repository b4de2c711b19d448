/** A thread's side of ThreadEngine: one order after the other, each answered once. Imports nothing of the core. */
import { parentPort } from "node:worker_threads"
import type { Stoppable, ThreadReply } from "./ThreadEngine.ts"

/** Work that ThreadEngine asks for. */
export interface ThreadWork<Order, Own> {
  /** Null where the order was stopped. */
  readonly run: (order: Stoppable<Order>) => Promise<Own | null>
  /** The reply to an error of `run`; null for one that is nobody's but the thread's. */
  readonly refusal?: (error: unknown) => Own | null
  /** Lets go of everything that keeps the thread alive. */
  readonly free?: () => Promise<unknown>
}

/** Answers the orders of the thread's parent until it asks the thread to end, with null. */
export const answerOrders = <Order, Own>({ free, refusal, run }: ThreadWork<Order, Own>): void => {
  const reply = async (order: Stoppable<Order>): Promise<ThreadReply<Own>> => {
    try {
      return (await run(order)) ?? { kind: "stopped" }
    } catch (error) {
      return refusal?.(error) ?? { kind: "failed", detail: error instanceof Error ? error.message : String(error) }
    }
  }
  parentPort?.on("message", async (order: Stoppable<Order> | null) => {
    if (order !== null) return parentPort?.postMessage(await reply(order))
    await free?.()
    parentPort?.close()
  })
}
