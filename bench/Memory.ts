/** What a process holds. */

/** Bytes. */
export interface Memory {
  /** What the system counts. */
  readonly resident: number
  /** What is reachable in the heap, and what its objects hold outside. */
  readonly held: number
}

/** What is left when everything that can be collected is. */
export const settled = async (): Promise<Memory> => {
  for (let i = 0; i < 4; i++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { external, heapUsed, rss } = process.memoryUsage()
  return { resident: rss, held: heapUsed + external }
}
